// @ts-check

/** @import { Diagnostic } from "prompt-strata" */
/** @import { EditedDocument } from "./document.js" */

import { placesOf } from "./paths.js";
import { counted } from "./words.js";

export const SEVERITIES = /** @type {const} */ (["error", "warning", "info"]);

/** @type {Record<Diagnostic["severity"], { one: string, many: string, title: string }>} */
export const SEVERITY_WORDS = {
  error: { one: "error", many: "errors", title: "Errors" },
  warning: { one: "warning", many: "warnings", title: "Warnings" },
  info: { one: "note", many: "notes", title: "Good to know" },
};

/**
 * @param {readonly Diagnostic[]} diagnostics
 * @returns {{ severity: Diagnostic["severity"], found: Diagnostic[] }[]} Severest first, none empty.
 */
export function bySeverity(diagnostics) {
  return SEVERITIES.map((severity) => ({
    severity,
    found: diagnostics.filter((one) => one.severity === severity),
  })).filter(({ found }) => found.length > 0);
}

/** @param {readonly Diagnostic[]} diagnostics */
export function countInWords(diagnostics) {
  const parts = bySeverity(diagnostics).map(({ severity, found }) =>
    counted(found.length, SEVERITY_WORDS[severity].one, SEVERITY_WORDS[severity].many),
  );
  return parts.length === 0 ? "no notices" : parts.join(", ");
}

/**
 * The notices of each place on the page, for showing them where they belong. A notice about an item of a list is
 * also found under the list, for when the list is edited as one text.
 *
 * @param {EditedDocument} document
 * @param {readonly Diagnostic[]} diagnostics
 * @returns {Map<string, Diagnostic[]>}
 */
export function byPlace(document, diagnostics) {
  /** @type {Map<string, Diagnostic[]>} */
  const places = new Map();
  for (const one of diagnostics) {
    if (one.path === undefined) continue;
    for (const place of placesOf(document, one.path)) places.set(place, [...(places.get(place) ?? []), one]);
  }
  return places;
}
