// @ts-check

// The functions without state: arguments go in as one object of their names, so that an error's path says which.

/** @import * as Api from "./index.js" */

import { readAssembly, readStable } from "./assembly.js";
import { errorAt } from "./errors.js";
import { hostHasher, secret } from "./hash.js";
import { crossing } from "./input.js";
import { call } from "./instance.js";
import { Receiver } from "./results.js";
import { encode } from "./tape.js";

export { Assembler } from "./assembler.js";
export { StrataError } from "./errors.js";
export { version } from "./version.js";

/**
 * @param {unknown} input
 * @param {boolean} withoutFacts
 */
function run(input, withoutFacts) {
  const { text, tape } = crossing(input);
  /** @type {Api.Assembly | undefined} */
  let assembly;
  const receiver = new Receiver((reader) => (assembly = readAssembly(readStable(reader), reader)));
  call((core) => core.assemble(text, tape, hostHasher(), secret(), withoutFacts, receiver));
  return /** @type {Api.Assembly} */ (/** @type {unknown} */ (assembly));
}

/**
 * @template T
 * @param {string} name
 * @param {Record<string, unknown>} parameters
 * @returns {T}
 */
function apply(name, parameters) {
  // Their names are ours, and no text of the caller's.
  const { text, tape } = encode(parameters, Object.keys(parameters).join("").length);
  return call((core) => core.call(name, text, tape, secret()));
}

/** @type {typeof Api.assemble} */
export const assemble = (input) => run(input, false);

/** @type {typeof Api.resolve} */
export const resolve = (input) => {
  const { prefix, tail, descriptors, fingerprint, effective, diagnostics } = run(input, true);
  return { prefix, tail, descriptors, fingerprint, effective, diagnostics };
};

/** @type {typeof Api.parseGuardrails} */
export const parseGuardrails = (text, options) => apply("parseGuardrails", { text, options });

/** @type {typeof Api.renderGuardrails} */
export const renderGuardrails = (rules) => apply("renderGuardrails", { rules });

/** @type {typeof Api.renderFacts} */
export const renderFacts = (facts) => apply("renderFacts", { facts });

/** @type {typeof Api.buildBlocks} */
export const buildBlocks = (parts) => apply("buildBlocks", { parts });

/** @type {typeof Api.flattenBlocks} */
export const flattenBlocks = (blocks) => apply("flattenBlocks", { blocks });

/** @type {typeof Api.parseSeed} */
export const parseSeed = (text, options) => apply("parseSeed", { text, options });

/** @type {typeof Api.digest} */
export const digest = (text) => apply("digest", { text });

/** @type {typeof Api.fingerprint} */
export const fingerprint = (descriptors) => apply("fingerprint", { descriptors });

/** @type {typeof Api.drift} */
export const drift = (frozen, current) => apply("drift", { frozen, current });

/** @type {typeof Api.setBlock} */
export const setBlock = (content, block, text) => {
  /** @type {Api.LayerContent} */
  const changed = apply("setBlock", { content, block, text });
  // Null clears a block, but a text that is missing is a mistake.
  if (text === undefined) throw errorAt("missing-field", "text", "missing field `text`");
  return changed;
};

/** @type {typeof Api.getBlock} */
export const getBlock = (content, block) => apply("getBlock", { content, block });

/** @type {typeof Api.parseBlockName} */
export const parseBlockName = (name) => apply("parseBlockName", { name });

/** @type {typeof Api.layerLabel} */
export const layerLabel = (wire) => apply("layerLabel", { wire });

/** @type {typeof Api.layerFromFiles} */
export const layerFromFiles = (files) => apply("layerFromFiles", { files });

/** @type {typeof Api.layerToFiles} */
export const layerToFiles = (content) => apply("layerToFiles", { content });

/** @type {typeof Api.subLayerPath} */
export const subLayerPath = (kind, name, options) => apply("subLayerPath", { kind, name, options });
