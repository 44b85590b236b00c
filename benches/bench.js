// Prints how long things take, as ratios of medians-of-pairs from one run: both sides do the same work, are checked to
// give equal output first, are warmed, and take turns.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { cpus } from "node:os";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

import { sha256Hex as nodeHash } from "../tests/oracle/node-crypto.js";
import { createOracle } from "../tests/oracle/oracle.js";
import { duplicates, inputOf } from "./inputs.js";

const tests = createRequire(new URL("../tests/package.json", import.meta.url));
const load = (name) => import(pathToFileURL(tests.resolve(name)).href);
const strata = await load("prompt-strata");
const { sha256 } = await load("@noble/hashes/sha2.js");
const { bytesToHex, utf8ToBytes } = await load("@noble/hashes/utils.js");

const withNode = createOracle({ sha256Hex: nodeHash });
const withNoble = createOracle({ sha256Hex: (text) => bytesToHex(sha256(utf8ToBytes(text))) });

const quick = process.argv.includes("--quick");
const ROUNDS = quick ? 7 : 31;
/** How long one measurement lasts at least, so that the clock's resolution does not count. */
const SPAN_NS = quick ? 2e6 : 8e6;
const SIZES = [
  ["4 KB", 4e3],
  ["40 KB", 40e3],
  ["600 KB", 600e3],
  ["4 MB", 4e6],
];

const now = () => Number(process.hrtime.bigint());
const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

/** Nanoseconds of one call, measured over `count`. */
function time(operation, count) {
  const start = now();
  for (let index = 0; index < count; index += 1) operation();
  return (now() - start) / count;
}

/** How many calls make a span. Calls it often enough to be compiled. */
function calibrate(operation) {
  const until = now() + 4 * SPAN_NS;
  let calls = 0;
  while (now() < until || calls < 3) {
    operation();
    calls += 1;
  }
  return Math.max(1, Math.round(calls / 4));
}

/** The median time of two operations, and the median of their ratio pair by pair. */
function pair(ours, theirs) {
  const counts = [calibrate(ours), calibrate(theirs)];
  const rounds = Array.from({ length: ROUNDS }, (_, round) => {
    // The one that goes first has the colder caches.
    if (round % 2 === 0) return [time(ours, counts[0]), time(theirs, counts[1])];
    const second = time(theirs, counts[1]);
    return [time(ours, counts[0]), second];
  });
  return {
    ours: median(rounds.map(([a]) => a)),
    theirs: median(rounds.map(([, b]) => b)),
    ratio: median(rounds.map(([a, b]) => a / b)),
  };
}

const shown = (ns) => (ns < 1e3 ? `${ns.toFixed(0)} ns` : ns < 1e6 ? `${(ns / 1e3).toFixed(1)} µs` : `${(ns / 1e6).toFixed(2)} ms`);

function row(what, size, { ours, theirs, ratio }, goal = "") {
  const digits = ratio < 0.1 ? 4 : 2;
  console.log(
    [what.padEnd(58), size.padEnd(8), shown(ours).padStart(9), shown(theirs).padStart(9), ratio.toFixed(digits).padStart(7), goal]
      .join("  ")
      .trimEnd(),
  );
}

/** What has to be equal before speed means anything. */
const comparable = ({ prefix, tail, system, blocks, descriptors, fingerprint, effective }) => ({
  prefix,
  tail,
  system,
  blocks,
  descriptors,
  fingerprint,
  effective,
});

function native() {
  const child = spawn("cargo", ["bench", "--quiet", "--bench", "native"], { stdio: ["pipe", "pipe", "inherit"] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (request) => {
    child.stdin.write(request);
    return (await answers.next()).value;
  };
  return {
    load: (json) => ask(Buffer.concat([Buffer.from(`load ${Buffer.byteLength(json)}\n`), Buffer.from(json)])),
    run: async (count) => Number(await ask(`run ${count}\n`)) / count,
    end: () => child.stdin.end(),
  };
}

console.log(`prompt-strata ${strata.version}, Node ${process.version}, ${cpus()[0]?.model ?? "unknown processor"}\n`);
console.log(
  ["", "layers", "ours", "theirs", "ratio", "goal"]
    .map((title, column) => [title.padEnd(58), title.padEnd(8), title.padStart(9), title.padStart(9), title.padStart(7), title][column])
    .join("  "),
);

const core = native();
for (const [size, bytes] of SIZES) {
  const input = inputOf(bytes);
  const json = JSON.stringify(input);
  const want = comparable(withNode.assemble(input));
  assert.deepEqual(comparable(strata.assemble(input)), want);
  assert.deepEqual(comparable(strata.assemble(json)), want);
  assert.deepEqual(comparable(withNoble.assemble(input)), want);

  const cold = pair(() => strata.assemble(input), () => withNode.assemble(input));
  row("assemble(object) ÷ plain JavaScript with node:crypto", size, cold, bytes < 40e3 ? "≤ 1.5" : "≤ 1.0");
  row("assemble(object) ÷ plain JavaScript with @noble/hashes", size, pair(() => strata.assemble(input), () => withNoble.assemble(input)), "≤ 0.5");
  row("assemble(JSON) ÷ JSON.parse + plain JavaScript", size, pair(() => strata.assemble(json), () => withNode.assemble(JSON.parse(json))), "≤ 0.7");

  const assembler = new strata.Assembler(input);
  let minute = 0;
  const turn = () =>
    assembler.assemble({
      facts: [{ key: "current_time", value: `12:${(minute += 1)}`, volatility: "dynamic" }],
      temporal: "It is Sunday.",
      epistemicStance: "Be careful.",
      channelMeta: "Sender: 8",
    });
  const facts = [input.facts[0], { key: "current_time", value: "12:1", volatility: "dynamic" }];
  const runtime = { ...input.runtime, temporal: "It is Sunday.", epistemicStance: "Be careful." };
  assert.deepEqual(comparable(turn()), comparable(strata.assemble({ ...input, facts, runtime, channelMeta: "Sender: 8" })));
  row("a turn of an Assembler ÷ assemble(object)", size, pair(turn, () => strata.assemble(input)), bytes === 40e3 ? "≤ 1/50" : "");

  const agent = input.layers.at(-1);
  let edits = 0;
  const edited = () => ({ ...agent, content: { ...agent.content, identity: `${agent.content.identity} ${(edits += 1)}` } });
  const keystroke = () => {
    assembler.setLayer(edited());
    return assembler.assemble();
  };
  row("setLayer and assemble ÷ assemble(object)", size, pair(keystroke, () => strata.assemble(input)), bytes === 600e3 ? "≤ 1/5" : "");
  assembler.free();

  assert.equal(await core.load(json), strata.digest(want.prefix));
  const count = calibrate(() => strata.assemble(json));
  await core.run(count);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push([time(() => strata.assemble(json), count), await core.run(count)]);
  }
  row("assemble(JSON), crossings included ÷ native", size, {
    ours: median(rounds.map(([a]) => a)),
    theirs: median(rounds.map(([, b]) => b)),
    ratio: median(rounds.map(([a, b]) => a / b)),
  });
  console.log();
}
core.end();

console.log("Guardrails, half of them duplicates: time at ten times the number");
const few = duplicates(10_000);
const many = duplicates(100_000);
assert.equal(strata.assemble(many).effective.guardrails.split("\n").length - 1, 50_000);
row("100,000 ÷ 10,000", "", pair(() => strata.assemble(many), () => strata.assemble(few)), "≤ 11");
