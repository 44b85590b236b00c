// @ts-check

// The Assembler, against the plain functions; and that results are plain data.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";

import { collectGarbage, liveInstances, madeInstances, memoryBytes } from "./instances.js";
import * as strata from "prompt-strata";
import { blank, content, input, layerInput, LAYERS, prose, turn } from "./generators.js";

/** @import { AssembleInput, Assembly, Fact, LayerInput, Turn } from "prompt-strata" */

const { assemble, Assembler, StrataError } = strata;

/** @param {Fact[] | readonly Fact[] | null | undefined} facts @param {string} volatility */
const only = (facts, volatility) => (facts ?? []).filter((fact) => fact.volatility === volatility);

/**
 * The input that a turn amounts to, with the order of facts that it keeps: first those that are static.
 *
 * @param {AssembleInput} input
 * @param {Turn} turn
 * @returns {AssembleInput}
 */
function during(input, { facts, channelMeta, ...runtime }) {
  return {
    ...input,
    ...(facts && { facts: [...only(input.facts, "static"), ...facts] }),
    ...(channelMeta !== undefined && { channelMeta }),
    runtime: { ...input.runtime, ...runtime },
  };
}

/**
 * Everything that a turn may change, and all that it may not.
 *
 * @param {AssembleInput} input
 * @param {Assembly} found
 * @param {Turn} turn
 */
function checkTurn(input, found, turn) {
  const stable = assemble({ ...input, channelMeta: "" });
  const want = assemble(during(input, turn));
  assert.equal(found.prefix, stable.prefix);
  assert.equal(found.tail, want.tail);
  assert.deepEqual(found.descriptors, stable.descriptors);
  assert.equal(found.fingerprint, stable.fingerprint);
  assert.deepEqual(found.effective, stable.effective);
  assert.equal(found.blocks.map(({ text }) => text).join(""), found.system);
  if (!turn.facts) assert.deepEqual(found, want);
  const isDeclared = only(input.facts, "dynamic").length > 0;
  if (isDeclared === only(during(input, turn).facts, "dynamic").length > 0) {
    const { diagnostics: _found, ...rest } = found;
    const { diagnostics: _want, ...wanted } = want;
    assert.deepEqual(rest, wanted);
  }
  const undeclared = found.diagnostics.filter(({ code }) => code === "undeclared-dynamic-fact");
  assert.equal(undeclared.length, isDeclared ? 0 : (turn.facts ?? []).length);
}

test("a turn that brings nothing is what assemble gives", () => {
  fc.assert(
    fc.property(input, (input) => {
      const assembler = new Assembler(input);
      const want = assemble(input);
      assert.deepEqual(assembler.assemble(), want);
      assert.deepEqual(assembler.assemble({}), want);
      assert.deepEqual(
        assembler.assemble({ facts: null, channelMeta: null, epistemicStance: null, temporal: null }),
        want,
      );
      assembler.free();
    }),
    { numRuns: 400 },
  );
});

test("a handle is made from JSON text and bytes as from an object", () => {
  fc.assert(
    fc.property(input, turn, (input, turn) => {
      const text = JSON.stringify(input);
      const made = [input, text, new TextEncoder().encode(text)].map((it) => new Assembler(it));
      const [want, ...others] = made.map((assembler) => assembler.assemble(turn));
      for (const other of others) assert.deepEqual(other, want);
      for (const assembler of made) assembler.free();
    }),
    { numRuns: 200 },
  );
});

test("a turn gives what assemble gives for the same facts, and never changes the prefix", () => {
  fc.assert(
    fc.property(input, fc.array(turn, { minLength: 1, maxLength: 4 }), (input, turns) => {
      const assembler = new Assembler(input);
      const first = assembler.assemble();
      for (const turn of turns) checkTurn(input, assembler.assemble(turn), turn);
      // Turns leave nothing behind.
      assert.deepEqual(assembler.assemble(), first);
      assembler.free();
    }),
    { numRuns: 500 },
  );
});

test("a refused turn leaves nothing behind either", () => {
  fc.assert(
    fc.property(input, turn, (input, turn) => {
      const assembler = new Assembler(input);
      const first = assembler.assemble();
      const fact = { key: "k", value: "v", volatility: /** @type {const} */ ("static") };
      const facts = [...(turn.facts ?? []), fact];
      assert.throws(() => assembler.assemble({ ...turn, facts }), { code: "static-fact-in-turn" });
      assert.deepEqual(assembler.assemble(), first);
      assembler.free();
    }),
    { numRuns: 100 },
  );
});

// ---------------------------------------------------------------- layers set and removed

/**
 * A step of the model: an edit and, where it is a turn, what it brings.
 *
 * @typedef {{ set: LayerInput } | { remove: [LayerInput["layer"], string | undefined] } | { turn: Turn }} Step
 */

