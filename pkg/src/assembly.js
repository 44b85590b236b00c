// @ts-check

// Reads results and puts them together, in the order in which `src/wasm/parts.rs` writes them.

/** @import { Assembly, CacheBlock, Descriptor, Diagnostic, Effective, Section } from "./index.js" */
/** @import { Receiver } from "./results.js" */

/**
 * @template T
 * @typedef {{ -readonly [Field in keyof T]: T[Field] }} Unfinished
 */

/**
 * What no turn changes.
 *
 * @typedef {object} Stable
 * @property {string[]} segments The prefix in parts; what does not change is the same string after an update.
 * @property {string} prefix
 * @property {CacheBlock[]} blocks
 * @property {Effective} effective
 * @property {string} fingerprint
 * @property {Descriptor[]} descriptors
 * @property {Diagnostic[]} diagnostics
 * @property {Section[]} [sections]
 */

const EFFECTIVE = /** @type {const} */ (["identity", "operating-rules", "guardrails", "surface-note"]);

/**
 * @param {Receiver} reader
 * @param {Stable} [known] Where the segments are that did not cross again.
 * @returns {Stable}
 */
export function readStable(reader, known) {
  const { segments, part } = readSegments(reader, known?.segments ?? []);
  let start = 0;
  const blocks = reader.list(() => {
    const label = reader.text();
    const cache = /** @type {CacheBlock["cache"]} */ (reader.text());
    const end = reader.number();
    const text = part(start, end);
    start = end;
    return { label, text, cache };
  });
  const slice = () => {
    const from = reader.number();
    const to = reader.number();
    return from < to ? part(from, to) : reader.optional();
  };
  /** @type {Unfinished<Effective>} */
  const effective = {};
  for (const name of EFFECTIVE) {
    const text = slice();
    // The guardrails of untrusted layers may stand apart from the others.
    const apart = name === "guardrails" ? slice() : undefined;
    if (text !== undefined || apart !== undefined) effective[name] = (text ?? "") + (apart ?? "");
  }
  return {
    segments,
    prefix: part(0, segments.length),
    blocks,
    effective,
    // Hosts keep these for longer than the prompt.
    ...reader.kept(() => ({ fingerprint: reader.text(), descriptors: reader.list(readDescriptor) })),
    diagnostics: reader.list(readDiagnostic),
    sections: reader.list(() => reader.list(readSection))[0],
  };
}

/**
 * The segments, and how to join some of them.
 *
 * @param {Receiver} reader
 * @param {string[]} known
 * @returns {{ segments: string[], part: (from: number, to: number) => string }}
 */
function readSegments(reader, known) {
  const before = reader.number();
  const after = reader.number();
  const { apart } = reader;
  let at = 0;
  const ends = reader.list(() => (at += reader.number()));
  const added = ends.map((end, index) => apart.slice(ends[index - 1] ?? 0, end));
  if (before + after === 0) {
    // All of it is new: one string that parts are cut from, instead of parts that would be joined.
    return { segments: added, part: (from, to) => apart.slice(from && ends[from - 1], to && ends[to - 1]) };
  }
  const segments = [...known.slice(0, before), ...added, ...(after ? known.slice(-after) : [])];
  return {
    segments,
    part(from, to) {
      let text = "";
      for (let index = from; index < to; index += 1) text += segments[index];
      return text;
    },
  };
}

/** @param {Receiver} reader @returns {Descriptor} */
function readDescriptor(reader) {
  const block = reader.text();
  const layer = reader.text();
  const source = reader.optional();
  const digest = reader.text();
  const bytes = reader.number();
  return source === undefined ? { block, layer, digest, bytes } : { block, layer, source, digest, bytes };
}

/** @param {Receiver} reader @returns {Diagnostic} */
function readDiagnostic(reader) {
  const code = /** @type {Diagnostic["code"]} */ (reader.text());
  const severity = /** @type {Diagnostic["severity"]} */ (reader.text());
  const message = reader.text();
  const path = reader.optional();
  return path === undefined ? { code, severity, message } : { code, severity, message, path };
}

/** @param {Receiver} reader @returns {Section} */
function readSection(reader) {
  const name = reader.text();
  const block = reader.text();
  const start = reader.number();
  const end = reader.number();
  /** @type {Unfinished<Section>} */
  const section = { name, block, start, end };
  const layer = /** @type {Section["layer"]} */ (reader.optional());
  const source = reader.optional();
  if (layer !== undefined) section.layer = layer;
  if (source !== undefined) section.source = source;
  return section;
}

/**
 * Reads what a turn brings, and joins it with what no turn changes. The lists are the turn's own.
 *
 * @param {Stable} stable
 * @param {Receiver} reader
 * @param {(part: object) => void} [seal] What becomes of each entry that is the turn's own.
 * @returns {Assembly}
 */
export function readAssembly(stable, reader, seal) {
  const { prefix, blocks, sections, descriptors, fingerprint, effective, diagnostics } = stable;
  const tail = reader.text();
  const channelMeta = reader.text();
  const section = reader.list(readSection);
  const added = reader.list(readDiagnostic);
  const hasChannel = channelMeta !== "";
  /** @type {CacheBlock} */
  const channel = { label: "channel_meta", text: channelMeta, cache: "5m" };
  /** @type {Unfinished<Assembly>} */
  const assembly = {
    prefix,
    tail,
    system: hasChannel ? prefix + channelMeta : prefix,
    blocks: hasChannel ? [...blocks, channel] : blocks.slice(),
    descriptors,
    fingerprint,
    effective,
    diagnostics: added.length > 0 ? [...diagnostics, ...added] : diagnostics.slice(),
  };
  if (sections) assembly.sections = [...sections, ...section];
  if (seal) {
    seal(channel);
    if (added.length > 0) added.forEach(seal);
    if (section.length > 0) section.forEach(seal);
  }
  return assembly;
}
