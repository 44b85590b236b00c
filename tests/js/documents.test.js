// @ts-check

// Every example in the README and in the declarations runs, and gives what the comment beside it says.
//
// A statement with a literal in the comment at its end has that value; what a console.log prints is compared, too.
// Blocks marked `js not-run` have to be JavaScript, and no more.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import ts from "typescript";

import { literalsOf, packageFolder, readText, testsFolder } from "./repository.js";

/** @typedef {{ place: string, code: string, runs: boolean }} Block */

/**
 * The JavaScript blocks of a text.
 *
 * @param {string} name
 * @param {string} text
 * @returns {Block[]}
 */
function blocksOf(name, text) {
  const blocks = [...text.matchAll(/^```js( not-run)?\n([^]*?)^```$/gm)];
  return blocks.map(({ index, 1: noRun, 2: code }) => {
    const line = text.slice(0, index).split("\n").length;
    return { place: `${name}:${line}`, code, runs: noRun === undefined };
  });
}

/** @param {string} declarations The text without what marks its comments, line by line. */
const uncommented = (declarations) => declarations.replace(/^ *\* ?/gm, "");

/**
 * Parses JavaScript, or throws what is wrong with it.
 *
 * @param {string} code
 */
function parse(code) {
  const source = ts.createSourceFile("example.js", code, ts.ScriptTarget.ESNext, true, ts.ScriptKind.JS);
  const { diagnostics = [] } = ts.transpileModule(code, {
    reportDiagnostics: true,
    fileName: "example.js",
    compilerOptions: { allowJs: true },
  });
  for (const { messageText } of diagnostics) throw new SyntaxError(ts.flattenDiagnosticMessageText(messageText, "\n"));
  return source;
}

/** @param {ts.Node} node @returns {boolean} */
function isLiteral(node) {
  if (ts.isParenthesizedExpression(node)) return isLiteral(node.expression);
  if (ts.isArrayLiteralExpression(node)) return node.elements.every(isLiteral);
  if (ts.isObjectLiteralExpression(node)) {
    return node.properties.every((property) => ts.isPropertyAssignment(property) && isLiteral(property.initializer));
  }
  const words = [ts.SyntaxKind.NullKeyword, ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword];
  return ts.isStringLiteral(node) || ts.isNumericLiteral(node) || words.includes(node.kind);
}

/** @param {string} comment Whether this is a value, written as in JavaScript. */
function isValue(comment) {
  try {
    const [statement, another] = parse(`(${comment});`).statements;
    return another === undefined && ts.isExpressionStatement(statement) && isLiteral(statement.expression);
  } catch {
    return false;
  }
}

/**
 * The code with a check in the place of each statement that says what it gives.
 *
 * @param {string} code
 * @returns {{ code: string, checks: number }}
 */
function withChecks(code) {
  const source = parse(code);
  /** @type {{ at: number, end: number, text: string }[]} */
  const edits = [];
  /** @param {ts.Node} node */
  const commentAfter = (node) => {
    const [range] = ts.getTrailingCommentRanges(code, node.end) ?? [];
    return range && code.slice(range.pos + 2, range.end).trim();
  };
  /** @param {ts.Node} node */
  const visit = (node) => {
    const comment = commentAfter(node);
    if (comment && ts.isExpressionStatement(node)) {
      const { expression } = node;
      const isLog = ts.isCallExpression(expression) && expression.expression.getText() === "console.log";
      const values = isLog ? expression.arguments.map((it) => it.getText()).join(", ") : expression.getText();
      const wanted = isValue(comment) ? comment : isLog ? JSON.stringify(comment) : undefined;
      const check = isValue(comment) ? "checkValue" : "checkPrinted";
      if (wanted) edits.push({ at: node.getStart(), end: node.end, text: `${check}([${values}], ${wanted});` });
    } else if (comment && isValue(comment) && ts.isVariableStatement(node)) {
      const { name } = node.declarationList.declarations[0];
      edits.push({ at: node.end, end: node.end, text: ` checkValue([${name.getText()}], ${comment});` });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  edits.sort((a, b) => b.at - a.at);
  return {
    code: edits.reduce((text, { at, end, text: it }) => text.slice(0, at) + it + text.slice(end), code),
    checks: edits.length,
  };
}

/** What the checks in an example call; it says at the end how many there were. */
const CHECKS = `
import assert from "node:assert/strict";
let count = 0;
globalThis.checkValue = ([value], wanted) => {
  count += 1;
  assert.deepEqual(value === undefined ? value : JSON.parse(JSON.stringify(value)), wanted);
};
globalThis.checkPrinted = (values, wanted) => {
  count += 1;
  assert.equal(values.map(String).join(" "), wanted);
};
process.on("exit", () => console.log("checks:", count));
`;

let folder = "";

before(() => {
  folder = mkdtempSync(join(tmpdir(), "prompt-strata-examples-"));
  symlinkSync(join(testsFolder, "node_modules"), join(folder, "node_modules"), "junction");
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "checks.js"), CHECKS);
});

