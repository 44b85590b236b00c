// @ts-check

// The declarations and the core cannot drift apart: both are asked, and have to say the same.

import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "node:test";
import ts from "typescript";
import * as strata from "prompt-strata";

import { compileSources, complaints, Declarations, STRICT } from "./declarations.js";
import { dist, packageFolder, readText, root } from "./repository.js";

/** @typedef {{ name: string, isOptional: boolean, alternatives: ts.Type[] }} Field */

const api = /** @type {Record<string, any>} */ (strata);
const { assemble, Assembler, StrataError } = api;
const declared = new Declarations(join(packageFolder, "src", "index.d.ts"));

/** @param {Iterable<string>} names */
const sorted = (names) => [...names].sort();

// ---------------------------------------------------------------- what goes in

/**
 * An object that goes in: what is declared of it, where it stands, and how it gets there.
 *
 * @typedef {object} Shape
 * @property {Field[]} fields
 * @property {Record<string, unknown>} minimal A value that is accepted, with no more than it needs.
 * @property {(value: any) => unknown} call
 * @property {string} path
 * @property {boolean} [isParameters] Parameters, of which no unknown one can be sent.
 */

const DESCRIPTOR = { block: "identity", layer: "bot", digest: "aa", bytes: 1 };

/** @param {string} name @param {number} index */
const parameterFields = (name, index) => {
  const types = declared.parameters(declared.signature(name))[index].alternatives;
  const object = types.find((type) => declared.kind(type) === "object" && type.symbol?.name !== "Uint8Array");
  assert.ok(object, `parameter ${index} of ${name} is no object`);
  return declared.fields(object);
};

const wording = declared.fields(declared.type("Options")).find(({ name }) => name === "wording");
const partialWording = wording?.alternatives.find((type) => declared.kind(type) === "object");
assert.ok(partialWording);

/** @type {Record<string, Shape>} */
const SHAPES = {
  AssembleInput: {
    fields: declared.fields(declared.type("AssembleInput")),
    minimal: { layers: [] },
    call: assemble,
    path: "",
  },
  "the input of Assembler": {
    fields: declared.fields(declared.type("AssembleInput")),
    minimal: { layers: [] },
    call: (value) => new Assembler(value).free(),
    path: "",
  },
  "the input of resolve": {
    fields: parameterFields("resolve", 0),
    minimal: { layers: [] },
    call: api.resolve,
    path: "",
  },
  LayerInput: {
    fields: declared.fields(declared.type("LayerInput")),
    minimal: { layer: "seed", content: {} },
    call: (value) => assemble({ layers: [value] }),
    path: "layers[0]",
  },
  "LayerInput of setLayer": {
    fields: declared.fields(declared.type("LayerInput")),
    minimal: { layer: "seed", content: {} },
    call: (value) => new Assembler({ layers: [] }).setLayer(value),
    path: "",
  },
  LayerContent: {
    fields: declared.fields(declared.type("LayerContent")),
    minimal: {},
    call: (value) => assemble({ layers: [{ layer: "seed", content: value }] }),
    path: "layers[0].content",
  },
  RuntimeSections: {
    fields: declared.fields(declared.type("RuntimeSections")),
    minimal: {},
    call: (value) => assemble({ layers: [], runtime: value }),
    path: "runtime",
  },
  Fact: {
    fields: declared.fields(declared.type("Fact")),
    minimal: { key: "k", value: "v", volatility: "static" },
    call: (value) => api.renderFacts([value]),
    path: "facts[0]",
  },
  Options: {
    fields: declared.fields(declared.type("Options")),
    minimal: {},
    call: (value) => assemble({ layers: [], options: value }),
    path: "options",
  },
  OwnWording: {
    fields: declared.fields(partialWording),
    minimal: {},
    call: (value) => assemble({ layers: [], options: { wording: value } }),
    path: "options.wording",
  },
  Turn: {
    fields: declared.fields(declared.type("Turn")),
    minimal: {},
    call: (value) => new Assembler({ layers: [] }).assemble(value),
    path: "",
  },
  Descriptor: {
    fields: declared.fields(declared.type("Descriptor")),
    minimal: DESCRIPTOR,
    call: (value) => api.fingerprint([value]),
    path: "descriptors[0]",
  },
  CacheBlock: {
    fields: declared.fields(declared.type("CacheBlock")),
    minimal: { label: "l", text: "t", cache: "1h" },
    call: (value) => api.flattenBlocks([value]),
    path: "blocks[0]",
  },
  "the parts of buildBlocks": {
    fields: parameterFields("buildBlocks", 0),
    minimal: {},
    call: api.buildBlocks,
    path: "parts",
  },
  "the options of parseGuardrails": {
    fields: parameterFields("parseGuardrails", 1),
    minimal: {},
    call: (value) => api.parseGuardrails("x", value),
    path: "options",
  },
  "the options of parseSeed": {
    fields: parameterFields("parseSeed", 1),
    minimal: { version: "1" },
    call: (value) => api.parseSeed("x", value),
    path: "options",
  },
  "the options of subLayerPath": {
    fields: parameterFields("subLayerPath", 2),
    minimal: {},
    call: (value) => api.subLayerPath("agents", "x", value),
    path: "options",
  },
};

