// @ts-check

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { assemble } from "prompt-strata";
import * as model from "../src/model/document.js";
import { readJson, writeJson } from "../src/model/files.js";

/** @import { AssembleInput } from "prompt-strata" */

/** @type {AssembleInput} */
const example = JSON.parse(readFileSync(new URL("../src/example.json", import.meta.url), "utf8"));

test("the example goes through editing and back unchanged", () => {
  assert.deepEqual(model.toInput(model.fromInput(example)), example);
});

test("aliases and nulls are tidied without changing what is assembled", () => {
  const json = JSON.stringify({
    layers: [
      { layer: "seed", source: null, content: { operating_rules: "Be brief.", surface_notes: ["a"], identity: null } },
      { layer: "bot", trusted: false, content: { identity: "" } },
    ],
    runtime: { tool_index: "Tools:\n", skills: null },
    binding_glue: "peers",
    channel_meta: null,
    options: { wording: { guardrails_heading: "Never:" }, dialect: null },
  });
  const read = readJson(json);
  assert.ok("document" in read);
  assert.deepEqual(model.toInput(read.document), {
    layers: [
      { layer: "seed", content: { operatingRules: "Be brief.", surfaceNotes: ["a"] } },
      { layer: "bot", trusted: false, content: { identity: "" } },
    ],
    runtime: { toolIndex: "Tools:\n" },
    bindingGlue: "peers",
    options: { wording: { guardrailsHeading: "Never:" } },
  });
  assert.deepEqual(assemble(writeJson(read.document)), assemble(json));
});

test("a new layer goes where its breadth puts it", () => {
  let document = model.fromInput({
    layers: [
      { layer: "seed", content: {} },
      { layer: "bot", source: "a", content: {} },
      { layer: "agent", content: {} },
    ],
  });
  document = model.addLayer(document, "bot").document;
  document = model.addLayer(document, "shared").document;
  assert.deepEqual(
    document.layers.map(({ layer, source }) => [layer, source]),
    [["seed", undefined], ["shared", undefined], ["bot", "a"], ["bot", undefined], ["agent", undefined]],
  );
  assert.ok(model.isInOrder(document));
});

test("a layer changes places only with one of the same name, and moves when it is renamed", () => {
  const start = model.fromInput({
    layers: [
      { layer: "bot", source: "a", content: {} },
      { layer: "bot", source: "b", content: {} },
      { layer: "agent", content: {} },
    ],
  });
  const [a, b, agent] = start.layers.map(({ id }) => id);
  assert.ok(a !== undefined && b !== undefined && agent !== undefined);
  assert.equal(model.canMove(start, a, -1), false);
  assert.equal(model.canMove(start, b, 1), false);
  assert.deepEqual(model.moveLayer(start, a, 1).layers.map(({ id }) => id), [b, a, agent]);
  assert.equal(model.moveLayer(start, b, 1), start);
  assert.deepEqual(model.renameLayer(start, agent, "seed").layers.map(({ id }) => id), [agent, a, b]);
});

test("layers out of order stay so until they are put in order", () => {
  const document = model.fromInput({ layers: [{ layer: "bot", content: {} }, { layer: "seed", content: {} }] });
  assert.equal(model.isInOrder(document), false);
  assert.deepEqual(model.putInOrder(document).layers.map(({ layer }) => layer), ["seed", "bot"]);
});

test("inherit and empty are different", () => {
  const document = model.fromInput({ layers: [{ layer: "seed", content: { identity: "x" } }] });
  const id = Number(document.layers[0]?.id);
  assert.deepEqual(model.setContent(document, id, "identity", "").layers[0]?.content, { identity: "" });
  assert.deepEqual(model.setContent(document, id, "identity", undefined).layers[0]?.content, {});
  assert.deepEqual(document.layers[0]?.content, { identity: "x" }, "updates change nothing in place");
});

test("who is inherited from and who hides skip what is not trusted", () => {
  const document = model.fromInput({
    layers: [
      { layer: "seed", content: { identity: "s" } },
      { layer: "workspace", trusted: false, content: { identity: "w" } },
      { layer: "bot", content: {} },
      { layer: "agent", content: { identity: "" } },
    ],
  });
  const ids = document.layers.map(({ id }) => id);
  assert.equal(model.inheritedFrom(document, Number(ids[2]), "identity")?.layer, "seed");
  assert.equal(model.hiddenBy(document, Number(ids[0]), "identity")?.layer, "agent");
  assert.equal(model.hiddenBy(document, Number(ids[3]), "identity"), undefined);
});

test("a fact is part of the input once something is typed", () => {
  const { document, id } = model.addFact(model.emptyDocument());
  assert.equal(model.toInput(document).facts, undefined);
  assert.deepEqual(model.toInput(model.setFact(document, id, { key: "plan" })).facts, [
    { key: "plan", value: "", volatility: "static" },
  ]);
});

test("broken files give the words of the package", () => {
  for (const [json, code, path] of [
    ["{", "invalid-json", ""],
    ["[]", "wrong-type", ""],
    ['{"layers":[{"layer":"seed","content":{"gaurdrails":[]}}]}', "unknown-field", "layers[0].content.gaurdrails"],
    ['{"layers":[],"facts":[{"key":"","value":"","volatility":"static"}]}', "invalid-fact-key", "facts[0].key"],
  ]) {
    const read = readJson(String(json));
    assert.ok("problem" in read);
    assert.equal(read.problem.code, code);
    assert.equal(read.problem.path, path);
    assert.ok(read.problem.message.length > 10);
  }
  const notText = readJson(new Uint8Array([0x7b, 0xff, 0x7d]));
  assert.ok("problem" in notText && notText.problem.code === "invalid-utf8");
});
