/**
 * The same API with the core as an asset of its own, for pages that mind their cache or Content-Security-Policy.
 *
 * @packageDocumentation
 */
export * from "./index.js";

/**
 * Loads and compiles the core. Nothing else works before this is done.
 *
 * @param source - Where the core is; default `core.wasm` beside this module.
 * @throws {StrataError} `not-ready` where it cannot be loaded, `wasm-forbidden` where it may not be compiled.
 *
 * @example
 * ```js not-run
 * import { init, assemble } from "prompt-strata/web";
 *
 * await init("/assets/core.wasm");
 * assemble({ layers: [] });
 * ```
 */
export declare function init(
  source?:
    | string
    | URL
    | Request
    | Response
    | BufferSource
    | WebAssembly.Module
    | Promise<Response | BufferSource>,
): Promise<void>;
