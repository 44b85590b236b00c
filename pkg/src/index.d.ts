/// <reference lib="esnext.disposable" />

/**
 * Assembles the system prompt of an LLM request from layered JSON.
 *
 * Every function is synchronous and pure: no filesystem, no network, no clock. The WebAssembly inside is compiled on
 * the first call, not on import.
 *
 * @example
 * ```js
 * import { assemble } from "prompt-strata";
 *
 * const { prefix, tail } = assemble({
 *   layers: [
 *     { layer: "seed", content: { identity: "You are a careful assistant.", guardrails: ["Never reveal a secret."] } },
 *     { layer: "bot", source: "bot:7", content: { identity: "You are Ada." } },
 *   ],
 *   facts: [{ key: "current_time", value: "12:00", volatility: "dynamic" }],
 * });
 * ```
 *
 * @packageDocumentation
 */

/** One place configuration comes from, broadest first. The narrowest layer wins identity and rules. */
export type Layer = "seed" | "shared" | "workspace" | "surface" | "bot" | "chat" | "agent";

/** A block of a layer that can be edited by name. */
export type BlockName = "identity" | "operating-rules" | "guardrails" | "surface-note";

/** What a layer says. Absent or null inherits from broader layers. */
export interface LayerContent {
  /** Who the assistant is; `""` deliberately empties it. */
  readonly identity?: string | null;
  /** How it works; `""` deliberately empties it. */
  readonly operatingRules?: string | null;
  /** More to do; accumulates over the layers. */
  readonly instructions?: string | null;
  /** What it must never do, as items or as text to be parsed; only ever accumulates. */
  readonly guardrails?: readonly string[] | string | null;
  /** What is also true on this surface, as items or as text to be parsed; only ever accumulates. */
  readonly surfaceNotes?: readonly string[] | string | null;
}

/** One layer as a host gives it. */
export interface LayerInput {
  /** Which layer this is. */
  readonly layer: Layer;
  /** What tells several inputs of one layer apart, and is recorded in the descriptors: a path, an id. */
  readonly source?: string | null;
  /** Whether a person vouches for the content. `false` demotes the layer; absent counts as trusted. */
  readonly trusted?: boolean | null;
  /** What the layer says. */
  readonly content: LayerContent;
}

/** Text from the host's code, which no layer can edit. Blank sections leave no trace. */
export interface RuntimeSections {
  /** What the assistant can do and how it calls tools. */
  readonly capabilityContract?: string | null;
  /** How answers are shown. */
  readonly presentationContract?: string | null;
  /** What it may touch. */
  readonly sandboxContract?: string | null;
  /** The line that says where the conversation is shown. Used as given: end it with a newline. */
  readonly surface?: string | null;
  /** The skills it can load. Used as given: end it with a newline. */
  readonly skills?: string | null;
  /** What the MCP servers say. Used as given: end it with a newline. */
  readonly mcp?: string | null;
  /** The index of tools. Used as given: end it with a newline. */
  readonly toolIndex?: string | null;
  /** Standing orders and memory that changes seldom. Used as given: end it with a newline. */
  readonly standing?: string | null;
  /** The stance of this turn; part of the tail. */
  readonly epistemicStance?: string | null;
  /** The clock of this turn; part of the tail. */
  readonly temporal?: string | null;
}

/** One statement of the host. A value cannot break out of its line or block. */
export interface Fact {
  /** What is stated; not blank, on one line. */
  readonly key: string;
  /** What holds. */
  readonly value: string;
  /** `static` joins the prefix, `dynamic` rides at the tail. */
  readonly volatility: "static" | "dynamic";
}

/** The texts that this package itself puts into a prompt. A blank one leaves no trace. */
export interface Wording {
  /** The line above the guardrails. */
  readonly guardrailsHeading: string;
  /** The line above the surface notes. */
  readonly surfaceNotesHeading: string;
  /** The line above the instructions. */
  readonly instructionsHeading: string;
  /** The line under the stance. */
  readonly stanceClarifier: string;
  /** The note in the prefix that announces the facts at the tail. */
  readonly factsNote: string;
  /** The line above the guardrails of untrusted layers, where they stand apart. */
  readonly untrustedHeading: string;
}

