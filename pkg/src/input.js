// @ts-check

// An input may be an object, or JSON as text or bytes.

import { StrataError, isOurs } from "./errors.js";
import { MAX_JSON_BYTES, MAX_TEXT_BYTES } from "./limits.js";
import { encode } from "./tape.js";
import { exceeds, isWellFormed, loneSurrogate } from "./text.js";

/**
 * @param {unknown} input
 * @returns {{ text: string, tape?: number[] }} A crossing; JSON text where there is no tape.
 */
export function crossing(input) {
  if (typeof input === "string") return json(input);
  if (isBytes(input)) return json(decode(input));
  return encode(input);
}

/** @param {string} text */
function json(text) {
  if (exceeds(text, MAX_JSON_BYTES)) throw tooLarge();
  if (!isWellFormed(text)) throw loneSurrogate(text, "");
  if (exceeds(text, MAX_TEXT_BYTES)) refuseTooMuchText(text);
  return { text };
}

function tooLarge() {
  return new StrataError("too-large", "", `more than ${MAX_JSON_BYTES} bytes of JSON`);
}

/**
 * Refuses JSON that holds too much text before the core copies it, into memory that it never gives back.
 *
 * @param {string} text
 */
function refuseTooMuchText(text) {
  try {
    encode(JSON.parse(text));
  } catch (thrown) {
    if (isOurs(thrown) && thrown.code === "too-large") throw thrown;
    // Whatever else is wrong with it, the core says.
  }
}

/**
 * Whether this is a Uint8Array, of whatever realm.
 *
 * @param {unknown} value
 * @returns {value is Uint8Array}
 */
function isBytes(value) {
  return ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === "[object Uint8Array]";
}

/** @param {Uint8Array} bytes */
function decode(bytes) {
  if (bytes.length > MAX_JSON_BYTES) throw tooLarge();
  const copy = copyOf(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(copy);
  } catch (cause) {
    throw new StrataError("invalid-utf8", "", "not UTF-8: the bytes of the JSON are invalid", { cause });
  }
}

/**
 * A copy, because shared and resizable memory cannot be decoded everywhere.
 *
 * @param {Uint8Array} bytes
 */
function copyOf(bytes) {
  try {
    // Unlike a copy, this asks whether the bytes are still there.
    bytes.keys();
    return new Uint8Array(bytes);
  } catch (cause) {
    const message = "detached bytes: their buffer was transferred to somebody else, or shrunk";
    throw new StrataError("detached-bytes", "", message, { cause });
  }
}
