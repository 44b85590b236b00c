"use strict";

const { writeFileSync } = require("node:fs");

const strata = require("prompt-strata");
const { default: vectors } = require("./fixtures.cjs");
const { probe } = require("./matrix/probe.cjs");

it("gives a report", () => {
  writeFileSync("report.json", JSON.stringify(probe(strata, vectors)));
});
