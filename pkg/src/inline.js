// @ts-check

// The default entry: the core travels inside as base64 and is compiled on the first call.

import { compile } from "./compile.js";
import { base64 } from "./core-base64.js";
import { provide } from "./instance.js";

provide(() => {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  // A loop: a callback for each character takes twenty times as long.
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return compile(bytes);
});

export * from "./api.js";
