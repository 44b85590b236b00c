// @ts-check

// What stays in memory: nothing of what was refused, and no more of a result than its reader keeps.

import assert from "node:assert/strict";
import { test } from "node:test";

import { collectGarbage, memoryBytes } from "./instances.js";
import * as strata from "prompt-strata";
import { thrownBy } from "./refusals.js";

const { assemble, Assembler } = strata;

const MAX_TEXT_BYTES = 8 * 1024 * 1024;
const MAX_JSON_BYTES = 4 * MAX_TEXT_BYTES;
const MIB = 1024 * 1024;

/** @param {string} identity */
const saying = (identity) => ({ layers: [{ layer: /** @type {const} */ ("seed"), content: { identity } }] });
/** @param {string} source @param {string} identity */
const layer = (source, identity) => ({ layer: /** @type {const} */ ("bot"), source, content: { identity } });

/** @type {[name: string, call: () => unknown][]} */
const REFUSED = [
  ["an object of ASCII", () => assemble(saying("x".repeat(MAX_TEXT_BYTES)))],
  ["an object of two bytes a character", () => assemble(saying("é".repeat(MAX_TEXT_BYTES / 2)))],
  ["an object of three bytes a character", () => assemble(saying("語".repeat(MAX_TEXT_BYTES / 3)))],
  ["an object of many texts", () => assemble({ layers: [], [/** @type {"facts"} */ ("facts")]: manyFacts() })],
  ["JSON that holds too much text", () => assemble(JSON.stringify(saying("é".repeat(MAX_TEXT_BYTES / 2))))],
  ["JSON that is too long in characters", () => assemble(`"${"x".repeat(MAX_JSON_BYTES)}"`)],
  ["JSON that is too long in bytes", () => assemble(`"${"語".repeat(MAX_JSON_BYTES / 3)}"`)],
  ["bytes of JSON that hold too much text", () => assemble(bytesOf(saying("語".repeat(MAX_TEXT_BYTES / 3))))],
  ["bytes of JSON that are too many", () => assemble(new Uint8Array(MAX_JSON_BYTES + 1).fill(0x20))],
  ["an Assembler", () => new Assembler(saying("é".repeat(MAX_TEXT_BYTES / 2)))],
  ["an argument", () => strata.digest(`${"é".repeat(MAX_TEXT_BYTES / 2)}x`)],
];

function manyFacts() {
  const value = "語".repeat(1024);
  return Array.from({ length: 3000 }, (_, index) => ({ key: `${index}`, value, volatility: "static" }));
}

/** @param {unknown} input */
const bytesOf = (input) => new TextEncoder().encode(JSON.stringify(input));

test("what is too large is refused before the core copies any of it", () => {
  assemble(saying("warm"));
  const before = memoryBytes();
  for (const [name, call] of REFUSED) {
    assert.equal(thrownBy(call).code, "too-large", name);
    assert.equal(memoryBytes(), before, name);
  }
});

test("twelve layers of a mebibyte are more than a handle holds", () => {
  const handle = new Assembler({ layers: [] });
  const text = "x".repeat(MIB);
  /** @type {string[]} */
  const held = [];
  for (let index = 0; index < 12; index += 1) {
    const source = `s${index}`;
    try {
      handle.setLayer(layer(source, text));
      held.push(source);
    } catch (thrown) {
      const { code, path, message } = /** @type {import("prompt-strata").StrataError} */ (thrown);
      const want = { code: "too-large", path: "", message: "more than 8388608 bytes of text in all layers together" };
      assert.deepEqual({ code, path, message }, want);
    }
  }
  assert.equal(held.length, 7);
  const want = handle.assemble();
  const before = memoryBytes();
  for (let round = 0; round < 50; round += 1) {
    assert.equal(thrownBy(() => handle.setLayer(layer(`again${round}`, text))).code, "too-large");
  }
  assert.equal(memoryBytes(), before);
  assert.deepEqual(handle.assemble(), want);
  // Another handle has limits of its own, and what is taken out makes room.
  const other = new Assembler(saying(text));
  assert.equal(other.assemble().prefix.length, MIB + 1);
  assert.equal(handle.removeLayer("bot", held[0]), true);
  handle.setLayer(layer("again", text));
  for (const it of [handle, other]) it.free();
});

test("a kept digest or fingerprint keeps no prompt alive", async () => {
  const size = 2 * MIB;
  /** @param {number} round */
  const ledger = (round) => {
    const guardrails = Array.from({ length: 2000 }, (_, index) => `${round} ${index} ${"g".repeat(1000)}`);
    const input = {
      layers: [{ layer: /** @type {const} */ ("bot"), source: `a source of some length ${round}`, content: { guardrails } }],
      facts: [{ key: "k", value: "v".repeat(MIB), volatility: /** @type {const} */ ("dynamic") }],
      channelMeta: "c".repeat(MIB),
      options: { sections: true },
    };
    const handle = new Assembler(input);
    const results = [assemble(input), handle.assemble()];
    handle.free();
    return results.map(({ fingerprint, descriptors }) => [fingerprint, descriptors]);
  };
  ledger(0);
  await collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const kept = [];
  for (let round = 0; round < 20; round += 1) kept.push(ledger(round));
  await collectGarbage();
  const grown = process.memoryUsage().heapUsed - before;
  assert.equal(kept.length, 20);
  assert.ok(grown < size, `20 kept ledgers of prompts of ${size} bytes keep ${grown} bytes alive`);
});