/** Wording of a host's own; what it does not give comes from `base`, by default `source`. */
export interface OwnWording extends Partial<Wording> {
  readonly base?: "source" | "neutral" | null;
}

/** What a caller may choose. */
export interface Options {
  /**
   * What is kept of an untrusted layer; default `guardrails-only`. `apart` keeps its guardrails in a list of their own,
   * after those of all trusted layers.
   */
  readonly untrusted?: "guardrails-only" | "apart" | "drop" | null;
  /** How guardrails and surface notes given as text are read; default `strict`. */
  readonly dialect?: "strict" | "markdown" | null;
  /** The fixed wording: that of the source design (default), without product names, or some of it replaced. */
  readonly wording?: "source" | "neutral" | OwnWording | null;
  /** Whether the result says where each piece of `system` came from; default false. */
  readonly sections?: boolean | null;
}

/** All that goes into one prompt. */
export interface AssembleInput {
  /** The layers, broadest first. */
  readonly layers: readonly LayerInput[];
  /** The sections that the host's code owns. */
  readonly runtime?: RuntimeSections | null;
  /** What the host states. */
  readonly facts?: readonly Fact[] | null;
  /** Stable text that binds this host: peers, accounts. */
  readonly bindingGlue?: string | null;
  /** Who speaks and where; varies by turn. */
  readonly channelMeta?: string | null;
  /** What the caller chooses. */
  readonly options?: Options | null;
}

/** What is new in one turn; absent keeps what the `Assembler` was made with. */
export interface Turn {
  /** This turn's dynamic facts; an empty list states none. */
  readonly facts?: readonly Fact[] | null;
  /** Who speaks and where. */
  readonly channelMeta?: string | null;
  /** The stance. */
  readonly epistemicStance?: string | null;
  /** The clock. */
  readonly temporal?: string | null;
}

/** How long a provider should keep what ends with a block. */
export type CachePolicy = "1h" | "5m" | "none";

/** A slice of the system prompt; a provider's breakpoint belongs at its end, unless the policy is `none`. */
export interface CacheBlock {
  /** `workspace`, `skills`, `binding_glue`, `channel_meta`, or a host's own name. */
  readonly label: string;
  /** The text, to the byte. */
  readonly text: string;
  /** How long to keep it. */
  readonly cache: CachePolicy;
}

/** A piece of the system text with one origin: `system.slice(start, end)`. */
export interface Section {
  /** The piece: `identity`, `capability-contract`, `guardrails`, `surface`, `facts` … */
  readonly name: string;
  /** The label of the cache block it is in. */
  readonly block: string;
  /** Where it begins, in UTF-16 code units. */
  readonly start: number;
  /** Where it ends, exclusive. */
  readonly end: number;
  /** The layer it came from; absent for the host's text and for fixed wording. */
  readonly layer?: Layer;
  /** The source of that layer. */
  readonly source?: string;
}

/** The record of one contribution. */
export interface Descriptor {
  /** `identity`, `operating-rules`, `instructions`, `guardrails` or `surface-note`. */
  readonly block: string;
  /** The layer's name; a recorded list may hold names this build does not know. */
  readonly layer: string;
  /** The layer input's source. */
  readonly source?: string;
  /** The SHA-256 of the text, in lower-case hex. */
  readonly digest: string;
  /** The text's length in bytes of UTF-8. */
  readonly bytes: number;
}

/** The winning or accumulated text of each block; lists are bullets. */
export interface Effective {
  /** The winner's text, as given. */
  readonly identity?: string;
  /** The winner's text, as given. */
  readonly "operating-rules"?: string;
  /** All guardrails, as bullets. */
  readonly guardrails?: string;
  /** All surface notes, as bullets. */
  readonly "surface-note"?: string;
}

/** What a diagnostic is about. */
export type DiagnosticCode =
  | "layer-order"
  | "trust-unstated"
  | "untrusted-dropped"
  | "untrusted-kept"
  | "duplicate-folded"
  | "blanked"
  | "line-breaks-folded"
  | "fact-escaped"
  | "duplicate-fact-key"
  | "undeclared-dynamic-fact"
  | "seed-preamble"
  | "seed-unknown-block"
  | "seed-repeated-block"
  | "unknown-file"
  | "markdown-in-strict"
  | "seed-marker-like"
  | "layer-repeated"
  | "item-escaped"
  | "more-diagnostics";

