// Assembles the prompt of `examples/acme` and shows all of what comes back.

import { fileURLToPath } from "node:url";
import { styleText } from "node:util";
import * as strata from "prompt-strata";
import { load } from "./load.js";
import * as print from "./print.js";

const USAGE = "usage: node demo.js [--json]";

/** @param {string[]} args */
function main(args) {
  if (args.some((arg) => arg !== "--json")) {
    console.error(USAGE);
    process.exitCode = 1;
    return;
  }
  const acme = load(fileURLToPath(new URL("../acme", import.meta.url)));
  const assembly = strata.assemble(acme.input);
  console.log(args.includes("--json") ? JSON.stringify(assembly, null, 2) : report(acme, assembly, screen()));
}

/** @returns {print.Screen} */
function screen() {
  const columns = Number(process.env.COLUMNS) || process.stdout.columns || 80;
  const hasColour = process.stdout.isTTY && process.env.NO_COLOR === undefined;
  return {
    width: Math.min(Math.max(columns, 60), 120), // Longer lines are hard to read, shorter ones have no room for a margin.
    paint: hasColour ? styleText : (_style, text) => text,
  };
}

/**
 * @param {import("./load.js").Loaded} loaded
 * @param {strata.Assembly} assembly
 * @param {print.Screen} screen
 */
function report({ title, input, diagnostics, recorded }, assembly, screen) {
  const found = [...diagnostics, ...assembly.diagnostics];
  const drift = strata.drift(recorded, assembly.descriptors);
  const prefixSize = `${print.grouped(print.bytes(assembly.prefix))} bytes`;
  const lines = [
    `${screen.paint("bold", `prompt-strata ${strata.version}`)}: the system prompt of ${title}, from ${input.layers.length} layers`,

    ...print.title("System prompt", "which layer, or which piece of the host, each line came from", screen),
    ...print.systemText(assembly, screen),

    ...print.title("Tail", "changes every turn, so it goes to the end of the conversation", screen),
    ...print.plainText(assembly.tail, screen),

    ...print.title("Cache blocks", `the prefix is the 1h blocks: ${prefixSize}`, screen),
    ...print.cacheTable(assembly, screen),
    screen.paint("dim", "* an estimate: four bytes to a token"),

    ...print.title("Descriptors", `who contributed what; fingerprint ${assembly.fingerprint.slice(0, 12)}`, screen),
    ...print.descriptorTable(assembly.descriptors, screen),

    ...print.title("Diagnostics", `${found.length}, from reading the files and from assembling`, screen),
    ...print.diagnosticList(found, (path) => layerAt(input, path), screen),

    ...print.title("Drift", "today against recorded.json, last week's descriptors", screen),
    ...print.driftLines(drift?.lines ?? ["nothing changed"], screen),
  ];
  return lines.join("\n");
}

/**
 * The layer that a path such as `layers[2].content.identity` is about.
 *
 * @param {strata.AssembleInput} input
 * @param {string} path
 */
function layerAt(input, path) {
  const index = /^layers\[(\d+)\]/.exec(path)?.[1];
  const layer = index === undefined ? undefined : input.layers[Number(index)];
  return layer === undefined ? "" : `(${layer.layer})`;
}

// A reader such as `head` that has seen enough is not an error.
process.stdout.on("error", (error) => {
  if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EPIPE") throw error;
});

try {
  main(process.argv.slice(2));
} catch (error) {
  const { message, path } = /** @type {Error & { path?: string }} */ (error);
  console.error(`error: ${message}${path ? ` (${path})` : ""}`);
  process.exitCode = 1;
}
