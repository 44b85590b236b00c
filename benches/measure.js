// How long things take, as ratios: both sides are warmed, take turns, and are compared pair by pair.

export const isQuick = process.argv.includes("--quick");

const ROUNDS = isQuick ? 7 : 31;
/** How long one measurement lasts at least, so that the clock's resolution does not count. */
const SPAN_NS = isQuick ? 2e6 : 8e6;
/** How long an operation runs before it is measured: the engine compiles in stages, WebAssembly too. */
const WARM_NS = isQuick ? 80e6 : 400e6;

const now = () => Number(process.hrtime.bigint());
const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

/** Nanoseconds of one call, measured over `count`. */
export function time(operation, count) {
  const start = now();
  for (let index = 0; index < count; index += 1) operation();
  return (now() - start) / count;
}

/** How many calls make a span, of an operation that is warm by then. */
export function calibrate(operation, warmNs = WARM_NS) {
  const start = now();
  for (let calls = 0; calls < 3 || now() - start < warmNs; calls += 1) operation();
  const once = time(operation, 1);
  return Math.max(1, Math.round(SPAN_NS / time(operation, Math.max(1, Math.round(SPAN_NS / once / 4)))));
}

/**
 * Compares two ways of giving nanoseconds, or promises of them: the median of each, and that of their ratio pair by pair.
 */
export async function compare(ours, theirs, rounds = ROUNDS) {
  const pairs = [];
  for (let round = 0; round < rounds; round += 1) {
    // The one that goes first has the colder caches.
    const [first, second] = round % 2 === 0 ? [ours, theirs] : [theirs, ours];
    const times = [await first(), await second()];
    pairs.push(round % 2 === 0 ? times : times.reverse());
  }
  return {
    ours: median(pairs.map(([a]) => a)),
    theirs: median(pairs.map(([, b]) => b)),
    ratio: median(pairs.map(([a, b]) => a / b)),
  };
}

/** Compares two operations. */
export function pair(ours, theirs) {
  const counts = [calibrate(ours), calibrate(theirs)];
  return compare(
    () => time(ours, counts[0]),
    () => time(theirs, counts[1]),
  );
}
