// @ts-check

/**
 * A number that nobody outside can know, for the keys of hash tables: with keys that are known, texts can be chosen that
 * make a table slow. No result depends on it.
 */
export function secret() {
  try {
    return Math.random();
  } catch {
    // A compartment of Hardened JavaScript has no randomness: the keys are known there.
    return 0;
  }
}

/** @typedef {{ sha256(bytes: Uint8Array): string }} HostHasher */

/**
 * @typedef {object} NodeCrypto
 * @property {(algorithm: string, data: Uint8Array, encoding: "hex") => string} [hash]
 */

/** @type {HostHasher | undefined | null} */
let hasher = null;

/**
 * The runtime's own SHA-256, where it answers at once: Node, Deno and Bun have it, and it is several times faster than
 * the one in the core. Nothing is imported, so that bundlers see no module of Node's.
 *
 * @returns {HostHasher | undefined}
 */
export function hostHasher() {
  if (hasher === null) hasher = findHasher();
  return hasher;
}

/** @returns {HostHasher | undefined} */
function findHasher() {
  const { process } = /** @type {{ process?: { getBuiltinModule?(name: string): unknown } }} */ (globalThis);
  try {
    const crypto = /** @type {NodeCrypto | undefined} */ (process?.getBuiltinModule?.("node:crypto"));
    const hash = crypto?.hash;
    if (typeof hash === "function") return { sha256: (bytes) => hash("sha256", bytes, "hex") };
  } catch {
    // The sandbox of Next's edge routes has a `process` whose functions throw.
  }
  return undefined;
}
