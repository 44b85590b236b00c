// @ts-check

// The package against the oracle, an independent implementation in plain JavaScript: the same input, the same bytes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { sha256 } from "@noble/hashes/sha2.js";
import fc from "fast-check";
import * as strata from "prompt-strata";

import { sha256Hex } from "../oracle/node-crypto.js";
import { createOracle } from "../oracle/oracle.js";
import { blank, content, descriptor, effort, fact, input, lines, prose } from "./generators.js";

const oracle = /** @type {Record<string, (...parameters: any[]) => any>} */ (createOracle({ sha256Hex }));

/** How many inputs were compared, all properties together. */
let compared = 0;

/**
 * Compares a function of the package with that of the oracle, on generated arguments.
 *
 * @template {unknown[]} P
 * @param {number} numRuns
 * @param {fc.Arbitrary<P>} parameters
 * @param {(...parameters: P) => unknown} found
 * @param {(...parameters: P) => unknown} wanted
 */
function compare(numRuns, parameters, found, wanted) {
  fc.assert(
    fc.property(parameters, (parameters) => {
      compared += 1;
      assert.deepEqual(found(...parameters), wanted(...parameters));
    }),
    { numRuns: numRuns * effort },
  );
}

/**
 * What both have to say of a diagnostic: messages and paths are free, and so is their order.
 *
 * @param {readonly { code: string, severity: string }[]} diagnostics
 */
const codes = (diagnostics) => diagnostics.map(({ code, severity }) => `${severity} ${code}`).sort();

/** @param {any} result */
const comparable = ({ diagnostics, ...rest }) => ({ ...rest, codes: codes(diagnostics) });

test("assemble", () => {
  compare(
    6000,
    fc.tuple(input),
    (input) => comparable(strata.assemble(input)),
    (input) => comparable(oracle.assemble(input)),
  );
});

test("assemble, from JSON text", () => {
  compare(
    1000,
    fc.tuple(input),
    (input) => comparable(strata.assemble(JSON.stringify(input))),
    (input) => comparable(oracle.assemble(input)),
  );
});

test("resolve", () => {
  const parts = input.map(({ layers, runtime, options }) => ({
    layers,
    ...(runtime && { runtime }),
    ...(options && { options }),
  }));
  compare(
    1000,
    fc.tuple(parts),
    (input) => comparable(strata.resolve(input)),
    (input) => comparable(oracle.resolve(input)),
  );
});

for (const dialect of /** @type {const} */ (["strict", "markdown"])) {
  test(`parseGuardrails, ${dialect}`, () => {
    const text = fc.tuple(fc.constantFrom("", "", "\ufeff"), fc.oneof(lines, prose)).map((pieces) => pieces.join(""));
    compare(
      8000,
      fc.tuple(text),
      (text) => strata.parseGuardrails(text, { dialect }),
      (text) => oracle.parseGuardrails(text, { dialect }),
    );
  });
}

test("renderGuardrails", () => {
  const rules = fc.array(prose, { maxLength: 5 });
  compare(
    500,
    fc.tuple(rules),
    (rules) => strata.renderGuardrails(rules),
    (rules) => oracle.renderGuardrails(rules),
  );
});

test("what is rendered parses back, in both dialects", () => {
  const line = fc.oneof(prose, lines).map((text) => strata.parseGuardrails(text.replace(/[\r\n]+/g, " "))[0] ?? "x");
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 5 }),
      fc.constantFrom("strict", "markdown"),
      (rules, dialect) => {
        assert.deepEqual(strata.parseGuardrails(strata.renderGuardrails(rules), { dialect }), rules);
      },
    ),
    { numRuns: 500 },
  );
});

test("renderFacts", () => {
  const facts = fc.array(fact, { maxLength: 4 });
  compare(
    500,
    fc.tuple(facts),
    (facts) => strata.renderFacts(facts),
    (facts) => oracle.renderFacts(facts),
  );
});

test("buildBlocks and flattenBlocks", () => {
  const part = fc.option(prose, { nil: undefined });
  const parts = fc.record({ workspace: part, skills: part, bindingGlue: part, channelMeta: part });
  compare(
    500,
    fc.tuple(parts),
    (parts) => strata.buildBlocks(parts),
    (parts) => oracle.buildBlocks(parts),
  );
  const label = fc.constantFrom("workspace", "mine");
  const cache = fc.constantFrom("1h", "5m", "none");
  const text = fc.oneof(fc.constant(""), prose);
  const blocks = fc.array(fc.record({ label, text, cache }), { maxLength: 4 });
  compare(
    300,
    fc.tuple(blocks),
    (blocks) => strata.flattenBlocks(blocks),
    (blocks) => oracle.flattenBlocks(blocks),
  );
});

test("drift and fingerprint", () => {
  const list = fc.array(descriptor, { maxLength: 8 });
  compare(
    1000,
    fc.tuple(list, list),
    (was, now) => strata.drift(was, now),
    (was, now) => oracle.drift(was, now),
  );
  compare(
    300,
    fc.tuple(list),
    (list) => strata.drift(list, list),
    (_list) => null,
  );
  compare(
    300,
    fc.tuple(list),
    (list) => strata.fingerprint(list),
    (list) => oracle.fingerprint(list),
  );
});

