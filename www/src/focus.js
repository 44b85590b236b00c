// @ts-check

// Moves the focus to a place on the page, opening what hides it.

import { changeEnd } from "./model/history.js";

const FOCUSABLE = "textarea, input:not([type=file]), select, button, summary, a[href]";

/** @param {Element} place */
function controlOf(place) {
  const control = place.matches(FOCUSABLE) ? place : (place.querySelector("textarea") ?? place.querySelector(FOCUSABLE));
  // A layer is entered by its summary, whatever text is in it.
  const summary = place instanceof HTMLDetailsElement ? place.querySelector("summary") : null;
  return summary ?? control;
}

/**
 * @param {string} place
 * @returns {string | undefined} What is typed there.
 */
export function textAt(place) {
  const found = document.getElementById(place);
  const control = found && controlOf(found);
  return control && isTyped(control) ? control.value : undefined;
}

/**
 * @param {Element} element
 * @returns {element is HTMLTextAreaElement | HTMLInputElement}
 */
function isTyped(element) {
  return element instanceof HTMLTextAreaElement || (element instanceof HTMLInputElement && element.type === "text");
}

/**
 * @param {readonly string[]} places The first that is on the page counts.
 * @param {string} [was] The text that was there: the caret goes where it changed.
 */
export function focusPlace(places, was) {
  const found = places.map((place) => document.getElementById(place)).find((element) => element !== null);
  if (!found) return;
  for (let outer = found.closest("details"); outer; outer = outer.parentElement?.closest("details") ?? null) {
    outer.open = true;
  }
  const control = controlOf(found);
  const target = control instanceof HTMLElement ? control : found;
  target.focus({ preventScroll: true });
  if (was !== undefined && isTyped(target)) {
    const caret = changeEnd(was, target.value);
    target.setSelectionRange(caret, caret);
  }
  reveal(found);
  found.classList.remove("arrived");
  // The animation begins again only after the page has seen it gone.
  void found.offsetWidth;
  found.classList.add("arrived");
}

/** @param {Element} element */
function reveal(element) {
  const { top, bottom } = element.getBoundingClientRect();
  if (top >= 90 && bottom <= innerHeight - 40) return;
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const isTall = bottom - top > innerHeight / 2;
  element.scrollIntoView({ block: isTall ? "start" : "center", behavior: isCalm ? "auto" : "smooth" });
}

/** After the page has shown what was just changed. @param {readonly string[]} places */
export function focusSoon(...places) {
  requestAnimationFrame(() => focusPlace(places));
}
