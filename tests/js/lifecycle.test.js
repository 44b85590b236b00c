// @ts-check

// The Assembler, against the plain functions; and that results are plain data.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";

import { collectGarbage, liveInstances, madeInstances, memoryBytes } from "./instances.js";
import * as strata from "prompt-strata";
import { markRaw, reactive, ref, shallowReactive, toRaw } from "@vue/reactivity";
import { blank, content, fewInput, fewLayer, input, layerInput, LAYERS, prose, turn } from "./generators.js";

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
 * @typedef {{ set: LayerInput } | { refuse: unknown } | { remove: [LayerInput["layer"], string | undefined] }
 *   | { turn: Turn }} Step
 */

/** What `setLayer` refuses, whatever the handle holds. */
const refusal = fc.constantFrom(
  { layer: "nobody", content: {} },
  { layer: "seed", content: { identity: 5 } },
  { layer: "seed", content: { guardrails: ["a", "\ud800"] } },
  { layer: "bot" },
  null,
);

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
  { weight: 1, arbitrary: refusal.map((refuse) => ({ refuse })) },
);

/** @type {fc.Arbitrary<Step>} */
const fewStep = fc.oneof(
  { weight: 4, arbitrary: fewLayer.map((set) => ({ set })) },
  {
    weight: 3,
    arbitrary: fewLayer.map(({ layer, source }) => ({
      remove: /** @type {[LayerInput["layer"], string | undefined]} */ ([layer, source ?? undefined]),
    })),
  },
  { weight: 1, arbitrary: turn.map((turn) => ({ turn })) },
  { weight: 1, arbitrary: refusal.map((refuse) => ({ refuse })) },
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

/**
 * Makes edits and turns of a handle, and compares each with what `assemble` gives for the layers that are left.
 *
 * @param {fc.Arbitrary<AssembleInput>} input
 * @param {fc.Arbitrary<Step>} step
 * @param {number} numRuns
 */
function checkEdits(input, step, numRuns) {
  const seen = { replaced: 0, added: 0, removed: 0, absent: 0, ambiguous: 0, refused: 0 };
  fc.assert(
    fc.property(input, fc.array(step, { minLength: 1, maxLength: 12 }), (input, steps) => {
      const assembler = new Assembler(input);
      let { layers } = input;
      for (const step of steps) {
        if ("turn" in step) {
          checkTurn({ ...input, layers }, assembler.assemble(step.turn), step.turn);
          continue;
        }
        if ("refuse" in step) {
          assert.throws(() => assembler.setLayer(/** @type {any} */ (step.refuse)), StrataError);
          seen.refused += 1;
        }
        const edit = () => {
          if ("set" in step) assembler.setLayer(step.set);
          else if ("remove" in step) return assembler.removeLayer(...step.remove);
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
        } else if ("remove" in step) {
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
    { numRuns },
  );
  for (const [what, count] of Object.entries(seen)) assert.ok(count > 0, `no layer was ever ${what}`);
}

test("any sequence of edits and turns is what assemble gives for the layers that are left", () => {
  checkEdits(input, step, 600);
});

test("the same where few distinct items make duplicates the rule", () => {
  checkEdits(fewInput, fewStep, 20_000);
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

/** The lists and objects in a value. @param {unknown} value @returns {object[]} */
const partsOf = (value) =>
  typeof value === "object" && value !== null ? [value, ...Object.values(value).flatMap(partsOf)] : [];

test("which parts of a handle's results are frozen does not depend on what they hold", () => {
  fc.assert(
    fc.property(input, turn, (input, turn) => {
      const assembler = new Assembler(input);
      for (const result of [assembler.assemble(), assembler.assemble(turn), assembler.assemble()]) {
        const { blocks, sections, diagnostics, descriptors, effective } = result;
        const own = [result, blocks, diagnostics, ...(sections ? [sections] : [])];
        for (const part of own) assert.ok(!Object.isFrozen(part));
        const shared = [...blocks, ...diagnostics, ...(sections ?? []), ...partsOf(descriptors), effective];
        assert.ok(shared.every(Object.isFrozen));
        // Nobody else has the lists.
        blocks.length = diagnostics.length = 0;
        if (sections) sections.length = 0;
      }
      assert.deepEqual(assembler.assemble(), assemble(input));
      assembler.free();
      // Without a handle nothing is shared, and nothing frozen.
      assert.ok(!partsOf(assemble(input)).some((part) => Object.isFrozen(part)));
    }),
    { numRuns: 200 },
  );
});

test("the results of a handle share what no turn changes", () => {
  const assembler = new Assembler(FULL);
  const first = assembler.assemble();
  const second = assembler.assemble({ channelMeta: "Bob writes." });
  assert.equal(first.descriptors, second.descriptors);
  assert.equal(first.effective, second.effective);
  const stable = (/** @type {Assembly} */ { blocks }) => blocks.filter(({ cache }) => cache === "1h");
  assert.equal(stable(first).length, 3);
  stable(first).forEach((block, index) => assert.equal(block, stable(second)[index]));

  assert.notEqual(first, second);
  first.prefix = "mine";
  assert.equal(assembler.assemble().prefix, second.prefix);

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

// ---------------------------------------------------------------- calls from within a call

/**
 * An input that makes a call while it is read.
 *
 * @param {() => unknown} call
 */
function calling(call) {
  /** @type {any[]} */
  const outcomes = [];
  const record = () => {
    try {
      outcomes.push(call());
    } catch (thrown) {
      outcomes.push(thrown);
    }
    return "Eve";
  };
  const content = {
    get identity() {
      return record();
    },
  };
  const trap = new Proxy({ identity: "Eve" }, { ownKeys: (target) => (record(), Reflect.ownKeys(target)) });
  return { outcomes, layers: [content, trap].map((content) => ({ layer: /** @type {const} */ ("agent"), content })) };
}

const BUSY = "this Assembler is busy: another of its calls still reads its input";

test("a call on a handle whose other call still reads its input is refused, and the other goes on", () => {
  const assembler = new Assembler(FULL);
  /** @type {(() => unknown)[]} */
  const calls = [
    () => assembler.free(),
    () => assembler.assemble(),
    () => assembler.setLayer({ layer: "chat", content: { identity: "x" } }),
    () => assembler.removeLayer("seed"),
  ];
  const edited = { ...FULL, layers: [...FULL.layers, { layer: /** @type {const} */ ("agent"), content: { identity: "Eve" } }] };
  for (const call of calls) {
    const { outcomes, layers } = calling(call);
    for (const layer of layers) {
      assembler.setLayer(layer);
      assert.deepEqual(assembler.assemble(), assemble(edited));
      assembler.removeLayer("agent");
      assert.deepEqual(assembler.assemble(), assemble(FULL));
    }
    assert.ok(outcomes.length >= 2);
    for (const thrown of outcomes) {
      assert.ok(thrown instanceof StrataError);
      assert.deepEqual([thrown.code, thrown.path, thrown.message], ["handle-busy", "", BUSY]);
    }
    const turn = {
      get channelMeta() {
        assert.throws(call, { code: "handle-busy" });
        return "x";
      },
    };
    assert.deepEqual(assembler.assemble(turn), assemble({ ...FULL, channelMeta: "x" }));
  }
  assembler.free();
});

test("a refusal that nobody caught is an unreadable value, and the handle is as it was", () => {
  const assembler = new Assembler(FULL);
  const content = {
    get identity() {
      return assembler.assemble().prefix;
    },
  };
  const message = `unreadable value at content.identity: ${BUSY}`;
  assert.throws(() => assembler.setLayer({ layer: "agent", content }), { code: "unreadable", message });
  assert.deepEqual(assembler.assemble(), assemble(FULL));
  assembler.free();
});

test("another handle, and a function, may be called while an input is read", () => {
  const assembler = new Assembler(FULL);
  const other = new Assembler(FULL);
  const want = assemble(FULL);
  /** @type {(() => unknown)[]} */
  const calls = [() => other.assemble(), () => assemble(FULL), () => new Assembler(FULL).assemble()];
  for (const call of calls) {
    const { outcomes, layers } = calling(call);
    for (const layer of layers) assembler.setLayer(layer);
    assert.ok(outcomes.length >= 2);
    for (const outcome of outcomes) assert.deepEqual(outcome, want);
  }
  const inner = calling(() => other.setLayer({ layer: "chat", content: { identity: "x" } }));
  assembler.setLayer(inner.layers[0]);
  assert.equal(other.assemble().effective.identity, "x");
  for (const it of [assembler, other]) it.free();
});

test("a core that fails while an input is read makes the outer call's handle stale, and says so", () => {
  const assembler = new Assembler(FULL);
  const { decode } = TextDecoder.prototype;
  const content = {
    get identity() {
      TextDecoder.prototype.decode = () => {
        throw new Error("boom");
      };
      try {
        assemble(FULL);
      } catch (thrown) {
        assert.equal(/** @type {any} */ (thrown).code, "internal");
      } finally {
        TextDecoder.prototype.decode = decode;
      }
      assemble(FULL);
      return "x";
    },
  };
  assert.throws(() => assembler.setLayer({ layer: "agent", content }), { code: "stale-handle" });
  assert.throws(() => assembler.assemble(), { code: "stale-handle" });
});

test("a proxy of a handle says what to do", () => {
  const assembler = new Assembler(FULL);
  const want = assemble(FULL);
  const message = "this is no Assembler but perhaps a proxy of one: call the one inside, as by toRaw(it) of Vue";
  const wrapped = [reactive(assembler), ref(assembler).value, shallowReactive({ it: reactive(assembler) }).it];
  for (const it of [...wrapped, new Proxy(assembler, {}), Object.create(assembler)]) {
    for (const call of [
      () => it.assemble(),
      () => it.setLayer({ layer: "seed", content: {} }),
      () => it.removeLayer("seed"),
      () => it.free(),
    ]) {
      assert.throws(call, { name: "StrataError", code: "wrapped-handle", path: "", message });
    }
  }
  for (const it of [undefined, null, 5, {}]) {
    assert.throws(() => assembler.assemble.call(/** @type {any} */ (it)), { code: "wrapped-handle", message });
  }
  assert.deepEqual(toRaw(wrapped[0]).assemble(), want);
  assert.deepEqual(reactive(markRaw(assembler)).assemble(), want);
  assembler.free();
});

test("a class of the host's own may extend Assembler", () => {
  class Counting extends Assembler {
    turns = 0;

    /** @param {Turn} [turn] */
    assemble(turn) {
      this.turns += 1;
      return super.assemble(turn);
    }
  }
  const assembler = new Counting(FULL);
  assert.deepEqual(assembler.assemble(), assemble(FULL));
  assert.equal(assembler.turns, 1);
  assembler.free();
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
