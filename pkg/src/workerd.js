// @ts-check

// Cloudflare's runtime compiles nothing at request time: it imports a compiled module.

// @ts-expect-error -- a module of WebAssembly, which the runtime or its bundler knows.
import module from "./core.wasm";
import { provide } from "./instance.js";

provide(() => module);

export * from "./api.js";
