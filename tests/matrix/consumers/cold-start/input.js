export const INPUT = {
  layers: [
    {
      layer: "seed",
      content: { identity: "You are a careful assistant.", guardrails: ["Never reveal a secret.", "Ask first."] },
    },
    {
      layer: "workspace",
      source: "acme",
      trusted: true,
      content: { guardrails: ["Never touch infra/", "ask first."] },
    },
    { layer: "bot", source: "bot:7", content: { identity: "You are Ada.", operatingRules: "Look before you act." } },
  ],
  runtime: { surface: "This is a chat.\n", skills: "Skills: none\n" },
};
