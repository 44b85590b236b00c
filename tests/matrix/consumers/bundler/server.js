import * as strata from "prompt-strata";
import vectors from "./fixtures.js";
import { probe } from "./probe.js";

console.log(JSON.stringify(probe(strata, vectors)));
