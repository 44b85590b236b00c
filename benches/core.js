// The core alone, compiled twice: natively, in a process to ask, and to WebAssembly, with a loop inside.

import { spawn } from "node:child_process";
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

/** The native core; it is given JSON, and answers with the digest of the prefix. */
export function native() {
  const child = spawn("cargo", ["bench", "--quiet", "--bench", "native"], { stdio: ["pipe", "pipe", "inherit"] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (request) => {
    child.stdin.write(request);
    return (await answers.next()).value;
  };
  return {
    load: (json) => ask(Buffer.concat([Buffer.from(`load ${Buffer.byteLength(json)}\n`), Buffer.from(json)])),
    /** Nanoseconds of one assembly, measured over `count`. */
    time: async (count) => Number(await ask(`run ${count}\n`)) / count,
    end: () => child.stdin.end(),
  };
}

/** The core in WebAssembly, as `cargo xtask bench` built it: compiled as what ships, with one export more. */
export async function wasm() {
  const folder = process.env.BENCH_CORE;
  if (!folder) throw new Error("BENCH_CORE is not set: run `cargo xtask bench speed`");
  const glue = await import(pathToFileURL(join(folder, "glue.mjs")).href);
  glue.initSync({ module: new WebAssembly.Module(readFileSync(join(folder, "core.wasm"))) });
  // As pkg/src/hash.js hands it over.
  const host = { sha256: (bytes) => hash("sha256", bytes, "hex") };
  return {
    /** Assembles `count` times; gives the fingerprint. */
    withHost: (json, count) => glue.assemble_repeatedly(json, count, host),
    alone: (json, count) => glue.assemble_repeatedly(json, count, undefined),
  };
}
