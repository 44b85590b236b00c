// @ts-check

// What the core, whose text is UTF-8, needs to know of a string of JavaScript.

import { errorAt } from "./errors.js";

const LONE_SURROGATE = /\p{Surrogate}/u;
const NON_ASCII = /[^\0-\x7f]/;

/** @type {(text: string) => boolean} */
export const isWellFormed =
  "isWellFormed" in String.prototype
    ? (text) => /** @type {{ isWellFormed(): boolean }} */ (/** @type {unknown} */ (text)).isWellFormed()
    : (text) => !LONE_SURROGATE.test(text);

/**
 * The error for half a surrogate pair, which has no UTF-8 form and would silently become another character.
 *
 * @param {string} text
 * @param {string} path
 */
export function loneSurrogate(text, path) {
  const at = text.search(LONE_SURROGATE);
  const half = text.charCodeAt(at).toString(16);
  return errorAt("lone-surrogate", path, "half a surrogate pair", `\`\\u${half}\` at index ${at}`);
}

/**
 * How many bytes of UTF-8 a text takes, counted without making them.
 *
 * @param {string} text
 */
export function byteLength(text) {
  let bytes = text.length;
  const first = text.search(NON_ASCII);
  if (first < 0) return bytes;
  for (let index = first; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    // Two units of a pair are four bytes together.
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit & 0xf800) !== 0xd800 ? 2 : 1;
  }
  return bytes;
}

/**
 * Whether a text takes more bytes of UTF-8 than `limit`; a unit takes three at most, so that few have to be counted.
 *
 * @param {string} text
 * @param {number} limit
 */
export function exceeds(text, limit) {
  return text.length > limit || (text.length * 3 > limit && byteLength(text) > limit);
}
