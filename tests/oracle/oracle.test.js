import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createOracle, demote, WORDING } from './oracle.js';
import { sha256Hex } from './node-crypto.js';

const folder = process.env.CONFORMANCE ?? fileURLToPath(new URL('../conformance/', import.meta.url));
const oracle = createOracle({ sha256Hex });

const SNAKE_KEYS = { operatingRules: 'operating_rules', surfaceNotes: 'surface_notes' };
const snakeContent = (content) =>
  Object.fromEntries(Object.entries(content).map(([key, value]) => [SNAKE_KEYS[key] ?? key, value]));

/** The members of `got` that `want` names, so that a vector may state a part of a result. */
const pick = (got, want) => Object.fromEntries(Object.keys(want).map((key) => [key, got[key]]));

const OPS = {
  parse_guardrails: ({ text, dialect }) => oracle.parseGuardrails(text, { dialect }),
  render_guardrails: ({ rules }) => oracle.renderGuardrails(rules),
  layer_label: ({ wire }) => oracle.layerLabel(wire),
  parse_block: ({ value }) => oracle.parseBlockName(value),
  stance: ({ stance }) => oracle.resolve({ layers: [], runtime: { epistemicStance: stance } }).tail,
  sub_layer: ({ kind, name }) => oracle.subLayerPath(kind, name, { root: 'R/.vak/prompts' }),
  demote: ({ content }) => snakeContent(demote(content)),
  build_blocks: (parts) => oracle.buildBlocks(parts),
  flatten_blocks: ({ blocks }) => oracle.flattenBlocks(blocks),
  render_facts: ({ facts }) => oracle.renderFacts(facts),
  resolve: (args, want) => {
    const got = oracle.resolve(args);
    return pick({ ...got, text: got.prefix, blocks: got.effective }, want);
  },
  assemble: (args, want) => pick(oracle.assemble(args), want),
  drift: ({ frozen, current }) => {
    const got = oracle.drift(frozen, current);
    if (got === null) return null;
    const { added, removed, changed, lines } = got;
    return { drift: { added, removed, changed: changed.map(({ was, now }) => [was, now]) }, lines };
  },
  parse_seed: ({ text, version }, want) => {
    const got = oracle.parseSeed(text, { version });
    const content = snakeContent(got.content);
    const all = {
      ...content,
      content,
      capability_contract: got.capabilityContract,
      presentation_contract: got.presentationContract,
      sandbox_contract: got.sandboxContract,
    };
    return pick(all, want);
  },
  set_block: ({ content, block, text }) => {
    const next = oracle.setBlock(content, block, text);
    return {
      block: oracle.getBlock(next, block),
      content: snakeContent(next),
      is_empty: Object.keys(next).length === 0,
    };
  },
};

test('the conformance folder is there', () => {
  assert.ok(existsSync(folder), `no conformance folder at ${folder}: set CONFORMANCE to the folder with the vectors`);
});

const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.jsonl')).sort() : [];

test('the conformance folder holds vectors', () => {
  assert.ok(names.length > 0, `no .jsonl file in ${folder}`);
});

for (const name of names) {
  test(name, () => {
    const failures = [];
    readFileSync(join(folder, name), 'utf8').split('\n').forEach((line, index) => {
      if (line.trim() === '') return;
      const vector = JSON.parse(line);
      try {
        assert.ok(Object.hasOwn(OPS, vector.op), `unknown op ${vector.op}`);
        assert.deepStrictEqual(OPS[vector.op](vector.args, vector.want), vector.want);
      } catch (error) {
        failures.push(`${name}:${index + 1} (${vector.op}, ${vector.name})\n${error.message}`);
      }
    });
    assert.equal(failures.length, 0, `${failures.length} vectors fail\n\n${failures.join('\n\n')}`);
  });
}

test('wording.json', () => {
  assert.deepStrictEqual({ ...WORDING.source }, JSON.parse(readFileSync(join(folder, 'wording.json'), 'utf8')));
});

const AWKWARD = ['# heading', '## Guardrails', '- x', '- -', '* *', '---', '***', '-', '1. x', '```', '~~~', '```sh'].concat(
  ['<!-- x -->', '<!-- open', '-->', 'Guardrails:', 'Guardrails: x', '#', '\ufeffx', 'a\u0085b', 'a\u2028b', '> q', 'x:'],
);

test('what is rendered parses back, in both dialects', () => {
  for (const dialect of ['strict', 'markdown']) {
    for (const a of AWKWARD) {
      for (const b of AWKWARD) {
        const items = [a, b, 'plain'];
        assert.deepStrictEqual(oracle.parseGuardrails(oracle.renderGuardrails(items), { dialect }), items);
      }
    }
  }
});

