// @ts-check

// Generators of nasty input, for the property tests: what means something to a line reader, to Markdown, to a facts
// block, or to one language's idea of white space and not to another's.

import fc from "fast-check";

/** @import { AssembleInput, Descriptor, Fact, LayerContent, LayerInput, Turn } from "prompt-strata" */

/** FUZZ=50 compares fifty times as many inputs, of a new seed each time. Without it, all runs are the same. */
export const effort = Number(process.env.FUZZ ?? 1);
fc.configureGlobal(process.env.FUZZ ? {} : { seed: 20_260_101 });

export const LAYERS = /** @type {const} */ (["seed", "shared", "workspace", "surface", "bot", "chat", "agent"]);

const SPACES = [" ", "  ", "\t", "\v", "\f", "\u0085", "\u00a0", "\u1680", "\u2028", "\u2029", "\u3000"];
const BREAKS = ["\n", "\n", "\r\n", "\r", "\n\n", " \n\t", "\n  ", "\n    "];

const MARKS = [
  ["# h", "## Guardrails", "#", "# Guardrails:", "## h ##", "### h: ##", "####### seven", "#no"],
  ["- x", "- -", "-", "- ", "* y", "*", "+ z", "+", "1. x", "12) x", "1.", "- # x", "- ```"],
  ["---", "- - -", "***", "* * *", "___", "===", "```", "```sh", "~~~", "~~~~", "`code`", "> quote"],
  ["<!-- c -->", "<!--", "-->", "<!-->", "<!-- c --> x", "<!-- block: identity -->", "{{version}}"],
  ["Guardrails:", "Guardrails: x", "guardrails", "Also true on this surface:", "ends:"],
  ["<facts>", "</facts>", "</FACTS", "<", "&lt;facts>", "<facts-info>"],
  ["a\u0085b", "\ufeff", "a\ufeffb", "\u200b", "\u{1f600}", "e\u0301", "\u0130", "\0", "\\", '"', "$&", "\u180e"],
].flat();

/** Words that differ only in what duplicates may differ in, and some that differ in more. */
const TWINS = ["never push", "Never  Push", "never\u00a0push", "NEVER\tPUSH", "\u0130stanbul", "istanbul", "ask first"];

const fragment = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...MARKS) },
  { weight: 2, arbitrary: fc.constantFrom(...TWINS) },
);
const gap = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...BREAKS) },
  { weight: 1, arbitrary: fc.constantFrom(...SPACES, "") },
);

/** White space of any kind, or nothing. */
export const blank = fc.array(fc.constantFrom(...SPACES, ...BREAKS), { maxLength: 3 }).map((pieces) => pieces.join(""));

/** Text of several lines, with white space of all kinds; may be blank. */
export const prose = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.array(fc.tuple(gap, fragment), { maxLength: 6 }), blank)
      .map(([pieces, end]) => pieces.flat().join("") + end),
  },
  { weight: 1, arbitrary: blank },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 12 }) },
);

/** A document of many short lines, for the readers of guardrail text. */
export const lines = fc
  .array(
    fc.tuple(fc.constantFrom("", "", "", " ", "  ", "    ", "\t", "\u00a0"), fragment, fc.constantFrom("", "", " ")),
    {
      maxLength: 14,
    },
  )
  .chain((them) =>
    fc
      .tuple(...them.map(() => fc.constantFrom("\n", "\n", "\n", "\n\n", "\r\n", " \n")))
      .map((ends) => them.map((line, index) => line.join("") + ends[index]).join("")),
  );

/**
 * A field that may be left out.
 *
 * @template T
 * @param {fc.Arbitrary<T>} arbitrary
 * @param {number} weight Of being there, against one of being left out.
 */
const maybe = (arbitrary, weight = 1) =>
  fc.oneof({ weight: 1, arbitrary: fc.constant(undefined) }, { weight, arbitrary });

/**
 * A record whose fields may be left out.
 *
 * @param {Record<string, fc.Arbitrary<unknown>>} fields
 */
const record = (fields) =>
  fc
    .record(Object.fromEntries(Object.entries(fields).map(([name, arbitrary]) => [name, maybe(arbitrary)])))
    .map((made) => Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined)));

const items = fc.oneof(fc.array(fc.oneof(fragment, prose), { maxLength: 5 }), prose);

/** @type {fc.Arbitrary<LayerContent>} */
export const content = record({
  identity: prose,
  operatingRules: prose,
  instructions: prose,
  guardrails: items,
  surfaceNotes: items,
});

/** Few sources, so that layers repeat. */
const source = fc.constantFrom(undefined, undefined, "a", "b: \u{1f600}");

