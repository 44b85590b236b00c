// Input that somebody made to cost more than it should.

import { strata } from "./contestants.js";
import { BYTES, fill, parsing, withText } from "./entries.js";
import { inputOf } from "./inputs.js";

const COUNTS = [1e4, 1e5];
/** Bytes of JSON; escapes make it longer than the text it holds. */
const JSON_BYTES = [3.2e6, 3.2e7];

const encoder = new TextEncoder();
const list = (count, item) => Array.from({ length: Math.floor(count) }, (_, index) => item(index));
const layer = (content, rest = {}) => ({ layer: "bot", content, ...rest });

/** Assembles some layers; `isRight` is asked about the result. */
function assembling(layers, isRight, options = {}) {
  const input = { layers, options: { wording: "neutral", ...options } };
  return [() => strata.assemble(input), isRight];
}

/** One layer whose guardrails are given. */
const guarding = (guardrails, isRight, options) => assembling([layer({ guardrails })], isRight, options);
/** Guardrail text by itself, in Markdown, and the number of its items. */
const markdown = (text, count) => parsing(text, "markdown", count);

/** JSON text that holds nothing but one identity. */
function identityJson(body, length) {
  const json = `{"layers":[{"layer":"bot","content":{"identity":"${body}"}}]}`;
  return [() => strata.assemble(json), ({ prefix }) => prefix.length === length];
}

/** A call that is refused, and the code of its error. */
function refusal(call, code) {
  const refused = () => {
    try {
      call();
    } catch (error) {
      return error.code;
    }
    return undefined;
  };
  return [refused, (it) => it === code];
}

/** An ordinary input whose layers are in other letters. */
function translated(bytes, letter) {
  const text = (it) => it.replace(/[a-z]/g, letter);
  const content = (it) => Object.fromEntries(Object.entries(it).map(([key, value]) => [key, said(value)]));
  const said = (it) => (Array.isArray(it) ? it.map(text) : text(it));
  const input = inputOf(bytes);
  return { ...input, layers: input.layers.map((it) => ({ ...it, content: content(it.content) })) };
}
const cyrillic = (n) => translated(n / 2, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0x3cf));
const emoji = (n) => translated(n / 4, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0x1f5a0));

function inLetters(n, input, { asJson = (it) => it, options } = {}) {
  const given = asJson({ ...input, options: { ...input.options, ...options } });
  return [() => strata.assemble(given), ({ prefix }) => Buffer.byteLength(prefix) > n / 3];
}

const DUPLICATE = "Guardrails:\n- never push\n";
const isDuplicate = ({ prefix }) => prefix === DUPLICATE;
const isEmpty = ({ prefix }) => prefix === "";
const HEADINGS = "# a\n## b\n### c\n#### d\n##### e\n###### f\n";

const duplicates = [
  ["all duplicates, a list", BYTES, (n) => guarding(list(n / 10, () => "never push"), isDuplicate)],
  ["all duplicates, strict text", BYTES, (n) => guarding(fill(n, "- never push\n"), isDuplicate)],
  [
    "all duplicates, markdown text",
    BYTES,
    (n) => guarding(fill(n, "- never push\n"), isDuplicate, { dialect: "markdown" }),
  ],
  [
    "half duplicates, in other case",
    COUNTS,
    (n) => {
      const half = list(n / 2, (index) => `never touch file ${index}`);
      const again = half.map((text) => text.toUpperCase());
      const layers = [layer({ guardrails: half }), layer({ guardrails: again })];
      return assembling(layers, ({ effective }) => effective.guardrails.split("\n").length === n / 2 + 1);
    },
  ],
  [
    "half duplicates, in other white space and letters",
    COUNTS,
    (n) => {
      const half = list(n / 2, (index) => `никогда не ${index}`);
      const again = half.map((text) => text.replaceAll(" ", "\u3000\t"));
      const layers = [layer({ guardrails: half }), layer({ guardrails: again })];
      return assembling(layers, ({ effective }) => effective.guardrails.split("\n").length === n / 2 + 1);
    },
  ],
];

