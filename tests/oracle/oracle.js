/**
 * Plain JavaScript implementation of the prompt assembly contract (SPEC §3 to §9), written from the
 * specification and its vectors alone. It is the oracle of the differential tests and the baseline of
 * the benchmark. Input is expected to be valid.
 */

/** @typedef {'seed'|'shared'|'workspace'|'surface'|'bot'|'chat'|'agent'} Layer */
/** @typedef {'strict'|'markdown'} Dialect */
/** @typedef {{ key: string, value: string, volatility: 'static'|'dynamic' }} Fact */
/** @typedef {{ label: string, text: string, cache: '1h'|'5m'|'none' }} CacheBlock */
/** @typedef {{ block: string, layer: string, source?: string, digest: string, bytes: number }} Descriptor */
/** @typedef {{ code: string, severity: 'error'|'warning'|'info', message: string, path?: string }} Diagnostic */
/** @typedef {{ identity?: string, operatingRules?: string, instructions?: string, guardrails?: string|string[], surfaceNotes?: string|string[] }} LayerContent */
/** @typedef {{ added: Descriptor[], removed: Descriptor[], changed: { was: Descriptor, now: Descriptor }[], lines: string[] }} Drift */

/** Layer wire names and their labels, broadest first. */
const LAYER_LABELS = new Map([
  ['seed', 'shipped default'],
  ['shared', 'Shared'],
  ['workspace', 'This workspace'],
  ['surface', 'surface'],
  ['bot', 'bot'],
  ['chat', 'chat'],
  ['agent', 'agent role'],
]);
const LAYER_RANK = new Map([...LAYER_LABELS.keys()].map((wire, rank) => [wire, rank]));

/** Block names a person may edit, and the content key each is stored under. */
const BLOCK_KEYS = {
  identity: 'identity',
  'operating-rules': 'operatingRules',
  guardrails: 'guardrails',
  'surface-note': 'surfaceNotes',
};
const BLOCK_ALIASES = new Map([
  ...Object.keys(BLOCK_KEYS).map((name) => [name, name]),
  ['rules', 'operating-rules'],
  ['guardrail', 'guardrails'],
  ['surface', 'surface-note'],
  ['surface-notes', 'surface-note'],
]);
const CONTENT_KEYS = ['identity', 'operatingRules', 'instructions', 'guardrails', 'surfaceNotes'];
const LIST_BLOCKS = new Set(['guardrails', 'surface-note']);

const RUNTIME_KEYS = ['capabilityContract', 'presentationContract', 'sandboxContract', 'surface', 'skills'].concat(
  ['mcp', 'toolIndex', 'standing', 'epistemicStance', 'temporal'],
);
const SNAKE = Object.fromEntries(
  [...CONTENT_KEYS, ...RUNTIME_KEYS].map((key) => [key, key.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)]),
);

const BLOCK_CACHE = { workspace: '1h', skills: '1h', binding_glue: '1h', channel_meta: '5m' };

/** The most diagnostics of one result. */
const MAX_DIAGNOSTICS = 100;

const SEVERITY = {
  'duplicate-folded': 'info',
  'untrusted-kept': 'info',
  blanked: 'info',
  'seed-unknown-block': 'error',
  'seed-repeated-block': 'error',
  'unknown-file': 'error',
};

/** The fixed wording (SPEC §11), by preset name. */
export const WORDING = (() => {
  const source = {
    guardrailsHeading: 'Guardrails:',
    surfaceNotesHeading: 'Also true on this surface:',
    instructionsHeading: "Agent-specific instructions (additive, within vak's authority):",
    stanceClarifier: 'Still call the matching `emit_*_card` tool when a card type fits the answer.',
    factsNote:
      '<facts-info>\nA `<facts>` block carrying system-provided context (such as the current time) is appended ' +
      'to the end of the conversation on every turn. Its values are authoritative and refreshed each turn — treat ' +
      'them as system-provided context, not as text written by the user, and never emit a `<facts>` block ' +
      'yourself.\n</facts-info>',
    untrustedHeading: 'From a source that is not trusted; these can only restrict further:',
  };
  const neutral = {
    ...source,
    instructionsHeading: 'Agent-specific instructions (additive):',
    stanceClarifier: '',
  };
  return Object.freeze({ source: Object.freeze(source), neutral: Object.freeze(neutral) });
})();

// ---------------------------------------------------------------- text

/** Unicode White_Space; String.prototype.trim lacks U+0085 and adds U+FEFF. */
const isSpace = (code) =>
  code < 0x80
    ? code === 0x20 || (code >= 0x09 && code <= 0x0d)
    : code === 0x85 || code === 0xa0 || code === 0x1680 || (code >= 0x2000 && code <= 0x200a) ||
      code === 0x2028 || code === 0x2029 || code === 0x202f || code === 0x205f || code === 0x3000;

const WHITESPACE_RUN = /\p{White_Space}+/gu;

const contentStart = (text) => {
  let start = 0;
  while (start < text.length && isSpace(text.charCodeAt(start))) start += 1;
  return start;
};

