// @ts-check

// The edited input: plain data and pure updates. It is the package's own input with an id on what can move.

/** @import { AssembleInput, Fact, Layer, LayerContent, Options, RuntimeSections, Wording } from "prompt-strata" */

/** @typedef {keyof LayerContent} ContentField */
/** @typedef {keyof RuntimeSections} RuntimeField */
/** @typedef {"bindingGlue" | "channelMeta"} HostField */
/** @typedef {string | readonly string[]} Text A list is only ever found in guardrails and surface notes. */

/**
 * What a layer says; a field that is missing inherits.
 *
 * @typedef {Partial<Record<ContentField, Text>>} EditedContent
 */

/**
 * @typedef {object} EditedLayer
 * @property {number} id
 * @property {Layer} layer
 * @property {string} [source]
 * @property {boolean} [trusted] Missing is unstated.
 * @property {EditedContent} content
 */

/** @typedef {Fact & { id: number }} EditedFact */

/**
 * @typedef {object} EditedDocument
 * @property {readonly EditedLayer[]} layers
 * @property {Partial<Record<RuntimeField, string>>} runtime
 * @property {readonly EditedFact[]} facts
 * @property {string} [bindingGlue]
 * @property {string} [channelMeta]
 * @property {Options} options
 */

/** Broadest first. */
export const LAYERS = /** @type {const} */ (["seed", "shared", "workspace", "surface", "bot", "chat", "agent"]);

/** @type {readonly ContentField[]} */
export const CONTENT_FIELDS = ["identity", "operatingRules", "instructions", "guardrails", "surfaceNotes"];

/** @type {readonly RuntimeField[]} */
export const RUNTIME_FIELDS = [
  "capabilityContract",
  "presentationContract",
  "sandboxContract",
  "surface",
  "skills",
  "mcp",
  "toolIndex",
  "standing",
  "epistemicStance",
  "temporal",
];

/** @type {readonly (keyof Wording)[]} */
export const WORDING_FIELDS = [
  "guardrailsHeading",
  "surfaceNotesHeading",
  "instructionsHeading",
  "stanceClarifier",
  "factsNote",
  "untrustedHeading",
];

let lastId = 0;

function nextId() {
  lastId += 1;
  return lastId;
}

/** @returns {EditedDocument} */
export function emptyDocument() {
  return { layers: [], runtime: {}, facts: [], options: {} };
}

/**
 * Takes an input apart for editing. It has been accepted by `assemble`, so its shape is known: only the spelling of
 * names (`snake_case`) and the ways to say nothing (`null`) still vary.
 *
 * @param {AssembleInput} input
 * @returns {EditedDocument}
 */
export function fromInput(input) {
  const { layers, runtime, facts, bindingGlue, channelMeta, options } = tidy(input);
  const { wording, ...others } = tidy(options ?? {});
  return {
    layers: layers.map((given) => {
      const { layer, source, trusted, content } = tidy(given);
      return {
        id: nextId(),
        layer,
        ...(source !== undefined && source !== null && { source }),
        ...(trusted !== undefined && trusted !== null && { trusted }),
        content: /** @type {EditedContent} */ (tidy(content)),
      };
    }),
    runtime: /** @type {Partial<Record<RuntimeField, string>>} */ (tidy(runtime ?? {})),
    facts: (facts ?? []).map((fact) => ({ id: nextId(), ...fact })),
    ...(typeof bindingGlue === "string" && { bindingGlue }),
    ...(typeof channelMeta === "string" && { channelMeta }),
    options: {
      ...others,
      ...(wording && { wording: typeof wording === "object" ? tidy(wording) : wording }),
    },
  };
}

/**
 * The same object with camelCase names and without what is null.
 *
 * @template {object} T
 * @param {T} object
 * @returns {T}
 */
function tidy(object) {
  const entries = Object.entries(object)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => [name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase()), value]);
  return /** @type {T} */ (Object.fromEntries(entries));
}

/**
 * The input to assemble and to save. A fact nobody has typed anything into yet is not part of it.
 *
 * @param {EditedDocument} document
 * @returns {AssembleInput}
 */