const lines = [
  ["all blank lines, strict text", BYTES, (n) => guarding(fill(n, "\n"), isEmpty)],
  ["all blank lines, markdown text", BYTES, (n) => guarding(fill(n, " \t\r\n"), isEmpty, { dialect: "markdown" })],
  ["all blank lines, identity", BYTES, (n) => assembling([layer({ identity: fill(n, "\n") })], isEmpty)],
  ["only spaces, strict text", BYTES, (n) => guarding(fill(n, " "), isEmpty)],
  ["only U+3000, markdown text", BYTES, (n) => guarding(fill(n, "\u3000"), isEmpty, { dialect: "markdown" })],
  ["only blank items", COUNTS, (n) => guarding(list(n, () => " \n\t"), isEmpty)],
  ["one giant line, an item", BYTES, (n) => guarding([fill(n, "never push ")], ({ prefix }) => prefix.length > n * 0.99)],
  ["one giant line, strict", BYTES, (n) => parsing(`- ${fill(n, "never push ")}`, "strict", 1)],
  ["one giant line, markdown", BYTES, (n) => markdown(`- ${fill(n, "never push ")}`, 1)],
  ...["#", "- ", "`", "<!--", "1", "* "].map((mark) => [
    `one giant line of ${mark.trim()}, markdown`,
    BYTES,
    (n) => withText(fill(n, mark), (text) => strata.parseGuardrails(text, { dialect: "markdown" }), (it) => it.length <= 1),
  ]),
  ["one item over many lines, strict", BYTES, (n) => parsing(`- ${fill(n, "a\r\n")}`, "strict", 1)],
  [
    "items that are all folded",
    BYTES,
    (n) => {
      const items = list(n / 40, (index) => `never touch\nfile ${index}\r\nof the\rledger`);
      return guarding(items, ({ prefix }) => prefix.split("\n").length === items.length + 2);
    },
  ],
  ["one item folded again and again", BYTES, (n) => guarding([fill(n, "a\n")], ({ prefix }) => prefix.length > n * 0.99)],
];

const many = [
  [
    "100,000 tiny items in seven layers",
    COUNTS,
    (n) => {
      const names = ["seed", "shared", "workspace", "surface", "bot", "chat", "agent"];
      const items = list(n, (index) => `${index}`);
      const layers = names.map((name, at) =>
        layer({ guardrails: items.filter((_, index) => index % 7 === at) }, { layer: name, trusted: true }),
      );
      return assembling(layers, ({ effective }) => effective.guardrails.split("\n").length === n + 1);
    },
  ],
  [
    "the same, with sections",
    COUNTS,
    (n) => guarding(list(n, (index) => `${index}`), ({ sections }) => sections.length === n + 1, { sections: true }),
  ],
  [
    "100,000 layers, an item each",
    COUNTS,
    (n) => manyLayers(n, (index) => ({ guardrails: [`${index}`] }), ({ descriptors }) => descriptors.length === n),
  ],
  [
    "100,000 layers with the same item",
    COUNTS,
    (n) => manyLayers(n, () => ({ guardrails: ["never push"] }), isDuplicate),
  ],
  [
    "100,000 layers with instructions",
    COUNTS,
    (n) => manyLayers(n, () => ({ instructions: "push" }), ({ descriptors }) => descriptors.length === n),
  ],
  [
    "100,000 layers, each blanking the one before",
    COUNTS,
    (n) => manyLayers(n, (index) => ({ identity: index % 2 === 0 ? "Ada" : "" }), isEmpty),
  ],
  [
    "100,000 layers out of order",
    COUNTS,
    (n) =>
      assembling(
        list(n, (index) => layer({ identity: `Ada ${index}` }, { layer: index % 2 === 0 ? "agent" : "seed" })),
        ({ diagnostics }) => diagnostics.length >= n / 2,
      ),
  ],
  [
    "100,000 layers, untrusted",
    COUNTS,
    (n) =>
      assembling(
        list(n, (index) => layer({ identity: "Eve", guardrails: [`${index}`] }, { trusted: false })),
        ({ prefix }) => prefix.split("\n").length === n + 2,
      ),
  ],
  [
    "setLayer among 100,000",
    COUNTS,
    (n) => {
      const layers = list(n, (index) => layer({ guardrails: [`${index}`] }, { source: `${index}` }));
      const assembler = new strata.Assembler({ layers });
      const last = layers.at(-1);
      return [() => assembler.setLayer(last), () => assembler.assemble().descriptors.length === n];
    },
  ],
  [
    "removeLayer and setLayer among 100,000",
    COUNTS,
    (n) => {
      const layers = list(n, (index) => layer({ guardrails: [`${index}`] }, { source: `${index}` }));
      const assembler = new strata.Assembler({ layers });
      const once = () => {
        const was = assembler.removeLayer("bot", "0");
        assembler.setLayer(layers[0]);
        return was;
      };
      return [once, (was) => was && assembler.assemble().descriptors.length === n];
    },
  ],
  [
    "all untrusted, prose",
    BYTES,
    (n) => {
      const layers = inputOf(n).layers.map((it) => ({ ...it, trusted: false }));
      return assembling(layers, ({ prefix }) => prefix.length > n / 4);
    },
  ],
  [
    "all untrusted, dropped",
    BYTES,
    (n) => {
      const layers = inputOf(n).layers.map((it) => ({ ...it, trusted: false }));
      return assembling(layers, isEmpty, { untrusted: "drop" });
    },
  ],
];

