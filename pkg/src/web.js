// @ts-check

// For pages that mind their cache or their Content-Security-Policy: the core is an asset of its own.

import { compile } from "./compile.js";
import { StrataError, reasonOf } from "./errors.js";
import { provide } from "./instance.js";

/** @type {Promise<void> | undefined} */
let ready;

/** @type {typeof import("./web.js").init} */
export function init(source = new URL("./core.wasm", import.meta.url)) {
  ready ??= load(source).catch((thrown) => {
    // Another attempt may find the network back.
    ready = undefined;
    throw thrown;
  });
  return ready;
}

/** @param {unknown} source */
async function load(source) {
  const module = isModule(source) ? source : compile(await bytesOf(source));
  provide(() => module);
}

/**
 * @param {unknown} value
 * @returns {value is WebAssembly.Module}
 */
function isModule(value) {
  return Object.prototype.toString.call(value) === "[object WebAssembly.Module]";
}

/**
 * @param {unknown} source
 * @returns {Promise<BufferSource>}
 */
async function bytesOf(source) {
  try {
    const given = await source;
    if (given instanceof ArrayBuffer || ArrayBuffer.isView(given)) return /** @type {BufferSource} */ (given);
    const response = given instanceof Response ? given : await fetch(/** @type {string | URL | Request} */ (given));
    if (!response.ok) throw new Error(`${response.status} ${response.statusText} from ${response.url}`);
    return await response.arrayBuffer();
  } catch (cause) {
    throw new StrataError("not-ready", "", `core.wasm could not be loaded: ${reasonOf(cause)}`, { cause });
  }
}

export * from "./api.js";
