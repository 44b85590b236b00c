// @ts-check

// An input may be an object, or JSON as text or bytes.

import { StrataError } from "./errors.js";
import { MAX_JSON_BYTES } from "./limits.js";
import { encode, isWellFormed, loneSurrogate } from "./tape.js";

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
  if (text.length > MAX_JSON_BYTES) {
    throw new StrataError("too-large", "", `more than ${MAX_JSON_BYTES} bytes of JSON`);
  }
  if (!isWellFormed(text)) throw loneSurrogate(text, "");
  return { text };
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
  if (bytes.length > MAX_JSON_BYTES) {
    throw new StrataError("too-large", "", `more than ${MAX_JSON_BYTES} bytes of JSON`);
  }
  if (bytes.length === 0 && isDetached(bytes)) {
    throw new StrataError("detached-bytes", "", "detached bytes: their buffer was transferred to somebody else");
  }
  try {
    // A copy, because shared and resizable memory cannot be decoded everywhere.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(new Uint8Array(bytes));
  } catch (cause) {
    throw new StrataError("invalid-utf8", "", "not UTF-8: the bytes of the JSON are invalid", { cause });
  }
}

/** @param {Uint8Array} bytes */
function isDetached(bytes) {
  try {
    new Uint8Array(bytes.buffer);
    return false;
  } catch {
    return true;
  }
}
