// @ts-check

// The core as text: each byte is one character, or two where it is rare. `xtask/src/core_text.rs` writes what this
// reads, and says why it is not base64.

const ALPHABET = Array.from({ length: 95 }, (_, index) => 32 + index).filter(
  (code) => !"\"$'<\\`".includes(String.fromCharCode(code)),
);
/** How many characters of the alphabet only say that another follows. */
const PREFIXES = 2;
const DIGITS = ALPHABET.length - PREFIXES;

/**
 * @param {string} text
 * @param {string} frequent The bytes that are one character, in hex.
 */
export function decode(text, frequent) {
  const first = (frequent.match(/../g) ?? []).map((hex) => parseInt(hex, 16));
  const all = Array.from({ length: 256 }, (_, byte) => byte);
  const order = Uint8Array.from([...first, ...all.filter((byte) => !first.includes(byte))]);
  /** Where the byte of a character stands in the order; a prefix is below zero. */
  const places = new Int8Array(128);
  ALPHABET.forEach((code, index) => (places[code] = index - PREFIXES));
  const bytes = new Uint8Array(text.length);
  let end = 0;
  let page = 0;
  for (let at = 0; at < text.length; at += 1) {
    const place = /** @type {number} */ (places[text.charCodeAt(at)]);
    if (place < 0) {
      page = (place + PREFIXES + 1) * DIGITS;
    } else {
      bytes[end++] = /** @type {number} */ (order[page + place]);
      page = 0;
    }
  }
  return bytes.subarray(0, end);
}
