// @ts-check

// Cuts the system text into what the page shows: one span for each piece that has one origin.

/** @import { Assembly, CachePolicy, Layer, Section } from "prompt-strata" */

/**
 * Who wrote it: somebody who edits a layer, the host's code, or the package's fixed wording.
 *
 * @typedef {"layer" | "host" | "wording"} Origin
 */

/**
 * @typedef {object} Span
 * @property {string} key The same for the same piece of the next result.
 * @property {string} lead The line breaks it begins with.
 * @property {string} body The rest; `lead + body` is the text, to the byte.
 * @property {number} blankLines How many empty lines the lead shows as.
 * @property {Origin} origin
 * @property {string} name
 * @property {string} block
 * @property {Layer} [layer]
 * @property {string} [source]
 * @property {boolean} startsRun Whether the span before it has another origin.
 * @property {boolean} endsRun Whether the span after it has another origin.
 * @property {CachePolicy} [breakpoint] On the last span of a cache block: its policy.
 */

const WORDING = new Set(["instructions", "guardrails", "surface-note", "facts-note"]);

/**
 * @param {Pick<Assembly, "system" | "sections" | "blocks">} assembly
 * @returns {Span[]}
 */
export function spansOf({ system, sections = [], blocks }) {
  /** @type {Map<string, number>} */
  const seen = new Map();
  return sections.map((section, index) => {
    const text = system.slice(section.start, section.end);
    const lead = /^\n*/.exec(text)?.[0] ?? "";
    const before = sections[index - 1];
    const after = sections[index + 1];
    const identity = [section.name, section.layer, section.source].join("\n");
    const nth = seen.get(identity) ?? 0;
    seen.set(identity, nth + 1);
    const breakpoint =
      after?.block === section.block ? undefined : blocks.find(({ label }) => label === section.block)?.cache;
    return {
      key: `${identity}\n${nth}`,
      lead,
      body: text.slice(lead.length),
      blankLines: before === undefined || system[section.start - 1] === "\n" ? lead.length : Math.max(0, lead.length - 1),
      origin: originOf(section),
      name: section.name,
      block: section.block,
      ...(section.layer !== undefined && { layer: section.layer }),
      ...(section.source !== undefined && { source: section.source }),
      startsRun: before === undefined || !isSameRun(before, section),
      endsRun: after === undefined || !isSameRun(section, after),
      ...(breakpoint && { breakpoint }),
    };
  });
}

/**
 * @param {Section} section
 * @returns {Origin}
 */
function originOf({ layer, name }) {
  if (layer !== undefined) return "layer";
  return WORDING.has(name) ? "wording" : "host";
}

/**
 * @param {Section} a
 * @param {Section} b
 */
function isSameRun(a, b) {
  return a.layer === b.layer && a.source === b.source && a.name === b.name && a.block === b.block;
}

/**
 * Which layers the text holds something of, with how much, broadest first as they appear in `order`.
 *
 * @param {readonly Span[]} spans
 * @param {readonly string[]} order
 * @returns {{ key: string, origin: Origin, layer?: Layer, characters: number }[]}
 */
export function legendOf(spans, order) {
  /** @type {Map<string, { key: string, origin: Origin, layer?: Layer, characters: number }>} */
  const entries = new Map();
  for (const { origin, layer, body } of spans) {
    const key = layer ?? origin;
    const entry = entries.get(key) ?? { key, origin, ...(layer !== undefined && { layer }), characters: 0 };
    entry.characters += body.length;
    entries.set(key, entry);
  }
  const rank = [...order, "host", "wording"];
  return [...entries.values()].sort((a, b) => rank.indexOf(a.key) - rank.indexOf(b.key));
}
