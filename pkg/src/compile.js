// @ts-check

import { StrataError, reasonOf } from "./errors.js";

/**
 * Compiles the core, and says in plain words what forbids it.
 *
 * @param {BufferSource} bytes
 * @returns {WebAssembly.Module}
 */
export function compile(bytes) {
  if (typeof WebAssembly !== "object") {
    throw new StrataError("wasm-forbidden", "", "this runtime has no WebAssembly");
  }
  try {
    return new WebAssembly.Module(bytes);
  } catch (cause) {
    const message =
      "WebAssembly may not be compiled here; " +
      `a Content-Security-Policy needs script-src 'wasm-unsafe-eval': ${reasonOf(cause)}`;
    throw new StrataError("wasm-forbidden", "", message, { cause });
  }
}