/** @type {fc.Arbitrary<Step>} */
const step = fc.oneof(
  { weight: 3, arbitrary: layerInput.map((set) => ({ set })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...LAYERS), fc.constantFrom(undefined, "a", "b: \u{1f600}"))
      .map((remove) => ({ remove })),
  },
  { weight: 1, arbitrary: turn.map((turn) => ({ turn })) },
);

/**
 * Where the layers with a name and source are.
 *
 * @param {readonly LayerInput[]} layers
 * @param {string} layer
 * @param {string | null | undefined} source
 */
const places = (layers, layer, source) =>
  layers.flatMap((it, index) => (it.layer === layer && (it.source ?? null) === (source ?? null) ? [index] : []));

/**
 * The layers after `setLayer`, or null where it has to be refused.
 *
 * @param {readonly LayerInput[]} layers
 * @param {LayerInput} set
 */
function afterSet(layers, set) {
  const [at, another] = places(layers, set.layer, set.source);
  if (another !== undefined) return null;
  if (at !== undefined) return layers.with(at, set);
  const rank = (/** @type {LayerInput} */ it) => LAYERS.indexOf(it.layer);
  return layers.toSpliced(layers.findLastIndex((it) => rank(it) <= rank(set)) + 1, 0, set);
}

test("any sequence of edits and turns is what assemble gives for the layers that are left", () => {
  const seen = { replaced: 0, added: 0, removed: 0, absent: 0, ambiguous: 0 };
  fc.assert(
    fc.property(input, fc.array(step, { minLength: 1, maxLength: 12 }), (input, steps) => {
      const assembler = new Assembler(input);
      let { layers } = input;
      for (const step of steps) {
        if ("turn" in step) {
          checkTurn({ ...input, layers }, assembler.assemble(step.turn), step.turn);
          continue;
        }
        const edit = () => {
          if ("set" in step) assembler.setLayer(step.set);
          else return assembler.removeLayer(...step.remove);
        };
        if ("set" in step) {
          const next = afterSet(layers, step.set);
          if (next === null) {
            assert.throws(edit, { code: "ambiguous-layer", path: "layer" });
            seen.ambiguous += 1;
          } else {
            edit();
            seen[next.length === layers.length ? "replaced" : "added"] += 1;
            layers = next;
          }
        } else {
          const [at, another] = places(layers, ...step.remove);
          if (another !== undefined) {
            assert.throws(edit, { code: "ambiguous-layer", path: "layer" });
            seen.ambiguous += 1;
          } else {
            assert.equal(edit(), at !== undefined);
            seen[at === undefined ? "absent" : "removed"] += 1;
            if (at !== undefined) layers = layers.toSpliced(at, 1);
          }
        }
        assert.deepEqual(assembler.assemble(), assemble({ ...input, layers }));
      }
      assembler.free();
    }),
    { numRuns: 600 },
  );
  for (const [what, count] of Object.entries(seen)) assert.ok(count > 0, `no layer was ever ${what}`);
});

test("a new layer goes after the last that is not narrower", () => {
  const layer = (/** @type {LayerInput["layer"]} */ layer, /** @type {string} */ source) => ({
    layer,
    source,
    content: { instructions: source },
  });
  const layers = [layer("bot", "1"), layer("seed", "2"), layer("chat", "3"), layer("bot", "4"), layer("agent", "5")];
  const assembler = new Assembler({ layers });
  assembler.setLayer(layer("bot", "new"));
  const order = assembler.assemble().prefix.match(/(?<=^- ).*$/gm);
  assert.deepEqual(order, ["1", "2", "3", "4", "new", "5"]);
  assembler.setLayer(layer("seed", "first"));
  assert.deepEqual(assembler.assemble().prefix.match(/(?<=^- ).*$/gm), ["1", "2", "first", "3", "4", "new", "5"]);
  assembler.free();
});

// ---------------------------------------------------------------- results

/** @type {AssembleInput} */
const FULL = {
  layers: [
    { layer: "seed", content: { identity: "Ada", operatingRules: "r", instructions: "i", guardrails: ["g", "G"] } },
    { layer: "workspace", content: { guardrails: ["g"], surfaceNotes: ["n"] } },
    { layer: "bot", source: "b", trusted: false, content: { identity: "x", guardrails: ["h"] } },
  ],
  runtime: { surface: "On a phone.\n", skills: "Skills\n", standing: "Memory\n", epistemicStance: "s", temporal: "t" },
  facts: [
    { key: "plan", value: "pro", volatility: "static" },
    { key: "time", value: "1\n2", volatility: "dynamic" },
  ],
  bindingGlue: "glue",
  channelMeta: "Ann writes.",
  options: { sections: true },
};

