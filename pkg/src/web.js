// @ts-check

// For pages that mind their cache or their Content-Security-Policy: the core is an asset of its own.

import { compile } from "./compile.js";
import { StrataError, reasonOf } from "./errors.js";
import { provide } from "./instance.js";
import { build } from "./version.js";

let isReady = false;

/**
 * What is on its way, by where it comes from: parts of a page that ask for the same file fetch it once.
 *
 * @type {Map<unknown, Promise<void>>}
 */
const loads = new Map();

/** @type {typeof import("./web.js").init} */
export function init(source = new URL("./core.wasm", import.meta.url)) {
  if (isReady) {
    // What is not needed any more may fail without a word.
    void Promise.allSettled([source]);
    return Promise.resolve();
  }
  const key = source instanceof URL ? source.href : source;
  const load = loads.get(key) ?? provideFrom(source).finally(() => loads.delete(key));
  loads.set(key, load);
  return load;
}

/** @param {unknown} source */
async function provideFrom(source) {
  const module = await moduleOf(source);
  isReady = true;
  provide(() => module);
}

/**
 * The core of this very build, or an error that says what came in its place.
 *
 * @param {unknown} source
 * @returns {Promise<WebAssembly.Module>}
 */
async function moduleOf(source) {
  const given = await fetched(source);
  const module = isModule(given) ? given : compile(checked(given));
  const found = buildOf(module);
  if (found !== build) {
    const message = `not the core.wasm of this build: expected ${build}, got ${found ?? "another module"}`;
    throw new StrataError("wasm-foreign", "", message);
  }
  return module;
}

/** @param {WebAssembly.Module} module */
function buildOf(module) {
  try {
    const [id] = WebAssembly.Module.customSections(module, "prompt-strata");
    return id && new TextDecoder().decode(id);
  } catch {
    // It only says that it is a module.
    return undefined;
  }
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
 * @returns {Promise<WebAssembly.Module | ArrayBuffer | ArrayBufferView>}
 */
async function fetched(source) {
  try {
    const given = /** @type {any} */ (await source);
    if (isModule(given) || given instanceof ArrayBuffer || ArrayBuffer.isView(given)) return given;
    const response = given instanceof Response ? given : await fetch(given);
    if (!response.ok) throw new Error(`${response.status} ${response.statusText} from ${response.url}`);
    return await response.arrayBuffer();
  } catch (cause) {
    throw new StrataError("wasm-not-fetched", "", `core.wasm could not be fetched: ${reasonOf(cause)}`, { cause });
  }
}

/**
 * Bytes that begin as WebAssembly does. Where a path is wrong, many servers send a page instead.
 *
 * @param {ArrayBuffer | ArrayBufferView} given
 */
function checked(given) {
  const { buffer, byteOffset, byteLength } = ArrayBuffer.isView(given) ? given : new Uint8Array(given);
  const bytes = new Uint8Array(/** @type {ArrayBuffer} */ (buffer), byteOffset, byteLength);
  const start = String.fromCharCode(...bytes.subarray(0, 24));
  if (!start.startsWith("\0asm")) {
    throw new StrataError("wasm-invalid", "", `not WebAssembly: the file begins with ${JSON.stringify(start)}`);
  }
  return bytes;
}

export * from "./api.js";
