// @ts-check

// The default entry: the core travels inside as text and is compiled on the first call.

import { compile } from "./compile.js";
import { frequent, text } from "./core-bytes.js";
import { decode } from "./core-text.js";
import { provide } from "./instance.js";

provide(() => compile(decode(text, frequent)));

export * from "./api.js";
