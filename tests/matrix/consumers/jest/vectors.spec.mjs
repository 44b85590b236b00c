import { writeFileSync } from "node:fs";

import * as strata from "prompt-strata";
import vectors from "./fixtures.js";
import { probe } from "./matrix/probe.js";

it("gives a report", () => {
  writeFileSync("report.json", JSON.stringify(probe(strata, vectors)));
});