test('markdown: readings the vectors leave open', () => {
  const cases = [
    ['- a\n  # foo\n- b', ['a # foo', 'b']],
    ['- run\n```sh\n- make\n\n# x\n```\n- b', ['run ```sh - make # x ```', 'b']],
    ['- ```sh\n  x\n  ```\n- b', ['```sh x ```', 'b']],
    ['a <!-- kept -->\n<!-- gone --> # text\nb', ['a <!-- kept --> # text b']],
    ['<!-- never closed\n- a', ['<!-- never closed', 'a']],
    ['<!-- a -->\n# Title\n## Security\n- b\n## Guardrails\n- c', ['Title', 'Security: b', 'c']],
    ['## A\n### B\n## C\n### Guardrails', ['A: B', 'C']],
    ['- a\n\n  - b\n\n    more\n\nprose', ['a - b more', 'prose']],
    ['- a\n# Title\n- b', ['a', 'Title: b']],
    ['* * *\n***\n- a\n  *  *  *\n  b\n* **\n- * *', ['a b', '* *']],
    ['<!-- a --><!-- b\nc -->- d', ['- d']],
    ['# Guardrails\n# Title\n- a', ['Title: a']],
    ['# Guardrails\n# Forbidden\n- delete', ['Forbidden: delete']],
    ['#\n# Forbidden\n- delete', ['Forbidden: delete']],
    ['## Guardrails\n# Title\n- a', ['Title: a']],
    ['#\n- a', ['a']],
    ['***\n\n<!-- c -->\n# Title\n- a', ['Title', 'a']],
    ['it came in\n2024. That\n3) too\n1. a\n2. b', ['it came in 2024. That 3) too', 'a', 'b']],
    ['it came in\n\n2024. That', ['it came in', 'That']],
    ['- in\n2024. That', ['in', 'That']],
  ];
  for (const [text, want] of cases) assert.deepStrictEqual(oracle.parseGuardrails(text, { dialect: 'markdown' }), want, text);
});

test('blanked: only by the winner, and of whatever broader text', () => {
  const layers = (...texts) => texts.map((identity, index) => ({ layer: 'bot', source: `${index}`, content: { identity } }));
  const codes = (...texts) => oracle.resolve({ layers: layers(...texts) }).diagnostics.map(({ code }) => code);
  assert.deepStrictEqual(codes('I', ''), ['blanked']);
  assert.deepStrictEqual(codes('I', '', '', null), ['blanked']);
  assert.deepStrictEqual(codes('I', '', 'J'), []);
  assert.deepStrictEqual(codes('', ' '), []);
});

test('files: readings the vectors leave open', () => {
  const path = (root) => oracle.subLayerPath('surface', 'x', { root });
  assert.equal(oracle.subLayerPath('surface', 'x'), '.vak/prompts/surface/x');
  assert.equal(path('R'), 'R/.vak/prompts/surface/x');
  assert.equal(path('R/'), 'R/.vak/prompts/surface/x');
  assert.equal(path('/'), '/.vak/prompts/surface/x');
  assert.equal(path('.vak/prompts'), '.vak/prompts/surface/x');
  assert.equal(path('R/.vak/prompts/'), 'R/.vak/prompts/surface/x');
  assert.deepStrictEqual(oracle.layerToFiles({ identity: ' ', guardrails: [] }), { 'identity.md': '\n' });
  assert.throws(() => oracle.layerToFiles({ instructions: '' }));
});

test('blocks and sections cover the text', () => {
  let seen = 0;
  for (const line of names.includes('assemble.jsonl') ? readFileSync(join(folder, 'assemble.jsonl'), 'utf8').split('\n') : []) {
    if (line === '') continue;
    const { args } = JSON.parse(line);
    const got = oracle.assemble({ ...args, options: { ...args.options, sections: true } });
    const textOf = (blocks) => blocks.map(({ text }) => text).join('');
    assert.equal(textOf(got.blocks), got.system);
    assert.equal(textOf(got.blocks.filter(({ cache }) => cache === '1h')), got.prefix);
    let at = 0;
    for (const { start, end, block } of got.sections) {
      assert.equal(start, at);
      assert.ok(end > start);
      assert.ok(got.blocks.some(({ label }) => label === block));
      at = end;
    }
    assert.equal(at, got.system.length);
    seen += 1;
  }
  assert.ok(seen > 0, 'no assemble vectors');
});