/** Arguments that each function accepts. The parameters of those that take JSON, too, are the shapes above. */
const MINIMAL_ARGUMENTS = {
  parseGuardrails: { text: "x" },
  renderGuardrails: { rules: [] },
  renderFacts: { facts: [] },
  buildBlocks: { parts: {} },
  flattenBlocks: { blocks: [] },
  parseSeed: { text: "x", options: { version: "1" } },
  digest: { text: "x" },
  fingerprint: { descriptors: [] },
  drift: { frozen: [], current: [] },
  setBlock: { content: {}, block: "identity", text: null },
  getBlock: { content: {}, block: "identity" },
  parseBlockName: { name: "x" },
  layerLabel: { wire: "x" },
  layerFromFiles: { files: {} },
  layerToFiles: { content: {} },
  subLayerPath: { kind: "agents", name: "x" },
};

for (const [name, minimal] of Object.entries(MINIMAL_ARGUMENTS)) {
  const fields = declared.parameters(declared.signature(name));
  const call = (/** @type {any} */ value) => api[name](...fields.map((field) => value[field.name]));
  SHAPES[`the parameters of ${name}`] = { fields, minimal, call, path: "", isParameters: true };
}
{
  const fields = declared.parameters(declared.methodSignature("Assembler", "removeLayer"));
  const call = (/** @type {any} */ { layer, source }) => new Assembler({ layers: [] }).removeLayer(layer, source);
  SHAPES["the parameters of removeLayer"] = { fields, minimal: { layer: "seed" }, call, path: "", isParameters: true };
}

/**
 * The error of a call, or null.
 *
 * @param {() => unknown} call
 * @returns {{ code: string, path: string, message: string } | null}
 */
function errorOf(call) {
  try {
    call();
    return null;
  } catch (thrown) {
    if (thrown instanceof StrataError) return /** @type {any} */ (thrown);
    throw thrown;
  }
}

/**
 * The names that a message says would have been right: `…: expected a, b or c`.
 *
 * @param {string} message
 */
function expectedNames(message) {
  const list = /: expected ([^:]*)$/.exec(message)?.[1];
  assert.ok(list, `no list of names in: ${message}`);
  return list.split(/, | or /);
}

/** @param {Shape} shape @param {string} field */
const below = ({ path }, field) => (path === "" ? field : `${path}.${field}`);

/** A value of each kind, of which none is a literal that anybody knows. */
const VALUES = { text: "?", number: 5, boolean: true, null: null, list: [], object: {} };

/**
 * Whether a field takes a kind of value, whatever else may be wrong with it.
 *
 * @param {Shape} shape
 * @param {string} field
 * @param {unknown} value
 */
function takes(shape, field, value) {
  const error = errorOf(() => shape.call({ ...shape.minimal, [field]: value }));
  if (error === null) return true;
  const isHere = error.path === below(shape, field);
  return !(isHere && (error.code === "wrong-type" || error.code === "missing-field"));
}

/**
 * What the core says that it expected, for a declared type.
 *
 * @param {ts.Type[]} alternatives
 */
function phraseFor(alternatives) {
  const kinds = new Set(alternatives.map((type) => declared.kind(type)));
  const literals = declared.literals(alternatives);
  const has = (/** @type {ReturnType<typeof declared.kind>[]} */ ...them) => them.every((kind) => kinds.has(kind));
  if (has("text", "list")) return "a list of texts, or one text";
  if (has("text", "object")) return `${literals.join(", ")} or an object`;
  if (has("text")) return "text";
  if (has("boolean")) return "true or false";
  if (has("number")) return "a whole number of bytes";
  return has("list") ? "a list" : "an object";
}