export function toInput(document) {
  const { runtime, bindingGlue, channelMeta, options } = document;
  const facts = statedFacts(document).map(({ key, value, volatility }) => ({ key, value, volatility }));
  return {
    layers: document.layers.map(({ layer, source, trusted, content }) => ({
      layer,
      ...(source !== undefined && { source }),
      ...(trusted !== undefined && { trusted }),
      content: /** @type {LayerContent} */ (content),
    })),
    ...(Object.keys(runtime).length > 0 && { runtime }),
    ...(facts.length > 0 && { facts }),
    ...(bindingGlue !== undefined && { bindingGlue }),
    ...(channelMeta !== undefined && { channelMeta }),
    ...(Object.keys(options).length > 0 && { options }),
  };
}

/**
 * The facts that are part of the input, in its order.
 *
 * @param {EditedDocument} document
 */
export function statedFacts(document) {
  return document.facts.filter(({ key, value }) => key !== "" || value !== "");
}

/** @param {Layer} layer */
function breadth(layer) {
  return LAYERS.indexOf(layer);
}

/** @param {EditedDocument} document */
export function isInOrder({ layers }) {
  return layers.every((one, index) => index === 0 || breadth(at(layers, index - 1).layer) <= breadth(one.layer));
}

/**
 * @param {EditedDocument} document
 * @returns {EditedDocument}
 */
export function putInOrder(document) {
  return { ...document, layers: document.layers.toSorted((a, b) => breadth(a.layer) - breadth(b.layer)) };
}

/**
 * Adds an empty layer where its breadth puts it.
 *
 * @param {EditedDocument} document
 * @param {Layer} layer
 * @returns {{ document: EditedDocument, id: number }}
 */
export function addLayer(document, layer) {
  const id = nextId();
  return { document: { ...document, layers: place(document.layers, { id, layer, content: {} }) }, id };
}

/**
 * Inserts after the last layer that is not narrower.
 *
 * @param {readonly EditedLayer[]} layers
 * @param {EditedLayer} added
 */
function place(layers, added) {
  const after = layers.findLastIndex((one) => breadth(one.layer) <= breadth(added.layer));
  return layers.toSpliced(after + 1, 0, added);
}

/**
 * @param {EditedDocument} document
 * @param {number} id
 * @returns {EditedDocument}
 */
export function removeLayer(document, id) {
  return { ...document, layers: document.layers.filter((one) => one.id !== id) };
}

/**
 * Makes it another layer, which moves it to its new breadth.
 *
 * @param {EditedDocument} document
 * @param {number} id
 * @param {Layer} layer
 * @returns {EditedDocument}
 */
export function renameLayer(document, id, layer) {
  const one = document.layers.find((candidate) => candidate.id === id);
  if (!one || one.layer === layer) return document;
  return { ...document, layers: place(removeLayer(document, id).layers, { ...one, layer }) };
}

/**
 * Whether a layer can change places with its neighbour: only with one of the same name, since breadth decides the rest.
 *
 * @param {EditedDocument} document
 * @param {number} id
 * @param {-1 | 1} step
 */
export function canMove({ layers }, id, step) {
  const index = layers.findIndex((one) => one.id === id);
  return index >= 0 && layers[index]?.layer === layers[index + step]?.layer;
}

/**
 * @param {EditedDocument} document
 * @param {number} id
 * @param {-1 | 1} step
 * @returns {EditedDocument}
 */
export function moveLayer(document, id, step) {
  if (!canMove(document, id, step)) return document;
  const index = document.layers.findIndex((one) => one.id === id);
  const moved = at(document.layers, index);
  return { ...document, layers: document.layers.toSpliced(index, 1).toSpliced(index + step, 0, moved) };
}

/**
 * @param {EditedDocument} document
 * @param {number} id
 * @param {{ source?: string | undefined, trusted?: boolean | undefined }} patch An undefined value takes the property away.
 * @returns {EditedDocument}
 */
export function setLayer(document, id, patch) {
  return mapLayer(document, id, (one) => withPatch(one, patch));
}

