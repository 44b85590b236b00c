// @ts-check

// A result in one crossing: all its text as one string, and a list of numbers that says how to cut it.
// `src/wasm/results.rs` writes what this reads, value by value in the same order.

/** @typedef {[text: string, numbers: Uint32Array, apart: string]} Result */

export class Reader {
  #text;
  #numbers;
  #next = 0;
  #at = 0;

  /** @param {unknown} result */
  constructor(result) {
    const [text, numbers, apart] = /** @type {Result} */ (result);
    this.#text = text;
    this.#numbers = numbers;
    /** What the core kept out of the string that the texts are parts of. */
    this.apart = apart;
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
   * @param {(reader: Reader) => T} read
   */
  list(read) {
    const list = [];
    for (let left = this.number(); left > 0; left -= 1) list.push(read(this));
    return list;
  }

  /** @param {number} length */
  #cut(length) {
    const start = this.#at;
    this.#at += length;
    return this.#text.slice(start, this.#at);
  }
}
