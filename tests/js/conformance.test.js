// @ts-check

// Every vector of the contract, through the built package.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as strata from "prompt-strata";

import { readText, readVectors } from "./repository.js";
import { runVectors } from "./vectors.js";

const vectors = readVectors();

const COUNTS = {
  "assemble.jsonl": 47,
  "blocks-facts.jsonl": 70,
  "departures.jsonl": 45,
  "drift.jsonl": 40,
  "guardrails.jsonl": 89,
  "names-files-edits.jsonl": 61,
  "resolve.jsonl": 87,
};

test("all 439 vectors are there", () => {
  const counts = Object.fromEntries(Object.entries(vectors).map(([file, them]) => [file, them.length]));
  assert.deepEqual(counts, COUNTS);
  assert.equal(
    Object.values(counts).reduce((sum, count) => sum + count),
    439,
  );
});

for (const [file, them] of Object.entries(vectors)) {
  test(file, () => {
    const { failures, count } = runVectors(strata, { [file]: them });
    assert.equal(count, them.length);
    assert.equal(failures.length, 0, `${failures.length} failures\n\n${failures.join("\n\n")}`);
  });
}

test("the digest over all results is the same each time", () => {
  const first = runVectors(strata, vectors);
  assert.match(first.digest, /^[0-9a-f]{64}$/);
  assert.deepEqual(runVectors(strata, vectors), first);
});

test("the runner notices a wrong result, a missing one and one that is thrown", () => {
  const [vector] = vectors["resolve.jsonl"];
  const wrong = { ...vector, want: { ...vector.want, text: `${vector.want.text}x` } };
  const missing = { ...vector, want: { ...vector.want, more: null } };
  const broken = { ...vector, args: { layers: 5 } };
  const unknown = { ...vector, op: "nothing" };
  const { failures } = runVectors(strata, { "resolve.jsonl": [wrong, missing, broken, unknown] });
  // As an object, as JSON text and as bytes.
  assert.equal(failures.length, 3 + 3 + 3 + 1, failures.join("\n\n"));
  assert.match(failures[0], /^resolve\.jsonl:1 resolve: .*\n[^]*\n {2}- .*\n {2}\+ /);
});

test("effective blocks come in their fixed order", () => {
  const content = { surfaceNotes: ["s"], guardrails: ["g"], operatingRules: "o", identity: "i" };
  const { effective } = strata.assemble({ layers: [{ layer: "seed", content }] });
  assert.deepEqual(Object.keys(effective), ["identity", "operating-rules", "guardrails", "surface-note"]);
});

test("the fixed wording is that of wording.json", () => {
  const wording = JSON.parse(readText("tests", "conformance", "wording.json"));
  /** @type {import("prompt-strata").AssembleInput} */
  const input = {
    layers: [{ layer: "seed", content: { guardrails: ["g"], surfaceNotes: ["n"], instructions: "i" } }],
    runtime: { epistemicStance: "Be curious." },
    facts: [{ key: "time", value: "12:00", volatility: "dynamic" }],
  };
  const { prefix, tail } = strata.assemble(input);
  for (const name of ["guardrailsHeading", "surfaceNotesHeading", "instructionsHeading", "factsNote"]) {
    assert.ok(prefix.includes(`${wording[name]}\n`), `${name} is not in the prefix`);
  }
  assert.ok(tail.includes(`\n${wording.stanceClarifier}\n`));
  for (const options of [{ wording }, { wording: "source" }, { wording: {} }, {}]) {
    assert.deepEqual(strata.assemble(/** @type {any} */ ({ ...input, options })), strata.assemble(input));
  }
});
