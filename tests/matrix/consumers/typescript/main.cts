import {
  Assembler,
  StrataError,
  assemble,
  buildBlocks,
  digest,
  drift,
  fingerprint,
  flattenBlocks,
  getBlock,
  layerFromFiles,
  layerLabel,
  layerToFiles,
  parseBlockName,
  parseGuardrails,
  parseSeed,
  renderFacts,
  renderGuardrails,
  resolve,
  setBlock,
  subLayerPath,
  version,
  type AssembleInput,
  type Assembly,
  type BlockName,
  type CacheBlock,
  type Descriptor,
  type Drift,
  type Fact,
  type LayerContent,
  type Turn,
} from "prompt-strata";

const facts: Fact[] = [{ key: "plan", value: "pro", volatility: "static" }];
const input: AssembleInput = {
  layers: [
    { layer: "seed", content: { identity: "You are Ada.", guardrails: ["never push"], operatingRules: null } },
    { layer: "workspace", source: "acme", trusted: false, content: { guardrails: "- never push" } },
  ],
  facts,
  options: { sections: true, wording: { guardrailsHeading: "Rules:" } },
};

const assembly: Assembly = assemble(input);
assemble(JSON.stringify(input));
assemble(new Uint8Array([123, 125]));
const texts: string[] = assembly.blocks.map((block) => block.text);
const starts: number[] = (assembly.sections ?? []).map(({ start }) => start);
const identity: string | undefined = assembly.effective.identity;
const descriptors: readonly Descriptor[] = resolve({ layers: input.layers }).descriptors;
const difference: Drift | null = drift(descriptors, assembly.descriptors);

const assembler = new Assembler(input);
const turn: Turn = { channelMeta: "Sender: +91", facts: [] };
const tail: string = assembler.assemble(turn).tail;
assembler.setLayer({ layer: "bot", source: "bot:7", content: {} });
const wasThere: boolean = assembler.removeLayer("bot", "bot:7");
assembler.free();

const content: LayerContent = setBlock({}, "identity", "You are Ada.");
const block: string | null = getBlock(content, "identity");
const name: BlockName | null = parseBlockName("rules");
const blocks: CacheBlock[] = buildBlocks({ workspace: "a" });
const files: Record<string, string> = layerToFiles(layerFromFiles({ "identity.md": "Ada" }).content);
const rest: (string | null)[] = [
  digest("abc"),
  fingerprint(descriptors),
  flattenBlocks(blocks),
  layerLabel("seed"),
  renderFacts(facts),
  renderGuardrails(parseGuardrails("- a", { dialect: "markdown" })),
  parseSeed("", { version: "1.0.0" }).capabilityContract,
  subLayerPath("agents", "reviewer", { root: ".vak/prompts" }),
  version,
];

try {
  assemble("{");
} catch (error) {
  if (!(error instanceof StrataError)) throw error;
  if (error.code === "unknown-field") rest.push(error.path, error.message);
}

// Mistakes a compiler has to find.
// @ts-expect-error -- a misspelt field
assemble({ layers: [{ layer: "seed", content: { gaurdrails: [] } }] });
// @ts-expect-error -- no layer of that name
assemble({ layers: [{ layer: "sead", content: {} }] });
// @ts-expect-error -- a number where text belongs
digest(7);

export { block, difference, files, identity, name, rest, starts, tail, texts, wasThere };
