// Text for a terminal. Everything here returns lines; nothing writes.

import { Buffer } from "node:buffer";

/** @import { Assembly, Descriptor, Diagnostic, Section } from "prompt-strata" */
/** @typedef {Parameters<typeof import("node:util").styleText>[0]} Style */
/** @typedef {{ width: number, paint: (style: Style, text: string) => string }} Screen */
/** @typedef {{ text: string, label: string, style: Style, block: string }} MarkedLine */

const MARGIN = 19;

/** @type {Record<string, Style>} */
const LAYER_STYLES = {
  seed: "blue",
  shared: "cyan",
  workspace: "red",
  surface: "magenta",
  bot: "green",
  chat: "yellow",
  agent: ["bold", "green"],
};

/** @type {Record<Diagnostic["severity"], Style>} */
const SEVERITY_STYLES = { error: ["bold", "red"], warning: "yellow", info: "blue" };

/** Sections without a layer that are fixed wording, not text of the host. */
const WORDING = new Set(["guardrails", "instructions", "surface-note", "facts-note"]);

/** @param {string} text */
export const bytes = (text) => Buffer.byteLength(text);

/** @param {number} count */
export const grouped = (count) => count.toLocaleString("en");

/**
 * @param {string} name
 * @param {string} note
 * @param {Screen} screen
 */
export function title(name, note, { width, paint }) {
  return ["", `${paint("bold", name)}  ${paint("dim", note)}`, paint("dim", "─".repeat(width))];
}

/**
 * The system prompt, each line with where it came from, and a rule where a cache block ends.
 *
 * @param {Assembly} assembly
 * @param {Screen} screen
 */
export function systemText({ system, sections = [], blocks }, screen) {
  const { paint } = screen;
  /** @type {string[]} */
  const lines = [];
  /** @param {string} label */
  const endOf = (label) => {
    const cache = blocks.find((block) => block.label === label)?.cache;
    const isLastStable = blocks.findLast((block) => block.cache === "1h")?.label === label;
    const text = ` end of ${label}, cached ${cache}${isLastStable ? "; the prefix ends here" : ""} `;
    const rule = `${"─".repeat(MARGIN)}┴─${text}`;
    return paint("dim", rule.padEnd(screen.width, "─"));
  };

  let block = sections[0]?.block ?? "";
  for (const line of markLines(system, sections)) {
    if (line.block !== block) {
      lines.push(endOf(block));
      block = line.block;
    }
    const width = screen.width - MARGIN - 2;
    wrap(visible(line.text), width).forEach((part, index) => {
      const label = index === 0 && part !== "" ? line.label.padEnd(MARGIN) : " ".repeat(MARGIN);
      lines.push(`${paint(line.style, label)}${paint("dim", "│")} ${part}`.trimEnd());
    });
  }
  if (lines.length > 0) lines.push(endOf(block));
  return lines;
}

/**
 * @param {string} text
 * @param {Screen} screen
 */
export function plainText(text, { width, paint }) {
  return text.split("\n").flatMap((line) => wrap(visible(line), width - 2).map((part) => `${paint("dim", "│")} ${part}`.trimEnd()));
}

/**
 * @param {Assembly} assembly
 * @param {Screen} screen
 */
export function cacheTable({ blocks }, screen) {
  let end = 0;
  const rows = blocks.map(({ label, cache, text }, index) => {
    const size = bytes(text);
    end += size;
    return [`${index + 1}`, label, cache, grouped(size), `~${grouped(Math.ceil(size / 4))}`, `byte ${grouped(end)}`];
  });
  return table(["", "block", "cache", "bytes", "tokens*", "breakpoint after"], rows, [0, 3, 4], screen);
}

/**
 * @param {Descriptor[]} descriptors
 * @param {Screen} screen
 */
export function descriptorTable(descriptors, screen) {
  const rows = descriptors.map(({ block, layer, source, digest, bytes }) => {
    return [block, layer, source ?? "", digest.slice(0, 12), grouped(bytes)];
  });
  return table(["block", "layer", "source", "digest", "bytes"], rows, [4], screen);
}

/**
 * @param {Diagnostic[]} diagnostics
 * @param {(path: string) => string} explain what a path is about, in a word
 * @param {Screen} screen
 */
export function diagnosticList(diagnostics, explain, { width, paint }) {
  return diagnostics.flatMap(({ severity, code, message, path = "" }) => {
    const about = [path, explain(path)].filter((part) => part !== "").join("  ");
    return [
      `${paint(SEVERITY_STYLES[severity], severity.padEnd(8))} ${code.padEnd(18)} ${paint("dim", visible(about))}`.trimEnd(),
      ...wrap(visible(message), width - 9).map((part) => `         ${part}`),
    ];
  });
}

/**
 * @param {string[]} lines
 * @param {Screen} screen
 */
export function driftLines(lines, { paint }) {
  /** @type {Record<string, Style>} */
  const styles = { "+": "green", "-": "red", "~": "yellow" };
  return lines.map((line) => paint(styles[line[0] ?? ""] ?? "reset", visible(line)));
}

/**
 * Cuts the text into lines, each with the section it begins in.
 *
 * @param {string} text
 * @param {Section[]} sections
 * @returns {MarkedLine[]}
 */
function markLines(text, sections) {
  /** @type {MarkedLine[]} */
  const lines = [];
  let at = 0;
  let start = 0;
  for (const line of text.replace(/\n$/, "").split("\n")) {
    while (at + 1 < sections.length && /** @type {Section} */ (sections[at]).end <= start) at += 1;
    const section = sections[at];
    lines.push({ text: line, block: section?.block ?? "", ...origin(section) });
    start += line.length + 1;
  }
  return lines;
}

/**
 * @param {Section | undefined} section
 * @returns {{ label: string, style: Style }}
 */
function origin(section) {
  if (section === undefined) return { label: "", style: "dim" };
  if (section.layer !== undefined) return { label: section.layer, style: LAYER_STYLES[section.layer] ?? "bold" };
  if (WORDING.has(section.name)) return { label: "wording", style: "dim" };
  return { label: `host: ${section.name.replace(/-contract$/, "")}`, style: "dim" };
}

/**
 * @param {string[]} head
 * @param {string[][]} rows
 * @param {number[]} numeric columns that are set right
 * @param {Screen} screen
 */
function table(head, rows, numeric, { paint }) {
  const widths = head.map((cell, column) => Math.max(...[head, ...rows].map((row) => (row[column] ?? cell).length)));
  /** @param {string[]} row */
  const set = (row) => {
    const cells = row.map((cell, column) => {
      const width = widths[column] ?? 0;
      return numeric.includes(column) ? cell.padStart(width) : cell.padEnd(width);
    });
    return visible(cells.join("  ").trimEnd());
  };
  return [paint("dim", set(head)), ...rows.map(set)];
}

/**
 * Wraps at spaces; a list item's later lines are indented below its text.
 *
 * @param {string} line
 * @param {number} width
 */
function wrap(line, width) {
  const indent = " ".repeat(/^ *(?:[-*] |\d+\. )?/.exec(line)?.[0].length ?? 0);
  const parts = [];
  let rest = line;
  while (rest.length > width) {
    const space = rest.lastIndexOf(" ", width);
    const cut = space > indent.length ? space : width;
    parts.push(rest.slice(0, cut).trimEnd());
    rest = indent + rest.slice(cut).trimStart();
  }
  return [...parts, rest];
}

/**
 * Makes control characters visible: text of an untrusted layer must not steer the terminal.
 *
 * @param {string} text
 */
function visible(text) {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, (found) => `\\u{${found.codePointAt(0)?.toString(16)}}`);
}
