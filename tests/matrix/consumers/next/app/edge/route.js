import * as strata from "prompt-strata";
import vectors from "../../fixtures.js";
import { probe } from "../../matrix/probe.js";

export const runtime = "edge";

export function POST() {
  return Response.json(probe(strata, vectors));
}
