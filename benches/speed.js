// How fast: the package beside plain JavaScript, itself, the native core and template engines.

import assert from "node:assert/strict";

import { machine, others, strata, strataAlone, withNoble, withNode } from "./contestants.js";
import { native, wasm } from "./core.js";
import { inputOf, SIZES } from "./inputs.js";
import { calibrate, compare, pair, time } from "./measure.js";
import { head, row, verdict } from "./table.js";
import { contextOf, engines } from "./templates.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });
const buffer = new Uint8Array(3 * SIZES.at(-1)[1]);
/** Reads a text as who sends it does: strings that were only noted as joined are joined now. */
const send = (text) => encoder.encodeInto(text, buffer);

/** What has to be equal before speed means anything: all but the sentences of diagnostics. */
function comparable({ diagnostics, ...rest }) {
  return { ...rest, diagnostics: diagnostics.length };
}

function assertEqual(got, want) {
  assert.deepEqual(comparable(got), comparable(want));
}

/** The first prompt of an input. */
async function cold(size, bytes, input) {
  const json = JSON.stringify(input);
  const utf8 = encoder.encode(json);
  const want = withNode.assemble(input);
  assertEqual(withNoble.assemble(input), want);
  for (const copy of [strata, strataAlone]) {
    for (const given of [input, json, utf8]) assertEqual(copy.assemble(given), want);
  }

  const ours = () => strata.assemble(input);
  const theirs = () => withNode.assemble(input);
  row("assemble(object) ÷ plain JavaScript with node:crypto", size, await pair(ours, theirs), bytes < 40e3 ? 1.5 : 1);
  const sent = await pair(
    () => send(ours().system),
    () => send(theirs().system),
  );
  row("  the same, both encoded as they are sent", size, sent);

  const noble = () => withNoble.assemble(input);
  const alone = await pair(() => strataAlone.assemble(input), noble);
  row("assemble(object), own hash ÷ plain JavaScript, @noble/hashes", size, alone, 0.5);
  row("  the same, ours with node:crypto", size, await pair(ours, noble));

  const fromText = await pair(
    () => strata.assemble(json),
    () => withNode.assemble(JSON.parse(json)),
  );
  row("assemble(JSON text) ÷ JSON.parse + plain JavaScript", size, fromText, 0.7);
  const fromBytes = await pair(
    () => strata.assemble(utf8),
    () => withNode.assemble(JSON.parse(decoder.decode(utf8))),
  );
  row("assemble(JSON bytes) ÷ decode + JSON.parse + the same", size, fromBytes, 0.7);
}

/** A turn in which everything that may be new is. */
function turnOf(minute) {
  return {
    facts: [{ key: "current_time", value: `12:${minute}`, volatility: "dynamic" }],
    temporal: "It is Sunday.",
    epistemicStance: "Be careful.",
    channelMeta: "Sender: 8",
  };
}

/** An Assembler and its next turn, checked against a prompt made afresh. */
function turning(input) {
  const assembler = new strata.Assembler(input);
  const { facts, channelMeta, ...sections } = turnOf(0);
  const stated = [...input.facts.filter(({ volatility }) => volatility === "static"), ...facts];
  const runtime = { ...input.runtime, ...sections };
  assertEqual(assembler.assemble(turnOf(0)), withNode.assemble({ ...input, facts: stated, runtime, channelMeta }));
  let minute = 0;
  return {
    turn: () => assembler.assemble(turnOf((minute += 1))),
    free: () => assembler.free(),
  };
}

async function turns(size, bytes, input) {
  const { turn, free } = turning(input);
  const again = () => strata.assemble(input);
  row("a turn of an Assembler ÷ assemble(object)", size, await pair(turn, again), bytes === 40e3 ? 1 / 50 : undefined);
  const sent = await pair(
    () => send(turn().system),
    () => send(again().system),
  );
  row("  the same, both encoded as they are sent", size, sent);
  free();
}

