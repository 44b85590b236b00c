// @ts-check

// What differs between a pinned state and the present one, and what that does to a provider's cache.

/** @import { Assembly, Drift } from "prompt-strata" */

import { drift } from "prompt-strata";
import { byteLength } from "./sizes.js";

/**
 * @typedef {object} Comparison
 * @property {Drift | null} drift Between the contributions of the layers.
 * @property {boolean} isComparable False where the pinned state had no contribution to compare with.
 * @property {boolean} isPrefixSame Whether the prefix is the same to the byte.
 * @property {{ label: string, bytes: number }[]} kept The cache blocks, from the first, that a provider can reuse.
 * @property {{ label: string, bytes: number }[]} paid Those it has to read again: the first that differs and all after it.
 */

/**
 * @param {Assembly} pinned
 * @param {Assembly} now
 * @returns {Comparison}
 */
export function compare(pinned, now) {
  const first = now.blocks.findIndex((block, index) => {
    const was = pinned.blocks[index];
    return was?.label !== block.label || was.text !== block.text;
  });
  const cut = first < 0 ? now.blocks.length : first;
  const sized = now.blocks.map(({ label, text }) => ({ label, bytes: byteLength(text) }));
  return {
    drift: drift(pinned.descriptors, now.descriptors),
    isComparable: pinned.descriptors.length > 0,
    isPrefixSame: pinned.prefix === now.prefix,
    kept: sized.slice(0, cut),
    paid: sized.slice(cut),
  };
}
