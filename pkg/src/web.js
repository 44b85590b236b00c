// @ts-check

// For pages that mind their cache or their Content-Security-Policy: the core is an asset of its own.

import { compile } from "./compile.js";
import { StrataError } from "./errors.js";
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

/** @param {Parameters<typeof import("./web.js").init>[0]} source */
async function load(source) {
  const module = isModule(source) ? source : compile(await bytesOf(await source));
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
 * @param {string | URL | Request | Response | BufferSource | undefined} source
 * @returns {Promise<BufferSource>}
 */
async function bytesOf(source) {
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return source;
  const response = source instanceof Response ? source : await fetch(/** @type {string | URL | Request} */ (source));
  if (!response.ok) {
    const message = `core.wasm could not be loaded: ${response.status} ${response.statusText} from ${response.url}`;
    throw new StrataError("not-ready", "", message);
  }
  return response.arrayBuffer();
}

export * from "./api.js";
