import * as strata from "prompt-strata";
import vectors from "../fixtures.js";
import { probe } from "../matrix/probe.js";

export const dynamic = "force-dynamic";

export default function Page() {
  return <pre id="report">{JSON.stringify(probe(strata, vectors))}</pre>;
}