/** The same turn on prefixes a hundred times apart. */
async function turnsApart() {
  const large = turning(inputOf(4e6));
  const small = turning(inputOf(40e3));
  head("", "4 MB", "40 KB");
  row("a turn of an Assembler, 4 MB ÷ 40 KB", "", await pair(large.turn, small.turn), 1.2);
  large.free();
  small.free();
}

/** An Assembler in which one layer is typed at, a letter at a time, checked against a prompt made afresh. */
function typing(input, at, edited) {
  const assembler = new strata.Assembler(input);
  const layer = input.layers.at(at);
  let strokes = 0;
  const type = (letter) => {
    const changed = { ...layer, content: { ...layer.content, ...edited(layer.content, letter) } };
    assembler.setLayer(changed);
    return changed;
  };
  const layers = input.layers.with(at, type("x"));
  assertEqual(assembler.assemble(), withNode.assemble({ ...input, layers }));
  return {
    keystroke: () => {
      type("abcdefghij"[(strokes += 1) % 10]);
      return assembler.assemble();
    },
    free: () => assembler.free(),
  };
}

async function edits(size, bytes, input) {
  const again = () => strata.assemble(input);
  const identity = typing(input, -1, (content, letter) => ({ identity: content.identity + letter }));
  const measured = await pair(identity.keystroke, again);
  row("a letter of the identity that wins ÷ assemble(object)", size, measured, bytes === 600e3 ? 1 / 5 : undefined);
  const sent = await pair(
    () => send(identity.keystroke().prefix),
    () => send(again().prefix),
  );
  row("  the same, both encoded as they are sent", size, sent);
  identity.free();

  const guardrail = typing(input, 0, ({ guardrails }, letter) => ({
    guardrails: guardrails.with(-1, guardrails.at(-1) + letter),
  }));
  row("a letter of a guardrail of the seed ÷ assemble(object)", size, await pair(guardrail.keystroke, again));
  guardrail.free();
}

/** The core in WebAssembly beside the core compiled natively: parse, resolve, compose, hash. */
async function cores(size, core, beside, input) {
  const json = JSON.stringify(input);
  const want = withNode.assemble(input);
  assert.equal(await beside.load(json), strata.digest(want.prefix));
  assert.equal(core.withHost(json, 1), want.fingerprint);
  assert.equal(core.alone(json, 1), want.fingerprint);
  const count = calibrate(() => core.withHost(json, 1));
  const theirs = () => beside.time(count);
  await theirs();
  const inside = (operation) => () => time(() => operation(json, count), 1) / count;
  row("core in WebAssembly ÷ native, each with its best hash", size, await compare(inside(core.withHost), theirs), 1.7);
  row("  the same, hash compiled to WebAssembly", size, await compare(inside(core.alone), theirs));
  const crossing = () => time(() => strata.assemble(json), count);
  row("  assemble(JSON text), crossings included ÷ native", size, await compare(crossing, theirs));
}

/** Engines that only compose the text. */
async function templates(size, input) {
  const context = contextOf(input);
  const { prefix } = withNode.assemble(input);
  for (const [name, render] of Object.entries(engines)) {
    assert.equal(render(context), prefix);
    const measured = await pair(
      () => strata.assemble(input),
      () => render(context),
    );
    row(`assemble(object) ÷ composition alone by ${name}`, size, measured);
  }
}

/** Runs everybody for a while, or the first row would measure compilers at work. */
function warmUp() {
  const input = inputOf(4e3);
  const json = JSON.stringify(input);
  for (const it of [strata, strataAlone, withNode, withNoble]) calibrate(() => it.assemble(input), 5e8);
  for (const it of [strata, strataAlone]) calibrate(() => it.assemble(json), 5e8);
}

console.log(`${machine}\nbeside ${others}\n`);
warmUp();
const core = await wasm();
const beside = native();
for (const [size, bytes] of SIZES) {
  // As it comes from the wire: no string is one only noted as joined.
  const input = JSON.parse(JSON.stringify(inputOf(bytes)));
  head();
  await cold(size, bytes, input);
  await turns(size, bytes, input);
  await edits(size, bytes, input);
  await cores(size, core, beside, input);
  await templates(size, input);
  console.log();
}
beside.end();
await turnsApart();
verdict();
