// @ts-check

/** @import { ErrorCode } from "./index.js" */

/**
 * Everything this package throws.
 *
 * @type {typeof import("./index.js").StrataError}
 */
export const StrataError = class StrataError extends Error {
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
