import * as strata from "prompt-strata";
import vectors from "./fixtures.js";
import { probe } from "./matrix/probe.js";

addEventListener("fetch", (event) => event.respondWith(Response.json(probe(strata, vectors))));
