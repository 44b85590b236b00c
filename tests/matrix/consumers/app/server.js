import * as strata from "prompt-strata";
import vectors from "./fixtures.js";
import { probe } from "./matrix/probe.js";

console.log(JSON.stringify(probe(strata, vectors)));
