// @ts-check

// Asserts that a call is refused, exactly, and that the next one works.

import assert from "node:assert/strict";
import * as strata from "prompt-strata";

import { sha256Hex } from "../oracle/node-crypto.js";
import { literalsOf, readText } from "./repository.js";

/** A name, the call, and the error: its code, path and message. */
/** @typedef {[name: string, call: () => unknown, code: string, path: string, message: string]} Row */

const CODES = literalsOf(readText("pkg", "src", "index.d.ts"), "ErrorCode");

/** @type {import("prompt-strata").AssembleInput} */
export const KNOWN_INPUT = {
  layers: [
    { layer: "seed", content: { identity: "You are Ada.", guardrails: ["Never reveal a secret."] } },
    { layer: "bot", source: "bot:7", content: { guardrails: "- Ask first.\n- never  REVEAL a secret." } },
  ],
  facts: [{ key: "time", value: "12:00", volatility: "static" }],
  channelMeta: "Ann writes.",
};

const KNOWN_RESULT = knownResult();

function knownResult() {
  const workspace = "You are Ada.\n\nGuardrails:\n- Never reveal a secret.\n- Ask first.\n";
  const glue = "\n<facts>\n- time: 12:00\n</facts>\n";
  const channel = "\nAnn writes.\n";
  const [ofSeed, ofBot, identity] = ["- Never reveal a secret.\n", "- Ask first.\n", "You are Ada."].map(sha256Hex);
  return {
    prefix: workspace + glue,
    tail: "",
    system: workspace + glue + channel,
    blocks: [
      { label: "workspace", text: workspace, cache: "1h" },
      { label: "binding_glue", text: glue, cache: "1h" },
      { label: "channel_meta", text: channel, cache: "5m" },
    ],
    descriptors: [
      { block: "guardrails", layer: "seed", digest: ofSeed, bytes: 25 },
      { block: "guardrails", layer: "bot", source: "bot:7", digest: ofBot, bytes: 13 },
      { block: "identity", layer: "seed", digest: identity, bytes: 12 },
    ],
    fingerprint: sha256Hex(`guardrails:seed:${ofSeed}|guardrails:bot:${ofBot}|identity:seed:${identity}`),
    effective: { identity: "You are Ada.", guardrails: "- Never reveal a secret.\n- Ask first.\n" },
    diagnostics: [
      {
        code: "duplicate-folded",
        severity: "info",
        message: "1 guardrail is a duplicate and folded, the first `never  REVEAL a secret.` into that of seed",
        path: "layers[1].content.guardrails",
      },
    ],
  };
}

/** Asserts that the package works as ever. */
export function works() {
  assert.deepEqual(strata.assemble(KNOWN_INPUT), KNOWN_RESULT);
}

/**
 * What a call throws: a StrataError, well-formed, or the test fails.
 *
 * @param {() => unknown} call
 * @returns {import("prompt-strata").StrataError}
 */
export function thrownBy(call) {
  try {
    call();
  } catch (thrown) {
    assert.ok(thrown instanceof strata.StrataError, `not a StrataError: ${describe(thrown)}`);
    assert.ok(thrown instanceof Error);
    assert.equal(thrown.name, "StrataError");
    assert.ok(CODES.includes(thrown.code), `the code ${thrown.code} is not declared`);
    assert.equal(typeof thrown.path, "string");
    assert.equal(typeof thrown.message, "string");
    // However long the culprit is, it is quoted shortened.
    assert.ok(thrown.message.length < 2000, `a message of ${thrown.message.length} characters`);
    assert.equal(String(thrown), `StrataError: ${thrown.message}`);
    return thrown;
  }
  assert.fail("nothing was thrown");
}

/** @param {unknown} thrown Anything, also what has no text. */
function describe(thrown) {
  try {
    return String(thrown);
  } catch {
    return typeof thrown;
  }
}

/**
 * Asserts that a call is refused with exactly this error, and that the very next call works.
 *
 * @param {() => unknown} call
 * @param {string} code
 * @param {string} path
 * @param {string} message
 */
export function refused(call, code, path, message) {
  const { code: gotCode, path: gotPath, message: gotMessage } = thrownBy(call);
  assert.deepEqual({ code: gotCode, path: gotPath, message: gotMessage }, { code, path, message });
  works();
}
