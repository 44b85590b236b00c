// The table that is printed: a row for each ratio, with its goal, where it has one, and whether it is reached.

const WIDTHS = [60, 6, 9, 9, 7, 7];
let goals = 0;
let missed = 0;

function line(what, ...cells) {
  const padded = cells.map((cell, index) => cell.padStart(WIDTHS[index + 1] ?? 0));
  console.log([what.padEnd(WIDTHS[0]), ...padded].join("  ").trimEnd());
}

const duration = (ns) =>
  ns < 1e3 ? `${ns.toFixed(0)} ns` : ns < 1e6 ? `${(ns / 1e3).toFixed(1)} µs` : `${(ns / 1e6).toFixed(2)} ms`;
const limit = (goal) => `≤ ${goal < 0.5 ? `1/${Math.round(1 / goal)}` : goal}`;

/** The titles of the columns; `ours` and `theirs` are the times on either side of the ratio. */
export function head(size = "layers", ours = "ours", theirs = "theirs") {
  line("", size, ours, theirs, "ratio", "goal");
}

/** A row; one without a goal is for information. */
export function row(what, size, { ours, theirs, ratio }, goal) {
  const cells = [size, duration(ours), duration(theirs), ratio.toFixed(ratio < 0.1 ? 4 : 2)];
  if (goal === undefined) return line(what, ...cells);
  const isReached = ratio <= goal;
  goals += 1;
  if (!isReached) missed += 1;
  line(what, ...cells, limit(goal), isReached ? "ok" : "MISSED");
}

/** How many of the goals are reached. */
export function verdict() {
  console.log(missed === 0 ? `\nAll ${goals} goals are reached.` : `\n${missed} of ${goals} goals are MISSED.`);
}
