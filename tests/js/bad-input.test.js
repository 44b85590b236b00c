// @ts-check

// Broken input, row by row: the code, the path and the exact message, and that the very next call works.

import assert from "node:assert/strict";
import { test } from "node:test";
import vm from "node:vm";
import * as strata from "prompt-strata";

import { sha256Hex } from "../oracle/node-crypto.js";
import { KNOWN_INPUT, refused, thrownBy, works } from "./refusals.js";

/** @typedef {import("./refusals.js").Row} Row */

const MAX_TEXT_BYTES = 8 * 1024 * 1024;
const MAX_JSON_BYTES = 4 * MAX_TEXT_BYTES;
const MAX_VALUES = 1_000_000;

const INPUT_FIELDS = "expected layers, runtime, facts, bindingGlue, channelMeta or options";
const LAYER_FIELDS = "expected layer, source, trusted or content";
const CONTENT_FIELDS = "expected identity, operatingRules, instructions, guardrails or surfaceNotes";
const LAYERS = "expected seed, shared, workspace, surface, bot, chat or agent";

/** Calls with arguments that no type allows. */
const { assemble, resolve, Assembler, ...functions } = /** @type {any} */ (strata);

/** @param {unknown} layer */
const layered = (layer) => ({ layers: [layer] });
/** @param {unknown} content */
const holding = (content) => layered({ layer: "seed", content });
/** @param {unknown} value An item of a list of guardrails. */
const listing = (value) => holding({ guardrails: ["a", value] });
/** @param {unknown} fact */
const stating = (fact) => ({ layers: [], facts: [fact] });
/** @param {unknown} options */
const choosing = (options) => ({ layers: [], options });

let rowCount = 0;

/**
 * @param {string} title
 * @param {Row[]} rows
 */
function table(title, rows) {
  rowCount += rows.length;
  test(title, async (context) => {
    for (const [name, call, code, path, message] of rows) {
      await context.test(name, () => refused(call, code, path, message));
    }
  });
}

/**
 * Rows for inputs, each given to all three functions that take one, where they can take it.
 *
 * @param {[name: string, input: unknown, code: string, path: string, message: string][]} rows
 * @returns {Row[]}
 */
function inputs(rows) {
  return rows.map(([name, input, code, path, message]) => {
    const call = () => {
      const error = thrownBy(() => new Assembler(input));
      assert.deepEqual({ ...error, message: error.message }, { ...thrownBy(() => assemble(input)), message });
      assemble(input);
    };
    return [name, call, code, path, message];
  });
}

/**
 * The same input as an object and as JSON text: the core says the same of both.
 *
 * @param {[input: unknown, code: string, path: string, message: string][]} rows
 * @returns {Row[]}
 */
function shapes(rows) {
  return rows.flatMap(([input, code, path, message]) => {
    const text = JSON.stringify(input);
    const bytes = new TextEncoder().encode(text);
    return inputs([
      [`object ${text}`, input, code, path, message],
      [`text ${text}`, text, code, path, message],
      [`bytes ${text}`, bytes, code, path, message],
    ]);
  });
}

/**
 * @param {string} field
 * @param {string} path
 * @param {string} expected
 * @returns {[string, string, string]}
 */
const unknownField = (field, path, expected) => [
  "unknown-field",
  path,
  `unknown field \`${field}\` at ${path}: ${expected}`,
];

/**
 * @param {string} expected
 * @param {string} got
 * @param {string} path
 * @returns {[string, string, string]}
 */
const wrongType = (expected, got, path) => [
  "wrong-type",
  path,
  `expected ${expected}, got ${got}${path && ` at ${path}`}`,
];

/**
 * @param {string} field
 * @param {string} path
 * @returns {[string, string, string]}
 */
const missing = (field, path) => ["missing-field", path, `missing field \`${field}\` at ${path}`];

// ---------------------------------------------------------------- JSON

table(
  "text that is not JSON",
  inputs(
    /** @type {[string, string, string][]} */ ([
      ["", "", "expected a value, but the text ends at line 1 column 1"],
      ["   \n ", "", "expected a value, but the text ends at line 2 column 2"],
      ["nul", "", "expected a value, but found `nul` at line 1 column 1"],
      ["undefined", "", "expected a value, but found `undefined` at line 1 column 1"],
      ["NaN", "", "expected a value, but found `NaN` at line 1 column 1"],
      ["'a'", "", "expected a value, but found `'` at line 1 column 1"],
      ["<!doctype html>", "", "expected a value, but found `<` at line 1 column 1"],
      ["// a\n{}", "", "expected a value, but found `/` at line 1 column 1"],
      ["{layers:[]}", "", "expected a field name in quotes, but found `layers` at line 1 column 2"],
      ['{"layers":[],}', "", "expected a field name in quotes, but found `}` at line 1 column 14"],
      ['{"layers":[,]}', "layers[0]", "expected a value, but found `,` at line 1 column 12"],
      ['{"layers" []}', "layers", "expected `:`, but found `[` at line 1 column 11"],
      ['{"layers":[1 2]}', "layers", "expected `,` or `]`, but found `2` at line 1 column 14"],
      ['{"layers":[]}\n}', "", "expected nothing after the value, but found `}` at line 2 column 1"],
      ['{"layers":[]}{}', "", "expected nothing after the value, but found `{` at line 1 column 14"],
      ['{"layers":01}', "layers", "a number may not start with zeros, but found `01` at line 1 column 11"],
      ['{"layers":+1}', "layers", "expected a value, but found `+` at line 1 column 11"],
      ['{"layers":1.}', "layers", "expected a digit, but found `}` at line 1 column 13"],
      ['{"bindingGlue":"\\q"}', "bindingGlue", "expected an escape after `\\`, but found `q` at line 1 column 18"],
      [
        '{"bindingGlue":"\\u12"}',
        "bindingGlue",
        "expected four digits after `\\u`, but found `u12` at line 1 column 18",
      ],
      [
        '{"bindingGlue":"a\tb"}',
        "bindingGlue",
        "expected control characters to be escaped, but found `\\t` at line 1 column 18",
      ],
      [
        '{"bindingGlue":"a\0b"}',
        "bindingGlue",
        "expected control characters to be escaped, but found `\\u{0}` at line 1 column 18",
      ],
    ]).map(([text, path, explanation]) => {
      const message = `not JSON${path && ` at ${path}`}: ${explanation}`;
      return [JSON.stringify(text), text, "invalid-json", path, message];
    }),
  ),
);

const COMPLETE = '{"layers":[{"layer":"seed","content":{"guardrails":["a"]}}]}';

table(
  "truncated JSON",
  inputs(
    /** @type {[number, string, string][]} */ ([
      [0, "", "expected a value"],
      [1, "", "expected a field name in quotes"],
      [2, "", "expected a closing quote"],
      [8, "", "expected a closing quote"],
      [9, "layers", "expected `:`"],
      [10, "layers", "expected a value"],
      [11, "layers[0]", "expected a value"],
      [12, "layers[0]", "expected a field name in quotes"],
      [13, "layers[0]", "expected a closing quote"],
      [20, "layers[0].layer", "expected a value"],
      [23, "layers[0].layer", "expected a closing quote"],
      [26, "layers[0]", "expected `,` or `}`"],
      [27, "layers[0]", "expected a field name in quotes"],
      [37, "layers[0].content", "expected a value"],
      [38, "layers[0].content", "expected a field name in quotes"],
      [50, "layers[0].content.guardrails", "expected `:`"],
      [51, "layers[0].content.guardrails", "expected a value"],
      [52, "layers[0].content.guardrails[0]", "expected a value"],
      [53, "layers[0].content.guardrails[0]", "expected a closing quote"],
      [55, "layers[0].content.guardrails", "expected `,` or `]`"],
      [56, "layers[0].content", "expected `,` or `}`"],
      [57, "layers[0]", "expected `,` or `}`"],
      [58, "layers", "expected `,` or `]`"],
      [59, "", "expected `,` or `}`"],
    ]).map(([length, path, expected]) => {
      const message = `not JSON${path && ` at ${path}`}: ${expected}, but the text ends at line 1 column ${length + 1}`;
      return [`after ${length} characters`, COMPLETE.slice(0, length), "invalid-json", path, message];
    }),
  ),
);