/** Results of every function that gives an object or a list. */
function everyResult() {
  const assembler = new Assembler(FULL);
  const was = assemble(FULL);
  const now = assemble({ ...FULL, layers: FULL.layers.slice(1) });
  const results = {
    assemble: was,
    withoutSections: assemble({ ...FULL, options: {} }),
    empty: assemble({ layers: [] }),
    resolve: strata.resolve({ layers: FULL.layers, runtime: FULL.runtime }),
    turn: assembler.assemble(),
    bareTurn: assembler.assemble({ facts: [], channelMeta: "" }),
    parseGuardrails: strata.parseGuardrails("- a\n- b"),
    buildBlocks: strata.buildBlocks({ workspace: "w", channelMeta: "c" }),
    parseSeed: strata.parseSeed("x\n<!-- block: identity -->\ny", { version: "1" }),
    drift: strata.drift(was.descriptors, now.descriptors),
    setBlock: strata.setBlock({ identity: "x", guardrails: "- a" }, "guardrails", "- b"),
    cleared: strata.setBlock({ identity: "x" }, "identity", null),
    layerFromFiles: strata.layerFromFiles({ "identity.md": "x", "other.md": "y", "guardrails.md": "" }),
    layerToFiles: strata.layerToFiles({ identity: "x", guardrails: ["a"] }),
  };
  assembler.free();
  return results;
}

/**
 * @param {unknown} value
 * @param {string} path
 */
function checkPlain(value, path) {
  if (value === null || typeof value === "string" || typeof value === "boolean") return;
  if (typeof value === "number") {
    assert.ok(Number.isSafeInteger(value), path);
    return;
  }
  assert.equal(typeof value, "object", `${path} is a ${typeof value}`);
  const object = /** @type {object} */ (value);
  const prototype = Object.getPrototypeOf(object);
  assert.ok(prototype === Object.prototype || prototype === Array.prototype, `${path} is no plain object`);
  assert.deepEqual(Object.getOwnPropertySymbols(object), [], path);
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(object))) {
    if (Array.isArray(object) && name === "length") continue;
    assert.ok("value" in descriptor && descriptor.enumerable, `${path}.${name} is no plain field`);
    checkPlain(descriptor.value, `${path}.${name}`);
  }
}

test("results are plain data, without undefined fields", () => {
  for (const [name, result] of Object.entries(everyResult())) {
    checkPlain(result, name);
    assert.deepEqual(JSON.parse(JSON.stringify(result)), result, name);
    assert.deepEqual(structuredClone(result), result, name);
  }
});

test("generated results are plain data, too", () => {
  fc.assert(
    fc.property(input, turn, content, (input, turn, content) => {
      const assembler = new Assembler(input);
      for (const result of [assemble(input), assembler.assemble(turn), strata.setBlock(content, "identity", "x")]) {
        checkPlain(result, "result");
        assert.deepEqual(JSON.parse(JSON.stringify(result)), result);
      }
      assembler.free();
    }),
    { numRuns: 300 },
  );
});

test("what assemble gives belongs to the caller", () => {
  const want = structuredClone(assemble(FULL));
  /** @param {any} value */
  const overwrite = (value) => {
    if (typeof value !== "object" || value === null) return;
    for (const name of Object.keys(value)) {
      overwrite(value[name]);
      value[name] = "changed";
    }
    value.more = "added";
  };
  for (const result of Object.values(everyResult()).slice(0, 4)) overwrite(result);
  overwrite(strata.resolve({ layers: FULL.layers }));
  assert.deepEqual(assemble(FULL), want);
});

test("the stable parts of a handle's results are shared and frozen, the rest is each turn's own", () => {
  const assembler = new Assembler(FULL);
  const first = assembler.assemble();
  const second = assembler.assemble({ channelMeta: "Bob writes." });
  assert.equal(first.descriptors, second.descriptors);
  assert.equal(first.effective, second.effective);
  assert.ok(Object.isFrozen(first.descriptors) && first.descriptors.every(Object.isFrozen));
  assert.ok(Object.isFrozen(first.effective));
  const stable = (/** @type {Assembly} */ { blocks }) => blocks.filter(({ cache }) => cache === "1h");
  assert.equal(stable(first).length, 3);
  stable(first).forEach((block, index) => {
    assert.equal(block, stable(second)[index]);
    assert.ok(Object.isFrozen(block));
  });
  const inPrefix = (/** @type {Assembly} */ { sections, prefix }) =>
    (sections ?? []).filter(({ end }) => end <= prefix.length);
  assert.ok(inPrefix(first).length > 5 && inPrefix(first).every(Object.isFrozen));

  assert.notEqual(first.blocks, second.blocks);
  assert.notEqual(first, second);
  assert.ok(!Object.isFrozen(first));
  /** @type {any} */ (first).blocks.push("mine");
  first.prefix = "mine";
  const third = assembler.assemble();
  assert.equal(third.blocks.length, 4);
  assert.equal(third.prefix, second.prefix);

  // An edit makes new parts; what was handed out stays as it was.
  const before = structuredClone(second);
  assembler.setLayer({ layer: "agent", content: { identity: "Eve" } });
  assert.deepEqual(second, before);
  assert.notDeepEqual(assembler.assemble().descriptors, second.descriptors);
  // What an edit did not touch is the very same text.
  assert.equal(assembler.assemble().blocks[1].text, second.blocks[1].text);
  assembler.free();
});