for (const [name, shape] of Object.entries(SHAPES)) {
  test(`${name}: what is minimal is accepted, and declared`, () => {
    shape.call(shape.minimal);
    const required = shape.fields.filter(({ isOptional }) => !isOptional).map((field) => field.name);
    assert.deepEqual(sorted(Object.keys(shape.minimal)), sorted(required));
  });

  test(`${name}: what is required is missed, and nothing else`, () => {
    for (const { name: field, isOptional, alternatives } of shape.fields) {
      const isNullable = alternatives.some((type) => declared.kind(type) === "null");
      // A parameter that may be null may be left out, as JavaScript has it.
      if (shape.isParameters && isNullable) continue;
      const { [field]: _left, ...rest } = shape.minimal;
      const error = errorOf(() => shape.call(rest));
      assert.equal(error?.code ?? "accepted", isOptional ? "accepted" : "missing-field", `${field} left out`);
      if (error) assert.equal(error.path, below(shape, field));
      const asUndefined = errorOf(() => shape.call({ ...shape.minimal, [field]: undefined }));
      assert.equal(asUndefined?.code, error?.code, `${field} undefined`);
    }
  });

  test(`${name}: the types of its fields are those declared`, () => {
    for (const { name: field, isOptional, alternatives } of shape.fields) {
      const kinds = new Set(alternatives.map((type) => declared.kind(type)));
      // Null counts as absent, also where that is not declared.
      if (isOptional) kinds.add("null");
      for (const [kind, value] of Object.entries(VALUES)) {
        const isDeclared = kinds.has(/** @type {any} */ (kind));
        assert.equal(
          takes(shape, field, value),
          isDeclared,
          `${field}: ${kind} is ${isDeclared ? "" : "not "}declared`,
        );
      }
      const wrong = kinds.has("boolean") ? 5 : true;
      const error = errorOf(() => shape.call({ ...shape.minimal, [field]: wrong }));
      const message = `expected ${phraseFor(alternatives)}, got `;
      assert.ok(error?.message.startsWith(message), `${field}: ${error?.message}\nhas to start with: ${message}`);
    }
  });

  test(`${name}: the literals of its fields are those declared`, () => {
    for (const { name: field, alternatives } of shape.fields) {
      const literals = declared.literals(alternatives);
      if (literals.length === 0) continue;
      const error = errorOf(() => shape.call({ ...shape.minimal, [field]: "?" }));
      assert.ok(error && /^unknown-(value|layer|block)$/.test(error.code), `${field}: ${error?.code}`);
      assert.equal(error.path, below(shape, field));
      assert.deepEqual(sorted(expectedNames(error.message)), sorted(literals), field);
      for (const literal of literals) {
        assert.equal(
          errorOf(() => shape.call({ ...shape.minimal, [field]: literal })),
          null,
          `${field}: ${literal}`,
        );
      }
    }
  });

  // A ledger may be written by a newer build: what a descriptor has beside is ignored.
  if (shape.isParameters || name === "Descriptor") continue;
  test(`${name}: the core knows the fields that are declared, and no more`, () => {
    const error = errorOf(() => shape.call({ ...shape.minimal, "?": 1 }));
    assert.equal(error?.code, "unknown-field");
    assert.deepEqual(sorted(expectedNames(error?.message ?? "")), sorted(shape.fields.map((field) => field.name)));
  });
}

test("Wording is what may be replaced, all of it", () => {
  const whole = declared.fields(declared.type("Wording"));
  assert.deepEqual(
    ["base", ...whole.map(({ name }) => name)],
    SHAPES.OwnWording.fields.map(({ name }) => name),
  );
  assert.ok(whole.every(({ isOptional }) => !isOptional));
});

test("every function that takes arguments has its shape", () => {
  const withInput = ["assemble", "resolve"];
  const functions = declared.values.filter((name) => declared.signature(name));
  assert.deepEqual(sorted(functions), sorted([...Object.keys(MINIMAL_ARGUMENTS), ...withInput]));
});

// ---------------------------------------------------------------- what comes out

/** How often each field of each object type was there, and how often not. */
class Occurrences {
  /** @type {Map<string, { fields: Field[], there: Set<string>, absent: Set<string> }>} */
  #types = new Map();

