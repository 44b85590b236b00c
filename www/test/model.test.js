// @ts-check

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { assemble } from "prompt-strata";
import { createAssembly } from "../src/model/assembly.js";
import { fromInput } from "../src/model/document.js";
import { compare } from "../src/model/drift.js";
import { begin, changeEnd, record, redo, undo } from "../src/model/history.js";
import { byPlace, countInWords } from "../src/model/notices.js";
import { describePath, parsePath, placesOf, placesOfPiece } from "../src/model/paths.js";
import { blockSizes, byteLength, totals } from "../src/model/sizes.js";
import { legendOf, spansOf } from "../src/model/spans.js";
import { grouped, percent } from "../src/model/words.js";

/** @import { AssembleInput } from "prompt-strata" */

/** @type {AssembleInput} */
const example = JSON.parse(readFileSync(new URL("../src/example.json", import.meta.url), "utf8"));

/** @param {AssembleInput} input */
function assembled(input) {
  return assemble({ ...input, options: { ...input.options, sections: true } });
}

test("spans are the system text, to the byte, and begin at line starts", () => {
  const odd = ["", " ", "x", "x\n", "\nx", "\n\nx\n\n", "a\r\nb", "é\n- ü", "  y  "];
  for (const first of odd) {
    for (const second of odd) {
      const result = assembled({
        layers: [
          { layer: "seed", content: { identity: first, instructions: second, guardrails: [first, second] } },
          { layer: "bot", source: "b", content: { operatingRules: second, surfaceNotes: second, guardrails: first } },
        ],
        runtime: { capabilityContract: second, surface: first, skills: second, mcp: first, standing: second },
        facts: [{ key: "k", value: first, volatility: "static" }],
        bindingGlue: second,
        channelMeta: first,
      });
      const spans = spansOf(result);
      assert.equal(spans.map(({ lead, body }) => lead + body).join(""), result.system);
      assert.equal(new Set(spans.map(({ key }) => key)).size, spans.length);
      let before = "\n";
      for (const { lead, body } of spans) {
        assert.ok(before.endsWith("\n") || lead !== "", JSON.stringify({ before, body }));
        before = lead + body;
      }
    }
  }
});

test("a separator shows as the blank lines it makes", () => {
  const spans = spansOf(assembled(example));
  assert.deepEqual(spans.slice(0, 2).map(({ lead, blankLines }) => [lead, blankLines]), [["", 0], ["\n\n", 1]]);
  const heading = spans.find(({ name }) => name === "guardrails");
  assert.deepEqual([heading?.lead, heading?.blankLines, heading?.origin], ["\n", 1, "wording"]);
});

test("the last span of each cache block carries the breakpoint", () => {
  const marked = spansOf(assembled(example)).filter(({ breakpoint }) => breakpoint);
  assert.deepEqual(marked.map(({ block, breakpoint }) => [block, breakpoint]), [
    ["workspace", "1h"],
    ["skills", "1h"],
    ["binding_glue", "1h"],
    ["channel_meta", "5m"],
  ]);
});

test("the legend is broadest first, then the host and the wording", () => {
  const keys = legendOf(spansOf(assembled(example)), ["seed", "shared", "workspace", "surface", "bot", "chat", "agent"]);
  assert.deepEqual(keys.map(({ key }) => key), [
    "seed", "shared", "workspace", "surface", "bot", "chat", "agent", "host", "wording",
  ]);
});

test("sizes are bytes of UTF-8, and shares add up", () => {
  const result = assembled(example);
  const sizes = blockSizes(result.blocks);
  assert.equal(sizes.reduce((sum, { bytes }) => sum + bytes, 0), Buffer.byteLength(result.system));
  assert.ok(Math.abs(sizes.reduce((sum, { share }) => sum + share, 0) - 1) < 1e-9);
  assert.equal(totals(result).prefix, Buffer.byteLength(result.prefix));
  assert.equal(byteLength("é😀"), 6);
  assert.deepEqual(blockSizes([]), []);
});

test("the last result that worked stays", () => {
  const run = createAssembly();
  const good = run({ layers: [{ layer: "seed", content: { identity: "Ada" } }] });
  const bad = run({ layers: [], facts: [{ key: " ", value: "x", volatility: "static" }] });
  assert.equal(bad.assembly, good.assembly);
  assert.equal(bad.problem?.code, "invalid-fact-key");
  assert.equal(run({ layers: [] }).problem, undefined);
});

