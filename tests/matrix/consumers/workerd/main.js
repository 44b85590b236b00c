import * as strata from "prompt-strata";
import vectors from "./fixtures.js";
import { probe } from "./matrix/probe.js";

export default {
  fetch() {
    return Response.json(probe(strata, vectors));
  },
};