function manyLayers(count, content, isRight) {
  return assembling(
    list(count, (index) => layer(content(index), { source: `${index}` })),
    isRight,
  );
}

const documents = [
  ["headings six deep, nothing under them", BYTES, (n) => markdown(fill(n, HEADINGS), fill(n, HEADINGS).length / HEADINGS.length)],
  [
    "headings six deep, an item under each",
    BYTES,
    (n) => {
      const text = fill(n, HEADINGS.replaceAll("\n", "\n- x\n"));
      return markdown(text, text.split("- x").length - 1);
    },
  ],
  ["100,000 items under one heading", COUNTS, (n) => markdown(`a\n## never\n${"- push\n".repeat(n)}`, n + 1)],
  ["100,000 headings, nothing under them", COUNTS, (n) => markdown(`a\n${"## never push\n".repeat(n)}`, n + 1)],
  [
    "bullets that nest 100 deep",
    BYTES,
    (n) => {
      const tree = list(100, (depth) => `${" ".repeat(depth)}- never push\n`).join("");
      return markdown(fill(n, tree), fill(n, tree).length / tree.length);
    },
  ],
  ["comments without an end", BYTES, (n) => markdown(fill(n, "<!-- a\n"), 1)],
  ["comments without an end, in paragraphs", BYTES, (n) => markdown(fill(n, "<!-- a\n\n"), Math.floor(n / 8))],
  ["comments that chain", BYTES, (n) => markdown(`${fill(n, "<!-- a -->")} b`, 1)],
  ["chains of comments without an end", BYTES, (n) => markdown(fill(n, "<!-- --> <!-- a\n--> <!--\n\n"), 1)],
  ["fences without an end", BYTES, (n) => markdown(fill(n, "```\n~~~~\n"), 1)],
  ["fences without an end, in bullets", BYTES, (n) => markdown(fill(n, "- ```\n  ~~~\n"), Math.floor(n / 12))],
  ["markdown read as strict", BYTES, (n) => guarding(fill(n, "- a\n# b\n"), ({ diagnostics }) => diagnostics.length >= 2)],
  [
    "a seed file of nothing but markers",
    BYTES,
    (n) => seed(fill(n, "<!-- block: identity -->\n"), "1", ({ diagnostics }) => diagnostics.length > n / 26),
  ],
  [
    "a seed file of unknown blocks",
    BYTES,
    (n) => seed(fill(n, "<!-- block: nobody -->\na\n"), "1", ({ diagnostics }) => diagnostics.length > n / 27),
  ],
  [
    "a seed file of nothing but versions",
    BYTES,
    (n) =>
      seed(`<!-- block: identity -->\n${fill(n, "{{version}}")}`, "1.2", ({ content }) => content.identity.length > n / 4),
  ],
  [
    "100,000 files that nobody reads",
    COUNTS,
    (n) => {
      const files = Object.fromEntries(list(n, (index) => [`${index}.md`, "a"]));
      return [() => strata.layerFromFiles(files), ({ diagnostics }) => diagnostics.length > 0];
    },
  ],
];

function seed(text, version, isRight) {
  return [() => strata.parseSeed(text, { version }), isRight];
}

