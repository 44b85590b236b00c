// @ts-check

// A result in one crossing: all its text as one string, and a list of numbers that says how to cut it.
// `src/wasm/results.rs` writes what this reads, value by value in the same order.

const NONE = new Uint32Array();

/** Reads a result while it is in the memory of the core. */
export class Receiver {
  #read;
  #text = "";
  /** @type {Uint32Array} */
  #numbers = NONE;
  #next = 0;
  #at = 0;
  /** What the core kept out of the string that the texts are parts of. */
  apart = "";

  /** @param {(receiver: Receiver) => void} read */
  constructor(read) {
    this.#read = read;
  }

  /** @param {string} text */
  keepApart(text) {
    this.apart = text;
  }

  /**
   * The core calls this. The numbers are in its memory, and good for as long as this runs.
   *
   * @param {string} text
   * @param {Uint32Array} numbers
   */
  receive(text, numbers) {
    this.#text = text;
    this.#numbers = numbers;
    this.#read(this);
    this.#numbers = NONE;
  }

  number() {
    return /** @type {number} */ (this.#numbers[this.#next++]);
  }

  text() {
    return this.#cut(this.number());
  }

  optional() {
    const length = this.number();
    return length === 0 ? undefined : this.#cut(length - 1);
  }

  /**
   * @template T
   * @param {(receiver: Receiver) => T} read
   */
  list(read) {
    const list = [];
    for (let left = this.number(); left > 0; left -= 1) list.push(read(this));
    return list;
  }

  /**
   * Reads what is kept for longer than the rest: from a string of its own, since a part of a string keeps all of that
   * string in memory.
   *
   * @template T
   * @param {(receiver: Receiver) => T} read
   */
  kept(read) {
    const whole = this.#text;
    const end = this.number() + this.#at;
    this.#text = ` ${whole.slice(this.#at, end)}`;
    this.#at = 1;
    const result = read(this);
    this.#text = whole;
    this.#at = end;
    return result;
  }

  /** @param {number} length */
  #cut(length) {
    const start = this.#at;
    this.#at += length;
    return this.#text.slice(start, this.#at);
  }
}
