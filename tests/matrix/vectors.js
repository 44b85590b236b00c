// @ts-check

// The conformance vectors through any copy of the package, in any runtime: nothing is imported here.

/**
 * @typedef {typeof import("prompt-strata")} Strata
 * @typedef {{ name: string, op: string, args: any, want: any }} Vector
 */

/** The vectors spell content with underscores, as Rust does. */
const WIRE = { operatingRules: "operating_rules", surfaceNotes: "surface_notes" };

/** @param {Record<string, unknown>} content */
function snake(content) {
  const name = (/** @type {string} */ key) => /** @type {Record<string, string>} */ (WIRE)[key] ?? key;
  return Object.fromEntries(Object.entries(content).map(([key, value]) => [name(key), value]));
}

/** @type {Record<string, (strata: Strata, args: any) => unknown>} */
const OPS = {
  assemble: (strata, args) => strata.assemble(args),
  resolve: (strata, args) => {
    const { prefix, effective, ...rest } = strata.resolve(args);
    return { text: prefix, blocks: effective, ...rest };
  },
  parse_guardrails: (strata, { text, dialect }) => strata.parseGuardrails(text, { dialect }),
  render_guardrails: (strata, { rules }) => strata.renderGuardrails(rules),
  parse_block: (strata, { value }) => strata.parseBlockName(value),
  layer_label: (strata, { wire }) => strata.layerLabel(wire),
  stance: (strata, { stance }) => strata.assemble({ layers: [], runtime: { epistemicStance: stance } }).tail,
  sub_layer: (strata, { kind, name }) => strata.subLayerPath(kind, name, { root: "R/.vak/prompts" }),
  build_blocks: (strata, parts) => strata.buildBlocks(parts),
  flatten_blocks: (strata, { blocks }) => strata.flattenBlocks(blocks),
  render_facts: (strata, { facts }) => strata.renderFacts(facts),
  demote: (strata, { content }) => {
    // The package demotes within a resolution: what is left is what the layer still says.
    const { effective } = strata.resolve({ layers: [{ layer: "workspace", trusted: false, content }] });
    const guardrails = strata.parseGuardrails(effective.guardrails ?? "");
    return guardrails.length > 0 ? { guardrails } : {};
  },
  drift: (strata, { frozen, current }) => {
    const drift = strata.drift(frozen, current);
    if (drift === null) return null;
    const { lines, added, removed, changed } = drift;
    return { drift: { added, removed, changed: changed.map(({ was, now }) => [was, now]) }, lines };
  },
  parse_seed: (strata, { text, version }) => {
    const seed = strata.parseSeed(text, { version });
    return {
      ...seed.content,
      content: snake({ ...seed.content }),
      capability_contract: seed.capabilityContract,
      presentation_contract: seed.presentationContract,
      sandbox_contract: seed.sandboxContract,
    };
  },
  set_block: (strata, { content, block, text }) => {
    const edited = strata.setBlock(content, block, text);
    return {
      block: strata.getBlock(edited, block),
      content: snake({ ...edited }),
      is_empty: Object.keys(edited).length === 0,
    };
  },
};

/**
 * Runs every vector. The digest is over all results, byte for byte and in full, also over what a vector leaves open.
 *
 * @param {Strata} strata
 * @param {Record<string, string>} files The text of each `.jsonl` file, by name.
 * @returns {{ count: number, failures: string[], digest: string }}
 */
export function runVectors(strata, files) {
  /** @type {string[]} */
  const failures = [];
  /** @type {string[]} */
  const results = [];
  for (const file of Object.keys(files).sort()) {
    for (const line of (files[file] ?? "").split("\n")) {
      if (line === "") continue;
      const vector = /** @type {Vector} */ (JSON.parse(line));
      const failure = runVector(strata, vector, results);
      if (failure !== null) failures.push(`${file}: ${vector.name}: ${failure}`);
    }
  }
  return { count: results.length, failures, digest: strata.digest(results.join("\n")) };
}

/**
 * @param {Strata} strata
 * @param {Vector} vector
 * @param {string[]} results
 */
function runVector(strata, { op, args, want }, results) {
  try {
    const run = OPS[op];
    if (!run) throw new Error(`there is no runner for the op ${op}`);
    const got = run(strata, args);
    results.push(JSON.stringify(got) ?? "undefined");
    const [named, wanted] = [canonical(pick(got, want)), canonical(want)];
    return named === wanted ? null : `got ${named}, want ${wanted}`;
  } catch (thrown) {
    results.push(String(thrown));
    return String(thrown);
  }
}

/**
 * What of a result a vector speaks of.
 *
 * @param {any} got
 * @param {any} want
 */
function pick(got, want) {
  const isRecord = (/** @type {unknown} */ value) =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isRecord(got) || !isRecord(want)) return got;
  return Object.fromEntries(Object.keys(want).map((key) => [key, got[key]]));
}

/** @param {unknown} value */
function canonical(value) {
  return JSON.stringify(value, (_, nested) =>
    typeof nested === "object" && nested !== null && !Array.isArray(nested)
      ? Object.fromEntries(Object.entries(nested).sort(([a], [b]) => (a < b ? -1 : 1)))
      : nested,
  );
}
