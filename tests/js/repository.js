// @ts-check

// Where things are, for the tests that run in Node.

import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const testsFolder = dirname(dirname(fileURLToPath(import.meta.url)));
export const root = dirname(testsFolder);
export const packageFolder = join(root, "pkg");
export const dist = join(packageFolder, "dist");

/** @param {string[]} steps Below the top of the repository. */
export function readText(...steps) {
  return readFileSync(join(root, ...steps), "utf8");
}

/**
 * The conformance vectors, by file name.
 *
 * @returns {Record<string, import("./vectors.js").Vector[]>}
 */
export function readVectors() {
  const folder = join(testsFolder, "conformance");
  const names = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  const parsed = names.map((name) => {
    const lines = readFileSync(join(folder, name), "utf8").split("\n");
    return [name, lines.filter((line) => line !== "").map((line) => JSON.parse(line))];
  });
  return Object.fromEntries(parsed);
}

/**
 * The members of a union of string literals in a declaration file.
 *
 * @param {string} declarations
 * @param {string} name
 */
export function literalsOf(declarations, name) {
  const union = new RegExp(`export type ${name} =([^;]*);`).exec(declarations);
  if (!union) throw new Error(`no union ${name} is declared`);
  return [...union[1].matchAll(/"([^"]*)"/g)].map(([, literal]) => literal);
}