after(() => {
  rmSync(folder, { recursive: true, force: true });
});

let examples = 0;
let checked = 0;

/** @param {string} code */
async function run(code) {
  const { code: instrumented, checks } = withChecks(code);
  examples += 1;
  checked += checks;
  const path = join(folder, `example-${examples}.js`);
  writeFileSync(path, `import "./checks.js";\n${instrumented}`);
  const { stdout } = await promisify(execFile)(process.execPath, [path], { cwd: folder, timeout: 30_000 });
  assert.ok(
    stdout.endsWith(`checks: ${checks}\n`),
    `${checks} values are stated, but not all were reached:\n${stdout}`,
  );
}

const readme = readText("README.md");
const declarations = readdirSync(join(packageFolder, "src")).filter((name) => name.endsWith(".d.ts"));
const documents = [
  { name: "README.md", blocks: blocksOf("README.md", readme) },
  ...declarations.map((name) => ({ name, blocks: blocksOf(name, uncommented(readText("pkg", "src", name))) })),
];

for (const { name, blocks } of documents) {
  test(`${name} has examples`, () => {
    assert.ok(blocks.length > 0);
    // None was overlooked, of whatever spelling.
    const opened = readText(...(name === "README.md" ? [name] : ["pkg", "src", name])).match(
      /```(js|javascript|mjs)\b/g,
    );
    assert.equal(blocks.length, opened?.length);
  });
  for (const { place, code, runs } of blocks) {
    test(`${place} ${runs ? "runs" : "is JavaScript"}`, async () => {
      if (runs) await run(code);
      else parse(code);
    });
  }
}

test("values were compared", () => {
  assert.ok(checked >= 15, `${checked}`);
});

test("a wrong value would be noticed", async () => {
  const before = checked;
  await run(
    'const a = [1]; // [1]\nconsole.log("x", a.length); // x 1\nJSON.parse("2"); // 2\nconst b = 5; // a number',
  );
  assert.equal(checked - before, 3);
  await assert.rejects(run("JSON.parse('{\"a\": 1}'); // { a: 2 }"));
  await assert.rejects(run('console.log("x"); // y'));
  await assert.rejects(run("if (Date.now() < 0) console.log(1); // 1"));
  await assert.rejects(run("throw new Error('no')"));
  assert.throws(() => parse("const = 5;"), SyntaxError);
});

test("every exported function has an example", () => {
  const index = readText("pkg", "src", "index.d.ts");
  for (const [, name] of index.matchAll(/^export declare (?:function|class) (\w+)/gm)) {
    const comment = new RegExp(`/\\*\\*(?:(?!\\*/)[^])*\\*/\\nexport declare (?:function|class) ${name}\\b`).exec(
      index,
    );
    assert.match(comment?.[0] ?? "", /@example/, `${name} has no example`);
  }
});

test("the README lists every code of errors and diagnostics", () => {
  const index = readText("pkg", "src", "index.d.ts");
  for (const code of [...literalsOf(index, "ErrorCode"), ...literalsOf(index, "DiagnosticCode")]) {
    assert.ok(readme.includes(`\`${code}\``), `${code} is not listed`);
  }
});