test("comparison says which blocks are kept and which are read again", () => {
  const pinned = assembled(example);
  assert.deepEqual({ ...compare(pinned, pinned), kept: [] }, {
    drift: null, isComparable: true, isPrefixSame: true, kept: [], paid: [],
  });
  const skills = compare(pinned, assembled({ ...example, runtime: { ...example.runtime, skills: "none\n" } }));
  assert.deepEqual([skills.drift, skills.isPrefixSame], [null, false]);
  assert.deepEqual(skills.kept.map(({ label }) => label), ["workspace"]);
  assert.deepEqual(skills.paid.map(({ label }) => label), ["skills", "binding_glue", "channel_meta"]);
  const sender = compare(pinned, assembled({ ...example, channelMeta: "somebody else" }));
  assert.deepEqual([sender.isPrefixSame, sender.paid.map(({ label }) => label)], [true, ["channel_meta"]]);
  assert.equal(compare(assembled({ layers: [] }), pinned).isComparable, false);
});

test("paths lead to places, the most exact first", () => {
  const document = fromInput(example);
  const [seed, , workspace] = document.layers.map(({ id }) => id);
  assert.deepEqual(parsePath("layers[2].content.guardrails[0]"), ["layers", 2, "content", "guardrails", 0]);
  assert.deepEqual(placesOf(document, "layers[2].content.guardrails[1]"), [
    `layer-${workspace}-guardrails-1`, `layer-${workspace}-guardrails`, `layer-${workspace}`,
  ]);
  assert.deepEqual(placesOf(document, "layers[0].trusted"), [`layer-${seed}-trusted`, `layer-${seed}`]);
  assert.deepEqual(placesOf(document, "layers[99].trusted"), ["layers"]);
  assert.deepEqual(placesOf(document, "runtime.skills"), ["runtime-skills", "runtime"]);
  assert.deepEqual(placesOf(document, "options.wording.factsNote")[0], "wording-factsNote");
  assert.deepEqual(placesOf(document, ""), []);
  assert.equal(describePath(document, "layers[2].content.operatingRules"), "This workspace (tidepool-reader) › Operating rules");
  assert.equal(describePath(document, "facts[3]"), "Fact “pinned message”");
  assert.equal(describePath(document, "layers[99]"), "layers[99]");
});

test("every diagnostic of the example leads somewhere, and every span of it can be edited", () => {
  const document = fromInput(example);
  const result = assembled(example);
  for (const { path } of result.diagnostics) assert.ok(placesOf(document, path ?? "").length > 0, path);
  assert.ok(byPlace(document, result.diagnostics).size > 0);
  for (const span of spansOf(result)) {
    assert.ok(placesOfPiece(document, { ...span, text: span.body }).length > 0, span.name);
  }
});

test("undo joins quick typing in one place, and redo brings it back", () => {
  let past = begin("");
  past = record(past, "a", "field", 0);
  past = record(past, "ab", "field", 500);
  past = record(past, "ab c", "other", 600);
  past = record(past, "ab cd", "other", 9000);
  assert.equal(past.past.length, 3);
  const one = undo(past);
  assert.equal(one?.history.present, "ab c");
  const two = one && undo(one.history);
  assert.deepEqual([two?.history.present, two?.place], ["ab", "other"]);
  assert.equal(two && redo(two.history)?.history.present, "ab c");
  assert.equal(undo(begin("")), undefined);
  assert.equal(redo(past), undefined);
  assert.equal(record(past, past.present, "x", 0), past);
});

test("the caret goes to the end of the change", () => {
  assert.equal(changeEnd("hello world", "hello big world"), 9);
  assert.equal(changeEnd("abc", "abc"), 0);
  assert.equal(changeEnd("abc", ""), 0);
});

test("words for counts", () => {
  assert.equal(countInWords([]), "no notices");
  assert.equal(countInWords(assembled(example).diagnostics), "4 warnings, 9 notes");
  assert.deepEqual([0, 999, 1000, 1234567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
  assert.deepEqual([0, 0.001, 0.5].map(percent), ["0 %", "under 1 %", "50 %"]);
});
