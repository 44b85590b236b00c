// @ts-check

// What was remembered and is refused today, since another version of the page wrote it: kept until somebody opens or
// discards it.

/** @import { EditedDocument } from "./document.js" */

import { readJson } from "./files.js";
import { recall, remember } from "./storage.js";

/** @typedef {{ name: string, text: string }} Kept A text, and what a person calls it. */

const ASIDE = "aside";

/** @returns {readonly Kept[]} */
export function recallAside() {
  try {
    return JSON.parse(recall(ASIDE) ?? "[]");
  } catch {
    return [];
  }
}

/** @param {readonly Kept[]} kept */
export function rememberAside(kept) {
  remember(ASIDE, kept.length > 0 ? JSON.stringify(kept) : undefined);
}

/**
 * The document that was remembered; one that is refused is set aside, before anything takes its place.
 *
 * @param {string} key
 * @param {string} name What a person calls it.
 * @returns {EditedDocument | undefined}
 */
export function restore(key, name) {
  const text = recall(key);
  if (text === undefined) return undefined;
  const read = readJson(text);
  if ("document" in read) return read.document;
  rememberAside([...recallAside(), { name, text }]);
  remember(key, undefined);
  return undefined;
}