test("JSON truncated at every place is refused, and whole it is not", () => {
  for (let length = 0; length < COMPLETE.length; length += 1) {
    assert.equal(thrownBy(() => assemble(COMPLETE.slice(0, length))).code, "invalid-json");
  }
  assert.equal(assemble(COMPLETE).prefix, "Guardrails:\n- a\n");
});

/** @param {number[]} bytes */
const bytes = (...bytes) => new Uint8Array(bytes);
const GONE = /** @type {const} */ ([
  "detached-bytes",
  "",
  "detached bytes: their buffer was transferred to somebody else, or shrunk",
]);
const NOT_UTF8 = /** @type {const} */ (["invalid-utf8", "", "not UTF-8: the bytes of the JSON are invalid"]);

table("bytes that are not what they should be", [
  ...inputs([
    ["empty", bytes(), "invalid-json", "", "not JSON: expected a value, but the text ends at line 1 column 1"],
    ["a lone continuation byte", bytes(0x80), ...NOT_UTF8],
    ["an overlong form", bytes(0x22, 0xc0, 0x80, 0x22), ...NOT_UTF8],
    ["half a surrogate pair", bytes(0x22, 0xed, 0xa0, 0x80, 0x22), ...NOT_UTF8],
    ["a truncated character", bytes(0x22, 0xf0, 0x9f, 0x98), ...NOT_UTF8],
    [
      "UTF-16",
      new Uint8Array(Uint16Array.from([...COMPLETE].map((it) => it.charCodeAt(0) + 0xd800)).buffer),
      ...NOT_UTF8,
    ],
    ["detached", detached(), ...GONE],
    ["a view of a buffer that shrank under it", shrunk(), ...GONE],
    ["a Uint16Array", new Uint16Array(2), ...wrongType("JSON data", "an instance of Uint16Array", "")],
    [
      "a Uint8ClampedArray",
      new Uint8ClampedArray(2),
      ...wrongType("JSON data", "an instance of Uint8ClampedArray", ""),
    ],
    ["a DataView", new DataView(new ArrayBuffer(2)), ...wrongType("JSON data", "an instance of DataView", "")],
    ["an ArrayBuffer", new ArrayBuffer(2), ...wrongType("JSON data", "an instance of ArrayBuffer", "")],
    ["a Blob", new Blob([COMPLETE]), ...wrongType("JSON data", "an instance of Blob", "")],
  ]),
]);

function detached() {
  const bytes = new TextEncoder().encode(COMPLETE);
  structuredClone(bytes, { transfer: [bytes.buffer] });
  return bytes;
}

function shrunk() {
  const buffer = Reflect.construct(ArrayBuffer, [100, { maxByteLength: 100 }]);
  const view = new Uint8Array(buffer, 0, 100);
  view.set(new TextEncoder().encode(COMPLETE.padEnd(100)));
  /** @type {any} */ (buffer).resize(50);
  return view;
}

test("bytes of every kind of buffer are read", () => {
  const source = new TextEncoder().encode(COMPLETE);
  const shared = new Uint8Array(new SharedArrayBuffer(source.length));
  shared.set(source);
  const resizable = new Uint8Array(Reflect.construct(ArrayBuffer, [source.length, { maxByteLength: 1000 }]));
  resizable.set(source);
  const inside = new Uint8Array([0x7b, ...source, 0x7b]).subarray(1, -1);
  const foreign = vm.runInNewContext("Uint8Array.from(source)", { source: [...source] });
  for (const bytes of [source, shared, resizable, inside, foreign, Buffer.from(source)]) {
    assert.equal(assemble(bytes).prefix, "Guardrails:\n- a\n");
  }
});

table("what is no input at all", [
  ...inputs([
    ["undefined", undefined, ...wrongType("JSON data", "undefined", "")],
    ["a symbol", Symbol("s"), ...wrongType("JSON data", "a symbol", "")],
    ["a bigint", 1n, ...wrongType("JSON data", "a bigint", "")],
    ["a function", () => COMPLETE, ...wrongType("JSON data", "a function", "")],
    ["a boxed String", new String(COMPLETE), ...wrongType("JSON data", "an instance of String", "")],
    ["a promise", Promise.resolve(COMPLETE), ...wrongType("JSON data", "an instance of Promise", "")],
    ["NaN", NaN, ...wrongType("an object", "a number", "")],
    ["Infinity", Infinity, ...wrongType("an object", "a number", "")],
    ["a fraction", 1.5, ...wrongType("an object", "a number", "")],
  ]),
  ...shapes([
    [null, ...wrongType("an object", "null", "")],
    [5, ...wrongType("an object", "the number `5`", "")],
    [-5, ...wrongType("an object", "the number `-5`", "")],
    [true, ...wrongType("an object", "`true`", "")],
    [[], ...wrongType("an object", "a list", "")],
    [{}, ...missing("layers", "layers")],
  ]),
  ["a text within JSON text", () => assemble('"x"'), ...wrongType("an object", "the text `x`", "")],
]);

// ---------------------------------------------------------------- the shape of an input