  /**
   * Checks a value against its declared type.
   *
   * @param {unknown} value
   * @param {ts.Type[]} alternatives
   * @param {string} path
   */
  check(value, alternatives, path) {
    const kind =
      value === null ? "null" : Array.isArray(value) ? "list" : typeof value === "string" ? "text" : typeof value;
    const fitting = alternatives.filter((type) => declared.kind(type) === kind);
    assert.ok(fitting.length > 0, `${path}: ${kind} is not declared`);
    if (kind === "text") {
      const literals = declared.literals(fitting);
      const isFree = literals.length < fitting.length;
      assert.ok(isFree || literals.includes(String(value)), `${path}: "${value}" is not declared`);
    }
    const [type] = fitting;
    if (kind === "list") {
      const element = declared.alternatives(declared.elementType(type));
      /** @type {unknown[]} */ (value).forEach((item, index) => this.check(item, element, `${path}[${index}]`));
    }
    if (kind === "object") this.#object(/** @type {Record<string, unknown>} */ (value), type, path);
  }

  /**
   * @param {Record<string, unknown>} value
   * @param {ts.Type} type
   * @param {string} path
   */
  #object(value, type, path) {
    const index = declared.checker.getIndexTypeOfType(type, ts.IndexKind.String);
    if (index) {
      for (const name of Object.keys(value)) this.check(value[name], declared.alternatives(index), `${path}.${name}`);
      return;
    }
    const name = declared.checker.typeToString(type);
    const seen = this.#types.get(name) ?? { fields: declared.fields(type), there: new Set(), absent: new Set() };
    this.#types.set(name, seen);
    for (const field of Object.keys(value)) {
      const found = seen.fields.find((it) => it.name === field);
      assert.ok(found, `${path}: ${name} declares no ${field}`);
      this.check(value[field], found.alternatives, `${path}.${field}`);
    }
    for (const field of seen.fields) {
      const isThere = Object.hasOwn(value, field.name);
      assert.ok(isThere || field.isOptional, `${path}: ${name} declares ${field.name}, which is not there`);
      (isThere ? seen.there : seen.absent).add(field.name);
    }
  }

  /** What was declared and never seen. */
  unseen() {
    return [...this.#types].flatMap(([name, { fields, there, absent }]) =>
      fields.flatMap((field) => [
        ...(there.has(field.name) ? [] : [`${name}.${field.name} was never there`]),
        ...(field.isOptional && !absent.has(field.name) ? [`${name}.${field.name} was never absent`] : []),
      ]),
    );
  }
}

/** Inputs that between them bring out everything that a result may hold. */
const INPUTS = [
  { layers: [] },
  {
    layers: [
      {
        layer: "seed",
        content: {
          identity: "Ada",
          operatingRules: "r",
          instructions: "i",
          guardrails: ["g", "a\nb"],
          surfaceNotes: "n",
        },
      },
      { layer: "bot", source: "b", content: { identity: "", guardrails: ["g", "h"] } },
      { layer: "workspace", content: { guardrails: "# h\n- x" } },
      { layer: "agent", trusted: false, content: { identity: "x", guardrails: ["y"] } },
    ],
    runtime: { surface: "s\n", skills: "k\n", epistemicStance: "e" },
    facts: [
      { key: "a", value: "b", volatility: "static" },
      { key: "a", value: "<facts>", volatility: "static" },
    ],
    bindingGlue: "g",
    channelMeta: "c",
    options: { sections: true },
  },
  { layers: [{ layer: "seed", content: { identity: "Ada", operatingRules: "r" } }], options: { sections: true } },
];
const SEED_FILE = ["x", "identity", "i", "nothing", "identity", "guardrails", "# g", "operating_rules", "r"]
  .map((line) => (line.length > 3 ? `<!-- block: ${line} -->` : line))
  .join("\n");

