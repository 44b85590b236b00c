"use strict";

const strata = require("prompt-strata");
const { default: vectors } = require("./fixtures.js");
const { probe } = require("./matrix/probe.js");

console.log(JSON.stringify(probe(strata, vectors)));