const statements = [
  ["100,000 facts with one key", COUNTS, (n) => stating(list(n, () => fact("plan", "pro")))],
  ["100,000 facts, all escaped", COUNTS, (n) => stating(list(n, (index) => fact(`k${index}`, "</facts>\n<")))],
  ["a fact that is all escaped", BYTES, (n) => stating([fact("k", fill(n / 1.2, "</facts>\n"))])],
  [
    "a turn of 100,000 facts with one key",
    COUNTS,
    (n) => {
      const assembler = new strata.Assembler({ layers: [], facts: [fact("plan", "pro", "static")] });
      const turn = { facts: list(n, () => fact("plan", "pro")) };
      return [() => assembler.assemble(turn), ({ tail }) => tail.split("\n").length === n + 2];
    },
  ],
  [
    "drift of 100,000 with one key",
    COUNTS,
    (n) => {
      const was = list(n, (index) => ({ block: "guardrails", layer: "bot", digest: `${index}`, bytes: 1 }));
      const now = was.slice(1);
      return [() => strata.drift(was, now), ({ changed }) => changed.length === n - 1];
    },
  ],
  [
    "drift of 100,000, all removed and added",
    COUNTS,
    (n) => {
      const of = (source) =>
        list(n / 2, (index) => ({ block: "identity", layer: "x", source: source + index, digest: "ab", bytes: 1 }));
      const [was, now] = [of("a"), of("b")];
      return [() => strata.drift(was, now), ({ lines: said }) => said.length === n];
    },
  ],
];

function fact(key, value, volatility = "dynamic") {
  return { key, value, volatility };
}

function stating(facts) {
  const input = { layers: [], facts };
  return [() => strata.assemble(input), ({ tail }) => tail.startsWith("<facts>") && tail.split("\n").length > facts.length];
}

const letters = [
  ["Cyrillic, object", BYTES, (n) => inLetters(n, cyrillic(n))],
  ["Cyrillic, object, with sections", BYTES, (n) => inLetters(n, cyrillic(n), { options: { sections: true } })],
  ["Cyrillic, JSON bytes", BYTES, (n) => inLetters(n, cyrillic(n), { asJson: (it) => encoder.encode(JSON.stringify(it)) })],
  ["emoji, object", BYTES, (n) => inLetters(n, emoji(n))],
  ["emoji, JSON text", BYTES, (n) => inLetters(n, emoji(n), { asJson: JSON.stringify })],
  ["JSON, every letter escaped", JSON_BYTES, (n) => identityJson(fill(n, "\\u0061"), Math.floor(n / 6) + 1)],
  ["JSON, every letter a pair of escapes", [2.2e6, 2.2e7], (n) => identityJson(fill(n, "\\ud83d\\ude00"), 2 * Math.floor(n / 12) + 1)],
  ["JSON, short escapes", BYTES, (n) => identityJson(fill(n, 'a\\"'), 2 * Math.floor(n / 3) + 1)],
  [
    "JSON, all white space",
    JSON_BYTES,
    (n) => withText(`{"layers":${fill(n, " \n")}[]}`, strata.assemble, isEmpty),
  ],
];

const refused = [
  ["refused: JSON that breaks off", BYTES, (n) => refusal(broken(JSON.stringify(inputOf(n)).slice(0, -1)), "invalid-json")],
  ["refused: a giant unknown field", BYTES, (n) => refusal(broken({ layers: [], [fill(n, "a")]: 0 }), "unknown-field")],
  ["refused: 100,000 unknown fields", COUNTS, (n) => refusal(broken(fields(n, (index) => `"f${index}":0`)), "unknown-field")],
  ["refused: one field 100,000 times", COUNTS, (n) => refusal(broken(fields(n, () => '"layers":[]')), "duplicate-field")],
  [
    "refused: half a surrogate pair at the end",
    BYTES,
    (n) => refusal(broken({ layers: [layer({ identity: `${fill(n, "a")}\ud800` })] }), "lone-surrogate"),
  ],
  [
    "refused: bytes that are not UTF-8 at the end",
    BYTES,
    (n) => {
      const bytes = encoder.encode(JSON.stringify(inputOf(n)));
      bytes[bytes.length - 2] = 0xff;
      return refusal(broken(bytes), "invalid-utf8");
    },
  ],
  ["refused: a giant block name", BYTES, (n) => refusal(() => strata.getBlock({}, fill(n, "a")), "unknown-block")],
];

function broken(input) {
  return () => strata.assemble(input);
}

function fields(count, field) {
  return `{${list(count, field).join(",")}}`;
}

export const adversaries = [duplicates, lines, many, documents, statements, letters, refused].flat();