/** Results of every function, by its name. */
function results() {
  const guardrails = Array.from({ length: 101 }, (_, index) => `<facts> ${index}`);
  const untrusted = { layer: "workspace", trusted: false, content: { guardrails } };
  const assembler = new Assembler({ layers: [] });
  const dynamic = [{ key: "k", value: "v", volatility: "dynamic" }];
  const was = [DESCRIPTOR, { ...DESCRIPTOR, layer: "seed", source: "s" }];
  const now = [
    { ...DESCRIPTOR, digest: "bb" },
    { ...DESCRIPTOR, layer: "chat" },
  ];
  const content = { operatingRules: "o", instructions: "i", guardrails: ["g"], surfaceNotes: ["s"] };
  return {
    assemble: [
      ...INPUTS.map((input) => assemble(input)),
      assembler.assemble({ facts: dynamic }),
      assemble({ layers: [untrusted, untrusted], options: { untrusted: "apart" } }),
      assemble({ layers: [{ ...untrusted, content: {} }, untrusted] }),
    ],
    resolve: INPUTS.map(({ layers, runtime }) => api.resolve({ layers, runtime })),
    parseGuardrails: [api.parseGuardrails("- a"), api.parseGuardrails("")],
    renderGuardrails: [api.renderGuardrails(["a"])],
    renderFacts: [api.renderFacts([]), api.renderFacts(dynamic)],
    buildBlocks: [api.buildBlocks({ workspace: "w", channelMeta: "c" })],
    flattenBlocks: [api.flattenBlocks([])],
    parseSeed: [api.parseSeed("", { version: "" }), api.parseSeed(`${SEED_FILE}\n<!--block`, { version: "" })],
    digest: [api.digest("x")],
    fingerprint: [api.fingerprint([])],
    drift: [api.drift([], []), api.drift(was, now)],
    setBlock: [api.setBlock({}, "identity", null), api.setBlock(content, "identity", "x")],
    getBlock: [api.getBlock({}, "identity"), api.getBlock({ identity: "x" }, "identity")],
    parseBlockName: ["identity", "rules", "guardrails", "surface", "x"].map((name) => api.parseBlockName(name)),
    layerLabel: [api.layerLabel("seed")],
    layerFromFiles: [api.layerFromFiles({}), api.layerFromFiles({ "other.md": "x", "surface-note.md": "s" })],
    layerToFiles: [api.layerToFiles({ identity: "x", guardrails: ["g"] })],
    subLayerPath: [api.subLayerPath("agents", "x"), api.subLayerPath("agents", "..")],
  };
}

test("results hold what is declared, and no more", () => {
  const occurrences = new Occurrences();
  const all = results();
  assert.deepEqual(sorted(Object.keys(all)), sorted(declared.values.filter((name) => declared.signature(name))));
  for (const [name, them] of Object.entries(all)) {
    const returned = declared.alternatives(declared.signature(name).getReturnType());
    them.forEach((/** @type {unknown} */ result, /** @type {number} */ index) => {
      occurrences.check(result, returned, `${name}[${index}]`);
    });
    // A union that is declared comes out whole.
    for (const kind of ["null", "object", "text"]) {
      if (!returned.some((type) => declared.kind(type) === kind)) continue;
      const isSeen = them.some((/** @type {unknown} */ it) => VALUES_OF[kind](it));
      assert.ok(isSeen, `${name} never gave a value of the kind ${kind}`);
    }
  }
  assert.deepEqual(occurrences.unseen(), []);
});

/** @type {Record<string, (it: unknown) => boolean>} */
const VALUES_OF = {
  null: (it) => it === null,
  object: (it) => typeof it === "object" && it !== null,
  text: (it) => typeof it === "string",
};

test("resolve gives what is declared of it", () => {
  const fields = declared.fields(declared.type("Resolution")).map(({ name }) => name);
  assert.deepEqual(sorted(Object.keys(api.resolve({ layers: [] }))), sorted(fields));
});

test("every diagnostic that is declared comes up, and no other", () => {
  const all = JSON.stringify(results());
  const found = new Set([...all.matchAll(/"code":"([^"]*)","severity":"([^"]*)"/g)].map(([, code]) => code));
  assert.deepEqual(sorted(found), sorted(declared.literals(declared.alternatives(declared.type("DiagnosticCode")))));
});

// ---------------------------------------------------------------- codes and exports

/** @param {string} file @returns {string[]} */
const rustCodes = (file) => {
  const found = readText("src", ...file.split("/")).matchAll(/Self::\w+ => "([a-z0-9-]+)"/g);
  return [...new Set([...found].map(([, code]) => code))];
};