/** Something that was dropped, folded or escaped on the way. */
export interface Diagnostic {
  /** What it is about; stable. */
  readonly code: DiagnosticCode;
  /** How much it matters. */
  readonly severity: "error" | "warning" | "info";
  /** A sentence for a person. */
  readonly message: string;
  /** Where in the input, as `layers[2].content.guardrails[0]`. */
  readonly path?: string;
}

/**
 * One assembled prompt: plain data.
 *
 * What `assemble` gives is the caller's own. Of what an `Assembler` gives, the object and its lists `blocks`, `sections`
 * and `diagnostics` are the caller's own; their entries, `descriptors` and `effective` are frozen, and shared between turns.
 */
export interface Assembly {
  /** The stable system prompt: the texts of the `1h` blocks, concatenated. */
  prefix: string;
  /** What changes each turn; it belongs at the end of the conversation. */
  tail: string;
  /** The whole system prompt: the texts of all blocks, concatenated. */
  system: string;
  /** The system prompt in slices, each with its cache policy. */
  blocks: CacheBlock[];
  /** Where each piece of `system` came from, if `options.sections` asked for it. */
  sections?: Section[];
  /** Who contributed what. */
  descriptors: readonly Descriptor[];
  /** One digest over the descriptors. */
  fingerprint: string;
  /** What holds, block by block. */
  effective: Effective;
  /** What was dropped, folded or escaped, in the order of the input. */
  diagnostics: Diagnostic[];
}

/** What the layers and runtime sections alone make. */
export type Resolution = Pick<
  Assembly,
  "prefix" | "tail" | "descriptors" | "fingerprint" | "effective" | "diagnostics"
>;

/** What differs between a recorded list of descriptors and today's. */
export interface Drift {
  /** Contributions that were not there. */
  readonly added: readonly Descriptor[];
  /** Contributions that are no longer there. */
  readonly removed: readonly Descriptor[];
  /** Contributions with another text. */
  readonly changed: readonly { readonly was: Descriptor; readonly now: Descriptor }[];
  /** The same for a person, one line each: added, removed, changed. */
  readonly lines: readonly string[];
}

