// @ts-check

// Undo and redo over whole states. States share what did not change, so keeping them costs little.

const LIMIT = 300;
const MERGE_WITHIN_MS = 1200;

/**
 * @template T
 * @typedef {{ state: T, place: string }} Step A state, and the place whose edit led away from it.
 */

/**
 * @template T
 * @typedef {object} History
 * @property {readonly Step<T>[]} past
 * @property {T} present
 * @property {readonly Step<T>[]} future
 * @property {{ place: string, at: number } | undefined} typing The edit that a next one at the same place joins.
 */

/**
 * @template T
 * @param {T} present
 * @returns {History<T>}
 */
export function begin(present) {
  return { past: [], present, future: [], typing: undefined };
}

/**
 * @template T
 * @param {History<T>} history
 * @param {T} state
 * @param {string} place Edits of one place, in quick succession, are undone together; `""` never joins.
 * @param {number} at Milliseconds.
 * @returns {History<T>}
 */
export function record(history, state, place, at) {
  if (state === history.present) return history;
  const { typing } = history;
  const joins = place !== "" && typing?.place === place && at - typing.at < MERGE_WITHIN_MS && history.future.length === 0;
  return {
    past: joins ? history.past : [...history.past, { state: history.present, place }].slice(-LIMIT),
    present: state,
    future: [],
    typing: place === "" ? undefined : { place, at },
  };
}

/**
 * @template T
 * @param {History<T>} history
 * @returns {{ history: History<T>, place: string } | undefined}
 */
export function undo(history) {
  const step = history.past.at(-1);
  if (!step) return undefined;
  const { state, place } = step;
  return {
    history: {
      past: history.past.slice(0, -1),
      present: state,
      future: [{ state: history.present, place }, ...history.future],
      typing: undefined,
    },
    place,
  };
}

/**
 * @template T
 * @param {History<T>} history
 * @returns {{ history: History<T>, place: string } | undefined}
 */
export function redo(history) {
  const [step, ...future] = history.future;
  if (!step) return undefined;
  const { state, place } = step;
  return {
    history: { past: [...history.past, { state: history.present, place }], present: state, future, typing: undefined },
    place,
  };
}

/**
 * Where a text changed, so that the caret can be put there.
 *
 * @param {string} was
 * @param {string} now
 * @returns {number} The end of the change in the new text.
 */
export function changeEnd(was, now) {
  let tail = 0;
  const most = Math.min(was.length, now.length);
  while (tail < most && was[was.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1;
  return now.length - tail;
}
