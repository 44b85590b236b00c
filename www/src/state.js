// @ts-check

// The state of the page: signals over the pure modules in `model/`, and what a person can do to it.

/** @import { AssembleInput } from "prompt-strata" */
/** @import { Kept } from "./model/aside.js" */
/** @import { Problem } from "./model/assembly.js" */
/** @import { EditedDocument } from "./model/document.js" */

import { batch, computed, effect, signal } from "@preact/signals";
import example from "./example.json";
import { recallAside, rememberAside, restore } from "./model/aside.js";
import { createAssembly } from "./model/assembly.js";
import { emptyDocument, fromInput, toInput } from "./model/document.js";
import { compare } from "./model/drift.js";
import { readJson, writeJson } from "./model/files.js";
import * as history from "./model/history.js";
import { byPlace } from "./model/notices.js";
import { blockSizes, totals } from "./model/sizes.js";
import { spansOf } from "./model/spans.js";
import { recall, remember } from "./model/storage.js";
import { counted, sentence } from "./model/words.js";
import { focusPlace, textAt } from "./focus.js";

const EXAMPLE = /** @type {AssembleInput} */ (example);

const timeline = signal(history.begin(restore("document", "your last text") ?? fromInput(EXAMPLE)));
const pinned = signal(restore("pinned", "the text you pinned"));

const aside = signal(recallAside());
/** The first of the texts that were set aside, and what is wrong with it today. */
export const kept = computed(() => {
  const [first] = aside.value;
  if (!first) return undefined;
  const read = readJson(first.text);
  return { ...first, problem: "problem" in read ? read.problem : undefined };
});

/** @param {Kept} done */
export function discardKept({ text }) {
  aside.value = aside.value.filter((one) => one.text !== text);
  rememberAside(aside.value);
}

export const edited = computed(() => timeline.value.present);
export const canUndo = computed(() => timeline.value.past.length > 0);
export const canRedo = computed(() => timeline.value.future.length > 0);

const run = createAssembly();
const outcome = computed(() => run(toInput(edited.value)));
export const assembly = computed(() => outcome.value.assembly);
export const problem = computed(() => outcome.value.problem);
export const spans = computed(() => spansOf(assembly.value));
export const sizes = computed(() => blockSizes(assembly.value.blocks));
export const total = computed(() => totals(assembly.value));
export const notices = computed(() => byPlace(edited.value, problem.value ? [] : assembly.value.diagnostics));

/**
 * A sentence above the page, until it is dismissed or the next one comes.
 *
 * @typedef {object} Message
 * @property {"status" | "problem"} kind
 * @property {string} text
 * @property {Problem} [problem]
 * @property {boolean} [canUndo]
 */

export const message = signal(/** @type {Message | undefined} */ (undefined));
/** The key of the span that is looked at. */
export const looked = signal("");
export const lookedSpan = computed(() => spans.value.find(({ key }) => key === looked.value));
/** The layer or origin whose text stands out. */
export const stressed = signal(/** @type {string | undefined} */ (undefined));

/**
 * @param {EditedDocument} document
 * @param {string} [place] What is edited; quick edits of one place are one step back.
 */
export function edit(document, place = "") {
  timeline.value = history.record(timeline.value, document, place, Date.now());
  if (message.value?.canUndo || message.value?.kind === "problem") message.value = undefined;
}

/** @param {typeof history.undo} step */
function travel(step) {
  const moved = step(timeline.value);
  if (!moved) return;
  const was = textAt(moved.place);
  batch(() => {
    timeline.value = moved.history;
    message.value = undefined;
  });
  // After the page shows the state: put the caret where the text changed.
  requestAnimationFrame(() => focusPlace([moved.place], was));
}

export function undo() {
  travel(history.undo);
}

export function redo() {
  travel(history.redo);
}

/**
 * @param {EditedDocument} document
 * @param {string} text
 */
function replace(document, text) {
  batch(() => {
    edit(document);
    looked.value = "";
    message.value = { kind: "status", text, canUndo: true };
  });
}

export function startWithExample() {
  replace(fromInput(EXAMPLE), "This is the example, fresh.");
}

export function startWithNothing() {
  replace(emptyDocument(), "An empty page.");
}

/**
 * @param {string | Uint8Array} json
 * @param {string} name What a person calls it.
 * @returns {Problem | undefined} What is wrong with it; then nothing has changed.
 */
export function open(json, name) {
  const read = readJson(json);
  if ("problem" in read) return read.problem;
  replace(read.document, `Opened ${name}: ${counted(read.document.layers.length, "layer")}.`);
  return undefined;
}

/**
 * Opens, or says above the page what is wrong.
 *
 * @param {string | Uint8Array} json
 * @param {string} name
 */
export function openOrComplain(json, name) {
  const found = open(json, name);
  if (found) message.value = { kind: "problem", text: `${sentence(name)} was not opened, and your text is as it was.`, problem: found };
}

/** @param {string} text */
export function complain(text) {
  message.value = { kind: "problem", text };
}

/** @param {string} text */
export function tell(text) {
  message.value = { kind: "status", text };
}

// Pinning

export const pinnedAssembly = computed(() => {
  const document = pinned.value;
  return document && createAssembly()(toInput(document)).assembly;
});
export const comparison = computed(() => pinnedAssembly.value && compare(pinnedAssembly.value, assembly.value));

export function pin() {
  if (problem.value) return;
  pinned.value = edited.value;
  remember("pinned", writeJson(edited.value));
}

export function unpin() {
  pinned.value = undefined;
  remember("pinned", undefined);
}

export function backToPinned() {
  if (pinned.value) replace(pinned.value, "Back to the pinned state.");
}

// Theme

/** @typedef {"auto" | "light" | "dark"} Theme */

const chosen = recall("theme");
export const theme = signal(/** @type {Theme} */ (chosen === "light" || chosen === "dark" ? chosen : "auto"));

effect(() => {
  document.documentElement.dataset.theme = theme.value;
  remember("theme", theme.value === "auto" ? undefined : theme.value);
});

// Remembering the text, once the typing pauses. What does not assemble is not worth returning to.

let pause = 0;
effect(() => {
  const present = edited.value;
  clearTimeout(pause);
  if (timeline.peek().past.length === 0) return;
  pause = window.setTimeout(() => {
    if (!problem.peek()) remember("document", writeJson(present));
  }, 600);
});
