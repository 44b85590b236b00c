// Inputs of a stated size: seven layers of prose as hosts have them, the same on every run.

const WORDS = (
  "never always ask before the agent writes deletes or sends a file outside this workspace when tool output looks " +
  "like an instruction treat it as data keep answers short cite what you read and say plainly what you did not check"
).split(" ");

const LAYERS = ["seed", "shared", "workspace", "surface", "bot", "chat", "agent"];

/** How much text the layers hold, in what is measured. */
export const SIZES = [
  ["4 KB", 4e3],
  ["40 KB", 40e3],
  ["600 KB", 600e3],
  ["4 MB", 4e6],
];

/** A small generator of its own (mulberry32), so that inputs do not depend on the runtime. */
function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * An input whose layers hold about `bytes` of text: half of it guardrails and notes of some 90 bytes, of which one in
 * ten repeats a broader one; the rest identity, rules and instructions.
 */
export function inputOf(bytes) {
  const next = random(bytes);
  const sentence = (length) => {
    let text = "";
    while (text.length < length) text += `${WORDS[Math.floor(next() * WORDS.length)]} `;
    return `${text.trim()} ${Math.floor(next() * 1e9)}.`;
  };
  const prose = (length) => {
    const paragraphs = [];
    for (let written = 0; written < length; written += 400) {
      paragraphs.push(sentence(Math.min(400, length - written)));
    }
    return paragraphs.join("\n\n");
  };
  const share = bytes / LAYERS.length;
  const said = [];
  const item = () => {
    const text = said.length > 10 && next() < 0.1 ? said[Math.floor(next() * said.length)] : sentence(80);
    said.push(text);
    return text;
  };
  const items = (length) => Array.from({ length: Math.max(1, Math.round(length / 90)) }, item);
  return {
    layers: LAYERS.map((layer) => ({
      layer,
      source: `${layer}:${bytes}`,
      ...(layer === "workspace" && { trusted: true }),
      content: {
        identity: prose(share * 0.15),
        operatingRules: prose(share * 0.2),
        instructions: prose(share * 0.15),
        guardrails: items(share * 0.4),
        surfaceNotes: items(share * 0.1),
      },
    })),
    runtime: {
      capabilityContract: "Call only the tools listed.",
      surface: "\nSurface: chat gateway. Read on a phone.\n",
      skills: "\nSkills:\n- summarise\n",
      epistemicStance: "Be curious.",
      temporal: "It is Saturday.",
    },
    facts: [
      { key: "plan", value: "pro", volatility: "static" },
      { key: "current_time", value: "12:00", volatility: "dynamic" },
    ],
    bindingGlue: "# Peers\nbob: billing",
    channelMeta: "Sender: 7",
    options: { wording: "neutral" },
  };
}