test("the codes of errors are those of the core and of the JavaScript around it", () => {
  const sources = readdirSync(join(packageFolder, "src")).filter((name) => name.endsWith(".js"));
  const inJavaScript = sources.flatMap((name) =>
    [...readText("pkg", "src", name).matchAll(/(?:StrataError|errorAt|#error)\(\s*"([a-z0-9-]+)"/g)].map(([, code]) => code),
  );
  assert.ok(inJavaScript.includes("stale-handle") && inJavaScript.includes("wasm-forbidden"));
  const codes = declared.literals(declared.alternatives(declared.type("ErrorCode")));
  assert.deepEqual(sorted(codes), sorted(new Set([...rustCodes("model/error.rs"), ...inJavaScript])));
});

test("the codes of diagnostics are those of the core", () => {
  const codes = declared.literals(declared.alternatives(declared.type("DiagnosticCode")));
  const severities = ["error", "warning", "info"];
  assert.deepEqual([...severities, ...codes], rustCodes("model/diagnostic.rs"));
});

test("the layers and block names are those of the core", () => {
  const literals = (/** @type {string} */ name) => declared.literals(declared.alternatives(declared.type(name)));
  assert.deepEqual(literals("Layer"), rustCodes("model/layer.rs"));
  assert.deepEqual(literals("BlockName"), rustCodes("files/block_name.rs"));
});

test("what is declared is exported, and what is exported is declared", async () => {
  assert.deepEqual(sorted(Object.keys(strata)), sorted(declared.values));
  for (const entry of ["inline.js", "web.js"]) {
    const exported = Object.keys(await import(pathToFileURL(join(dist, entry)).href));
    const types = new Declarations(join(dist, entry === "web.js" ? "web.d.ts" : "index.d.ts"));
    assert.deepEqual(sorted(exported), sorted(types.values), entry);
  }
});

test("the declarations that ship are those of the source, and compile", () => {
  assert.deepEqual(declared.complaints, []);
  for (const [source, copies] of /** @type {const} */ ([
    ["index.d.ts", ["index.d.ts", "index.d.cts"]],
    ["web.d.ts", ["web.d.ts"]],
  ])) {
    for (const copy of copies) assert.equal(readText("pkg", "dist", copy), readText("pkg", "src", source));
  }
});

test("classes have the members that are declared", () => {
  const methods = declared.checker.getPropertiesOfType(declared.type("Assembler")).map(({ name }) => name);
  const spelt = methods.map((name) => name.replace(/^__@(\w+)@\d+$/, "$1"));
  const found = Reflect.ownKeys(Assembler.prototype).filter((name) => name !== "constructor");
  const names = found.map((name) =>
    typeof name === "symbol" ? (name.description ?? "").replace("Symbol.", "") : name,
  );
  assert.deepEqual(sorted(names.map((name) => name.replace(/^.*dispose$/i, "dispose"))), sorted(spelt));
  assert.deepEqual(Object.keys(new Assembler({ layers: [] })), []);

  const cause = new Error("cause");
  const error = new StrataError("internal", "a.b", "message", { cause });
  assert.equal(error instanceof Error, true);
  const own = declared.fields(declared.type("StrataError")).map(({ name }) => name);
  assert.deepEqual(sorted(own), sorted(["cause", "code", "message", "name", "path", "stack"]));
  const { code, path, message, name } = error;
  assert.deepEqual(
    { code, path, message, name, cause: error.cause },
    { code: "internal", path: "a.b", message: "message", name: "StrataError", cause },
  );
});

// ---------------------------------------------------------------- compilation

test("the JavaScript of the package passes the strict type check", () => {
  const staged = join(root, "target", "package", "src");
  assert.ok(existsSync(staged), "the sources are not staged: run `cargo xtask build`");
  const files = readdirSync(staged).filter(
    (name) => name.endsWith(".js") && !["glue.js", "core-bytes.js"].includes(name),
  );
  assert.ok(files.length >= 12);
  const program = ts.createProgram(
    files.map((name) => join(staged, name)),
    { ...STRICT, allowJs: true, checkJs: true, noUncheckedIndexedAccess: false },
  );
  assert.deepEqual(complaints(program), []);
});

const CONSUMER = `
import {
  Assembler, StrataError, assemble, buildBlocks, digest, drift, parseGuardrails, resolve, setBlock, version,
} from "prompt-strata";
import type {
  AssembleInput, Assembly, CacheBlock, Descriptor, Diagnostic, DiagnosticCode, Drift, ErrorCode, Fact, Layer,
  LayerContent, LayerInput, Options, Resolution, RuntimeSections, Section, Seed, Turn, Wording,
} from "prompt-strata";

const input = {
  layers: [{ layer: "seed", content: { identity: "Ada", guardrails: ["g"] } }],
  facts: [{ key: "k", value: "v", volatility: "dynamic" }],
  options: { wording: { factsNote: "" }, sections: true },
} as const satisfies AssembleInput;
const assembly: Assembly = assemble(input);
const fromText: Assembly = assemble(JSON.stringify(input));
const fromBytes: Resolution = resolve(new Uint8Array());
const sections: readonly Section[] | undefined = assembly.sections;
const identity: string | undefined = assembly.effective.identity;
const rules: string | undefined = assembly.effective["operating-rules"];
const layer: Layer = "bot";
const input2: LayerInput = { layer, content: { surfaceNotes: "x", guardrails: null } };
const assembler = new Assembler({ layers: [input2] });
const turn: Turn = { facts: [], temporal: "now" };
assembler.assemble(turn).blocks.map((block: CacheBlock) => block.cache === "1h");
assembler.setLayer(input2);
const removed: boolean = assembler.removeLayer("bot", "x");
assembler.free();
const found: Drift | null = drift(assembly.descriptors, fromText.descriptors);
const content: LayerContent = setBlock({}, "rules", "x");
const list: string[] = parseGuardrails("- a", { dialect: "markdown" });
const [block] = buildBlocks({ skills: "s" });
function explain(error: unknown): ErrorCode | null {
  return error instanceof StrataError ? error.code : null;
}
const codes: DiagnosticCode[] = assembly.diagnostics.map((diagnostic: Diagnostic) => diagnostic.code);
const kept: [Descriptor?, Fact?, Options?, RuntimeSections?, Seed?, Wording?] = [];
export const texts = [identity, rules, list, version, digest("x")];
export const all = [fromBytes, sections, removed, found, content, block, codes, kept, explain];

// @ts-expect-error a misspelt field
assemble({ layers: [{ layer: "seed", content: { gaurdrails: [] } }] });
// @ts-expect-error an unknown layer
assemble({ layers: [{ layer: "tenant", content: {} }] });
// @ts-expect-error a number where text belongs
assemble({ layers: [], channelMeta: 5 });
// @ts-expect-error resolve takes no facts
resolve({ layers: [], facts: [] });
// @ts-expect-error frozen
assembly.descriptors.push({ block: "b", layer: "l", digest: "d", bytes: 1 });
// @ts-expect-error frozen
assembly.effective.identity = "x";
`;

/** @type {[string, ts.CompilerOptions, string[]][]} */
const RESOLUTIONS = [
  ["bundler", { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler }, ["ts"]],
  ["node16", { module: ts.ModuleKind.Node16, moduleResolution: ts.ModuleResolutionKind.Node16 }, ["mts", "cts"]],
  ["nodenext", { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext }, ["mts", "cts"]],
];
const PICKY = { exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, isolatedModules: true };

for (const [name, options, extensions] of RESOLUTIONS) {
  for (const extension of extensions) {
    test(`a strict program compiles: ${name}, .${extension}`, () => {
      assert.deepEqual(
        compileSources({ [`consumer.${extension}`]: CONSUMER }, { ...STRICT, ...PICKY, ...options }),
        [],
      );
    });
  }
  test(`a strict program that loads the core itself compiles: ${name}`, () => {
    const source = `
      import { init, assemble, StrataError } from "prompt-strata/web";
      import * as plain from "prompt-strata";
      await init(); await init("/core.wasm"); await init(new URL("https://a.b/c")); await init(fetch("/core.wasm"));
      await init(new Uint8Array(8)); await init(new ArrayBuffer(8)); await init(new Response());
      export const same: plain.Assembly = assemble({ layers: [] });
      export const error: plain.StrataError = new StrataError("internal", "", "m");`;
    assert.deepEqual(compileSources({ "web.mts": source }, { ...STRICT, ...PICKY, ...options }), []);
  });
}

test("the declarations need no library beyond ES2022", () => {
  const source = 'import { assemble } from "prompt-strata";\nexport const { prefix } = assemble({ layers: [] });';
  for (const lib of [["lib.es2022.d.ts"], ["lib.es2022.d.ts", "lib.dom.d.ts"]]) {
    assert.deepEqual(compileSources({ "lean.ts": source }, { ...STRICT, lib }), []);
  }
});

test("the compiler would notice", () => {
  const source = 'import { assemble } from "prompt-strata";\nexport const x: number = assemble({ layers: [] }).prefix;';
  const [complaint] = compileSources({ "wrong.ts": source }, STRICT);
  assert.equal(complaint, "wrong.ts:2:14 TS2322: Type 'string' is not assignable to type 'number'.");
});
