import { StrataError, assemble, init } from "prompt-strata/web";

await init();
await init("/assets/core.wasm");
await init(new URL("https://example.com/core.wasm"));
await init(fetch("/assets/core.wasm"));
await init(new Uint8Array());

export const prefix: string = assemble({ layers: [] }).prefix;
export const failure: Error = new StrataError("internal", "", "");
