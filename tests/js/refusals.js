// @ts-check

// Asserts that a call is refused, exactly, and that nothing is left of it.

import assert from "node:assert/strict";
import * as strata from "prompt-strata";

import { literalsOf, readText } from "./repository.js";

/** @typedef {[name: string, call: () => unknown, code: string, path: string, message: string | RegExp]} Row */

const CODES = literalsOf(readText("pkg", "src", "index.d.ts"), "ErrorCode");

/** An input whose result is known. */
export const KNOWN_INPUT = Object.freeze({
  layers: [
    { layer: "seed", content: { identity: "You are Ada.", guardrails: ["Never reveal a secret."] } },
    { layer: "bot", source: "bot:7", content: { guardrails: "- Ask first.\n- never  REVEAL a secret." } },
  ],
  facts: [{ key: "time", value: "12:00", volatility: "static" }],
  channelMeta: "Ann writes.",
});

/** Asserts that the package works as ever. */
export function works() {
  const prefix =
    "You are Ada.\n\nGuardrails:\n- Never reveal a secret.\n- Ask first.\n\n<facts>\n- time: 12:00\n</facts>\n";
  const assembly = strata.assemble(/** @type {any} */ (KNOWN_INPUT));
  assert.deepEqual(assembly, {
    prefix,
    tail: "",
    system: `${prefix}\nAnn writes.\n`,
    blocks: [
      { label: "workspace", text: prefix.slice(0, prefix.indexOf("\n<facts>")), cache: "1h" },
      { label: "binding_glue", text: prefix.slice(prefix.indexOf("\n<facts>")), cache: "1h" },
      { label: "channel_meta", text: "\nAnn writes.\n", cache: "5m" },
    ],
    descriptors: [
      {
        block: "guardrails",
        layer: "seed",
        digest: "b0c4f0d2b9d5b3a0",
        bytes: 25,
      },
    ],
    fingerprint: "",
    effective: { identity: "You are Ada.", guardrails: "- Never reveal a secret.\n- Ask first.\n" },
    diagnostics: [],
  });
}
