// @ts-check

// Runs the conformance vectors through a build of the package, on whatever runtime: nothing is imported here, and the
// vectors come in as parsed JSON.

/**
 * @typedef {typeof import("../../pkg/src/index.js")} Strata
 * @typedef {{ name: string, op: string, args: any, want: any }} Vector
 * @typedef {(strata: Strata, args: any) => unknown} Operation
 */

/** Files whose vectors, and operations whose results, are compared only in what `want` speaks of. */
const PARTIAL_FILES = new Set(["departures.jsonl"]);
const PARTIAL_OPS = new Set(["assemble"]);

/** The content fields that the vectors spell in snake_case, and the blocks they belong to. */
const CONTENT_FIELDS = {
  identity: "identity",
  "operating-rules": "operating_rules",
  instructions: "instructions",
  guardrails: "guardrails",
  "surface-note": "surface_notes",
};

/** @param {object} content */
function snake(content) {
  const spelt = (/** @type {string} */ name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(content).map(([name, value]) => [spelt(name), value]));
}

/**
 * What of an untrusted layer takes part: everything that the effective blocks or the descriptors tell of.
 *
 * @type {Operation}
 */
function demote(strata, { content }) {
  const layers = [{ layer: /** @type {const} */ ("workspace"), trusted: false, content }];
  const { effective, descriptors } = strata.assemble({ layers });
  const recorded = descriptors.map(({ block }) => [block, undefined]);
  const kept = Object.entries({ ...Object.fromEntries(recorded), ...effective });
  return Object.fromEntries(
    kept.map(([block, text]) => {
      const isList = block === "guardrails" || block === "surface-note";
      const value = isList && text !== undefined ? strata.parseGuardrails(text) : (text ?? null);
      return [CONTENT_FIELDS[/** @type {keyof typeof CONTENT_FIELDS} */ (block)], value];
    }),
  );
}

/** @type {Operation} */
function resolve(strata, args) {
  const { prefix, tail, descriptors, fingerprint, effective } = strata.resolve(args);
  return { text: prefix, tail, descriptors, fingerprint, blocks: effective };
}

/** @type {Operation} */
function parseSeed(strata, { text, version }) {
  const seed = strata.parseSeed(text, { version });
  return {
    content: snake(seed.content),
    capability_contract: seed.capabilityContract,
    presentation_contract: seed.presentationContract,
    sandbox_contract: seed.sandboxContract,
  };
}

/** @type {Operation} */
function setBlock(strata, { content, block, text }) {
  const edited = strata.setBlock(content, block, text);
  return {
    block: strata.getBlock(edited, block),
    content: snake(edited),
    is_empty: Object.keys(edited).length === 0,
  };
}

/** @type {Operation} */
function drift(strata, { frozen, current }) {
  const found = strata.drift(frozen, current);
  if (found === null) return null;
  const { added, removed, changed, lines } = found;
  return { drift: { added, removed, changed: changed.map(({ was, now }) => [was, now]) }, lines };
}

/** @type {Record<string, Operation>} */
const OPERATIONS = {
  assemble: (strata, args) => strata.assemble(args),
  resolve,
  parse_guardrails: (strata, { text, dialect }) => strata.parseGuardrails(text, { dialect }),
  render_guardrails: (strata, { rules }) => strata.renderGuardrails(rules),
  render_facts: (strata, { facts }) => strata.renderFacts(facts),
  build_blocks: (strata, parts) => strata.buildBlocks(parts),
  flatten_blocks: (strata, { blocks }) => strata.flattenBlocks(blocks),
  parse_block: (strata, { value }) => strata.parseBlockName(value),
  layer_label: (strata, { wire }) => strata.layerLabel(wire),
  stance: (strata, { stance }) => strata.assemble({ layers: [], runtime: { epistemicStance: stance } }).tail,
  sub_layer: (strata, { kind, name }) => strata.subLayerPath(kind, name, { root: "R" }),
  parse_seed: parseSeed,
  demote,
  set_block: setBlock,
  drift,
};

/**
 * The forms in which an operation takes its input: those that take JSON take it as text and as bytes, too.
 *
 * @param {string} op
 * @param {any} args
 */
function formsOf(op, args) {
  if (op !== "assemble" && op !== "resolve") return [args];
  const text = JSON.stringify(args);
  return [args, text, new TextEncoder().encode(text)];
}

/**
 * The part of a result that `want` speaks of.
 *
 * @param {any} got
 * @param {any} want
 */
function narrowed(got, want) {
  const isRecord = (/** @type {unknown} */ it) => typeof it === "object" && it !== null && !Array.isArray(it);
  if (!isRecord(got) || !isRecord(want)) return got;
  // A seed's content stands beside its contracts.
  const all = { ...got.content, ...got };
  return Object.fromEntries(Object.keys(want).map((name) => [name, all[name]]));
}

/**
 * A value as text to compare: the order of fields does not count, and a field that is there but undefined does.
 *
 * @param {unknown} value
 */
function shown(value) {
  const sorted = (/** @type {string} */ _name, /** @type {any} */ it) => {
    if (it === undefined) return "(undefined)";
    if (typeof it !== "object" || it === null || Array.isArray(it)) return it;
    return Object.fromEntries(Object.entries(it).sort(([a], [b]) => (a < b ? -1 : 1)));
  };
  return JSON.stringify(value, sorted, 2);
}

/**
 * The lines of two texts, those that differ marked; enough around them to find the place.
 *
 * @param {string} want
 * @param {string} got
 */
export function lineDiff(want, got) {
  const a = want.split("\n");
  const b = got.split("\n");
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let aEnd = a.length;
  let bEnd = b.length;
  while (aEnd > start && bEnd > start && a[aEnd - 1] === b[bEnd - 1]) {
    aEnd -= 1;
    bEnd -= 1;
  }
  return [
    ...a.slice(Math.max(0, start - 3), start).map((line) => `    ${line}`),
    ...a.slice(start, aEnd).map((line) => `  - ${line}`),
    ...b.slice(start, bEnd).map((line) => `  + ${line}`),
    ...a.slice(aEnd, aEnd + 3).map((line) => `    ${line}`),
  ].join("\n");
}

/**
 * Runs vectors, and goes on past those that fail.
 *
 * @param {Strata} strata The package, imported.
 * @param {Record<string, Vector[]>} vectorsByFile The vectors, by file name.
 * @returns {{ failures: string[], digest: string, count: number }} What failed, each with its place and what differs;
 * a digest over all results, which is the same on every runtime; and how many vectors there were.
 */
export function runVectors(strata, vectorsByFile) {
  /** @type {string[]} */
  const failures = [];
  /** @type {unknown[]} */
  const results = [];
  let count = 0;
  for (const file of Object.keys(vectorsByFile).sort()) {
    vectorsByFile[file].forEach(({ name, op, args, want }, index) => {
      count += 1;
      const place = `${file}:${index + 1} ${op}: ${name}`;
      const operation = OPERATIONS[op];
      if (!operation) {
        failures.push(`${place}\n  no runner for this operation`);
        return;
      }
      const isPartial = PARTIAL_FILES.has(file) || PARTIAL_OPS.has(op);
      for (const form of formsOf(op, args)) {
        try {
          const result = operation(strata, form);
          results.push(result);
          const got = shown(isPartial ? narrowed(result, want) : result);
          if (got !== shown(want)) failures.push(`${place}\n${lineDiff(shown(want), got)}`);
        } catch (thrown) {
          results.push(String(thrown));
          failures.push(`${place}\n  threw ${thrown}`);
        }
      }
    });
  }
  return { failures, digest: strata.digest(JSON.stringify(results)), count };
}
