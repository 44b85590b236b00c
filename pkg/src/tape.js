// @ts-check

// A JavaScript value in one crossing: all its text as one string, and a tape of numbers that tells its structure.
// `src/wasm/tape.rs` reads what this writes. Nothing here knows what an input should look like.

/** @import { ErrorCode, StrataError } from "./index.js" */

import { errorAt, reasonOf } from "./errors.js";
import { MAX_DEPTH, MAX_TEXT_BYTES, MAX_VALUES } from "./limits.js";
import { byteLength, isWellFormed, loneSurrogate } from "./text.js";

const NULL = 0;
const FALSE = 1;
const TRUE = 2;
const NUMBER = 3;
const TEXT = 4;
const LIST = 5;
const MAP = 6;

/** The tag is in the low three bits of an entry, the size above. */
const SIZE = 8;

/** From this many code units on, a text crosses in pieces of that size: joining all would copy it once more. */
const CHUNK = 16 * 1024;

/**
 * @typedef {{ text: string, tape: number[] }} Crossing The glue takes a list of strings for a text.
 * @typedef {string | number} Step
 */

/**
 * Writes a value; what JSON could not say is an error with its path.
 *
 * @param {unknown} value
 * @param {number} [allowance] How many bytes of text do not count, because they are ours.
 * @returns {Crossing}
 */
export function encode(value, allowance = 0) {
  const writer = new Writer(MAX_TEXT_BYTES + allowance);
  try {
    writer.value(value);
  } catch (thrown) {
    if (writer.refusal && thrown === writer.refusal) throw thrown;
    // A getter, or the trap of a proxy; it may have called this package in its turn.
    throw errorAt("unreadable", writer.pathText(), "unreadable value", reasonOf(thrown), { cause: thrown });
  }
  return writer.finish();
}

class Writer {
  /** @type {string[]} */
  #chunks = [];
  #chunk = "";
  #read = 0;
  #limit;
  #units = 0;
  /** Of UTF-8; counted only once the limit is near. */
  #bytes = 0;
  /** @type {number[]} */
  #tape = [];
  /** @type {Step[]} */
  #path = [];
  /** @type {object[]} */
  #ancestors = [];
  #values = 0;
  /**
   * The error that this throws, if it does.
   *
   * @type {StrataError | undefined}
   */
  refusal;

  /** @param {number} limit How many bytes of text there may be. */
  constructor(limit) {
    this.#limit = limit;
  }

  /** @param {unknown} value */
  value(value) {
    this.#count();
    switch (typeof value) {
      case "string":
        return this.#write(value, TEXT);
      case "boolean":
        this.#tape.push(value ? TRUE : FALSE);
        return;
      case "number":
        // As in the core, only whole numbers are spelt out, and those that JSON spells otherwise are not.
        return this.#write(Number.isInteger(value) && Math.abs(value) < 1e16 ? String(value) : "", NUMBER);
      case "object":
        if (value === null) this.#tape.push(NULL);
        else this.#object(value);
        return;
      default:
        throw this.#refuse(value === undefined ? "undefined" : `a ${typeof value}`);
    }
  }

