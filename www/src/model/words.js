// @ts-check

// What the page calls things. The package's own terms stand beside them, never instead of them.

/** @import { CachePolicy, DiagnosticCode, Layer, Wording } from "prompt-strata" */
/** @import { ContentField, RuntimeField } from "./document.js" */

import { layerLabel } from "prompt-strata";

/** @type {Record<Layer, string>} */
export const LAYER_HINTS = {
  seed: "What the product ships with.",
  shared: "What holds everywhere in your organisation.",
  workspace: "What the project at hand says about itself.",
  surface: "What is true of the place where the conversation is shown.",
  bot: "Who this bot is.",
  chat: "What holds in this one room.",
  agent: "The role on duty.",
};

/** @type {Record<ContentField, { label: string, hint: string }>} */
export const CONTENT_WORDS = {
  identity: { label: "Identity", hint: "Who the assistant is. The narrowest layer that says something wins." },
  operatingRules: { label: "Operating rules", hint: "How it works. The narrowest layer that says something wins." },
  instructions: { label: "Instructions", hint: "More to do. Those of all layers are used." },
  guardrails: { label: "Guardrails", hint: "What it must never do. Those of all layers are used; no layer can take one out." },
  surfaceNotes: { label: "Surface notes", hint: "What else is true where it answers. Those of all layers are used." },
};

/** @type {Record<RuntimeField, { label: string, hint: string }>} */
export const RUNTIME_WORDS = {
  capabilityContract: { label: "Capability contract", hint: "What the assistant can do, and how it calls tools." },
  presentationContract: { label: "Presentation contract", hint: "How answers are shown." },
  sandboxContract: { label: "Sandbox contract", hint: "What it may touch." },
  surface: { label: "Surface", hint: "The line that says where the conversation is shown." },
  skills: { label: "Skills", hint: "The skills it can load." },
  mcp: { label: "MCP servers", hint: "What connected servers say about themselves." },
  toolIndex: { label: "Tool index", hint: "The list of tools." },
  standing: { label: "Standing orders", hint: "Approvals and memory that seldom change." },
  epistemicStance: { label: "Stance", hint: "What the assistant knows so far, in this turn." },
  temporal: { label: "Clock", hint: "What time it is, in this turn." },
};

/** @type {Record<keyof Wording, string>} */
export const WORDING_WORDS = {
  guardrailsHeading: "Line above the guardrails",
  surfaceNotesHeading: "Line above the surface notes",
  instructionsHeading: "Line above the instructions",
  stanceClarifier: "Line under the stance",
  factsNote: "Note that announces the facts of each turn",
  untrustedHeading: "Line above the guardrails nobody vouches for",
};

/** @type {Record<string, string>} */
const PIECES = {
  identity: "Identity",
  "operating-rules": "Operating rules",
  instructions: "Instructions",
  guardrails: "Guardrails",
  "surface-note": "Surface notes",
  "capability-contract": "Capability contract",
  "presentation-contract": "Presentation contract",
  "sandbox-contract": "Sandbox contract",
  surface: "Surface",
  skills: "Skills",
  mcp: "MCP servers",
  "tool-index": "Tool index",
  standing: "Standing orders",
  "binding-glue": "Binding",
  facts: "Facts",
  "facts-note": "Note about facts",
  "channel-meta": "Sender and channel",
};

/** @type {Record<string, string>} */
const CACHE_BLOCKS = {
  workspace: "Policy and surface",
  skills: "Skills and tools",
  binding_glue: "Standing, binding, facts",
  channel_meta: "Sender and channel",
};

/** @type {Record<CachePolicy, string>} */
export const POLICIES = { "1h": "kept for 1 hour", "5m": "kept for 5 minutes", none: "not kept" };

/** @type {Partial<Record<DiagnosticCode, string>>} */
const SHORT = {
  "layer-order": "Broader than the layer before it",
  "trust-unstated": "Trust is not stated, so it counts as trusted",
  "untrusted-dropped": "Not used: nobody vouches for this layer",
  "untrusted-kept": "Kept, though nobody vouches for this layer",
  "duplicate-folded": "Said before, here or in another layer, so it appears once",
  blanked: "Hides what broader layers say",
  "line-breaks-folded": "Its line breaks became spaces",
  "fact-escaped": "Changed a little, so that it stays on its line",
  "duplicate-fact-key": "This key is stated twice",
  "markdown-in-strict": "Has headings; the Markdown reading in Options keeps their sense",
  "layer-repeated": "This layer is there twice, and both count",
  "item-escaped": "Changed a little, so that it forges no facts",
};

/** @param {string} name The name of a section, or the block of a descriptor. */
export function pieceLabel(name) {
  return PIECES[name] ?? name;
}

/** @param {string} label */
export function cacheBlockLabel(label) {
  return CACHE_BLOCKS[label] ?? label;
}

/** @param {DiagnosticCode} code */
export function shortNotice(code) {
  return SHORT[code];
}

/** @param {string} wire */
export function layerName(wire) {
  return sentence(layerLabel(wire));
}

/** @param {{ layer: string, source?: string | undefined }} layer */
export function layerTitle({ layer, source }) {
  return source ? `${layerName(layer)} (${source})` : layerName(layer);
}

/**
 * With a capital first letter.
 *
 * @param {string} text
 */
export function sentence(text) {
  const first = text.codePointAt(0);
  if (first === undefined) return text;
  const letter = String.fromCodePoint(first);
  return letter.toUpperCase() + text.slice(letter.length);
}

/**
 * @param {number} count
 * @param {string} one
 * @param {string} [many]
 */
export function counted(count, one, many = `${one}s`) {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** @param {number} count */
export function grouped(count) {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** @param {number} share Between 0 and 1. */
export function percent(share) {
  if (share > 0 && share < 0.01) return "under 1 %";
  return `${Math.round(share * 100)} %`;
}