test("the digest, against two implementations, around the size from which the host hashes", () => {
  const length = fc.oneof(
    fc.integer({ min: 0, max: 130 }),
    fc.integer({ min: 500, max: 530 }),
    fc.integer({ min: 1000, max: 70_000 }),
  );
  const text = fc
    .tuple(fc.string({ unit: "binary", maxLength: 5 }), length)
    .map(([text, length]) => `${text}x`.repeat(length / (text.length + 1)));
  compare(400, fc.tuple(text), strata.digest, sha256Hex);
  const encoder = new TextEncoder();
  compare(100, fc.tuple(text), strata.digest, (text) => Buffer.from(sha256(encoder.encode(text))).toString("hex"));
});

test("descriptors are hashed alike by the core and by the host", () => {
  const long = fc
    .tuple(prose, fc.integer({ min: 480, max: 540 }))
    .map(([text, length]) => text.padEnd(length, "\u00e9"));
  const layers = long.map((identity) => ({
    layers: [{ layer: "seed", content: { identity, guardrails: [identity] } }],
  }));
  compare(
    200,
    fc.tuple(layers),
    (input) => strata.assemble(/** @type {any} */ (input)).descriptors,
    (input) => oracle.assemble(input).descriptors,
  );
});

test("parseSeed", () => {
  const names = ["identity", "operating_rules", "operating-rules", "guardrails", "capability_contract"];
  const more = ["presentation-contract", "sandbox_contract", "surface_note", "nothing", ""];
  const marker = fc
    .tuple(
      fc.constantFrom("", "", "  ", "x"),
      fc.constantFrom(...names, ...more),
      fc.constantFrom(" -->", "-->", " --> ", " -->x"),
    )
    .map(([start, name, end]) => `${start}<!-- block: ${name}${end}`);
  const piece = fc.oneof({ weight: 2, arbitrary: marker }, { weight: 3, arbitrary: prose });
  const text = fc
    .array(fc.tuple(piece, fc.constantFrom("\n", "\r\n")), { maxLength: 8 })
    .map((pieces) => pieces.flat().join(""));
  compare(
    1000,
    fc.tuple(text, fc.constantFrom("1.2.3", "", "$&", "{{version}}")),
    (text, version) => comparable(strata.parseSeed(text, { version })),
    (text, version) => comparable(oracle.parseSeed(text, { version })),
  );
});

test("setBlock and getBlock", () => {
  const name = fc.constantFrom("identity", " Rules ", "OPERATING_RULES", "guardrail", "surface", "surface_notes");
  compare(
    500,
    fc.tuple(content, name, fc.option(prose)),
    (content, name, text) => strata.setBlock(content, name, text),
    (content, name, text) => oracle.setBlock(content, name, text),
  );
  compare(
    500,
    fc.tuple(content, name),
    (content, name) => strata.getBlock(content, name),
    (content, name) => oracle.getBlock(content, name),
  );
});

test("files", () => {
  const known = ["identity.md", "operating-rules.md", "guardrails.md", "surface-note.md"];
  const name = fc.constantFrom(...known, "notes.md", "identity", "Identity.md", "__proto__", "constructor", ".md");
  const files = fc.dictionary(name, prose, { maxKeys: 5 });
  compare(
    500,
    fc.tuple(files),
    (files) => comparable(strata.layerFromFiles(files)),
    (files) => comparable(oracle.layerFromFiles(files)),
  );
  const edited = content.map(({ instructions: _, ...content }) => content);
  compare(
    500,
    fc.tuple(edited),
    (content) => strata.layerToFiles(content),
    (content) => oracle.layerToFiles(content),
  );
});

test("what is written as files reads back", () => {
  // A byte order mark at the start of a file is not read.
  const text = prose.map((text) => text.replaceAll("\ufeff", ""));
  const edited = fc.record({ identity: text, operatingRules: text, guardrails: fc.array(text), surfaceNotes: text });
  fc.assert(
    fc.property(edited, (content) => {
      const files = strata.layerToFiles(content);
      const { content: read } = strata.layerFromFiles(files);
      assert.deepEqual(strata.layerToFiles(read), files);
    }),
    { numRuns: 300 },
  );
});

test("names and paths", () => {
  const space = fc.oneof(blank, fc.constantFrom("", "\ufeff"));
  const word = fc.constantFrom(
    "identity",
    "Operating_Rules",
    "rules",
    "GUARDRAIL",
    "surface-notes",
    "surface",
    "sandbox",
    "\u212a",
  );
  const name = fc.tuple(space, word, space).map((pieces) => pieces.join(""));
  compare(
    500,
    fc.tuple(name),
    (name) => strata.parseBlockName(name),
    (name) => oracle.parseBlockName(name),
  );
  const leaf = fc.oneof(
    fc.tuple(space, fc.stringMatching(/^[A-Za-z0-9_-]{0,66}$/), space).map((pieces) => pieces.join("")),
    fc.constantFrom("..", "a/b", "a.b", "é", "a b", "a\0", "a".repeat(64), "a".repeat(65), "\uff41"),
  );
  compare(
    500,
    fc.tuple(fc.constantFrom("surface", "agents"), leaf),
    (kind, leaf) => strata.subLayerPath(kind, leaf),
    (kind, leaf) => oracle.subLayerPath(kind, leaf),
  );
  const wire = fc.oneof(fc.constantFrom("seed", "agent", "Seed", "tenant", ""), prose);
  compare(
    200,
    fc.tuple(wire),
    (wire) => strata.layerLabel(wire),
    (wire) => oracle.layerLabel(wire),
  );
});

test("more than 5,000 inputs were compared", () => {
  assert.ok(compared > 5000, `${compared}`);
});
