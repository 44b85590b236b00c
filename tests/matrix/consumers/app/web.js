import * as strata from "prompt-strata/web";
import vectors from "./fixtures.js";
import { probe } from "./matrix/probe.js";

// Where the core went is for the bundler to know.
await strata.init();
globalThis.report = probe(strata, vectors);