/** What a seed file holds. */
export interface Seed {
  /** The content of the seed layer. */
  readonly content: LayerContent;
  /** Empty where the file has none. */
  readonly capabilityContract: string;
  /** Empty where the file has none. */
  readonly presentationContract: string;
  /** Empty where the file has none. */
  readonly sandboxContract: string;
  /** What of the file is not used. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What kind of mistake an error reports. */
export type ErrorCode =
  | "invalid-json"
  | "invalid-utf8"
  | "wrong-type"
  | "unknown-field"
  | "missing-field"
  | "duplicate-field"
  | "unknown-layer"
  | "unknown-value"
  | "unknown-block"
  | "lone-surrogate"
  | "cycle"
  | "unreadable"
  | "detached-bytes"
  | "too-deep"
  | "too-large"
  | "invalid-fact-key"
  | "static-fact-in-turn"
  | "ambiguous-layer"
  | "no-file-for-field"
  | "freed-handle"
  | "stale-handle"
  | "handle-busy"
  | "wrapped-handle"
  | "not-ready"
  | "unsupported-runtime"
  | "wasm-not-fetched"
  | "wasm-invalid"
  | "wasm-foreign"
  | "wasm-forbidden"
  | "internal";

/**
 * Everything this package throws. After any error the next call works.
 *
 * One class for every entry: `instanceof` also holds for the errors of another copy of the package.
 *
 * @example
 * ```js
 * import { assemble, StrataError } from "prompt-strata";
 *
 * try {
 *   assemble({ layers: [{ layer: "seed", content: { gaurdrails: [] } }] });
 * } catch (error) {
 *   if (!(error instanceof StrataError)) throw error;
 *   console.log(error.code, error.path); // unknown-field layers[0].content.gaurdrails
 * }
 * ```
 */
export declare class StrataError extends Error {
  /** Made by this package. */
  constructor(code: ErrorCode, path: string, message: string, options?: ErrorOptions);
  /** What kind of mistake this is; stable. */
  readonly code: ErrorCode;
  /** Where in the input the culprit stands; empty for the input itself. */
  readonly path: string;
}

/**
 * Assembles one prompt.
 *
 * @param input - The input, or the same as JSON in text or bytes.
 * @returns The prompt, with what it is made of.
 * @throws {StrataError} Whatever is wrong with the input, with its path.
 *
 * @example
 * ```js
 * import { assemble } from "prompt-strata";
 *
 * const { prefix } = assemble({ layers: [{ layer: "seed", content: { identity: "You are Ada." } }] });
 * console.log(prefix); // "You are Ada.\n"
 * ```
 */
export declare function assemble(input: AssembleInput | string | Uint8Array): Assembly;

/**
 * Resolves layers and runtime sections, without facts and cache blocks.
 *
 * @param input - Layers, runtime sections and options, or the same as JSON in text or bytes.
 * @returns The stable text, the tail and who contributed what.
 * @throws {StrataError} Whatever is wrong with the input, with its path.
 *
 * @example
 * ```js
 * import { resolve } from "prompt-strata";
 *
 * const { effective } = resolve({ layers: [{ layer: "bot", content: { guardrails: "- never push" } }] });
 * console.log(effective.guardrails); // "- never push\n"
 * ```
 */
export declare function resolve(
  input: Pick<AssembleInput, "layers" | "runtime" | "options"> | string | Uint8Array,
): Resolution;

/**
 * Layers, sections and facts, resolved once, for many turns. No turn changes the prefix.
 *
 * It holds memory of the WebAssembly instance until it is freed.
 *
 * @example
 * ```js
 * import { Assembler } from "prompt-strata";
 *
 * const assembler = new Assembler({
 *   layers: [{ layer: "seed", content: { identity: "You are Ada." } }],
 *   facts: [{ key: "time", value: "12:00", volatility: "dynamic" }],
 * });
 * const turn = assembler.assemble({ facts: [{ key: "time", value: "12:01", volatility: "dynamic" }] });
 * console.log(turn.tail); // "<facts>\n- time: 12:01\n</facts>"
 * assembler.free();
 * ```
 */
export declare class Assembler {
  /**
   * Parses and resolves an input.
   *
   * @param input - The input, or the same as JSON in text or bytes.
   * @throws {StrataError} Whatever is wrong with the input, with its path.
   */
  constructor(input: AssembleInput | string | Uint8Array);

  /**
   * The prompt of one turn. The entries of its lists, `descriptors` and `effective` are frozen, and shared between turns.
   *
   * @param turn - What is new; a static fact in it is an error.
   * @throws {StrataError} `static-fact-in-turn`, `invalid-fact-key` …; the handle stays as it was.
   */
  assemble(turn?: Turn): Assembly;

  /**
   * Replaces the layer with the same name and source, or adds one: after the last that is not narrower.
   *
   * @param layer - The layer.
   * @throws {StrataError} `ambiguous-layer` where several have that name and source; the handle stays as it was.
   */
  setLayer(layer: LayerInput): void;

  /**
   * Takes a layer out.
   *
   * @param layer - Its name.
   * @param source - Its source, if it has one.
   * @returns Whether there was one.
   * @throws {StrataError} `ambiguous-layer` where several have that name and source.
   */
  removeLayer(layer: Layer, source?: string): boolean;

  /**
   * Releases the memory; the handle cannot be used any more. Doing so twice is harmless.
   *
   * @throws {StrataError} `handle-busy` where another call on this handle still reads its input.
   */
  free(): void;

