/**
 * The same API with the core as an asset of its own, for pages that mind their cache or Content-Security-Policy.
 *
 * @packageDocumentation
 */
export * from "./index.js";

/**
 * Loads and compiles the core. Nothing else works before this is done; once it is, further calls do nothing.
 *
 * After a failure another call may bring the right file. Of several at the same time, the first that has it counts.
 *
 * @param source - Where the core is; default `core.wasm` beside this module.
 * @throws {StrataError} `wasm-not-fetched` where it cannot be fetched, `wasm-invalid` where it is no WebAssembly,
 * `wasm-foreign` where it is not the core of this build, `wasm-forbidden` where a Content-Security-Policy does not let it
 * be compiled, `unsupported-runtime` where there is no WebAssembly.
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
    | Promise<Response | BufferSource | WebAssembly.Module>,
): Promise<void>;