/**
 * @param {EditedDocument} document
 * @param {number} id
 * @param {ContentField} field
 * @param {Text | undefined} text Undefined inherits.
 * @returns {EditedDocument}
 */
export function setContent(document, id, field, text) {
  return mapLayer(document, id, (one) => ({ ...one, content: withPatch(one.content, { [field]: text }) }));
}

/**
 * @param {EditedDocument} document
 * @param {number} id
 * @param {(layer: EditedLayer) => EditedLayer} change
 * @returns {EditedDocument}
 */
function mapLayer(document, id, change) {
  return { ...document, layers: document.layers.map((one) => (one.id === id ? change(one) : one)) };
}

/**
 * @param {EditedDocument} document
 * @param {RuntimeField} field
 * @param {string | undefined} text
 * @returns {EditedDocument}
 */
export function setRuntime(document, field, text) {
  return { ...document, runtime: withPatch(document.runtime, { [field]: text }) };
}

/**
 * @param {EditedDocument} document
 * @param {HostField} field
 * @param {string | undefined} text
 * @returns {EditedDocument}
 */
export function setHostText(document, field, text) {
  return withPatch(document, { [field]: text });
}

/**
 * @param {EditedDocument} document
 * @returns {{ document: EditedDocument, id: number }}
 */
export function addFact(document) {
  const id = nextId();
  /** @type {EditedFact} */
  const fact = { id, key: "", value: "", volatility: "static" };
  return { document: { ...document, facts: [...document.facts, fact] }, id };
}

/**
 * @param {EditedDocument} document
 * @param {number} id
 * @param {Partial<Fact>} patch
 * @returns {EditedDocument}
 */
export function setFact(document, id, patch) {
  return { ...document, facts: document.facts.map((one) => (one.id === id ? { ...one, ...patch } : one)) };
}

/**
 * @param {EditedDocument} document
 * @param {number} id
 * @returns {EditedDocument}
 */
export function removeFact(document, id) {
  return { ...document, facts: document.facts.filter((one) => one.id !== id) };
}

/**
 * @template {keyof Options} K
 * @param {EditedDocument} document
 * @param {K} name
 * @param {Options[K] | undefined} value
 * @returns {EditedDocument}
 */
export function setOption(document, name, value) {
  return { ...document, options: withPatch(document.options, { [name]: value }) };
}

/**
 * @param {EditedDocument} document
 * @param {keyof Wording} name
 * @param {string | undefined} text Undefined is the shipped wording.
 * @returns {EditedDocument}
 */
export function setWording(document, name, text) {
  const { wording } = document.options;
  return setOption(document, "wording", withPatch(typeof wording === "object" && wording ? wording : {}, { [name]: text }));
}

/**
 * Whose text a layer inherits: the nearest broader layer that is heard and says something.
 *
 * @param {EditedDocument} document
 * @param {number} id
 * @param {ContentField} field
 * @returns {EditedLayer | undefined}
 */
export function inheritedFrom({ layers }, id, field) {
  const index = layers.findIndex((one) => one.id === id);
  return layers.slice(0, index).findLast((one) => one.trusted !== false && one.content[field] !== undefined);
}

/**
 * Who hides a layer's text: the narrowest layer after it that is heard and says something.
 *
 * @param {EditedDocument} document
 * @param {number} id
 * @param {ContentField} field
 * @returns {EditedLayer | undefined}
 */
export function hiddenBy({ layers }, id, field) {
  const index = layers.findIndex((one) => one.id === id);
  return layers.slice(index + 1).findLast((one) => one.trusted !== false && one.content[field] !== undefined);
}

/**
 * @template {object} T
 * @param {T} object
 * @param {Record<string, unknown>} patch
 * @returns {T}
 */
function withPatch(object, patch) {
  const entries = Object.entries({ ...object, ...patch }).filter(([, value]) => value !== undefined);
  return /** @type {T} */ (Object.fromEntries(entries));
}

/**
 * @template T
 * @param {readonly T[]} list
 * @param {number} index
 */
function at(list, index) {
  return /** @type {T} */ (list[index]);
}
