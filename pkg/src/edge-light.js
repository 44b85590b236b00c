// @ts-check

// Vercel's edge runtime: as workerd, spelt as its bundlers want it.

// @ts-expect-error -- a module of WebAssembly, which the runtime or its bundler knows.
import module from "./core.wasm?module";
import { provide } from "./instance.js";

provide(() => module);

export * from "./api.js";
