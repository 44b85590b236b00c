// @ts-check

/** @import { Assembly, CacheBlock } from "prompt-strata" */

const encoder = new TextEncoder();

/** @param {string} text */
export function byteLength(text) {
  return encoder.encode(text).length;
}

/**
 * @typedef {object} BlockSize
 * @property {string} label
 * @property {CacheBlock["cache"]} cache
 * @property {number} bytes
 * @property {number} share Of all blocks, between 0 and 1.
 */

/**
 * @param {readonly CacheBlock[]} blocks
 * @returns {BlockSize[]}
 */
export function blockSizes(blocks) {
  const sizes = blocks.map(({ label, cache, text }) => ({ label, cache, bytes: byteLength(text) }));
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  return sizes.map((size) => ({ ...size, share: total === 0 ? 0 : size.bytes / total }));
}

/** @param {Assembly} assembly */
export function totals({ prefix, system, tail }) {
  const ofPrefix = byteLength(prefix);
  return { prefix: ofPrefix, channel: byteLength(system) - ofPrefix, tail: byteLength(tail) };
}
