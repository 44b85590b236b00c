// @ts-check

// JSON in and out. What is read has been accepted by the package before any of it reaches the page.

/** @import { AssembleInput } from "prompt-strata" */
/** @import { Problem } from "./assembly.js" */
/** @import { EditedDocument } from "./document.js" */

import { assemble } from "prompt-strata";
import { problemOf } from "./assembly.js";
import { fromInput, toInput } from "./document.js";

/**
 * @param {string | Uint8Array} json
 * @returns {{ document: EditedDocument } | { problem: Problem }}
 */
export function readJson(json) {
  try {
    assemble(json);
    const text = typeof json === "string" ? json.replace(/^\uFEFF/, "") : new TextDecoder().decode(json);
    /** @type {AssembleInput} */
    const input = JSON.parse(text);
    return { document: fromInput(input) };
  } catch (thrown) {
    if (thrown instanceof SyntaxError) {
      return { problem: { code: "invalid-json", path: "", message: `not JSON: ${thrown.message}` } };
    }
    return { problem: problemOf(thrown) };
  }
}

/** @param {EditedDocument} document */
export function writeJson(document) {
  return `${JSON.stringify(toInput(document), null, 2)}\n`;
}