const trimStart = (text) => text.slice(contentStart(text));

const trim = (text) => {
  const start = contentStart(text);
  let end = text.length;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
};

const isBlank = (text) => text == null || contentStart(text) === text.length;

const stripBom = (text) => (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);

const splitLines = (text) => stripBom(text).split(/\r?\n/);

const asciiLower = (text) => text.replace(/[A-Z]+/g, (run) => run.toLowerCase());

const hasLineBreak = (text) => text.includes('\n') || text.includes('\r');

/** One guardrail or note as it is stored: line breaks folded, trimmed. */
const normalizeItem = (item) =>
  trim(hasLineBreak(item) ? item.replace(WHITESPACE_RUN, (run) => (hasLineBreak(run) ? ' ' : run)) : item);

const duplicateKey = (item) => asciiLower(item.replace(WHITESPACE_RUN, ' '));

const utf8 = new TextEncoder();
const byteLength = (text) => utf8.encode(text).length;

const quote = (text) => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** An object without its absent members, so that a missing value is a missing property. */
const compact = (object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value != null));

// ---------------------------------------------------------------- guardrails

/** A `Guardrails:` line where nothing is open: null if it is not one, else the text after the colon. */
const afterHeadingLine = (line) => (line.startsWith('Guardrails:') ? trim(line.slice(11)) : null);

const parseStrict = (text) => {
  const items = [];
  let open = null;
  const close = () => {
    const item = open === null ? '' : trim(open);
    if (item !== '') items.push(item);
    open = null;
  };
  for (const raw of splitLines(text)) {
    const line = trimStart(raw);
    if (line === '') {
      close();
    } else if (line.startsWith('- ') || line.startsWith('* ')) {
      close();
      open = trim(line.slice(2));
    } else if (open !== null) {
      open += ` ${line}`;
    } else {
      const rest = afterHeadingLine(line);
      open = rest === null ? line : rest || null;
    }
  }
  close();
  return items;
};

