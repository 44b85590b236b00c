"use strict";

// What tools get that know no `module-sync`, and Nodes that cannot require an ES module.
const { dirname, join } = require("node:path");

const strata = require(join(dirname(require.resolve("prompt-strata/package.json")), "dist/index.cjs"));
const { default: vectors } = require("./fixtures.js");
const { probe } = require("./matrix/probe.js");

console.log(JSON.stringify(probe(strata, vectors)));
