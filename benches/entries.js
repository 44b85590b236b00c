// Every function of the package at ordinary input of a stated size.

import { strata } from "./contestants.js";
import { inputOf } from "./inputs.js";

const { Assembler } = strata;
const encoder = new TextEncoder();

/** Bytes of text; the largest is just below the limit. */
export const BYTES = [8e5, 8e6];

/** A text repeated to about so many bytes. */
export const fill = (bytes, text) => text.repeat(Math.floor(bytes / Buffer.byteLength(text)));

const list = (count, item) => Array.from({ length: Math.floor(count) }, (_, index) => item(index));
const rules = (bytes) => list(bytes / 40, (index) => `never touch file ${index} of the ledger`);
const facts = (bytes) =>
  list(bytes / 64, (index) => ({ key: `key ${index}`, value: `value <${index}>`, volatility: "dynamic" }));
const descriptors = (bytes, digest = "ab") =>
  list(bytes / 130, (index) => ({
    block: "guardrails",
    layer: "bot",
    source: `bot:${index}`,
    digest: digest.repeat(32),
    bytes: index,
  }));

/** What is measured: its name, two sizes, and for each of these the operation and what is true of its result. */
export const entries = [
  ["assemble(object)", BYTES, (n) => withInput(n, inputOf(n))],
  ["assemble(object), with sections", BYTES, (n) => withInput(n, { ...inputOf(n), options: { sections: true } })],
  ["assemble(JSON text)", BYTES, (n) => withInput(n, JSON.stringify(inputOf(n)))],
  ["assemble(JSON bytes)", BYTES, (n) => withInput(n, encoder.encode(JSON.stringify(inputOf(n))))],
  [
    "resolve(object)",
    BYTES,
    (n) => {
      const { layers, runtime, options } = inputOf(n);
      return [() => strata.resolve({ layers, runtime, options }), ({ prefix }) => prefix.length > n / 2];
    },
  ],
  [
    "new Assembler(object), free",
    BYTES,
    (n) => {
      const input = inputOf(n);
      const once = () => {
        const assembler = new Assembler(input);
        assembler.free();
        return assembler;
      };
      return [once, (it) => it instanceof Assembler];
    },
  ],
  [
    "Assembler: assemble, the turn's text large",
    BYTES,
    (n) => {
      const assembler = new Assembler(inputOf(4e3));
      const channelMeta = fill(n, "Sender: 7, ");
      return [() => assembler.assemble({ channelMeta }), ({ system }) => system.length > n * 0.99];
    },
  ],
  [
    "Assembler: assemble, the turn's facts many",
    BYTES,
    (n) => {
      const assembler = new Assembler(inputOf(4e3));
      const turn = { facts: facts(n) };
      return [() => assembler.assemble(turn), ({ tail }) => tail.split("\n").length > n / 70];
    },
  ],
  [
    "Assembler: setLayer, the layer large",
    BYTES,
    (n) => {
      const assembler = new Assembler(inputOf(4e3));
      const layer = { layer: "chat", source: "large", content: { guardrails: rules(n), identity: "Ada" } };
      return [() => assembler.setLayer(layer), () => assembler.assemble().prefix.length > n * 0.9];
    },
  ],
  [
    "Assembler: removeLayer of a small one, and setLayer again",
    BYTES,
    (n) => {
      const small = { layer: "chat", source: "small", content: { guardrails: ["never push"] } };
      const assembler = new Assembler(inputOf(n));
      assembler.setLayer(small);
      const once = () => {
        const was = assembler.removeLayer("chat", "small");
        assembler.setLayer(small);
        return was;
      };
      return [once, (was) => was && assembler.assemble().prefix.includes("\n- never push\n")];
    },
  ],
  ["parseGuardrails, strict", BYTES, (n) => parsing(strata.renderGuardrails(rules(n)), "strict", rules(n).length)],
  ["parseGuardrails, markdown", BYTES, (n) => parsing(strata.renderGuardrails(rules(n)), "markdown", rules(n).length)],
  ["renderGuardrails", BYTES, (n) => withList(rules(n), strata.renderGuardrails, (text) => text.length > n * 0.9)],
  ["renderFacts", BYTES, (n) => withList(facts(n), strata.renderFacts, (text) => text.split("\n").length > n / 70)],
  [
    "buildBlocks",
    BYTES,
    (n) => {
      const parts = { workspace: fill(n / 2, "you are Ada, "), channelMeta: fill(n / 2, "Sender: 7, ") };
      return [() => strata.buildBlocks(parts), (blocks) => blocks.length === 2];
    },
  ],
  [
    "flattenBlocks",
    BYTES,
    (n) => {
      const blocks = list(n / 1e3, () => ({ label: "mine", text: fill(970, "you are Ada, "), cache: "1h" }));
      return [() => strata.flattenBlocks(blocks), (text) => text.length > n * 0.9];
    },
  ],
  [
    "parseSeed",
    BYTES,
    (n) => {
      const body = fill(n / 3, "You are Ada {{version}}.\n");
      const text = `<!-- block: identity -->\n${body}<!-- block: guardrails -->\n${fill(n / 2, "- never push\n")}`;
      return [
        () => strata.parseSeed(text, { version: "1.2.0" }),
        ({ content }) => content.identity.includes("Ada 1.2.0.") && content.guardrails.length > n / 30,
      ];
    },
  ],
  ["digest", BYTES, (n) => withText(fill(n, "never push. "), strata.digest, (hex) => hex.length === 64)],
  ["fingerprint", BYTES, (n) => withList(descriptors(n), strata.fingerprint, (hex) => hex.length === 64)],
  [
    "drift, nothing changed",
    BYTES,
    (n) => {
      const lists = [descriptors(n / 2), descriptors(n / 2)];
      return [() => strata.drift(...lists), (it) => it === null];
    },
  ],
  [
    "drift, all changed",
    BYTES,
    (n) => {
      const [was, now] = [descriptors(n / 2), descriptors(n / 2, "cd")];
      return [() => strata.drift(was, now), ({ changed }) => changed.length === was.length];
    },
  ],
  [
    "setBlock, guardrails",
    BYTES,
    (n) => {
      const text = fill(n, "- never push\n");
      return [() => strata.setBlock({}, "guardrails", text), ({ guardrails }) => guardrails.length > n / 14];
    },
  ],
  [
    "getBlock, guardrails",
    BYTES,
    (n) => {
      const content = { guardrails: rules(n) };
      return [() => strata.getBlock(content, "guardrails"), (text) => text.length > n * 0.9];
    },
  ],
  [
    "layerFromFiles",
    BYTES,
    (n) => {
      const files = { "identity.md": fill(n / 2, "You are Ada.\n"), "guardrails.md": fill(n / 2, "- never push\n") };
      return [() => strata.layerFromFiles(files), ({ content }) => content.guardrails.length > n / 30];
    },
  ],
  [
    "layerToFiles",
    BYTES,
    (n) => {
      const content = { identity: fill(n / 2, "You are Ada.\n"), guardrails: rules(n / 2) };
      return [() => strata.layerToFiles(content), (files) => files["guardrails.md"].length > n * 0.4];
    },
  ],
  ["parseBlockName, a giant name", BYTES, (n) => withText(fill(n, "Rules_"), strata.parseBlockName, (it) => it === null)],
  ["layerLabel, a giant name", BYTES, (n) => withText(fill(n, "bot "), strata.layerLabel, (it) => it.length > n * 0.99)],
  [
    "subLayerPath, a giant name",
    BYTES,
    (n) => withText(fill(n, "bot"), (name) => strata.subLayerPath("agents", name), (it) => it === null),
  ],
  [
    "subLayerPath, a giant root",
    BYTES,
    (n) => withText(fill(n, "a/"), (root) => strata.subLayerPath("agents", "x", { root }), (it) => it.length > n),
  ],
];

function withInput(n, input) {
  return [() => strata.assemble(input), ({ prefix }) => prefix.length > n / 2];
}

/** Guardrail text, and how many items are in it. */
export function parsing(text, dialect, count) {
  return [() => strata.parseGuardrails(text, { dialect }), (items) => items.length === count];
}

export function withText(text, call, isRight) {
  return [() => call(text), isRight];
}

function withList(items, call, isRight) {
  return [() => call(items), isRight];
}
