// @ts-check

/** @import { ErrorCode } from "./index.js" */

/** What tells the errors of every copy of this package: the CommonJS one, one of another realm or version. */
const BRAND = Symbol.for("prompt-strata.StrataError");

/** @type {WeakSet<object>} */
const ours = new WeakSet();

/**
 * Everything this package throws.
 *
 * @type {typeof import("./index.js").StrataError}
 */
export const StrataError = class StrataError extends Error {
  // Names are shortened in what ships.
  static name = "StrataError";

  // Defined and not assigned, since `Error.prototype` may be frozen.
  name = "StrataError";
  code;
  path;

  /**
   * @param {ErrorCode} code
   * @param {string} path
   * @param {string} message
   * @param {ErrorOptions} [options]
   */
  constructor(code, path, message, options) {
    super(message, options);
    this.code = code;
    this.path = path;
    ours.add(this);
  }

  get [BRAND]() {
    return true;
  }

  /** @param {any} value */
  static [Symbol.hasInstance](value) {
    return this === StrataError ? Boolean(value?.[BRAND]) : super[Symbol.hasInstance](value);
  }
};

/**
 * An error about the value at `path`, worded like those of the core.
 *
 * @param {ErrorCode} code
 * @param {string} path
 * @param {string} what
 * @param {string} [explanation]
 * @param {ErrorOptions} [options]
 */
export function errorAt(code, path, what, explanation, options) {
  let message = what;
  if (path !== "") message += ` at ${path}`;
  if (explanation) message += `: ${explanation}`;
  return new StrataError(code, path, message, options);
}

/**
 * Whether this copy of the package made an error; nothing of a stranger's is run to tell.
 *
 * @param {any} thrown
 * @returns {thrown is StrataError}
 */
export function isOurs(thrown) {
  return ours.has(thrown);
}

/**
 * The words of whatever was thrown; not all of it has some.
 *
 * @param {unknown} thrown
 * @returns {string}
 */
export function reasonOf(thrown) {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown);
  } catch {
    return "a value without a text";
  }
}
