// Import maps do not reach workers.
import * as strata from "./node_modules/prompt-strata/dist/inline.js";
import vectors from "./fixtures.js";
import { probe } from "./matrix/probe.js";

postMessage(probe(strata, vectors));
