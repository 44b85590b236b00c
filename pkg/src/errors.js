// @ts-check

/** @import { ErrorCode } from "./index.js" */

/**
 * Everything this package throws.
 *
 * @type {typeof import("./index.js").StrataError}
 */
export const StrataError = class StrataError extends Error {
  // Names are shortened in what ships.
  static name = "StrataError";

  /**
   * @param {ErrorCode} code
   * @param {string} path
   * @param {string} message
   * @param {ErrorOptions} [options]
   */
  constructor(code, path, message, options) {
    super(message, options);
    this.name = "StrataError";
    this.code = code;
    this.path = path;
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
 * Whether this is an error of this package. Asking a revoked proxy throws.
 *
 * @param {unknown} thrown
 */
export function isOurs(thrown) {
  try {
    return thrown instanceof StrataError;
  } catch {
    return false;
  }
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