  /** The same, for `using`. */
  [Symbol.dispose](): void;
}

/**
 * Reads guardrail text into its items.
 *
 * @param text - Bullets and paragraphs; a leading byte order mark is ignored.
 * @param options - `dialect`: `strict` (default) or `markdown`.
 * @returns The items, trimmed, none empty.
 *
 * @example
 * ```js
 * import { parseGuardrails } from "prompt-strata";
 *
 * parseGuardrails("- never push\n  to main"); // ["never push to main"]
 * parseGuardrails("## Allowed\n1. read", { dialect: "markdown" }); // ["Allowed: read"]
 * ```
 */
export declare function parseGuardrails(text: string, options?: { readonly dialect?: Options["dialect"] }): string[];

/**
 * Writes items as bullets, one a line.
 *
 * @param rules - The items.
 * @returns The text; reading it gives the same items.
 *
 * @example
 * ```js
 * import { renderGuardrails } from "prompt-strata";
 *
 * renderGuardrails(["never push"]); // "- never push\n"
 * ```
 */
export declare function renderGuardrails(rules: readonly string[]): string;

/**
 * Renders facts as one block, escaped so that none breaks out.
 *
 * @param facts - The facts, in their order.
 * @returns The block, or null where there are none.
 * @throws {StrataError} `invalid-fact-key` for a key that is blank or holds a line break.
 *
 * @example
 * ```js
 * import { renderFacts } from "prompt-strata";
 *
 * renderFacts([{ key: "plan", value: "pro", volatility: "static" }]); // "<facts>\n- plan: pro\n</facts>"
 * ```
 */
export declare function renderFacts(facts: readonly Fact[]): string | null;

/**
 * Makes cache blocks of texts that a host built itself: at most four, blank ones left out, text as given.
 *
 * @param parts - The texts.
 * @returns The blocks, in their order.
 *
 * @example
 * ```js
 * import { buildBlocks } from "prompt-strata";
 *
 * buildBlocks({ skills: "Skills: none" }); // [{ label: "skills", text: "Skills: none", cache: "1h" }]
 * ```
 */
export declare function buildBlocks(parts: {
  readonly workspace?: string | null;
  readonly skills?: string | null;
  readonly bindingGlue?: string | null;
  readonly channelMeta?: string | null;
}): CacheBlock[];

/**
 * Joins the texts of blocks by a blank line, for providers without caching.
 *
 * @param blocks - The blocks; empty ones are left out.
 * @returns The text.
 *
 * @example
 * ```js
 * import { buildBlocks, flattenBlocks } from "prompt-strata";
 *
 * flattenBlocks(buildBlocks({ workspace: "a", skills: "b" })); // "a\n\nb"
 * ```
 */
export declare function flattenBlocks(blocks: readonly CacheBlock[]): string;

/**
 * Reads a seed file: blocks begin at whole lines `<!-- block: NAME -->`.
 *
 * @param text - The file.
 * @param options - `version` replaces `{{version}}`.
 * @returns The seed layer's content, the contracts, and what is not used.
 * @throws {StrataError} `too-large` where the versions put in come to more than 8 MiB.
 *
 * @example
 * ```js
 * import { parseSeed } from "prompt-strata";
 *
 * const seed = parseSeed("<!-- block: identity -->\nYou are Ada {{version}}.", { version: "1.2.0" });
 * console.log(seed.content.identity); // "You are Ada 1.2.0."
 * ```
 */
export declare function parseSeed(text: string, options: { readonly version: string }): Seed;

/**
 * The SHA-256 of a text's UTF-8 bytes.
 *
 * @param text - The text.
 * @returns Lower-case hex.
 *
 * @example
 * ```js
 * import { digest } from "prompt-strata";
 *
 * digest("abc").slice(0, 8); // "ba7816bf"
 * ```
 */
export declare function digest(text: string): string;

/**
 * One digest over a list of descriptors, in the order given.
 *
 * @param descriptors - The descriptors.
 * @returns Lower-case hex.
 *
 * @example
 * ```js
 * import { digest, fingerprint } from "prompt-strata";
 *
 * fingerprint([]) === digest(""); // true
 * ```
 */
export declare function fingerprint(descriptors: readonly Descriptor[]): string;

/**
 * Compares a recorded list of descriptors with today's.
 *
 * @param frozen - As recorded; an empty list is an unknown baseline, which is no change.
 * @param current - As it is.
 * @returns What differs, or null.
 *
 * @example
 * ```js
 * import { assemble, drift } from "prompt-strata";
 *
 * const was = assemble({ layers: [{ layer: "bot", content: { identity: "You are Ada." } }] });
 * const now = assemble({ layers: [{ layer: "bot", content: { identity: "You are Bob!!" } }] });
 * drift(was.descriptors, now.descriptors)?.lines; // ["~ identity from bot (12B → 13B)"]
 * ```
 */
export declare function drift(frozen: readonly Descriptor[], current: readonly Descriptor[]): Drift | null;

/**
 * Replaces one block of a layer's content.
 *
 * @param content - The content; it is not changed.
 * @param block - The block, as a person may spell it.
 * @param text - A text is stored trimmed, a list is parsed; null resets to what broader layers say.
 * @returns The new content.
 * @throws {StrataError} `unknown-block` for a name that is no editable block.
 *
 * @example
 * ```js
 * import { setBlock } from "prompt-strata";
 *
 * setBlock({}, "guardrails", "- never push"); // { guardrails: ["never push"] }
 * ```
 */
export declare function setBlock(
  content: LayerContent,
  block: BlockName | (string & {}),
  text: string | null,
): LayerContent;

/**
 * Reads one block of a layer's content.
 *
 * @param content - The content.
 * @param block - The block, as a person may spell it.
 * @returns A text as it is, a list as bullets; null where the layer inherits.
 * @throws {StrataError} `unknown-block` for a name that is no editable block.
 *
 * @example
 * ```js
 * import { getBlock } from "prompt-strata";
 *
 * getBlock({ guardrails: ["never push"] }, "guardrails"); // "- never push\n"
 * ```
 */
export declare function getBlock(content: LayerContent, block: BlockName | (string & {})): string | null;

/**
 * Reads a block name typed by a person.
 *
 * @param name - The name; white space around it, letter case, and `_` for `-` are ignored.
 * @returns The name, or null where it names no editable block.
 *
 * @example
 * ```js
 * import { parseBlockName } from "prompt-strata";
 *
 * parseBlockName(" Rules "); // "operating-rules"
 * ```
 */
export declare function parseBlockName(name: string): BlockName | null;

/**
 * The label of a layer for a person; a name this build does not know is its own label.
 *
 * @param wire - The layer's name.
 * @returns The label.
 *
 * @example
 * ```js
 * import { layerLabel } from "prompt-strata";
 *
 * layerLabel("workspace"); // "This workspace"
 * ```
 */
export declare function layerLabel(wire: string): string;

/**
 * Reads a layer from the texts of its files.
 *
 * @param files - The texts by file name. A file that is not there inherits, an empty text file empties its block.
 * @returns The content, and a diagnostic for each file that nobody reads.
 *
 * @example
 * ```js
 * import { layerFromFiles } from "prompt-strata";
 *
 * layerFromFiles({ "identity.md": "You are Ada.\n" }).content; // { identity: "You are Ada." }
 * ```
 */
export declare function layerFromFiles(files: Readonly<Record<string, string | null | undefined>>): {
  content: LayerContent;
  diagnostics: Diagnostic[];
};

/**
 * Writes a layer's content as files.
 *
 * @param content - The content.
 * @returns The texts by file name: texts end in one newline, lists are bullets, what inherits has no file.
 * @throws {StrataError} `no-file-for-field` for content with instructions, which have no file and would be lost.
 *
 * @example
 * ```js
 * import { layerToFiles } from "prompt-strata";
 *
 * layerToFiles({ guardrails: ["never push"] }); // { "guardrails.md": "- never push\n" }
 * ```
 */
export declare function layerToFiles(content: LayerContent): Record<string, string>;

/**
 * The directory of a surface's or an agent's layer files.
 *
 * @param kind - `surface` or `agents`.
 * @param name - Its name: 1–64 ASCII letters, digits, `-` and `_`.
 * @param options - `root`: the folder that holds `.vak/prompts`, or that folder itself.
 * @returns The path, or null where the name is none, so that no name leaves the directory.
 *
 * @example
 * ```js
 * import { subLayerPath } from "prompt-strata";
 *
 * subLayerPath("agents", "reviewer"); // ".vak/prompts/agents/reviewer"
 * subLayerPath("agents", "../x"); // null
 * ```
 */
export declare function subLayerPath(
  kind: "surface" | "agents",
  name: string,
  options?: { readonly root?: string | null },
): string | null;

/** The version of this package. */
export declare const version: string;
