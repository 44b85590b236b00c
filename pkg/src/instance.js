// @ts-check

// The life of the WebAssembly instance: compiled on the first call, replaced after a failure.

import * as glue from "./glue.js";
import { StrataError } from "./errors.js";

/** @type {() => WebAssembly.Module} */
let source = () => {
  throw new StrataError("not-ready", "", "call init() of prompt-strata/web, and await it, before anything else");
};
let isStarted = false;
let isBroken = false;
let generation = 0;

/**
 * Says where the compiled core comes from; an entry calls this once, when it is imported.
 *
 * @param {() => WebAssembly.Module} compile
 */
export function provide(compile) {
  source = compile;
}

/** Counts the instances; a handle is good for as long as this is the same. */
export function currentGeneration() {
  return generation;
}

/**
 * Calls into the core. What it throws becomes a StrataError; after a trap the instance is replaced, since its memory
 * can no longer be trusted.
 *
 * @template T
 * @param {(core: typeof glue) => T} operation
 * @returns {T}
 */
export function call(operation) {
  try {
    start();
    return operation(glue);
  } catch (thrown) {
    throw translate(thrown);
  }
}

function start() {
  if (!isStarted) {
    glue.initSync({ module: source() });
    isStarted = true;
  } else if (isBroken) {
    glue.__wbg_reset_state();
    isBroken = false;
  }
}

/** @param {unknown} thrown */
function translate(thrown) {
  if (thrown instanceof StrataError) return thrown;
  if (isCoreError(thrown)) return new StrataError(thrown.code, thrown.path, thrown.message);
  if (isStarted && !isBroken) {
    isBroken = true;
    generation += 1;
  }
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  const message = `the WebAssembly core failed and is replaced, the next call works: ${reason}`;
  return new StrataError("internal", "", message, { cause: thrown });
}

/**
 * Whether this is an error the core made: a plain record.
 *
 * @param {unknown} thrown
 * @returns {thrown is { code: import("./index.js").ErrorCode, path: string, message: string }}
 */
function isCoreError(thrown) {
  return typeof thrown === "object" && thrown !== null && !(thrown instanceof Error) && "code" in thrown;
}