/** @type {fc.Arbitrary<LayerInput>} */
export const layerInput = fc
  .tuple(fc.constantFrom(...LAYERS), source, fc.constantFrom(undefined, true, false), content)
  .map(([layer, source, trusted, content]) => ({
    layer,
    ...(source !== undefined && { source }),
    ...(trusted !== undefined && { trusted }),
    content,
  }));

const factKey = fc
  .oneof(fc.constantFrom("time", "plan", "time ", "<facts>", "a: b", "\u{1f600}"), fragment)
  .map((key) => (/[^\p{White_Space}]/u.test(key) ? key.replace(/[\r\n]/g, "") || "k" : "k"));

/** @type {(volatility: fc.Arbitrary<"static" | "dynamic">) => fc.Arbitrary<Fact>} */
const factOf = (volatility) => fc.record({ key: factKey, value: prose, volatility });

export const fact = factOf(fc.constantFrom("static", "dynamic"));
export const dynamicFact = factOf(fc.constant("dynamic"));

const runtime = record({
  capabilityContract: prose,
  presentationContract: prose,
  sandboxContract: prose,
  surface: prose,
  skills: prose,
  mcp: prose,
  toolIndex: prose,
  standing: prose,
  epistemicStance: prose,
  temporal: prose,
});

const wording = fc.oneof(
  fc.constantFrom("source", "neutral"),
  record({
    guardrailsHeading: prose,
    surfaceNotesHeading: prose,
    instructionsHeading: prose,
    stanceClarifier: prose,
    factsNote: prose,
    untrustedHeading: prose,
    base: fc.constantFrom("source", "neutral"),
  }),
);

const options = record({
  untrusted: fc.constantFrom("guardrails-only", "apart", "drop"),
  dialect: fc.constantFrom("strict", "markdown"),
  wording,
  sections: fc.boolean(),
});

/** @type {fc.Arbitrary<AssembleInput>} */
export const input = fc
  .record({
    layers: fc.array(layerInput, { maxLength: 5 }),
    runtime: maybe(runtime, 3),
    facts: maybe(fc.array(fact, { maxLength: 4 }), 2),
    bindingGlue: maybe(prose),
    channelMeta: maybe(prose),
    options: maybe(options, 2),
  })
  .map((made) => /** @type {any} */ (Object.fromEntries(Object.entries(made).filter(([, it]) => it !== undefined))));

/** @type {fc.Arbitrary<Turn>} */
export const turn = record({
  facts: fc.array(dynamicFact, { maxLength: 3 }),
  channelMeta: prose,
  epistemicStance: prose,
  temporal: prose,
});

// ---------------------------------------------------------------- few texts, so that duplicates are the rule

const fewTexts = fc.constantFrom("x", " y\n", "", "\u00e9 \u{1f600}");
const fewItems = fc.oneof(
  fc.array(fc.constantFrom("a", "A ", "b", "Never:", "never: ", "", "c\nd", "<facts> \u00e9"), { maxLength: 3 }),
  fc.constantFrom("- a\n- b", "# Never\n- a", "Guardrails:\n* A", "", "b\n\nc d"),
);

/** @type {fc.Arbitrary<LayerInput>} */
export const fewLayer = fc
  .tuple(
    fc.constantFrom(/** @type {const} */ ("seed"), "workspace", "bot", "chat"),
    fc.constantFrom(undefined, "s"),
    fc.constantFrom(undefined, true, false),
    record({
      identity: fewTexts,
      operatingRules: fewTexts,
      instructions: fewTexts,
      guardrails: fewItems,
      surfaceNotes: fewItems,
    }),
  )
  .map(([layer, source, trusted, content]) => ({
    layer,
    ...(source !== undefined && { source }),
    ...(trusted !== undefined && { trusted }),
    content,
  }));

/** @type {fc.Arbitrary<AssembleInput>} */
export const fewInput = fc
  .tuple(fc.array(fewLayer, { maxLength: 3 }), options, input)
  .map(([layers, options, { facts, channelMeta, runtime }]) => ({
    layers,
    options,
    ...(facts && { facts }),
    ...(channelMeta && { channelMeta }),
    ...(runtime && { runtime }),
  }));

/**
 * Few keys and few texts, so that both repeat.
 *
 * @type {fc.Arbitrary<Descriptor>}
 */
export const descriptor = fc
  .tuple(
    fc.constantFrom("identity", "guardrails", "from-tomorrow"),
    fc.constantFrom("seed", "bot", "agent", "tenant"),
    source,
    fc.nat(3),
  )
  .map(([block, layer, source, bytes]) => ({
    block,
    layer,
    ...(source !== undefined && { source }),
    digest: String(bytes).repeat(4),
    bytes,
  }));