  /** @returns {Crossing} */
  finish() {
    this.#chunks.push(this.#chunk);
    return { text: /** @type {string} */ (/** @type {unknown} */ (this.#chunks)), tape: this.#tape };
  }

  pathText() {
    return this.#path.reduce(appendStep, "");
  }

  #count() {
    if (this.#path.length > MAX_DEPTH) {
      throw this.#error("too-deep", `nested deeper than ${MAX_DEPTH} levels`);
    }
    this.#values += 1;
    if (this.#values > MAX_VALUES) {
      throw this.#error("too-large", `more than ${MAX_VALUES} values`);
    }
  }

  /**
   * @param {string} text
   * @param {number} tag
   */
  #write(text, tag) {
    this.#tape.push(text.length * SIZE + tag);
    this.#append(text);
  }

  /** @param {string} text */
  #append(text) {
    this.#units += text.length;
    // A unit takes three bytes at most, so that few inputs have to be measured.
    if (this.#units * 3 > this.#limit) this.#measure(text);
    if (!isWellFormed(text)) throw (this.refusal = loneSurrogate(text, this.pathText()));
    this.#chunk += text;
    if (this.#chunk.length > CHUNK) {
      // Reading from it makes it one piece: as the tree of parts it is, the garbage collector would copy it over and over.
      this.#read = this.#chunk.charCodeAt(0);
      this.#chunks.push(this.#chunk);
      this.#chunk = "";
    }
  }

  /**
   * Refuses what is too large before any of it is copied.
   *
   * @param {string} text The next.
   */
  #measure(text) {
    if (this.#units <= this.#limit) {
      if (this.#bytes === 0) this.#bytes = [...this.#chunks, this.#chunk].reduce((sum, it) => sum + byteLength(it), 0);
      this.#bytes += byteLength(text);
      if (this.#bytes <= this.#limit) return;
    }
    throw this.#error("too-large", `more than ${MAX_TEXT_BYTES} bytes of text`);
  }

  /** @param {object} value */
  #object(value) {
    if (this.#ancestors.includes(value)) {
      throw this.#error("cycle", "a value that contains itself");
    }
    this.#ancestors.push(value);
    if (Array.isArray(value)) this.#list(value);
    else if (isPlain(value)) this.#map(/** @type {Record<string, unknown>} */ (value));
    else throw this.#refuse(describeInstance(value));
    this.#ancestors.pop();
  }

  /** @param {unknown[]} list */
  #list(list) {
    const { length } = list;
    // A proxy may say anything.
    if (!Number.isInteger(length) || length < 0) throw this.#refuse("a list without a length");
    this.#tape.push(length * SIZE + LIST);
    for (let index = 0; index < length; index += 1) {
      this.#path.push(index);
      this.value(list[index]);
      this.#path.pop();
    }
  }

  /** @param {Record<string, unknown>} map */
  #map(map) {
    const start = this.#tape.length;
    this.#tape.push(0);
    let size = 0;
    for (const key of Object.keys(map)) {
      this.#path.push(key);
      const value = map[key];
      // An undefined field is an absent one, as in JSON.
      if (value !== undefined) {
        this.#tape.push(key.length);
        this.#append(key);
        this.value(value);
        size += 1;
      }
      this.#path.pop();
    }
    this.#tape[start] = size * SIZE + MAP;
  }

  /** @param {string} got */
  #refuse(got) {
    return this.#error("wrong-type", `expected JSON data, got ${got}`);
  }

  /**
   * @param {ErrorCode} code
   * @param {string} what
   */
  #error(code, what) {
    this.refusal = errorAt(code, this.pathText(), what);
    return this.refusal;
  }
}

/**
 * Whether an object is a record and not an instance, also one of another realm or behind a proxy.
 *
 * @param {object} value
 */
function isPlain(value) {
  const prototype = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return true;
  // Another realm's `Object.prototype`, and not a class that extends null.
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, "isPrototypeOf");
}

/** @param {object} value */
function describeInstance(value) {
  const { constructor } = value;
  const name = typeof constructor === "function" ? constructor.name : "";
  return name ? `an instance of ${name}` : "an instance of a class";
}

const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]{0,59}$/;
/** As in the core: a stranger may have chosen a key. */
const SHOWN_CHARS = 60;

/**
 * @param {string} path
 * @param {Step} step
 */
function appendStep(path, step) {
  if (typeof step === "number") return `${path}[${step}]`;
  if (!IDENTIFIER.test(step)) {
    const chars = [...step];
    const shown = chars.length > SHOWN_CHARS ? `${chars.slice(0, SHOWN_CHARS).join("")}…` : step;
    return `${path}["${escapeKey(shown)}"]`;
  }
  return path === "" ? step : `${path}.${step}`;
}

/**
 * Spells a key as the core does, and half a surrogate pair as JSON does.
 *
 * @param {string} key
 */
function escapeKey(key) {
  return key
    .replace(/["\\]/g, "\\$&")
    .replace(/[\p{Cc}\p{Cs}]/gu, (special) => `\\u${special.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
