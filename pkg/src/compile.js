// @ts-check

import { StrataError, reasonOf } from "./errors.js";

/** The smallest module there is: who may not compile this may compile nothing. */
const EMPTY = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);

/**
 * Compiles the core, and says in plain words what is in its way.
 *
 * @param {BufferSource} bytes
 * @returns {WebAssembly.Module}
 */
export function compile(bytes) {
  if (typeof WebAssembly !== "object") {
    throw new StrataError("unsupported-runtime", "", "this runtime has no WebAssembly");
  }
  try {
    return new WebAssembly.Module(bytes);
  } catch (cause) {
    if (mayCompile()) {
      const message = `not WebAssembly that this runtime can compile: ${reasonOf(cause)}`;
      throw new StrataError("wasm-invalid", "", message, { cause });
    }
    const message =
      "WebAssembly may not be compiled here; " +
      `a Content-Security-Policy needs script-src 'wasm-unsafe-eval': ${reasonOf(cause)}`;
    throw new StrataError("wasm-forbidden", "", message, { cause });
  }
}

function mayCompile() {
  try {
    return new WebAssembly.Module(EMPTY) !== undefined;
  } catch {
    return false;
  }
}