const TEXT_FIELDS = [
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
const WORDINGS = ["guardrailsHeading", "surfaceNotesHeading", "instructionsHeading", "stanceClarifier", "factsNote"];

table(
  "the wrong type, at each place",
  shapes([
    [{ layers: null }, ...missing("layers", "layers")],
    [{ layers: {} }, ...wrongType("a list", "an object", "layers")],
    [{ layers: "seed" }, ...wrongType("a list", "the text `seed`", "layers")],
    [{ layers: [null] }, ...wrongType("an object", "null", "layers[0]")],
    [{ layers: ["seed"] }, ...wrongType("an object", "the text `seed`", "layers[0]")],
    [{ layers: [[]] }, ...wrongType("an object", "a list", "layers[0]")],
    [layered({}), ...missing("layer", "layers[0].layer")],
    [layered({ layer: "seed" }), ...missing("content", "layers[0].content")],
    [layered({ content: {} }), ...missing("layer", "layers[0].layer")],
    [layered({ layer: 5, content: {} }), ...wrongType("text", "the number `5`", "layers[0].layer")],
    [layered({ layer: ["seed"], content: {} }), ...wrongType("text", "a list", "layers[0].layer")],
    [layered({ layer: "seed", source: 7, content: {} }), ...wrongType("text", "the number `7`", "layers[0].source")],
    [
      layered({ layer: "seed", trusted: "no", content: {} }),
      ...wrongType("true or false", "the text `no`", "layers[0].trusted"),
    ],
    [
      layered({ layer: "seed", trusted: 0, content: {} }),
      ...wrongType("true or false", "the number `0`", "layers[0].trusted"),
    ],
    [layered({ layer: "seed", content: "text" }), ...wrongType("an object", "the text `text`", "layers[0].content")],
    [layered({ layer: "seed", content: [] }), ...wrongType("an object", "a list", "layers[0].content")],
    .../** @type {[unknown, string, string, string][]} */ (
      ["identity", "operatingRules", "instructions"].flatMap((field) => [
        [holding({ [field]: 5 }), ...wrongType("text", "the number `5`", `layers[0].content.${field}`)],
        [holding({ [field]: ["a"] }), ...wrongType("text", "a list", `layers[0].content.${field}`)],
      ])
    ),
    .../** @type {[unknown, string, string, string][]} */ (
      ["guardrails", "surfaceNotes"].flatMap((field) => [
        [
          holding({ [field]: 5 }),
          ...wrongType("a list of texts, or one text", "the number `5`", `layers[0].content.${field}`),
        ],
        [
          holding({ [field]: {} }),
          ...wrongType("a list of texts, or one text", "an object", `layers[0].content.${field}`),
        ],
        [holding({ [field]: ["a", 5] }), ...wrongType("text", "the number `5`", `layers[0].content.${field}[1]`)],
        [holding({ [field]: [["a"]] }), ...wrongType("text", "a list", `layers[0].content.${field}[0]`)],
        [holding({ [field]: [null] }), ...wrongType("text", "null", `layers[0].content.${field}[0]`)],
      ])
    ),
    [{ layers: [], runtime: [] }, ...wrongType("an object", "a list", "runtime")],
    .../** @type {[unknown, string, string, string][]} */ (
      TEXT_FIELDS.map((field) => [
        { layers: [], runtime: { [field]: false } },
        ...wrongType("text", "`false`", `runtime.${field}`),
      ])
    ),
    [{ layers: [], facts: {} }, ...wrongType("a list", "an object", "facts")],
    [stating("time"), ...wrongType("an object", "the text `time`", "facts[0]")],
    [stating({ value: "v", volatility: "static" }), ...missing("key", "facts[0].key")],
    [stating({ key: "k", volatility: "static" }), ...missing("value", "facts[0].value")],
    [stating({ key: "k", value: "v" }), ...missing("volatility", "facts[0].volatility")],
    [stating({ key: 1, value: "v", volatility: "static" }), ...wrongType("text", "the number `1`", "facts[0].key")],
    [stating({ key: "k", value: 12, volatility: "static" }), ...wrongType("text", "the number `12`", "facts[0].value")],
    [stating({ key: "k", value: "v", volatility: 1 }), ...wrongType("text", "the number `1`", "facts[0].volatility")],
    [{ layers: [], bindingGlue: {} }, ...wrongType("text", "an object", "bindingGlue")],
    [{ layers: [], channelMeta: 7 }, ...wrongType("text", "the number `7`", "channelMeta")],
    [choosing("strict"), ...wrongType("an object", "the text `strict`", "options")],
    [choosing({ untrusted: false }), ...wrongType("text", "`false`", "options.untrusted")],
    [choosing({ dialect: 1 }), ...wrongType("text", "the number `1`", "options.dialect")],
    [choosing({ wording: 1 }), ...wrongType("source, neutral or an object", "the number `1`", "options.wording")],
    [choosing({ sections: "yes" }), ...wrongType("true or false", "the text `yes`", "options.sections")],
    .../** @type {[unknown, string, string, string][]} */ (
      WORDINGS.map((name) => [
        choosing({ wording: { [name]: 1 } }),
        ...wrongType("text", "the number `1`", `options.wording.${name}`),
      ])
    ),
  ]),
);

table(
  "unknown and misspelt fields, at each level",
  shapes([
    [{ layers: [], layer: 1 }, ...unknownField("layer", "layer", INPUT_FIELDS)],
    [{ Layers: [] }, ...unknownField("Layers", "Layers", INPUT_FIELDS)],
    [{ layers: [], "": 1 }, ...unknownField("", '[""]', INPUT_FIELDS)],
    [{ layers: [], "a b": 1 }, ...unknownField("a b", '["a b"]', INPUT_FIELDS)],
    [{ layers: [], 'say "hi"\\': 1 }, ...unknownField('say "hi"\\', '["say \\"hi\\"\\\\"]', INPUT_FIELDS)],
    [{ layers: [], constructor: 1 }, ...unknownField("constructor", "constructor", INPUT_FIELDS)],
    [{ layers: [], toString: "x" }, ...unknownField("toString", "toString", INPUT_FIELDS)],
    [{ layers: [], hasOwnProperty: null }, ...unknownField("hasOwnProperty", "hasOwnProperty", INPUT_FIELDS)],
    [layered({ layer: "seed", contents: {} }), ...unknownField("contents", "layers[0].contents", LAYER_FIELDS)],
    [holding({ gaurdrails: [] }), ...unknownField("gaurdrails", "layers[0].content.gaurdrails", CONTENT_FIELDS)],
    [
      holding({ operating_Rules: "" }),
      ...unknownField("operating_Rules", "layers[0].content.operating_Rules", CONTENT_FIELDS),
    ],
    [holding({ surfaceNote: "" }), ...unknownField("surfaceNote", "layers[0].content.surfaceNote", CONTENT_FIELDS)],
    [
      { layers: [], runtime: { skill: "" } },
      ...unknownField(
        "skill",
        "runtime.skill",
        "expected capabilityContract, presentationContract, sandboxContract, surface, skills, mcp, toolIndex, " +
          "standing, epistemicStance or temporal",
      ),
    ],
    [stating({ name: "k" }), ...unknownField("name", "facts[0].name", "expected key, value or volatility")],
    [
      choosing({ section: true }),
      ...unknownField("section", "options.section", "expected untrusted, dialect, wording or sections"),
    ],
    [
      choosing({ wording: { heading: "" } }),
      ...unknownField(
        "heading",
        "options.wording.heading",
        "expected base, guardrailsHeading, surfaceNotesHeading, instructionsHeading, stanceClarifier, factsNote or untrustedHeading",
      ),
    ],
    [
      { layers: [], ["x".repeat(100)]: 1 },
      "unknown-field",
      `["${"x".repeat(60)}…"]`,
      `unknown field \`${"x".repeat(60)}…\` at ["${"x".repeat(60)}…"]: ${INPUT_FIELDS}`,
    ],
  ]),
);

/** Own fields named as what every object inherits, as only JSON and defineProperty make them. */
const withProto = Object.defineProperty({ layers: [] }, "__proto__", { value: {}, enumerable: true });

table("fields named as what objects inherit", [
  ...inputs([
    ["__proto__ in JSON", '{"layers":[],"__proto__":{}}', ...unknownField("__proto__", "__proto__", INPUT_FIELDS)],
    [
      "__proto__, parsed",
      JSON.parse('{"layers":[],"__proto__":{}}'),
      ...unknownField("__proto__", "__proto__", INPUT_FIELDS),
    ],
    ["__proto__, defined", withProto, ...unknownField("__proto__", "__proto__", INPUT_FIELDS)],
    [
      "__proto__ in content",
      '{"layers":[{"layer":"seed","content":{"__proto__":{"identity":"x"}}}]}',
      ...unknownField("__proto__", "layers[0].content.__proto__", CONTENT_FIELDS),
    ],
  ]),
]);

table("one field twice", [
  ...shapes([
    [
      { layers: [], bindingGlue: "a", binding_glue: "b" },
      "duplicate-field",
      "binding_glue",
      "field `binding_glue` given twice at binding_glue",
    ],
    [
      { layers: [], channel_meta: null, channelMeta: "b" },
      "duplicate-field",
      "channelMeta",
      "field `channelMeta` given twice at channelMeta",
    ],
    [
      holding({ operating_rules: "a", operatingRules: "b" }),
      "duplicate-field",
      "layers[0].content.operatingRules",
      "field `operatingRules` given twice at layers[0].content.operatingRules",
    ],
    [
      { layers: [], runtime: { toolIndex: "a", tool_index: "a" } },
      "duplicate-field",
      "runtime.tool_index",
      "field `tool_index` given twice at runtime.tool_index",
    ],
    [
      choosing({ wording: { facts_note: "", factsNote: "" } }),
      "duplicate-field",
      "options.wording.factsNote",
      "field `factsNote` given twice at options.wording.factsNote",
    ],
  ]),
  ...inputs([
    ["in JSON", '{"layers":[],"layers":[]}', "duplicate-field", "layers", "field `layers` given twice at layers"],
    [
      "in JSON, escaped",
      '{"layers":[{"layer":"bot","content":{"identity":"a","\\u0069dentity":"b"}}]}',
      "duplicate-field",
      "layers[0].content.identity",
      "field `identity` given twice at layers[0].content.identity",
    ],
  ]),
]);

table(
  "values that are none of those allowed",
  shapes([
    [
      layered({ layer: "project", content: {} }),
      "unknown-layer",
      "layers[0].layer",
      `unknown layer \`project\` at layers[0].layer: ${LAYERS}`,
    ],
    [
      layered({ layer: "Seed", content: {} }),
      "unknown-layer",
      "layers[0].layer",
      `unknown layer \`Seed\` at layers[0].layer: ${LAYERS}`,
    ],
    [
      layered({ layer: "", content: {} }),
      "unknown-layer",
      "layers[0].layer",
      `unknown layer \`\` at layers[0].layer: ${LAYERS}`,
    ],
    [
      stating({ key: "k", value: "v", volatility: "Static" }),
      "unknown-value",
      "facts[0].volatility",
      "unknown value `Static` at facts[0].volatility: expected static or dynamic",
    ],
    [
      choosing({ untrusted: "keep" }),
      "unknown-value",
      "options.untrusted",
      "unknown value `keep` at options.untrusted: expected guardrails-only, apart or drop",
    ],
    [
      choosing({ dialect: "commonmark" }),
      "unknown-value",
      "options.dialect",
      "unknown value `commonmark` at options.dialect: expected strict or markdown",
    ],
    [
      choosing({ wording: "none" }),
      "unknown-value",
      "options.wording",
      "unknown value `none` at options.wording: expected source or neutral",
    ],
    [
      stating({ key: " \t", value: "v", volatility: "static" }),
      "invalid-fact-key",
      "facts[0].key",
      "fact key ` \\t` is blank at facts[0].key",
    ],
    [
      stating({ key: "a\nb", value: "v", volatility: "dynamic" }),
      "invalid-fact-key",
      "facts[0].key",
      "fact key `a\\nb` holds a line break at facts[0].key",
    ],
    [
      stating({ key: "a\r", value: "v", volatility: "dynamic" }),
      "invalid-fact-key",
      "facts[0].key",
      "fact key `a\\r` holds a line break at facts[0].key",
    ],
  ]),
);

// ---------------------------------------------------------------- what only JavaScript can say

/** Its chain of prototypes ends before `Object.prototype`. */
class Rootless {
  get identity() {
    return "x";
  }
}
Object.setPrototypeOf(Rootless.prototype, null);

class Rules {
  identity = "x";
}

/** @type {any[]} */
const list = ["a"];
list.push(list);
/** @type {any} */
const ring = { identity: "x" };
ring.self = { ring };

/** @param {unknown} thrown */
const throwing = (thrown) => ({
  get identity() {
    throw thrown;
  },
});

/** @param {ProxyHandler<any>} handler */
const trapped = (handler) => holding(new Proxy({ identity: "x" }, handler));
const boom = () => {
  throw new TypeError("boom");
};

function revoked() {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const AT_CONTENT = "layers[0].content";
const AT_ITEM = "layers[0].content.guardrails[1]";
const AT_IDENTITY = "layers[0].content.identity";
/** @param {string} name */
const instance = (name) => wrongType("JSON data", `an instance of ${name}`, AT_CONTENT);

table(
  "values that are not JSON's",
  inputs([
    ["a class instance", holding(new Rules()), ...instance("Rules")],
    [
      "an instance of a class without a name",
      holding(new (class {})()),
      ...wrongType("JSON data", "an instance of a class", AT_CONTENT),
    ],
    ["an instance of a class that extends null", holding(Object.create(Rootless.prototype)), ...instance("Rootless")],
    [
      "an object whose prototype has none",
      holding(Object.create(Object.assign(Object.create(null), { identity: "x" }))),
      ...wrongType("JSON data", "an instance of a class", AT_CONTENT),
    ],
    ["an object with a prototype of its own", holding(Object.create({ identity: "x" })), ...instance("Object")],
    ["a Map", holding(new Map([["identity", "x"]])), ...instance("Map")],
    ["a Set", holding(new Set()), ...instance("Set")],
    ["a Date", holding(new Date(0)), ...instance("Date")],
    ["a RegExp", holding(/x/), ...instance("RegExp")],
    ["a URL", holding(new URL("about:blank")), ...instance("URL")],
    ["an Error", holding(new RangeError("x")), ...instance("RangeError")],
    ["a typed array", holding(new Uint8Array(2)), ...instance("Uint8Array")],
    ["a promise", holding(Promise.resolve({})), ...instance("Promise")],
    ["a function", holding(() => {}), ...wrongType("JSON data", "a function", AT_CONTENT)],
    [
      "a boxed String",
      holding({ identity: new String("x") }),
      ...wrongType("JSON data", "an instance of String", AT_IDENTITY),
    ],
    [
      "a boxed Number",
      holding({ identity: new Number(1) }),
      ...wrongType("JSON data", "an instance of Number", AT_IDENTITY),
    ],
    ["a symbol", holding({ identity: Symbol("x") }), ...wrongType("JSON data", "a symbol", AT_IDENTITY)],
    ["a bigint", holding({ identity: 1n }), ...wrongType("JSON data", "a bigint", AT_IDENTITY)],
    ["NaN", holding({ identity: NaN }), ...wrongType("text", "a number", AT_IDENTITY)],
    ["Infinity", holding({ identity: -Infinity }), ...wrongType("text", "a number", AT_IDENTITY)],
    ["a number for text", holding({ identity: 12 }), ...wrongType("text", "the number `12`", AT_IDENTITY)],
    ["a fraction for text", holding({ identity: 1.5 }), ...wrongType("text", "a number", AT_IDENTITY)],
    ["undefined in a list", listing(undefined), ...wrongType("JSON data", "undefined", AT_ITEM)],
    ["a sparse list", holding({ guardrails: ["a", , "b"] }), ...wrongType("JSON data", "undefined", AT_ITEM)],
    [
      "an empty list with a length",
      { layers: new Array(2 ** 32 - 1) },
      ...wrongType("JSON data", "undefined", "layers[0]"),
    ],
    ["a list within a list", listing(["b"]), ...wrongType("text", "a list", AT_ITEM)],
    ["toJSON", holding({ toJSON: () => ({}) }), ...wrongType("JSON data", "a function", `${AT_CONTENT}.toJSON`)],
    [
      "a list that contains itself",
      { layers: list },
      "cycle",
      "layers[1]",
      "a value that contains itself at layers[1]",
    ],
    [
      "an object that contains itself, deep",
      holding(ring),
      "cycle",
      `${AT_CONTENT}.self.ring`,
      `a value that contains itself at ${AT_CONTENT}.self.ring`,
    ],
    [
      "half a pair in an object",
      holding({ identity: "ok\ud800" }),
      "lone-surrogate",
      AT_IDENTITY,
      `half a surrogate pair at ${AT_IDENTITY}: \`\\ud800\` at index 2`,
    ],
    [
      "half a pair in a list",
      listing("\udc00x"),
      "lone-surrogate",
      AT_ITEM,
      `half a surrogate pair at ${AT_ITEM}: \`\\udc00\` at index 0`,
    ],
    [
      "a pair the wrong way round",
      listing("\ude00\ud83d"),
      "lone-surrogate",
      AT_ITEM,
      `half a surrogate pair at ${AT_ITEM}: \`\\ude00\` at index 0`,
    ],
    [
      "half a pair in a field name",
      holding({ "a\udfff": 1 }),
      "lone-surrogate",
      `${AT_CONTENT}["a\\udfff"]`,
      `half a surrogate pair at ${AT_CONTENT}["a\\udfff"]: \`\\udfff\` at index 1`,
    ],
    [
      "half a pair in JSON text",
      '{"layers":[],"channelMeta":"\ud83d"}',
      "lone-surrogate",
      "",
      "half a surrogate pair: `\\ud83d` at index 28",
    ],
    [
      "half a pair in a JSON escape",
      '{"layers":[],"channelMeta":"\\ud83d"}',
      "lone-surrogate",
      "channelMeta",
      "half a surrogate pair at channelMeta: `\\ud83d` at line 1 column 29",
    ],
    [
      "half a pair in the escape of a field name",
      '{"\\udc00":[]}',
      "lone-surrogate",
      "",
      "half a surrogate pair: `\\udc00` at line 1 column 3",
    ],
    [
      "a getter that throws",
      holding(throwing(new Error("no"))),
      "unreadable",
      AT_IDENTITY,
      `unreadable value at ${AT_IDENTITY}: no`,
    ],
    [
      "a getter that throws a text",
      holding(throwing("no")),
      "unreadable",
      AT_IDENTITY,
      `unreadable value at ${AT_IDENTITY}: no`,
    ],
    [
      "a getter that throws undefined",
      holding(throwing(undefined)),
      "unreadable",
      AT_IDENTITY,
      `unreadable value at ${AT_IDENTITY}: undefined`,
    ],
    [
      "a getter that throws a symbol",
      holding(throwing(Symbol("no"))),
      "unreadable",
      AT_IDENTITY,
      `unreadable value at ${AT_IDENTITY}: Symbol(no)`,
    ],
    [
      "a getter that overflows the stack",
      holding({
        get identity() {
          const deeper = /** @type {() => number} */ (() => deeper() + 1);
          return deeper();
        },
      }),
      "unreadable",
      AT_IDENTITY,
      `unreadable value at ${AT_IDENTITY}: Maximum call stack size exceeded`,
    ],
    [
      "a revoked proxy",
      revoked(),
      "unreadable",
      "",
      "unreadable value: Cannot perform 'IsArray' on a proxy that has been revoked",
    ],
    [
      "a revoked proxy, deep",
      listing(revoked()),
      "unreadable",
      AT_ITEM,
      `unreadable value at ${AT_ITEM}: Cannot perform 'IsArray' on a proxy that has been revoked`,
    ],
    [
      "a proxy that throws on ownKeys",
      trapped({ ownKeys: boom }),
      "unreadable",
      AT_CONTENT,
      `unreadable value at ${AT_CONTENT}: boom`,
    ],
    [
      "a proxy that throws on getPrototypeOf",
      trapped({ getPrototypeOf: boom }),
      "unreadable",
      AT_CONTENT,
      `unreadable value at ${AT_CONTENT}: boom`,
    ],
    [
      "a proxy that throws on get",
      trapped({ get: boom }),
      "unreadable",
      AT_IDENTITY,
      `unreadable value at ${AT_IDENTITY}: boom`,
    ],
    [
      "a proxy that throws on getOwnPropertyDescriptor",
      trapped({ getOwnPropertyDescriptor: boom }),
      "unreadable",
      AT_CONTENT,
      `unreadable value at ${AT_CONTENT}: boom`,
    ],
    ["a proxy that makes up its prototype", trapped({ getPrototypeOf: () => Map.prototype }), ...instance("Object")],
  ]),
);

test("what a getter throws is the cause", () => {
  const cause = new Error("no");
  assert.equal(thrownBy(() => assemble(holding(throwing(cause)))).cause, cause);
});

test("what a getter throws need not have a text", () => {
  const nameless = Object.create(null);
  const hostile = Object.defineProperty(new Error(), "message", { get: boom });
  const unspeakable = Object.defineProperty(new Error(), "message", { value: Symbol("no") });
  for (const thrown of [nameless, hostile, unspeakable, revoked(), { toString: boom }, { toString: () => ({}) }]) {
    const { code, path } = thrownBy(() => assemble(holding(throwing(thrown))));
    assert.deepEqual({ code, path }, { code: "unreadable", path: AT_IDENTITY });
    works();
  }
});

test("a list that lies about its length is refused or read, and does no harm", () => {
  for (const length of [-1, NaN, 1.5, 2 ** 40, Infinity, "2", null, undefined, 1n, {}]) {
    const target = [{ layer: "seed", content: { identity: "x" } }];
    const layers = new Proxy(target, {
      get: (list, name) => (name === "length" ? length : Reflect.get(list, name)),
    });
    try {
      assemble({ layers });
    } catch (thrown) {
      assert.ok(thrown instanceof strata.StrataError);
      assert.notEqual(thrown.code, "internal", `a length of ${String(length)}`);
    }
    works();
  }
});

test("what looks odd and is JSON all the same is accepted", () => {
  const want = assemble(holding({ identity: "x", guardrails: ["a"] }));
  const content = { identity: "x", guardrails: ["a"] };
  const nothing = { instructions: undefined, operatingRules: null, [Symbol("s")]: 1 };
  const odd = [
    new Proxy(content, {}),
    { ...content, guardrails: new Proxy(["a"], {}) },
    Object.freeze({ ...content }),
    Object.assign(Object.create(null), content),
    { ...content, ...nothing },
    Object.defineProperty({ ...content }, "hidden", { value: 1, enumerable: false }),
    {
      get identity() {
        return "x";
      },
      guardrails: ["a"],
    },
    { ...content, guardrails: Object.assign(["a"], { more: 1 }) },
    { ...content, guardrails: new (class extends Array {})("a") },
    vm.runInNewContext('({ identity: "x", guardrails: ["a"] })'),
  ];
  for (const it of odd) assert.deepEqual(assemble(holding(it)), want);
  // One object in two places is no cycle.
  const twice = assemble({
    layers: [
      { layer: "seed", content },
      { layer: "bot", content },
    ],
  });
  assert.equal(twice.prefix, want.prefix);
});

test("a getter is read once", () => {
  let reads = 0;
  const content = {
    get identity() {
      reads += 1;
      return `x${reads}`;
    },
  };
  assert.equal(assemble(holding(content)).prefix, "x1\n");
  assert.equal(reads, 1);
});

test("NUL in text, and a byte order mark before JSON, are no mistakes", () => {
  const input = { layers: [], channelMeta: "a\0b" };
  const want = assemble(input);
  assert.equal(want.system, "a\0b\n");
  const json = `\ufeff${JSON.stringify(input)}`;
  assert.deepEqual(assemble(json), want);
  assert.deepEqual(assemble(new TextEncoder().encode(json)), want);
});

// ---------------------------------------------------------------- depth and size

/** @param {number} depth */
function nested(depth) {
  let value = /** @type {unknown} */ ("x");
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** @param {number} levels Below `layers`. */
const listPath = (levels) => `layers${"[0]".repeat(levels)}`;
/** @param {number} levels */
const listsIn = (levels) => `{"layers":${"[".repeat(levels)}${"]".repeat(levels)}}`;
const TOO_DEEP = listPath(32);

table(
  "too deep",
  inputs([
    [
      "an object",
      { layers: nested(10_000) },
      "too-deep",
      `layers${".a[0]".repeat(16)}`,
      `nested deeper than 32 levels at layers${".a[0]".repeat(16)}`,
    ],
    ["JSON text", listsIn(10_000), "too-deep", TOO_DEEP, `nested deeper than 32 levels at ${TOO_DEEP}`],
    [
      "JSON text, unclosed",
      `{"layers":${"[".repeat(1_000_000)}`,
      "too-deep",
      TOO_DEEP,
      `nested deeper than 32 levels at ${TOO_DEEP}`,
    ],
    [
      "by one, an object",
      { layers: JSON.parse(listsIn(33)).layers },
      "too-deep",
      TOO_DEEP,
      `nested deeper than 32 levels at ${TOO_DEEP}`,
    ],
    ["by one, JSON text", listsIn(33), "too-deep", TOO_DEEP, `nested deeper than 32 levels at ${TOO_DEEP}`],
    // Read to its end, so that the next mistake is found.
    [
      "not quite, an object",
      { layers: JSON.parse(listsIn(32)).layers },
      ...wrongType("an object", "a list", "layers[0]"),
    ],
    ["not quite, JSON text", listsIn(32), ...wrongType("an object", "a list", "layers[0]")],
  ]),
);

/** The bytes of `{ layers, channelMeta }` that are not the text of channelMeta. */
const NAMES = "layers".length + "channelMeta".length;
/** @param {number} bytes @param {string} [letter] */
function sized(bytes, letter = "x") {
  return { layers: [], channelMeta: letter.repeat((bytes - NAMES) / new TextEncoder().encode(letter).length) };
}
const TOO_MUCH_TEXT = /** @type {const} */ ([
  "too-large",
  "channelMeta",
  `more than ${MAX_TEXT_BYTES} bytes of text at channelMeta`,
]);
const TOO_MUCH_JSON = /** @type {const} */ (["too-large", "", `more than ${MAX_JSON_BYTES} bytes of JSON`]);
const MUCH_JSON = '{"layers":[]}'.padEnd(MAX_JSON_BYTES + 1);

/** Values around the guardrails: the input, layers, the layer, its name, its content and the list. */
const AROUND = 6;
/** @param {number} count */
const many = (count) => holding({ guardrails: new Array(count - AROUND).fill("") });
const LAST_ITEM = `layers[0].content.guardrails[${MAX_VALUES - AROUND}]`;
const TOO_MANY = /** @type {const} */ (["too-large", LAST_ITEM, `more than ${MAX_VALUES} values at ${LAST_ITEM}`]);

table("too large", [
  ["text by one byte, an object", () => assemble(sized(MAX_TEXT_BYTES + 1)), ...TOO_MUCH_TEXT],
  ["text by one byte, JSON", () => assemble(JSON.stringify(sized(MAX_TEXT_BYTES + 1))), ...TOO_MUCH_TEXT],
  ["text by one character of two bytes", () => assemble(sized(MAX_TEXT_BYTES + 1, "é")), ...TOO_MUCH_TEXT],
  ["text of an Assembler", () => new Assembler(sized(MAX_TEXT_BYTES + 1)), ...TOO_MUCH_TEXT],
  [
    "text of a turn",
    () => new Assembler({ layers: [] }).assemble({ channelMeta: "x".repeat(MAX_TEXT_BYTES) }),
    ...TOO_MUCH_TEXT,
  ],
  [
    "text of an argument",
    () => functions.digest("x".repeat(MAX_TEXT_BYTES + 1)),
    "too-large",
    "text",
    `more than ${MAX_TEXT_BYTES} bytes of text at text`,
  ],
  [
    "a field name",
    () => assemble({ layers: [], [`x${"y".repeat(MAX_TEXT_BYTES)}`.slice(0, MAX_TEXT_BYTES)]: 1 }),
    "too-large",
    `["x${"y".repeat(59)}…"]`,
    `more than ${MAX_TEXT_BYTES} bytes of text at ["x${"y".repeat(59)}…"]`,
  ],
  ["JSON text", () => assemble(MUCH_JSON), ...TOO_MUCH_JSON],
  ["JSON text of two bytes a character", () => assemble(`"${"é".repeat(MAX_JSON_BYTES / 2)}"`), ...TOO_MUCH_JSON],
  ["JSON bytes", () => assemble(new TextEncoder().encode(MUCH_JSON)), ...TOO_MUCH_JSON],
  ["too many values, an object", () => assemble(many(MAX_VALUES + 1)), ...TOO_MANY],
  ["too many values, JSON", () => assemble(JSON.stringify(many(MAX_VALUES + 1))), ...TOO_MANY],
]);

test("what is exactly at a limit is fine", () => {
  const atLimit = sized(MAX_TEXT_BYTES - 1, "é");
  const text = assemble(atLimit).system;
  assert.equal(text, `${atLimit.channelMeta}\n`);
  assert.equal(assemble(JSON.stringify(atLimit)).system, text);
  assert.equal(assemble(sized(MAX_TEXT_BYTES)).system.length, MAX_TEXT_BYTES - NAMES + 1);
  assert.equal(assemble(MUCH_JSON.slice(0, -1)).system, "");
  assert.equal(assemble(new TextEncoder().encode(MUCH_JSON.slice(0, -1))).system, "");
  assert.equal(assemble(many(MAX_VALUES)).prefix, "");
  assert.equal(assemble(JSON.stringify(many(MAX_VALUES))).prefix, "");
  // The names of a function's parameters are not the caller's.
  for (const letter of ["x", "é", "\u{1f600}"]) {
    const size = new TextEncoder().encode(letter).length;
    const text = letter.repeat(MAX_TEXT_BYTES / size);
    assert.equal(functions.digest(text), sha256Hex(text));
    assert.deepEqual(functions.parseGuardrails(text), [text]);
    assert.deepEqual(functions.renderGuardrails([text]), `- ${text}\n`);
    assert.throws(() => functions.digest(`${text}x`), { code: "too-large", path: "text" });
    assert.throws(() => functions.parseGuardrails(`${text}x`), { code: "too-large", path: "text" });
  }
});

test("a number is quoted alike wherever it comes from", () => {
  const numbers = [0, 1, -1, 12, 1e15, 2 ** 53 - 1, 2 ** 53, 1e20, 1e21, -1e21, 1e300, 0.5, -0.25, 1e-7];
  for (const number of numbers) {
    for (const input of [number, { layers: number }, holding({ identity: number })]) {
      const [asObject, asText] = [input, JSON.stringify(input)].map((it) => thrownBy(() => assemble(it)));
      assert.equal(asText.message, asObject.message);
      assert.equal(asText.path, asObject.path);
    }
  }
});

// ---------------------------------------------------------------- resolve

table("what resolve does not take", [
  ...["facts", "bindingGlue", "channelMeta"].map(
    (field) =>
      /** @type {Row} */ ([
        field,
        () => resolve({ layers: [], [field]: null }),
        ...unknownField(field, field, "expected layers, runtime or options"),
      ]),
  ),
  ["nothing", () => resolve(), ...wrongType("JSON data", "undefined", "")],
  ["an input without layers", () => resolve({}), ...missing("layers", "layers")],
  [
    "text that is not JSON",
    () => resolve("{"),
    "invalid-json",
    "",
    "not JSON: expected a field name in quotes, but the text ends at line 1 column 2",
  ],
  ["bytes that are not UTF-8", () => resolve(bytes(0xff)), ...NOT_UTF8],
  [
    "an unknown layer",
    () => resolve('{"layers":[{"layer":"x","content":{}}]}'),
    "unknown-layer",
    "layers[0].layer",
    `unknown layer \`x\` at layers[0].layer: ${LAYERS}`,
  ],
]);

// ---------------------------------------------------------------- the other functions

const DESCRIPTOR = { block: "identity", layer: "bot", digest: "aa", bytes: 1 };
const BLOCK = { label: "skills", text: "x", cache: "1h" };
const BLOCK_NAMES = "expected identity, operating-rules, guardrails or surface-note";

/**
 * Calls of one function: its arguments, and the error.
 *
 * @type {Record<string, [parameters: unknown[], code: string, path: string, message: string][]>}
 */
const CALLS = {
  parseGuardrails: [
    [[], ...missing("text", "text")],
    [[null], ...missing("text", "text")],
    [[5], ...wrongType("text", "the number `5`", "text")],
    [[["- a"]], ...wrongType("text", "a list", "text")],
    [["\ud800"], "lone-surrogate", "text", "half a surrogate pair at text: `\\ud800` at index 0"],
    [["- a", "markdown"], ...wrongType("an object", "the text `markdown`", "options")],
    [["- a", { dialekt: "x" }], ...unknownField("dialekt", "options.dialekt", "expected dialect")],
    [
      ["- a", { dialect: "x" }],
      "unknown-value",
      "options.dialect",
      "unknown value `x` at options.dialect: expected strict or markdown",
    ],
  ],
  renderGuardrails: [
    [[], ...missing("rules", "rules")],
    [["- a"], ...wrongType("a list", "the text `- a`", "rules")],
    [[["a", 1]], ...wrongType("text", "the number `1`", "rules[1]")],
    [[[null]], ...wrongType("text", "null", "rules[0]")],
    [[new Set(["a"])], ...wrongType("JSON data", "an instance of Set", "rules")],
  ],
  renderFacts: [
    [[], ...missing("facts", "facts")],
    [[{}], ...wrongType("a list", "an object", "facts")],
    [[[{ key: "k", value: "v" }]], ...missing("volatility", "facts[0].volatility")],
    [[[{ key: "k", value: 1, volatility: "static" }]], ...wrongType("text", "the number `1`", "facts[0].value")],
    [
      [
        [
          { key: "k", value: "v", volatility: "static" },
          { key: "", value: "v", volatility: "static" },
        ],
      ],
      "invalid-fact-key",
      "facts[1].key",
      "fact key `` is blank at facts[1].key",
    ],
    [
      [[{ key: "a\r\nb", value: "v", volatility: "static" }]],
      "invalid-fact-key",
      "facts[0].key",
      "fact key `a\\r\\nb` holds a line break at facts[0].key",
    ],
  ],
  buildBlocks: [
    [[], ...missing("parts", "parts")],
    [[[]], ...wrongType("an object", "a list", "parts")],
    [[{ workspace: 1 }], ...wrongType("text", "the number `1`", "parts.workspace")],
    [
      [{ tools: "x" }],
      ...unknownField("tools", "parts.tools", "expected workspace, skills, bindingGlue or channelMeta"),
    ],
    [
      [{ bindingGlue: "a", binding_glue: "b" }],
      "duplicate-field",
      "parts.binding_glue",
      "field `binding_glue` given twice at parts.binding_glue",
    ],
  ],
  flattenBlocks: [
    [[], ...missing("blocks", "blocks")],
    [[BLOCK], ...wrongType("a list", "an object", "blocks")],
    [[[BLOCK, "x"]], ...wrongType("an object", "the text `x`", "blocks[1]")],
    [[[{ ...BLOCK, label: undefined }]], ...missing("label", "blocks[0].label")],
    [[[{ ...BLOCK, text: undefined }]], ...missing("text", "blocks[0].text")],
    [[[{ ...BLOCK, cache: undefined }]], ...missing("cache", "blocks[0].cache")],
    [[[{ ...BLOCK, text: 1 }]], ...wrongType("text", "the number `1`", "blocks[0].text")],
    [
      [[{ ...BLOCK, cache: "2h" }]],
      "unknown-value",
      "blocks[0].cache",
      "unknown value `2h` at blocks[0].cache: expected 1h, 5m or none",
    ],
    [[[{ ...BLOCK, ttl: 1 }]], ...unknownField("ttl", "blocks[0].ttl", "expected label, text or cache")],
  ],
  parseSeed: [
    [[], ...missing("text", "text")],
    [["x"], ...missing("options", "options")],
    [[5, { version: "1" }], ...wrongType("text", "the number `5`", "text")],
    [["x", {}], ...missing("version", "options.version")],
    [["x", { version: 1 }], ...wrongType("text", "the number `1`", "options.version")],
    [["x", "1.0.0"], ...wrongType("an object", "the text `1.0.0`", "options")],
    [["x", { version: "1", name: "a" }], ...unknownField("name", "options.name", "expected version")],
  ],
  digest: [
    [[], ...missing("text", "text")],
    [[5], ...wrongType("text", "the number `5`", "text")],
    [[bytes(1)], ...wrongType("JSON data", "an instance of Uint8Array", "text")],
    [["a\udc00"], "lone-surrogate", "text", "half a surrogate pair at text: `\\udc00` at index 1"],
  ],
  fingerprint: [
    [[], ...missing("descriptors", "descriptors")],
    [[{}], ...wrongType("a list", "an object", "descriptors")],
    [[[{ ...DESCRIPTOR, block: undefined }]], ...missing("block", "descriptors[0].block")],
    [[[{ ...DESCRIPTOR, layer: undefined }]], ...missing("layer", "descriptors[0].layer")],
    [[[{ ...DESCRIPTOR, digest: undefined }]], ...missing("digest", "descriptors[0].digest")],
    [[[{ ...DESCRIPTOR, bytes: undefined }]], ...missing("bytes", "descriptors[0].bytes")],
    [[[{ ...DESCRIPTOR, source: 5 }]], ...wrongType("text", "the number `5`", "descriptors[0].source")],
    [
      [[{ ...DESCRIPTOR, bytes: "1" }]],
      ...wrongType("a whole number of bytes", "the text `1`", "descriptors[0].bytes"),
    ],
    [
      [[{ ...DESCRIPTOR, bytes: -1 }]],
      ...wrongType("a whole number of bytes", "the number `-1`", "descriptors[0].bytes"),
    ],
    [[[{ ...DESCRIPTOR, bytes: 1.5 }]], ...wrongType("a whole number of bytes", "a number", "descriptors[0].bytes")],
    [[[{ ...DESCRIPTOR, bytes: NaN }]], ...wrongType("a whole number of bytes", "a number", "descriptors[0].bytes")],
    [[[{ ...DESCRIPTOR, bytes: 1n }]], ...wrongType("JSON data", "a bigint", "descriptors[0].bytes")],
    [
      [[{ ...DESCRIPTOR, bytes: 1e21 }]],
      ...wrongType("a whole number of bytes", "a number", "descriptors[0].bytes"),
    ],
  ],
  drift: [
    [[], ...missing("frozen", "frozen")],
    [[[]], ...missing("current", "current")],
    [[null, []], ...missing("frozen", "frozen")],
    [["x", []], ...wrongType("a list", "the text `x`", "frozen")],
    [[[], {}], ...wrongType("a list", "an object", "current")],
    [[[DESCRIPTOR], [{ ...DESCRIPTOR, bytes: null }]], ...missing("bytes", "current[0].bytes")],
    [[[{ ...DESCRIPTOR, digest: 1 }], []], ...wrongType("text", "the number `1`", "frozen[0].digest")],
  ],
  setBlock: [
    [[], ...missing("content", "content")],
    [[{}], ...missing("block", "block")],
    [[{ identity: "x" }, "identity"], ...missing("text", "text")],
    [[{ identity: "x" }, "identity", undefined], ...missing("text", "text")],
    [["x", "identity", "y"], ...wrongType("an object", "the text `x`", "content")],
    [[{ identity: 1 }, "identity", "y"], ...wrongType("text", "the number `1`", "content.identity")],
    [[{}, "instructions", "y"], "unknown-block", "block", `unknown block \`instructions\` at block: ${BLOCK_NAMES}`],
    [[{}, "", "y"], "unknown-block", "block", `unknown block \`\` at block: ${BLOCK_NAMES}`],
    [[{}, 5, "y"], ...wrongType("text", "the number `5`", "block")],
    [[{}, "identity", 5], ...wrongType("text", "the number `5`", "text")],
    [[{}, "guardrails", ["a"]], ...wrongType("text", "a list", "text")],
    [[{ name: "x" }, "identity", "y"], ...unknownField("name", "content.name", CONTENT_FIELDS)],
  ],
  getBlock: [
    [[], ...missing("content", "content")],
    [[{}], ...missing("block", "block")],
    [[null, "identity"], ...missing("content", "content")],
    [[{}, "sandbox"], "unknown-block", "block", `unknown block \`sandbox\` at block: ${BLOCK_NAMES}`],
    [[{}, "constructor"], "unknown-block", "block", `unknown block \`constructor\` at block: ${BLOCK_NAMES}`],
    [
      [{ guardrails: 5 }, "guardrails"],
      ...wrongType("a list of texts, or one text", "the number `5`", "content.guardrails"),
    ],
  ],
  parseBlockName: [
    [[], ...missing("name", "name")],
    [[5], ...wrongType("text", "the number `5`", "name")],
  ],
  layerLabel: [
    [[], ...missing("wire", "wire")],
    [[{}], ...wrongType("text", "an object", "wire")],
  ],
  layerFromFiles: [
    [[], ...missing("files", "files")],
    [[[]], ...wrongType("an object", "a list", "files")],
    [["x"], ...wrongType("an object", "the text `x`", "files")],
    [[{ "identity.md": 5 }], ...wrongType("text", "the number `5`", 'files["identity.md"]')],
    [[{ "other.md": {} }], ...wrongType("text", "an object", 'files["other.md"]')],
    [[{ "identity.md": bytes(1) }], ...wrongType("JSON data", "an instance of Uint8Array", 'files["identity.md"]')],
    [[new Map()], ...wrongType("JSON data", "an instance of Map", "files")],
  ],
  layerToFiles: [
    [[], ...missing("content", "content")],
    [["x"], ...wrongType("an object", "the text `x`", "content")],
    [[{ guardrails: [1] }], ...wrongType("text", "the number `1`", "content.guardrails[0]")],
    [[{ gaurdrails: [] }], ...unknownField("gaurdrails", "content.gaurdrails", CONTENT_FIELDS)],
    [
      [{ identity: "x", instructions: "y" }],
      "no-file-for-field",
      "instructions",
      "no file for `instructions` at instructions: a layer's files hold only the editable blocks",
    ],
    [
      [{ instructions: "" }],
      "no-file-for-field",
      "instructions",
      "no file for `instructions` at instructions: a layer's files hold only the editable blocks",
    ],
  ],
  subLayerPath: [
    [[], ...missing("kind", "kind")],
    [["agents"], ...missing("name", "name")],
    [["agent", "x"], "unknown-value", "kind", "unknown value `agent` at kind: expected surface or agents"],
    [[5, "x"], ...wrongType("text", "the number `5`", "kind")],
    [["agents", 5], ...wrongType("text", "the number `5`", "name")],
    [["agents", "x", "root"], ...wrongType("an object", "the text `root`", "options")],
    [["agents", "x", { root: 5 }], ...wrongType("text", "the number `5`", "options.root")],
    [["agents", "x", { base: "" }], ...unknownField("base", "options.base", "expected root")],
  ],
};

for (const [name, calls] of Object.entries(CALLS)) {
  const rows = calls.map(([parameters, code, path, message], index) => {
    const call = () => functions[name](...parameters);
    return /** @type {Row} */ ([`${index + 1}: ${message}`, call, code, path, message]);
  });
  table(`wrong arguments of ${name}`, rows);
}

test("every exported function has its rows", () => {
  const names = Object.keys(functions).filter((name) => typeof functions[name] === "function");
  assert.deepEqual(Object.keys(CALLS).sort(), names.filter((name) => name !== "StrataError").sort());
});

test("a number of bytes that JavaScript cannot hold exactly is a mistake of the input", () => {
  const huge = { ...DESCRIPTOR, bytes: 2 ** 60 };
  const handle = new Assembler({ layers: [] });
  for (const call of [
    () => functions.drift([huge], [{ ...huge, digest: "bb" }]),
    () => functions.drift([DESCRIPTOR], [huge]),
  ]) {
    try {
      call();
    } catch (thrown) {
      assert.ok(thrown instanceof strata.StrataError);
      assert.notEqual(thrown.code, "internal", thrown.message);
    }
    works();
  }
  // The instance was none the worse for it.
  assert.equal(handle.assemble().prefix, "");
});

// ---------------------------------------------------------------- handles

const FREED = /** @type {const} */ (["freed-handle", "", "this Assembler was freed"]);
const SEED = { layer: "seed", content: { identity: "x" } };

function freed() {
  const assembler = new Assembler(KNOWN_INPUT);
  assembler.free();
  // Harmless.
  assembler.free();
  if (Symbol.dispose) assembler[Symbol.dispose]();
  return assembler;
}

/** A call of a method of a fresh handle, which has to be as it was afterwards. */
function onHandle(/** @type {(assembler: any) => void} */ call, /** @type {any} */ input = KNOWN_INPUT) {
  return () => {
    const assembler = new Assembler(input);
    const before = assembler.assemble();
    const error = thrownBy(() => call(assembler));
    assert.deepEqual(assembler.assemble(), before);
    assembler.free();
    throw error;
  };
}

const TURN_FIELDS = "expected facts, channelMeta, epistemicStance or temporal";
const TWINS = { layers: [SEED, { ...SEED, source: "a" }, SEED, { ...SEED, source: "a" }] };

table("handles", [
  ["a freed one: assemble", () => freed().assemble(), ...FREED],
  ["a freed one: assemble, with a broken turn", () => freed().assemble(5), ...FREED],
  ["a freed one: setLayer", () => freed().setLayer(SEED), ...FREED],
  ["a freed one: removeLayer", () => freed().removeLayer("seed"), ...FREED],
  [
    "a static fact in a turn",
    onHandle((it) => it.assemble({ facts: [{ key: "k", value: "v", volatility: "static" }] })),
    "static-fact-in-turn",
    "facts[0].volatility",
    "static fact `k` in a turn at facts[0].volatility: a turn never changes the prefix",
  ],
  [
    "a blank fact key in a turn",
    onHandle((it) => it.assemble({ facts: [{ key: "\u0085", value: "v", volatility: "dynamic" }] })),
    "invalid-fact-key",
    "facts[0].key",
    "fact key `\\u{85}` is blank at facts[0].key",
  ],
  ["a turn that is null", onHandle((it) => it.assemble(null)), ...wrongType("an object", "null", "")],
  ["a turn as JSON text", onHandle((it) => it.assemble("{}")), ...wrongType("an object", "the text `{}`", "")],
  [
    "a turn with layers",
    onHandle((it) => it.assemble({ layers: [] })),
    ...unknownField("layers", "layers", TURN_FIELDS),
  ],
  [
    "a turn with one field twice",
    onHandle((it) => it.assemble({ channelMeta: "a", channel_meta: "b" })),
    "duplicate-field",
    "channel_meta",
    "field `channel_meta` given twice at channel_meta",
  ],
  [
    "a turn with a number",
    onHandle((it) => it.assemble({ temporal: 12 })),
    ...wrongType("text", "the number `12`", "temporal"),
  ],
  ["setLayer of nothing", onHandle((it) => it.setLayer()), ...wrongType("JSON data", "undefined", "")],
  ["setLayer of null", onHandle((it) => it.setLayer(null)), ...wrongType("an object", "null", "")],
  ["setLayer without content", onHandle((it) => it.setLayer({ layer: "seed" })), ...missing("content", "content")],
  [
    "setLayer of an unknown layer",
    onHandle((it) => it.setLayer({ layer: "tenant", content: {} })),
    "unknown-layer",
    "layer",
    `unknown layer \`tenant\` at layer: ${LAYERS}`,
  ],
  [
    "setLayer with an unknown field",
    onHandle((it) => it.setLayer({ ...SEED, trust: true })),
    ...unknownField("trust", "trust", LAYER_FIELDS),
  ],
  [
    "setLayer of one of several without a source",
    onHandle((it) => it.setLayer(SEED), TWINS),
    "ambiguous-layer",
    "layer",
    "several layers are `seed` with no source",
  ],
  [
    "setLayer of one of several with a source",
    onHandle((it) => it.setLayer({ ...SEED, source: "a" }), TWINS),
    "ambiguous-layer",
    "layer",
    "several layers are `seed` with source `a`",
  ],
  ["removeLayer of nothing", onHandle((it) => it.removeLayer()), ...missing("layer", "layer")],
  ["removeLayer of a number", onHandle((it) => it.removeLayer(5)), ...wrongType("text", "the number `5`", "layer")],
  [
    "removeLayer of an unknown layer",
    onHandle((it) => it.removeLayer("tenant")),
    "unknown-layer",
    "layer",
    `unknown layer \`tenant\` at layer: ${LAYERS}`,
  ],
  [
    "removeLayer with a source that is no text",
    onHandle((it) => it.removeLayer("seed", 5)),
    ...wrongType("text", "the number `5`", "source"),
  ],
  [
    "removeLayer of one of several",
    onHandle((it) => it.removeLayer("seed"), TWINS),
    "ambiguous-layer",
    "layer",
    "several layers are `seed` with no source",
  ],
]);

test("the tables hold enough rows", () => {
  assert.ok(rowCount >= 80, `${rowCount} rows`);
});
