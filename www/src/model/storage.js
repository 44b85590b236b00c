// @ts-check

// Remembers small things in this browser. Where that is forbidden or full, the page works without.

const PREFIX = "prompt-strata-console.";

/** @param {string} name */
export function recall(name) {
  try {
    return localStorage.getItem(PREFIX + name) ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param {string} name
 * @param {string | undefined} text Undefined forgets.
 */
export function remember(name, text) {
  try {
    if (text === undefined) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, text);
  } catch {
    // Nothing is lost: what is on the page stays on the page.
  }
}
