import * as strata from "prompt-strata";
import vectors from "./fixtures.js";
import { probe } from "./probe.js";

globalThis.report = probe(strata, vectors);
