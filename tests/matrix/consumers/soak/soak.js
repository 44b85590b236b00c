import { held } from "./watch.js";
import { Assembler, StrataError, assemble, digest } from "prompt-strata";

const INPUT = {
  layers: [
    { layer: "seed", content: { identity: "You are a careful assistant.", guardrails: ["Never reveal a secret."] } },
    {
      layer: "workspace",
      source: "acme",
      trusted: false,
      content: { guardrails: "- never touch infra/\n- reply in Hindi" },
    },
    { layer: "bot", source: "bot:7", content: { identity: "You are Ada.", operatingRules: "Look before you act." } },
  ],
  runtime: { surface: "This is a chat.\n", skills: "Skills: none\n" },
  facts: [{ key: "time", value: "12:00", volatility: "dynamic" }],
};

const BAD_TURNS = [
  { facts: [{ key: "plan", value: "pro", volatility: "static" }] },
  { facts: [{ key: "a\nb", value: "", volatility: "dynamic" }] },
  { stance: "an unknown field" },
  { channelMeta: 7 },
  { channelMeta: "\uD800" },
];

const BAD_INPUTS = [
  { layers: [{ layer: "seed", content: { gaurdrails: [] } }] },
  { layers: [{ layer: "sead", content: {} }] },
  { layers: 7 },
  "{",
  new Uint8Array([34, 255, 34]),
];

const TURNS_A_HANDLE = 1000;

/** Turns of handles that are freed; `bad` of a hundred are refused on the way. Gives a digest over what was said. */
export function turns(count, bad) {
  const said = [];
  for (let index = 0; index < count;) {
    const assembler = new Assembler(INPUT);
    const end = Math.min(index + TURNS_A_HANDLE, count);
    for (; index < end; index += 1) {
      if (index % 100 < bad) refuse(() => assembler.assemble(pick(BAD_TURNS, index)));
      const time = { key: "time", value: `12:${index % 60}`, volatility: "dynamic" };
      const turn = assembler.assemble({ facts: [time], channelMeta: "Sender: +91" });
      if (index % 5003 === 0) said.push(turn.system, turn.tail);
    }
    assembler.free();
  }
  return digest(said.join("\n"));
}

/** One-shot calls, likewise. */
export function calls(count, bad) {
  const said = [];
  const text = JSON.stringify(INPUT);
  for (let index = 0; index < count; index += 1) {
    if (index % 100 < bad) refuse(() => assemble(pick(BAD_INPUTS, index)));
    const { system, tail } = assemble(index % 2 === 0 ? INPUT : text);
    if (index % 503 === 0) said.push(system, tail);
  }
  return digest(said.join("\n"));
}

function pick(list, index) {
  return list[Math.floor(index / 100) % list.length];
}

function refuse(operation) {
  try {
    operation();
  } catch (thrown) {
    if (thrown instanceof StrataError && thrown.code !== "internal") return;
    throw thrown;
  }
  throw new Error("bad input was taken");
}

/** One stretch of the soak, and what the core holds after it. */
export function stretch({ kind, count, bad }) {
  const run = { turns, calls }[kind];
  return { said: run(count, bad), held: held() };
}
