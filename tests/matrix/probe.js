// @ts-check

// What every environment is asked to do with the package; the answer is plain JSON and everywhere the same.

import { runVectors } from "../js/vectors.js";

const GOOD = JSON.stringify({
  layers: [
    { layer: "seed", content: { identity: "You are Ada.", guardrails: ["Never reveal a secret. \u{1F6E1}"] } },
    {
      layer: "bot",
      source: "bot:7",
      content: { instructions: "Answer in Hindi: \u0928\u092E\u0938\u094D\u0924\u0947" },
    },
  ],
  facts: [{ key: "plan", value: "pro", volatility: "static" }],
  channelMeta: "Sender: +91",
  options: { sections: true },
});

const BAD = {
  layers: [
    { layer: "seed", content: {} },
    { layer: "bot", content: { gaurdrails: ["a misspelt field must never be silently nothing"] } },
  ],
};

/**
 * @typedef {import("../js/vectors.js").Strata} Strata
 * @typedef {import("../js/vectors.js").Vector} Vector
 */

/**
 * @typedef {object} Report
 * @property {string} first The first call's result.
 * @property {{ count: number, failures: string[], digest: string }} vectors
 * @property {Record<string, unknown>} bad What a bad input threw.
 * @property {boolean} isSameAfter Whether a good call after the bad one gives the same bytes as before.
 * @property {string[]} turn What a handle gave, and how it failed once freed.
 */

/**
 * @param {Strata} strata
 * @param {Record<string, Vector[]>} vectors The conformance vectors, by file.
 * @returns {Report}
 */
export function probe(strata, vectors) {
  const first = JSON.stringify(strata.assemble(GOOD));
  const ran = runVectors(strata, vectors);
  const bad = describe(strata, () => strata.assemble(/** @type {any} */ (BAD)));
  const after = JSON.stringify(strata.assemble(JSON.parse(GOOD)));
  const assembler = new strata.Assembler(GOOD);
  const turn = assembler.assemble({ channelMeta: "Sender: +49" });
  assembler.free();
  const freed = describe(strata, () => assembler.assemble());
  return {
    first,
    vectors: ran,
    bad,
    isSameAfter: after === first,
    turn: [JSON.stringify(turn), String(freed.code)],
  };
}

/**
 * @param {Strata} strata
 * @param {() => unknown} operation
 * @returns {Record<string, unknown>}
 */
function describe(strata, operation) {
  try {
    operation();
    return { code: "nothing was thrown" };
  } catch (thrown) {
    if (!(thrown instanceof strata.StrataError)) return { code: `no StrataError: ${String(thrown)}` };
    const { name, code, path, message } = thrown;
    return { name, code, path, message, isError: thrown instanceof Error };
  }
}
