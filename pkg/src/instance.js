// @ts-check

// The life of the WebAssembly instance: compiled on the first call, replaced after a failure.

import { AssemblerHandle, Method, __wbg_reset_state, assemble, call as callByName, initSync } from "./glue.js";
import { StrataError, isOurs, reasonOf } from "./errors.js";

/** What the package uses of the generated module: by name, so that the rest of it, which loads files, is left out. */
const core = { AssemblerHandle, Method, assemble, call: callByName };

/** @type {() => WebAssembly.Module} */
let source = () => {
  throw new StrataError("not-ready", "", "call init() of prompt-strata/web, and await it, before anything else");
};
/** @type {WebAssembly.Module | undefined} */
let compiled;
let starts = 0;
/** Only between calls that ended well: what fails may leave no room, on the stack, to note that it did. */
let isReady = false;

/**
 * Says where the compiled core comes from; an entry calls this once, when it is imported.
 *
 * @param {() => WebAssembly.Module} compile
 */
export function provide(compile) {
  source = compile;
}

/** Names the instance; a handle is good for as long as this is the same. Zero where there is none to rely on. */
export function currentInstance() {
  return isReady ? starts : 0;
}

/**
 * Calls into the core. What it throws becomes a StrataError; after a trap the instance is replaced, since its memory
 * can no longer be trusted.
 *
 * @template T
 * @param {(used: typeof core) => T} operation
 * @returns {T}
 */
export function call(operation) {
  try {
    start();
    isReady = false;
    const result = operation(core);
    isReady = true;
    return result;
  } catch (thrown) {
    if (isOurs(thrown)) throw thrown;
    if (!isCoreError(thrown)) throw failure(thrown);
    isReady = true;
    throw new StrataError(thrown.code, thrown.path, thrown.message);
  }
}

function start() {
  if (isReady) return;
  compiled ??= source();
  starts += 1;
  initSync({ module: compiled });
  // Whatever became of the instance before, it is not used again.
  if (starts > 1) __wbg_reset_state();
}

/** @param {unknown} thrown */
function failure(thrown) {
  const message =
    "the WebAssembly core failed and is replaced: the next call works, each Assembler has to be made again: " +
    reasonOf(thrown);
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
