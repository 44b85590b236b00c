// @ts-check

// Puts results together. Each text crosses the boundary once, as part of a block, and is joined here.

/** @import { Assembly, CacheBlock, Descriptor, Diagnostic, Effective, Section } from "./index.js" */

/**
 * What no turn changes, as the core hands it over; a block without text is as it was.
 *
 * @typedef {object} StableParts
 * @property {{ label: string, text?: string, cache: "1h" }[]} blocks
 * @property {Section[]} [sections]
 * @property {Descriptor[]} descriptors
 * @property {string} fingerprint
 * @property {EffectiveParts} effective
 * @property {Diagnostic[]} diagnostics
 */

/**
 * The lists are ranges of the first block's text.
 *
 * @typedef {object} EffectiveParts
 * @property {string} [identity]
 * @property {string} [operating-rules]
 * @property {[start: number, end: number]} [guardrails]
 * @property {[start: number, end: number]} [surface-note]
 */

/**
 * @typedef {object} TurnParts
 * @property {string} tail
 * @property {string} channelMeta
 * @property {Section} [section]
 * @property {Diagnostic[]} diagnostics
 */

/**
 * @typedef {object} Stable
 * @property {string} prefix
 * @property {CacheBlock[]} blocks
 * @property {Section[]} [sections]
 * @property {Descriptor[]} descriptors
 * @property {string} fingerprint
 * @property {Effective} effective
 * @property {Diagnostic[]} diagnostics
 */

/**
 * @param {StableParts} parts
 * @param {Stable} [known] Where the texts are that the parts leave out.
 * @returns {Stable}
 */
export function joinStable(parts, known) {
  const blocks = parts.blocks.map(({ label, text, cache }) => ({
    label,
    text: text ?? known?.blocks.find((block) => block.label === label)?.text ?? "",
    cache,
  }));
  let prefix = "";
  for (const block of blocks) prefix += block.text;
  return { ...parts, blocks, prefix, effective: joinEffective(parts.effective, blocks[0]?.text ?? "") };
}

/**
 * @param {EffectiveParts} parts
 * @param {string} text
 * @returns {Effective}
 */
function joinEffective({ guardrails, "surface-note": notes, ...texts }, text) {
  return {
    ...texts,
    ...(guardrails && { guardrails: text.slice(...guardrails) }),
    ...(notes && { "surface-note": text.slice(...notes) }),
  };
}

/**
 * @param {Stable} stable
 * @param {TurnParts} turn
 * @returns {Assembly}
 */
export function joinAssembly(stable, turn) {
  const { prefix, descriptors, fingerprint, effective } = stable;
  const { tail, channelMeta } = turn;
  const hasChannel = channelMeta !== "";
  const { sections } = stable;
  return {
    prefix,
    tail,
    system: hasChannel ? prefix + channelMeta : prefix,
    blocks: hasChannel
      ? [...stable.blocks, { label: "channel_meta", text: channelMeta, cache: "5m" }]
      : [...stable.blocks],
    ...(sections && { sections: turn.section ? [...sections, turn.section] : sections }),
    descriptors,
    fingerprint,
    effective,
    diagnostics: turn.diagnostics.length > 0 ? [...stable.diagnostics, ...turn.diagnostics] : stable.diagnostics,
  };
}
