// @ts-check

import { Assembler, StrataError } from "prompt-strata";

// Resolved once; every request is a turn of it, and no turn changes the prefix.
const assembler = new Assembler({
  layers: [
    { layer: "seed", content: { identity: "You are a careful assistant.", guardrails: ["Never reveal a secret."] } },
    { layer: "bot", source: "bot:7", content: { identity: "You are Ada." } },
  ],
  facts: [{ key: "current_time", value: "", volatility: "dynamic" }],
});

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: Number(process.env.PORT ?? 3000),
  routes: {
    "/turn": {
      /** @param {Request} request The facts of this turn, as a JSON object. */
      POST: async (request) => {
        try {
          const stated = /** @type {Record<string, string>} */ (await request.json());
          const facts = Object.entries(stated).map(([key, value]) => ({ key, value, volatility: "dynamic" }));
          return Response.json(assembler.assemble({ facts: /** @type {import("prompt-strata").Fact[]} */ (facts) }));
        } catch (error) {
          const isBadInput = error instanceof StrataError || error instanceof SyntaxError;
          if (!isBadInput) throw error;
          return Response.json({ message: error.message }, { status: 400 });
        }
      },
    },
  },
});

console.log(`listening at ${server.url}`);