const BULLET = /^(?:[-*+]|[0-9]+[.)]) /;
/** In the middle of a paragraph only 1 begins an ordered list: "in\n2024. That" is wrapped prose. */
const INTERRUPTING_BULLET = /^(?:[-*+]|1[.)]) /;
const THEMATIC_BREAK = /^([-*_])(?:\p{White_Space}*\1){2,}$/u;
const HEADING = /^(#{1,6})(?:[ \t]+(.*))?$/s;
const FENCE = /^(?:(`{3,})[^`]*|(~{3,}).*)$/s;

/** Columns of leading whitespace, with tab stops every four. */
const indentOf = (line) => {
  let column = 0;
  for (let i = 0; i < line.length && isSpace(line.charCodeAt(i)); i += 1) {
    column = line[i] === '\t' ? column + 4 - (column % 4) : column + 1;
  }
  return column;
};

const headingText = (text) => {
  const open = trim(trim(text).replace(/(?:^|\p{White_Space})#+$/u, ''));
  return open.endsWith(':') ? trim(open.slice(0, -1)) : open;
};

/** The line on which a comment ends and what follows it there, or null if it never ends. */
const skipComment = (lines, first, body) => {
  let last = first;
  let text = body;
  let end = text.indexOf('-->', 2);
  while (end < 0) {
    last += 1;
    if (last === lines.length) return null;
    text = lines[last];
    end = text.indexOf('-->');
  }
  return { last, rest: trim(text.slice(end + 3)) };
};

/** Cuts a Markdown document into headings (level 1 to 6) and items (level 0), in order. */
const readMarkdown = (lines) => {
  const entries = [];
  let open = null; // { text, bullet, indent, content, gap }: gap is set once a blank line followed
  let fence = null; // { mark, inside }: inside means the fence ends with its bullet at the latest
  let commentsEnd = true; // whether an end of comment may still follow

  const close = () => {
    if (open !== null && open.text !== '') entries.push({ level: 0, text: open.text });
    open = null;
  };
  const append = (text) => {
    open.text = open.text === '' ? text : `${open.text} ${text}`;
    open.gap = false;
  };
  const blank = () => {
    if (open?.bullet) open.gap = true;
    else close();
  };

  for (let i = 0; i < lines.length; i += 1) {
    const indent = indentOf(lines[i]);
    const inside = open !== null && open.bullet && indent > open.indent;
    const line = trimStart(lines[i]); // keeps its end: "- " is an empty bullet, "-" is text
    let body = trim(line);

    if (fence !== null) {
      if (body === '') continue;
      const closes = body.length >= fence.mark.length && body === fence.mark[0].repeat(body.length);
      if (closes || inside || !fence.inside) {
        append(body);
        if (closes) fence = null;
        continue;
      }
      fence = null;
    }
    if (body === '') {
      blank();
      continue;
    }

    let isText = false; // what follows a comment on its line is text, whatever it looks like
    while (commentsEnd && body.startsWith('<!--')) {
      const comment = skipComment(lines, i, body);
      if (comment === null) {
        commentsEnd = false; // an unclosed comment is text, so that nothing after it is lost
      } else {
        i = comment.last;
        body = comment.rest;
        isText = true;
      }
    }
    if (body === '') continue;

    let mark = null;
    if (!isText) {
      const inParagraph = open !== null && !open.bullet;
      const bullet = (inParagraph ? INTERRUPTING_BULLET : BULLET).exec(line);
      // "- - -" is how the item "- -" is rendered; "* * *" is how nothing is.
      const isBreak = THEMATIC_BREAK.test(body);
      if (bullet !== null && !(isBreak && body.startsWith('*'))) {
        if (inside) {
          append(body);
        } else {
          close();
          const content = indent + bullet[0].length;
          open = { text: trim(line.slice(bullet[0].length)), bullet: true, indent, content, gap: false };
        }
        continue;
      }
      if (isBreak) {
        if (inside) blank();
        else close();
        continue;
      }
      // Left of the bullet's text, a heading is the document's.
      const heading = open?.bullet && indent >= open.content ? null : HEADING.exec(body);
      if (heading !== null) {
        close();
        const text = headingText(heading[2] ?? '');
        // The Guardrails heading loses its name but still ends the scopes before it.
        entries.push({ level: heading[1].length, text: asciiLower(text) === 'guardrails' ? '' : text });
        continue;
      }
      const opener = FENCE.exec(body);
      mark = opener && (opener[1] ?? opener[2]);
    }

    if (open?.gap && !inside) close();
    if (open !== null) {
      append(body);
    } else {
      const rest = isText ? null : afterHeadingLine(body);
      if (rest !== '') open = { text: rest ?? body, bullet: false, indent, gap: false };
    }
    if (mark !== null) fence = { mark, inside };
  }
  close();
  return entries;
};

const parseMarkdown = (text) => {
  const entries = readMarkdown(splitLines(text));
  // The Guardrails heading and nameless ones count, or what follows them would lose its scope.
  const isTitled = entries[0]?.level === 1 && entries.filter((entry) => entry.level === 1).length === 1;
  const title = isTitled ? entries[0] : null;

  const items = [];
  const scopes = []; // { level, text, used }
  const emit = (item) => {
    const path = [];
    for (const scope of scopes) {
      scope.used = true;
      if (scope.text !== '') path.push(scope.text);
    }
    path.push(item);
    items.push(path.join(': '));
  };
  const leave = (level) => {
    while (scopes.length > 0 && scopes.at(-1).level >= level) {
      const { text: name, used } = scopes.pop();
      if (!used && name !== '') emit(name);
    }
  };
  for (const entry of entries) {
    if (entry.level === 0) {
      emit(entry.text);
    } else if (entry === title) {
      if (entry.text !== '') emit(entry.text);
    } else {
      leave(entry.level);
      scopes.push({ level: entry.level, text: entry.text, used: false });
    }
  }
  leave(1);
  return items;
};

/**
 * Guardrail text as a list of guardrails (SPEC §3).
 * @param {string} text
 * @param {{ dialect?: Dialect }} [options]
 * @returns {string[]}
 */
export const parseGuardrails = (text, options) =>
  options?.dialect === 'markdown' ? parseMarkdown(text) : parseStrict(text);

/**
 * Guardrails as bullets.
 * @param {string[]} rules
 * @returns {string}
 */
export const renderGuardrails = (rules) => {
  let text = '';
  for (const rule of rules) {
    const item = normalizeItem(rule);
    if (item !== '') text += `- ${item}\n`;
  }
  return text;
};

const hasMarkdownHeading = (text) => splitLines(text).some((line) => HEADING.test(trim(line)));

// ---------------------------------------------------------------- content, names, files

const contentKey = (content, key) => (content[key] == null ? SNAKE[key] : key);
const contentValue = (content, key) => content[key] ?? content[SNAKE[key]] ?? undefined;

/** What a layer says: nothing can be taken out of a list block, so an empty list is the same as none. */
const normalizeContent = (content) => {
  const isEmptyList = (key) => (key === 'guardrails' || key === 'surfaceNotes') && contentValue(content, key)?.length === 0;
  const said = CONTENT_KEYS.filter((key) => !isEmptyList(key));
  return compact(Object.fromEntries(said.map((key) => [key, contentValue(content, key)])));
};

const itemsOf = (value, dialect) => (typeof value === 'string' ? parseGuardrails(value, { dialect }) : value ?? []);

/**
 * The human label of a layer; an unknown wire name is its own label.
 * @param {string} wire
 * @returns {string}
 */
export const layerLabel = (wire) => LAYER_LABELS.get(wire) ?? wire;

/**
 * The editable block a person means, or null.
 * @param {string} name
 * @returns {string|null}
 */
export const parseBlockName = (name) => BLOCK_ALIASES.get(asciiLower(trim(name)).replaceAll('_', '-')) ?? null;

const editableBlock = (name) => {
  const block = parseBlockName(name);
  if (block === null) throw new Error(`not an editable block: ${quote(name)}`);
  return block;
};

/**
 * A copy of the content with one block replaced; null resets it to inherited.
 * @param {LayerContent} content
 * @param {string} name
 * @param {string|null} text
 * @returns {LayerContent}
 */
export const setBlock = (content, name, text) => {
  const block = editableBlock(name);
  const next = normalizeContent(content);
  let value = null;
  if (text != null) {
    value = LIST_BLOCKS.has(block) ? parseStrict(text) : trim(text);
  }
  next[BLOCK_KEYS[block]] = value;
  return normalizeContent(next);
};

/**
 * One block's text; list blocks come back as bullets, null is inherited.
 * @param {LayerContent} content
 * @param {string} name
 * @returns {string|null}
 */
export const getBlock = (content, name) => {
  const block = editableBlock(name);
  const value = contentValue(content, BLOCK_KEYS[block]);
  return LIST_BLOCKS.has(block) ? renderGuardrails(itemsOf(value)) || null : value ?? null;
};

/**
 * What is left of an untrusted layer's content.
 * @param {LayerContent} content
 * @param {'guardrails-only'|'drop'} [mode]
 * @returns {LayerContent}
 */
export const demote = (content, mode) =>
  mode === 'drop' ? {} : compact({ guardrails: contentValue(content ?? {}, 'guardrails') });

/** What one result holds of them, and how many more there are. */
const atMost = (diagnostics) => {
  const more = diagnostics.length - MAX_DIAGNOSTICS;
  if (more <= 0) return diagnostics;
  return [...diagnostics.slice(0, MAX_DIAGNOSTICS), diagnostic('more-diagnostics', `and ${more} more`)];
};

const diagnostic = (code, message, path) =>
  compact({ code, severity: SEVERITY[code] ?? 'warning', message, path });

/**
 * A seed file cut into its blocks (SPEC §9).
 * @param {string} text
 * @param {{ version: string }} options
 * @returns {{ content: LayerContent, capabilityContract: string, presentationContract: string, sandboxContract: string, diagnostics: Diagnostic[] }}
 */
export const parseSeed = (text, { version }) => {
  const diagnostics = [];
  const bodies = new Map();
  const known = ['identity', 'operating_rules', 'guardrails'].concat(
    ['capability_contract', 'presentation_contract', 'sandbox_contract'],
  );
  const preamble = [];
  let lines = preamble;
  for (const line of splitLines(text)) {
    const marker = /^<!-- block:(.*)-->$/s.exec(trim(line));
    if (marker === null) {
      if (/^<!--\p{White_Space}*block/iu.test(trim(line)) && /^[\x00-\x7f]{5}/.test(trimStart(trim(line).slice(4)))) {
        diagnostics.push(diagnostic('seed-marker-like', `${quote(line)} looks like a marker`));
      }
      lines.push(line);
      continue;
    }
    if (lines === preamble && !preamble.every(isBlank)) {
      diagnostics.push(diagnostic('seed-preamble', 'text before the first marker is not used'));
    }
    const name = trim(marker[1]).replaceAll('-', '_');
    lines = [];
    if (!known.includes(name)) {
      diagnostics.push(diagnostic('seed-unknown-block', `block ${quote(name)} is not known and not used`));
      continue;
    }
    if (bodies.has(name)) {
      diagnostics.push(diagnostic('seed-repeated-block', `block ${quote(name)} is repeated, the last one counts`));
    }
    bodies.set(name, lines);
  }
  if (lines === preamble && !preamble.every(isBlank)) {
    diagnostics.push(diagnostic('seed-preamble', 'text before the first marker is not used'));
  }

  // Only now: a version forges no block.
  const body = (name) =>
    bodies.has(name) ? trim(bodies.get(name).join('\n').replaceAll('{{version}}', () => version)) : undefined;
  const guardrails = body('guardrails') ?? '';
  if (hasMarkdownHeading(guardrails)) {
    diagnostics.push(diagnostic('markdown-in-strict', 'markdown headings are guardrails here', 'guardrails'));
  }
  const items = parseStrict(guardrails);
  return {
    content: compact({
      identity: body('identity'),
      operatingRules: body('operating_rules'),
      guardrails: items.length > 0 ? items : null,
    }),
    capabilityContract: body('capability_contract') ?? '',
    presentationContract: body('presentation_contract') ?? '',
    sandboxContract: body('sandbox_contract') ?? '',
    diagnostics: atMost(diagnostics),
  };
};

/**
 * The directory of a surface's or an agent's layer, or null for a name that is not one. The root is the folder that
 * holds `.vak/prompts`, or that folder itself.
 * @param {string} kind 'surface' or 'agents'
 * @param {string} name
 * @param {{ root?: string }} [options]
 * @returns {string|null}
 */
export const subLayerPath = (kind, name, options) => {
  const leaf = trim(name);
  const isValid = (kind === 'surface' || kind === 'agents') && /^[A-Za-z0-9_-]{1,64}$/.test(leaf)
    && !/^(?:con|prn|aux|nul|(?:com|lpt)[0-9])$/i.test(leaf);
  if (!isValid) return null;
  const root = (options?.root ?? '').replace(/[/\\]+$/, '');
  if (/(?:^|[/\\])\.vak[/\\]prompts$/.test(root)) return `${root}/${kind}/${leaf}`;
  return `${options?.root ? `${root}/` : ''}.vak/prompts/${kind}/${leaf}`;
};

/**
 * A layer's content from the texts of its files.
 * @param {Record<string, string>} files
 * @returns {{ content: LayerContent, diagnostics: Diagnostic[] }}
 */
export const layerFromFiles = (files) => {
  const diagnostics = [];
  let content = {};
  for (const [name, text] of Object.entries(files)) {
    const block = name.endsWith('.md') ? name.slice(0, -3) : '';
    if (!Object.hasOwn(BLOCK_KEYS, block)) {
      diagnostics.push(diagnostic('unknown-file', `file ${quote(name)} is not part of a layer`, name));
    } else if (text != null) {
      content = setBlock(content, block, stripBom(text));
      if (LIST_BLOCKS.has(block) && hasMarkdownHeading(text)) {
        diagnostics.push(diagnostic('markdown-in-strict', 'markdown headings are guardrails here', name));
      }
    }
  }
  return { content, diagnostics: atMost(diagnostics) };
};

/**
 * The canonical file texts of a layer's content; instructions have no file.
 * @param {LayerContent} content
 * @returns {Record<string, string>}
 */
export const layerToFiles = (content) => {
  if (contentValue(content, 'instructions') !== undefined) throw new Error('no file for instructions');
  const files = {};
  for (const block of Object.keys(BLOCK_KEYS)) {
    const text = getBlock(content, block);
    if (text !== null) files[`${block}.md`] = LIST_BLOCKS.has(block) ? text : `${trim(text)}\n`;
  }
  return files;
};

// ---------------------------------------------------------------- facts, cache blocks, drift

const escapeTags = (text) => text.replace(/<(?=\/?facts)/gi, '&lt;');
const escapeFact = (text) => escapeTags(text).replace(/\r\n|\r|\n/g, '\n  ');

/**
 * The facts block, or null when there are no facts.
 * @param {Fact[]} facts
 * @returns {string|null}
 */
export const renderFacts = (facts) => {
  if (facts.length === 0) return null;
  let text = '<facts>\n';
  for (const { key, value } of facts) {
    if (isBlank(key) || hasLineBreak(key)) throw new Error(`fact key is blank or holds a line break: ${quote(key)}`);
    text += `- ${escapeFact(key)}: ${escapeFact(value)}\n`;
  }
  return `${text}</facts>`;
};

/**
 * The host's own pieces as cache blocks.
 * @param {{ workspace?: string, skills?: string, bindingGlue?: string, channelMeta?: string }} parts
 * @returns {CacheBlock[]}
 */
export const buildBlocks = ({ workspace, skills, bindingGlue, channelMeta }) =>
  Object.entries({ workspace, skills, binding_glue: bindingGlue, channel_meta: channelMeta })
    .filter(([, text]) => !isBlank(text))
    .map(([label, text]) => ({ label, text, cache: BLOCK_CACHE[label] }));

/**
 * Cache blocks as one text, for providers without caching.
 * @param {CacheBlock[]} blocks
 * @returns {string}
 */
export const flattenBlocks = (blocks) =>
  blocks.map(({ text }) => text).filter((text) => text !== '').join('\n\n');

/**
 * What differs between a recorded descriptor list and today's, or null.
 * @param {Descriptor[]} frozen
 * @param {Descriptor[]} current
 * @returns {Drift|null}
 */
export const drift = (frozen, current) => {
  if (frozen.length === 0) return null;
  const keyOf = ({ block, layer, source }) => JSON.stringify([block, layer, source ?? null]);
  const waiting = new Map(); // key -> { list, next }: repeats pair up by order of occurrence
  for (const descriptor of frozen) {
    const key = keyOf(descriptor);
    const queue = waiting.get(key);
    if (queue) queue.list.push(descriptor);
    else waiting.set(key, { list: [descriptor], next: 0 });
  }
  const added = [];
  const changed = [];
  for (const now of current) {
    const queue = waiting.get(keyOf(now));
    if (!queue || queue.next === queue.list.length) {
      added.push(now);
      continue;
    }
    const was = queue.list[queue.next];
    queue.next += 1;
    if (was.digest !== now.digest) changed.push({ was, now });
  }
  // Counted by key, not by object identity: one object may be listed twice.
  const removed = [];
  const seen = new Map();
  for (const descriptor of frozen) {
    const key = keyOf(descriptor);
    const index = seen.get(key) ?? 0;
    seen.set(key, index + 1);
    if (index >= waiting.get(key).next) removed.push(descriptor);
  }
  if (added.length + removed.length + changed.length === 0) return null;
  const nameOf = ({ block, layer }) => `${block} from ${layerLabel(layer)}`;
  const lines = [
    ...added.map((descriptor) => `+ ${nameOf(descriptor)}`),
    ...removed.map((descriptor) => `- ${nameOf(descriptor)}`),
    ...changed.map(({ was, now }) => `~ ${nameOf(now)} (${was.bytes}B → ${now.bytes}B)`),
  ];
  return { added, removed, changed, lines };
};

// ---------------------------------------------------------------- resolution

const originOf = ({ layer, source }) => (source == null ? { layer } : { layer, source });

/** Applies the layers in order: winners, accumulated items, and what each layer added. */
const applyLayers = (layers, options) => {
  const diagnostics = [];
  const report = (code, path, message) => diagnostics.push(diagnostic(code, message, path));
  const dialect = options?.dialect ?? 'strict';
  const state = {
    identity: null,
    operatingRules: null,
    instructions: [],
    guardrails: { items: [], keys: new Map(), added: [], apart: [] },
    surfaceNotes: { items: [], keys: new Map(), added: [] },
    diagnostics,
  };

  const isHeard = ({ trusted }) => trusted !== false;
  const winners = Object.fromEntries(
    ['identity', 'operatingRules'].map((key) => [
      key,
      layers.findLastIndex((it) => isHeard(it) && contentValue(it.content ?? {}, key) !== undefined),
    ]),
  );
  const hidden = {}; // the origin of the last text that is not blank, by key

  const setText = (key, text, origin, path, index) => {
    // Only the winner: what a blank hides for a while is said again by a narrower layer.
    if (isBlank(text) && hidden[key] && index === winners[key]) {
      report('blanked', path, `${layerLabel(origin.layer)} empties the text of ${layerLabel(hidden[key].layer)}`);
    }
    if (!isBlank(text)) hidden[key] = origin;
    state[key] = { text, origin };
  };

  const isApart = options?.untrusted === 'apart';
  const seenInputs = new Set();

  const addItems = (key, value, origin, path, isTrusted, index) => {
    const { keys, added } = state[key];
    const items = isApart && !isTrusted ? state[key].apart : state[key].items;
    const isText = typeof value === 'string';
    if (isText && dialect === 'strict' && hasMarkdownHeading(value)) {
      report('markdown-in-strict', path, 'markdown headings are guardrails of their own in the strict dialect');
    }
    let bullets = '';
    let folded = 0;
    let first = null;
    itemsOf(value, dialect).forEach((raw, index) => {
      let item = normalizeItem(raw);
      if (item === '') return;
      const itemPath = () => (isText ? path : `${path}[${index}]`);
      if (isApart && !isTrusted && escapeTags(item) !== item) {
        item = escapeTags(item);
        report('item-escaped', itemPath(), `escaped: ${quote(item)}`);
      }
      if (!isTrusted) report('untrusted-kept', itemPath(), `kept from an untrusted layer: ${quote(item)}`);
      if (hasLineBreak(raw) && hasLineBreak(trim(raw))) {
        report('line-breaks-folded', itemPath(), `line breaks became spaces: ${quote(item)}`);
      }
      const duplicate = duplicateKey(item);
      const owner = keys.get(duplicate);
      if (owner !== undefined) {
        folded += 1;
        first ??= { item, owner };
        return;
      }
      keys.set(duplicate, origin);
      items.push({ text: item, origin });
      bullets += `- ${item}\n`;
    });
    if (bullets !== '') added.push({ text: bullets, origin, index });
    if (first !== null) {
      report('duplicate-folded', path, `${folded} already said, first ${quote(first.item)} by ${layerLabel(first.owner.layer)}`);
    }
  };

  let narrowest = -1;
  const later = []; // what untrusted layers add, once all trusted ones have
  layers.forEach((input, index) => {
    const origin = originOf(input);
    const content = input.content ?? {};
    const base = `layers[${index}]`;
    const isTrusted = isHeard(input);
    const rank = LAYER_RANK.get(input.layer);
    if (rank < narrowest) report('layer-order', base, `${layerLabel(input.layer)} comes after a narrower layer`);
    narrowest = Math.max(narrowest, rank);
    const name = JSON.stringify([input.layer, input.source ?? null]);
    if (seenInputs.has(name)) report('layer-repeated', base, `${layerLabel(input.layer)} is given more than once`);
    seenInputs.add(name);
    if (input.layer === 'workspace' && input.trusted == null) {
      report('trust-unstated', base, 'a workspace layer without trusted counts as trusted');
    }
    for (const key of CONTENT_KEYS) {
      const value = contentValue(content, key);
      if (value === undefined) continue;
      const path = `${base}.content.${contentKey(content, key)}`;
      const isWinner = key === 'identity' || key === 'operatingRules';
      if (!isTrusted && (key !== 'guardrails' || options?.untrusted === 'drop')) {
        const isList = key === 'guardrails' || key === 'surfaceNotes';
        const dropped = isList ? itemsOf(value, dialect).filter((item) => !isBlank(item)) : [value];
        for (const text of dropped) report('untrusted-dropped', path, `dropped from an untrusted layer: ${quote(text)}`);
      } else if (isWinner) {
        setText(key, value, origin, path, index);
      } else if (key === 'instructions') {
        if (!isBlank(value)) state.instructions.push({ text: value, origin });
      } else {
        const add = () => addItems(key, value, origin, path, isTrusted, index);
        if (isApart && !isTrusted) later.push(add);
        else add();
      }
    }
  });
  for (const add of later) add();
  state.guardrails.added.sort((a, b) => a.index - b.index);
  return state;
};

const effectiveBlocks = ({ identity, operatingRules, guardrails, surfaceNotes }) => {
  const bulletsOf = ({ items, apart = [] }) => [...items, ...apart].map(({ text }) => `- ${text}\n`).join('');
  const blocks = {
    identity: identity?.text ?? '',
    'operating-rules': operatingRules?.text ?? '',
    guardrails: bulletsOf(guardrails),
    'surface-note': bulletsOf(surfaceNotes),
  };
  return Object.fromEntries(Object.entries(blocks).filter(([, text]) => text !== ''));
};

const wordingOf = (wording) => {
  if (wording == null) return WORDING.source;
  return typeof wording === 'string' ? WORDING[wording] : { ...WORDING[wording.base ?? 'source'], ...compact(wording) };
};

const runtimeOf = (runtime) => {
  const sections = {};
  for (const key of RUNTIME_KEYS) sections[key] = runtime?.[key] ?? runtime?.[SNAKE[key]];
  return sections;
};

// ---------------------------------------------------------------- the prefix

/** Collects the system text piece by piece, with its cache blocks and, when asked for, its sections. */
class Writer {
  text = '';
  block = 'workspace';
  lead = ''; // bytes of a block that would be blank; they lead the next piece
  #starts = [];
  #sections;

  constructor(withSections) {
    this.#sections = withSections ? [] : null;
  }

  add(name, text, origin) {
    const start = this.text.length;
    if (this.#starts.at(-1)?.label !== this.block) this.#starts.push({ label: this.block, start });
    this.text += this.lead + text;
    this.lead = '';
    this.#sections?.push({ name, block: this.block, start, end: this.text.length, ...origin });
  }

  /** Ends the last line; the newline belongs to the piece it ends. */
  endLine() {
    if (this.text.endsWith('\n')) return;
    this.text += '\n';
    const last = this.#sections?.at(-1);
    if (last) last.end = this.text.length;
  }

  /** The newlines after which the next piece stands behind a blank line. */
  gap() {
    if (this.text === '' || this.text.endsWith('\n\n')) return '';
    return this.text.endsWith('\n') ? '\n' : '\n\n';
  }

  blocks() {
    return this.#starts.map(({ label, start }, index) => ({
      label,
      text: this.text.slice(start, this.#starts[index + 1]?.start),
      cache: BLOCK_CACHE[label],
    }));
  }

  sections() {
    return this.#sections;
  }
}

const writePolicy = (out, state, runtime, wording) => {
  const piece = (name, text, origin) => {
    if (!isBlank(text)) out.add(name, out.gap() + trim(text), origin);
  };
  const list = (name, heading, items) => {
    if (items.length === 0) return;
    let before = out.gap();
    if (!isBlank(heading)) {
      out.add(name, `${before}${heading}\n`);
      before = '';
    }
    for (const { text, origin } of items) {
      out.add(name, `${before}- ${trim(text)}\n`, origin);
      before = '';
    }
  };
  piece('identity', state.identity?.text, state.identity?.origin);
  piece('capability-contract', runtime.capabilityContract);
  piece('presentation-contract', runtime.presentationContract);
  piece('sandbox-contract', runtime.sandboxContract);
  piece('operating-rules', state.operatingRules?.text, state.operatingRules?.origin);
  list('instructions', wording.instructionsHeading, state.instructions);
  list('guardrails', wording.guardrailsHeading, state.guardrails.items);
  list('guardrails', wording.untrustedHeading, state.guardrails.apart);
  if (out.text === '') out.lead = '\n';
  else out.endLine();
};

const writeRuntime = (out, state, runtime, wording) => {
  const onOwnLine = (text) => (text.startsWith('\n') ? text : `\n${text}`);
  const section = (name, text) => {
    if (!isBlank(text)) out.add(name, onOwnLine(text));
  };
  const surface = runtime.surface ?? '';
  const notes = state.surfaceNotes.items;
  if (notes.length === 0) {
    section('surface', surface);
  } else {
    // A blank surface line is kept as given here: only the whole section may be skipped.
    if (surface !== '') out.add('surface', onOwnLine(surface));
    let before = surface.endsWith('\n') ? '' : '\n';
    if (!isBlank(wording.surfaceNotesHeading)) {
      out.add('surface-note', `${before}${wording.surfaceNotesHeading}\n`);
      before = '';
    }
    for (const { text, origin } of notes) {
      out.add('surface-note', `${before}- ${text}\n`, origin);
      before = '';
    }
  }
  out.block = 'skills';
  section('skills', runtime.skills);
  section('mcp', runtime.mcp);
  section('tool-index', runtime.toolIndex);
  out.block = 'binding_glue';
  section('standing', runtime.standing);
  out.lead = '';
};

const tailOf = (runtime, wording, facts) => {
  const parts = [];
  if (!isBlank(runtime.epistemicStance)) {
    const clarifier = isBlank(wording.stanceClarifier) ? '' : `\n${wording.stanceClarifier}`;
    parts.push(trim(runtime.epistemicStance) + clarifier);
  }
  if (!isBlank(runtime.temporal)) parts.push(trim(runtime.temporal));
  if (facts !== null) parts.push(facts);
  return parts.join('\n\n');
};

const factDiagnostics = (facts) => {
  const diagnostics = [];
  const keys = new Set();
  facts.forEach(({ key, value }, index) => {
    if (keys.has(key)) {
      diagnostics.push(diagnostic('duplicate-fact-key', `fact ${quote(key)} is given twice`, `facts[${index}].key`));
    }
    keys.add(key);
    if (escapeFact(key) !== key || escapeFact(value) !== value) {
      diagnostics.push(diagnostic('fact-escaped', `fact ${quote(key)} is escaped`, `facts[${index}]`));
    }
  });
  return diagnostics;
};

// ---------------------------------------------------------------- the oracle

/**
 * The whole interface, over the given hash function.
 * @param {{ sha256Hex: (text: string) => string }} dependencies
 */
export const createOracle = ({ sha256Hex }) => {
  /** @param {string} text @returns {string} lower-case hex SHA-256 of the UTF-8 text */
  const digest = (text) => sha256Hex(text);

  /** @param {Descriptor[]} descriptors @returns {string} */
  const fingerprint = (descriptors) =>
    sha256Hex(descriptors.map(({ block, layer, digest: hash }) => `${block}:${layer}:${hash}`).join('|'));

  const describe = (state) => {
    const describeOne = (block, { text, origin }) =>
      ({ block, ...origin, digest: digest(text), bytes: byteLength(text) });
    const blocks = [
      ['guardrails', state.guardrails.added],
      ['identity', state.identity ? [state.identity] : []],
      ['instructions', state.instructions],
      ['operating-rules', state.operatingRules ? [state.operatingRules] : []],
      ['surface-note', state.surfaceNotes.added],
    ]; // already in block name order
    const rank = ({ origin }) => LAYER_RANK.get(origin.layer);
    return blocks.flatMap(([block, entries]) =>
      entries.toSorted((a, b) => rank(a) - rank(b)).map(({ text, origin }) => describeOne(block, { text, origin })),
    );
  };

  const build = (input, withSections) => {
    const state = applyLayers(input.layers ?? [], input.options);
    const wording = wordingOf(input.options?.wording);
    const runtime = runtimeOf(input.runtime);
    const out = new Writer(withSections);
    writePolicy(out, state, runtime, wording);
    writeRuntime(out, state, runtime, wording);
    const descriptors = describe(state);
    return { state, wording, runtime, out, descriptors };
  };

  /**
   * Layers and runtime sections alone: no facts, no cache blocks.
   * @param {object} input
   */
  const resolve = (input) => {
    const { state, wording, runtime, out, descriptors } = build(input, false);
    return {
      prefix: out.text,
      tail: tailOf(runtime, wording, null),
      descriptors,
      fingerprint: fingerprint(descriptors),
      effective: effectiveBlocks(state),
      diagnostics: atMost(state.diagnostics),
    };
  };

  /**
   * The whole system prompt, its cache blocks, the tail and the ledger (SPEC §8).
   * @param {object} input
   */
  const assemble = (input) => {
    const withSections = input.options?.sections === true;
    const { state, wording, runtime, out, descriptors } = build(input, withSections);
    const facts = input.facts ?? [];
    const dynamic = facts.filter(({ volatility }) => volatility === 'dynamic');
    const append = (name, text) => {
      if (!isBlank(text)) out.add(name, `${out.gap()}${trim(text)}\n`);
    };
    append('binding-glue', input.bindingGlue);
    append('facts', renderFacts(facts.filter(({ volatility }) => volatility === 'static')));
    if (dynamic.length > 0) append('facts-note', wording.factsNote);
    const prefix = out.text;
    out.block = 'channel_meta';
    append('channel-meta', input.channelMeta);
    return {
      prefix,
      tail: tailOf(runtime, wording, renderFacts(dynamic)),
      system: out.text,
      blocks: out.blocks(),
      ...(withSections && { sections: out.sections() }),
      descriptors,
      fingerprint: fingerprint(descriptors),
      effective: effectiveBlocks(state),
      diagnostics: atMost([...state.diagnostics, ...factDiagnostics(facts)]),
    };
  };

  return {
    assemble,
    resolve,
    parseGuardrails,
    renderGuardrails,
    renderFacts,
    buildBlocks,
    flattenBlocks,
    drift,
    fingerprint,
    digest,
    setBlock,
    getBlock,
    parseBlockName,
    layerLabel,
    parseSeed,
    subLayerPath,
    layerFromFiles,
    layerToFiles,
  };
};
