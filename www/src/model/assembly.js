// @ts-check

// Calls the package, and keeps the last result that worked.

/** @import { AssembleInput, Assembly } from "prompt-strata" */

import { StrataError, assemble } from "prompt-strata";

/**
 * A mistake, in the words of the package.
 *
 * @typedef {object} Problem
 * @property {string} code
 * @property {string} path
 * @property {string} message
 */

/**
 * @typedef {object} Outcome
 * @property {Assembly} assembly Of this input, or of the last one that worked.
 * @property {Problem | undefined} problem What is wrong with this input.
 */

/**
 * @returns {(input: AssembleInput) => Outcome}
 */
export function createAssembly() {
  let last = run({ layers: [] });
  return (input) => {
    try {
      last = run(input);
      return { assembly: last, problem: undefined };
    } catch (thrown) {
      return { assembly: last, problem: problemOf(thrown) };
    }
  };
}

/** @param {AssembleInput} input */
function run(input) {
  return assemble({ ...input, options: { ...input.options, sections: true } });
}

/**
 * @param {unknown} thrown
 * @returns {Problem}
 */
export function problemOf(thrown) {
  if (thrown instanceof StrataError) return { code: thrown.code, path: thrown.path, message: thrown.message };
  throw thrown;
}