test("arguments are not changed, and not kept", () => {
  const mine = structuredClone(FULL);
  const assembler = new Assembler(mine);
  assert.deepEqual(mine, FULL);
  const want = assembler.assemble();
  /** @type {any} */ (mine).layers[0].content.identity = "Mallory";
  assert.deepEqual(assembler.assemble(), want);
  const layer = { layer: /** @type {const} */ ("agent"), content: { guardrails: ["z"] } };
  assembler.setLayer(layer);
  const edited = assembler.assemble();
  layer.content.guardrails.push("zz");
  assert.deepEqual(assembler.assemble(), edited);
  assembler.free();

  const frozen = Object.freeze({ guardrails: Object.freeze(["a"]) });
  assert.deepEqual(strata.setBlock(frozen, "guardrails", "- b"), { guardrails: ["b"] });
});

// ---------------------------------------------------------------- the end of a handle

test("a handle is freed by free and by Symbol.dispose, and again without harm", () => {
  const ways = ["free", ...(Symbol.dispose ? [Symbol.dispose] : [])];
  for (const way of ways) {
    const assembler = /** @type {any} */ (new Assembler(FULL));
    const other = new Assembler(FULL);
    const want = other.assemble();
    const result = assembler.assemble();
    assembler[way]();
    assembler[way]();
    assembler.free();
    assert.throws(() => assembler.assemble(), StrataError);
    // What it gave is still there, and so is the next handle.
    assert.deepEqual(result, want);
    assert.deepEqual(other.assemble(), want);
    other.free();
  }
});

test("Symbol.dispose is there where the runtime knows it", () => {
  assert.equal(typeof Symbol.dispose === "symbol", Symbol.dispose in Assembler.prototype);
});

test("4,000 handles, freed, take no more memory than one", () => {
  const warm = () => {
    for (let round = 0; round < 500; round += 1) use();
  };
  warm();
  const memory = memoryBytes();
  const instances = madeInstances();
  for (let round = 0; round < 8; round += 1) warm();
  assert.equal(memoryBytes(), memory);
  assert.equal(madeInstances(), instances);
});

function use() {
  const assembler = new Assembler(FULL);
  assembler.assemble({ channelMeta: "x" });
  assembler.setLayer({ layer: "agent", content: { guardrails: ["z"] } });
  assembler.removeLayer("agent");
  assert.throws(() => assembler.removeLayer("seed", /** @type {any} */ (5)), StrataError);
  assembler.free();
}

test("handles that nobody freed are, once they are garbage", async () => {
  const leak = () => {
    const big = { layers: [{ layer: /** @type {const} */ ("seed"), content: { identity: "x".repeat(200_000) } }] };
    for (let round = 0; round < 50; round += 1) new Assembler(big);
  };
  for (let round = 0; round < 3; round += 1) {
    leak();
    await collectGarbage();
  }
  const memory = memoryBytes();
  for (let round = 0; round < 20; round += 1) {
    leak();
    await collectGarbage();
  }
  assert.ok(memoryBytes() <= memory * 1.5, `the memory grew from ${memory} to ${memoryBytes()} bytes`);
});

test("calls without handles leave nothing behind, whether they work or not", () => {
  const call = () => {
    assemble(FULL);
    strata.resolve({ layers: FULL.layers });
    strata.drift(assemble(FULL).descriptors, []);
    assert.throws(() => assemble(/** @type {any} */ ({ layers: [{ layer: "x", content: {} }] })), StrataError);
    assert.throws(() => assemble("{"), StrataError);
    assert.throws(() => strata.renderFacts([{ key: "", value: "v", volatility: "static" }]), StrataError);
  };
  for (let round = 0; round < 200; round += 1) call();
  const memory = memoryBytes();
  for (let round = 0; round < 3000; round += 1) call();
  assert.equal(memoryBytes(), memory);
  assert.equal(liveInstances(), 1);
});

test("generated text is at times blank and at times not", () => {
  const isBlank = (/** @type {string} */ text) => !/[^\p{White_Space}]/u.test(text);
  assert.ok(fc.sample(blank, 20).every(isBlank));
  const texts = fc.sample(prose, 200).map(isBlank);
  assert.ok(texts.includes(true) && texts.includes(false));
});
