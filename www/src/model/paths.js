// @ts-check

// Where a path of the package (`layers[2].content.guardrails[0]`) is on the page. Places are ids of elements.

/** @import { EditedDocument, EditedLayer } from "./document.js" */

import { statedFacts } from "./document.js";
import { CONTENT_WORDS, RUNTIME_WORDS, WORDING_WORDS, layerTitle } from "./words.js";

export const place = {
  /** @param {number} id */
  layer: (id) => `layer-${id}`,
  /** @param {number} id @param {string} field */
  inLayer: (id, field) => `layer-${id}-${field}`,
  /** @param {number} id @param {string} field @param {number} index */
  item: (id, field, index) => `layer-${id}-${field}-${index}`,
  /** @param {string} field */
  runtime: (field) => `runtime-${field}`,
  /** @param {number} id */
  fact: (id) => `fact-${id}`,
  /** @param {number} id @param {string} field */
  inFact: (id, field) => `fact-${id}-${field}`,
  /** @param {string} field */
  host: (field) => `host-${field}`,
  /** @param {string} name */
  option: (name) => `option-${name}`,
  /** @param {string} name */
  wording: (name) => `wording-${name}`,
};

/** Names in a path as the document spells them. @param {string} name */
function camel(name) {
  return name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
}

/**
 * @param {string} path
 * @returns {(string | number)[]}
 */
export function parsePath(path) {
  return [...path.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, name]) =>
    index === undefined ? camel(name ?? "") : Number(index),
  );
}

/**
 * The places that a path may lead to, the most exact first: not all of them are on the page at all times.
 *
 * @param {EditedDocument} document
 * @param {string} path
 * @returns {string[]}
 */
export function placesOf(document, path) {
  const [root, first, second, third, fourth] = parsePath(path);
  if (root === "layers") {
    const layer = document.layers[Number(first)];
    if (!layer) return ["layers"];
    const inside = second === "content" ? third : second;
    return [
      ...(typeof inside === "string" && typeof fourth === "number" ? [place.item(layer.id, inside, fourth)] : []),
      ...(typeof inside === "string" ? [place.inLayer(layer.id, inside)] : []),
      place.layer(layer.id),
    ];
  }
  if (root === "runtime") return [...(first === undefined ? [] : [place.runtime(String(first))]), "runtime"];
  if (root === "facts") {
    const fact = statedFacts(document)[Number(first)];
    if (!fact) return ["facts"];
    return [...(typeof second === "string" ? [place.inFact(fact.id, second)] : []), place.fact(fact.id)];
  }
  if (root === "bindingGlue" || root === "channelMeta") return [place.host(root)];
  if (root === "options") {
    const wording = first === "wording" && second !== undefined ? [place.wording(String(second))] : [];
    return [...wording, ...(first === undefined ? [] : [place.option(String(first))]), "options"];
  }
  return [];
}

/**
 * A path in words; the path itself where it leads nowhere on the page.
 *
 * @param {EditedDocument} document
 * @param {string} path
 */
export function describePath(document, path) {
  const [root, first, second, third, fourth] = parsePath(path);
  const words = [];
  if (root === "layers") {
    const layer = document.layers[Number(first)];
    if (!layer) return path;
    words.push(layerTitle(layer));
    if (second === "content") words.push(fieldLabel(CONTENT_WORDS, third));
    else words.push(second === "trusted" ? "Trust" : second === "source" ? "Source" : "");
    if (typeof fourth === "number") words.push(`item ${fourth + 1}`);
  } else if (root === "runtime") {
    words.push(fieldLabel(RUNTIME_WORDS, first));
  } else if (root === "facts") {
    const fact = statedFacts(document)[Number(first)];
    if (!fact) return path;
    words.push(fact.key.trim() === "" ? `Fact ${Number(first) + 1}` : `Fact “${fact.key}”`);
    if (typeof second === "string") words.push(second);
  } else if (root === "bindingGlue") words.push("Binding");
  else if (root === "channelMeta") words.push("Sender and channel");
  else if (root === "options") words.push("Options", first === "wording" ? fieldLabel(WORDING_WORDS, second) : "");
  return words.filter((word) => word !== "").join(" › ") || path;
}

/**
 * @param {Record<string, string | { label: string }>} words
 * @param {string | number | undefined} field
 */
function fieldLabel(words, field) {
  const found = Object.hasOwn(words, String(field)) ? words[String(field)] : undefined;
  if (found === undefined) return "";
  return typeof found === "string" ? found : found.label;
}

/** @type {Record<string, string[]>} */
const PIECE_PLACES = {
  "capability-contract": [place.runtime("capabilityContract")],
  "presentation-contract": [place.runtime("presentationContract")],
  "sandbox-contract": [place.runtime("sandboxContract")],
  surface: [place.runtime("surface")],
  skills: [place.runtime("skills")],
  mcp: [place.runtime("mcp")],
  "tool-index": [place.runtime("toolIndex")],
  standing: [place.runtime("standing")],
  "binding-glue": [place.host("bindingGlue")],
  facts: ["facts"],
  "facts-note": [place.wording("factsNote"), place.option("wording")],
  "channel-meta": [place.host("channelMeta")],
  instructions: [place.wording("instructionsHeading"), place.option("wording")],
  guardrails: [place.wording("guardrailsHeading"), place.option("wording")],
  "surface-note": [place.wording("surfaceNotesHeading"), place.option("wording")],
};

/** @type {Record<string, "identity" | "operatingRules" | "instructions" | "guardrails" | "surfaceNotes">} */
const PIECE_FIELDS = {
  identity: "identity",
  "operating-rules": "operatingRules",
  instructions: "instructions",
  guardrails: "guardrails",
  "surface-note": "surfaceNotes",
};

/**
 * Where a piece of the text is edited.
 *
 * @param {EditedDocument} document
 * @param {{ name: string, layer?: string | undefined, source?: string | undefined, text?: string }} piece
 * @returns {string[]}
 */
export function placesOfPiece(document, piece) {
  if (piece.layer === undefined) return PIECE_PLACES[piece.name] ?? [];
  const field = PIECE_FIELDS[piece.name];
  if (field === undefined) return [];
  const candidates = document.layers.filter(
    (one) => one.layer === piece.layer && one.source === piece.source && one.content[field] !== undefined,
  );
  const text = (piece.text ?? "").trim().replace(/^- /, "");
  const layer = candidates.find((one) => says(one, field, text)) ?? candidates[0];
  if (!layer) return [];
  const said = layer.content[field];
  const index = typeof said === "object" ? said.findIndex((item) => item.trim() === text) : -1;
  return [
    ...(index >= 0 ? [place.item(layer.id, field, index)] : []),
    place.inLayer(layer.id, field),
    place.layer(layer.id),
  ];
}

/**
 * @param {EditedLayer} layer
 * @param {keyof typeof CONTENT_WORDS} field
 * @param {string} text
 */
function says(layer, field, text) {
  const said = layer.content[field];
  return typeof said === "string" ? said.includes(text) : said?.some((item) => item.trim() === text);
}
