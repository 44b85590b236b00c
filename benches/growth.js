// How time grows: ten times the input takes at most eleven times as long, whatever the input.
// A word after the name of this script picks the rows that contain it.

import assert from "node:assert/strict";

import { adversaries } from "./adversaries.js";
import { machine } from "./contestants.js";
import { entries } from "./entries.js";
import { compare, isQuick, time } from "./measure.js";
import { head, row, verdict } from "./table.js";

/** How many pairs are measured: fewer where they take long, since noise is short. */
const rounds = (largeNs) => (isQuick ? 1 : largeNs > 100e6 ? 3 : 7);
/** How long the large side of a measurement lasts at least. */
const SPAN_NS = 4e6;
const GOAL = 11;

const picked = process.argv.slice(2).find((it) => !it.startsWith("--")) ?? "";

/** The operation at a size, and how long its first call took, after which it was seen to do what it should. */
function prepare(what, size, make) {
  const [operation, isRight] = make(size);
  let result;
  const once = time(() => (result = operation()), 1);
  assert.ok(isRight(result), `${what} at ${size}: that is not what was to be measured`);
  return { operation, once };
}

console.log(`${machine}\n`);
head("", "10 ×", "1 ×");
// What the machine itself makes of ten times the bytes, once they no longer fit into its caches.
for (const bytes of [8e5, 3.2e6]) {
  const [small, large] = [bytes, bytes * 10].map((size) => [new Uint8Array(size).fill(97), new Uint8Array(size)]);
  const copy = ([from, to], count) => time(() => to.set(from), count);
  const copied = await compare(
    () => copy(large, 20),
    () => copy(small, 200),
    31,
  );
  row(`(to compare: copying ${bytes * 10} bytes, and ${bytes})`, "", copied);
}
for (const [what, [few, lots], make] of [...entries, ...adversaries]) {
  if (!what.includes(picked)) continue;
  const small = prepare(what, few, make);
  const large = prepare(what, lots, make);
  const count = Math.max(1, Math.round(SPAN_NS / large.once));
  // Several calls on the small side, too, so that it gets its share of the garbage collector's work.
  const measured = await compare(
    () => time(large.operation, count),
    () => time(small.operation, 5 * count),
    rounds(large.once),
  );
  row(what, "", measured, GOAL);
}
verdict();
