// @ts-check

// The entries of the package: that each is the same API, and that importing one does nothing yet.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import * as strata from "prompt-strata";

import { dist, packageFolder, readText, readVectors, testsFolder } from "./repository.js";
import { runVectors } from "./vectors.js";

const require = createRequire(import.meta.url);
const manifest = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8"));

/**
 * Runs a script in a Node of its own, where nothing has happened yet, and gives what it printed.
 *
 * @param {string} script
 * @param {string[]} flags
 */
function inNode(script, flags = ["--input-type=module"]) {
  const parameters = [...flags, "--eval", script];
  return execFileSync(process.execPath, parameters, { encoding: "utf8", cwd: testsFolder }).trim();
}

test("import and require load the same copy", () => {
  const required = require("prompt-strata");
  assert.equal(required.StrataError, strata.StrataError);
  assert.equal(required.assemble, strata.assemble);
  assert.deepEqual(
    Object.keys(required)
      .filter((name) => name !== "__esModule")
      .sort(),
    Object.keys(strata).sort(),
  );
  try {
    required.assemble(/** @type {any} */ ({}));
    assert.fail("nothing was thrown");
  } catch (thrown) {
    assert.ok(thrown instanceof strata.StrataError);
  }
});

test("require loads it first, too, without a warning that would be shown", () => {
  const script = `
    const required = require("prompt-strata");
    import("prompt-strata").then((imported) => {
      console.log(imported.StrataError === required.StrataError, required.assemble({ layers: [] }).prefix === "");
    });`;
  assert.equal(inNode(script, []), "true true");
});

/** A script that counts what an entry does; `load` is a statement that makes it `strata`. */
const counting = (/** @type {string} */ load) => `
  const counts = { Module: 0, Instance: 0, Memory: 0, async: 0 };
  for (const name of ["Module", "Instance", "Memory"]) {
    WebAssembly[name] = new Proxy(WebAssembly[name], {
      construct(target, parameters, newTarget) {
        counts[name] += 1;
        return Reflect.construct(target, parameters, newTarget);
      },
    });
  }
  for (const name of ["compile", "instantiate", "compileStreaming", "instantiateStreaming"]) {
    WebAssembly[name] = () => { counts.async += 1; throw new Error(name); };
  }
  const shown = () => console.log(JSON.stringify(Object.values(counts)));
  ${load}
  shown();
  strata.version; new strata.StrataError("internal", "", "");
  shown();
  strata.digest("x");
  shown();
  strata.assemble({ layers: [] });
  shown();`;

test("importing does no work: the core is compiled once, on the first call", () => {
  const untouched = "[0,0,0,0]";
  const started = "[1,1,0,0]";
  const want = [untouched, untouched, started, started].join("\n");
  assert.equal(inNode(counting('const strata = await import("prompt-strata");')), want);
  assert.equal(inNode(counting('const strata = require("prompt-strata");'), []), want);
  assert.equal(inNode(counting('const strata = require("./node_modules/prompt-strata/dist/index.cjs");'), []), want);
});

test("an input that is refused before the core starts does not start it", () => {
  const script = `
    let modules = 0;
    WebAssembly.Module = new Proxy(WebAssembly.Module, { construct() { modules += 1; throw new Error("no"); } });
    const { assemble } = await import("prompt-strata");
    for (const input of [undefined, () => {}, "\\ud800", new Map()]) {
      try { assemble(input); } catch ({ code }) { console.log(code, modules); }
    }`;
  assert.equal(inNode(script), "wrong-type 0\nwrong-type 0\nlone-surrogate 0\nwrong-type 0");
});

test("no entry awaits at its top level", () => {
  for (const name of ["inline.js", "web.js", "workerd.js", "edge-light.js"]) {
    const source = ts.createSourceFile(name, readText("pkg", "dist", name), ts.ScriptTarget.ES2022);
    /** @param {ts.Node} node */
    const visit = (node) => {
      if (ts.isFunctionLike(node)) return;
      const isAwait = ts.isAwaitExpression(node) || (ts.isForOfStatement(node) && node.awaitModifier);
      assert.ok(!isAwait, `${name} awaits at its top level`);
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
});

test("the CommonJS entry is the same API, and takes JSON and objects alike", () => {
  const common = require("prompt-strata/package.json") && require(join(dist, "index.cjs"));
  assert.deepEqual(Object.keys(common).sort(), Object.keys(strata).sort());
  const vectors = readVectors();
  assert.deepEqual(runVectors(common, vectors), runVectors(strata, vectors));
});

test("the entry with the core as an asset works once it is told where that is", async () => {
  const url = pathToFileURL(join(dist, "web.js")).href;
  const core = readFileSync(join(dist, "core.wasm"));
  const vectors = readVectors();
  const want = runVectors(strata, vectors).digest;
  const bytes = Uint8Array.from(core);
  const sources = {
    bytes,
    buffer: bytes.buffer,
    "a promise of bytes": Promise.resolve(bytes),
    "a module": new WebAssembly.Module(bytes),
    "a response": new Response(bytes, { headers: { "content-type": "application/wasm" } }),
    "a response with another type": new Response(bytes, { headers: { "content-type": "text/plain" } }),
    "a promise of a response": Promise.resolve(new Response(bytes)),
    "a data URL": `data:application/wasm;base64,${core.toString("base64")}`,
  };
  for (const [name, source] of Object.entries(sources)) {
    const web = await import(`${url}?${encodeURIComponent(name)}`);
    const call = () => web.assemble({ layers: [] });
    assert.throws(call, { name: "StrataError", code: "not-ready" }, name);
    await web.init(source);
    assert.equal(call().prefix, "", name);
    // Harmless.
    await web.init();
    assert.equal(runVectors(web, vectors).digest, want, name);
  }
});

/** A copy of the entry with the core as an asset, in which nothing has happened yet. @param {string} name */
const freshWeb = (name) => import(`${pathToFileURL(join(dist, "web.js")).href}?${encodeURIComponent(name)}`);

const CORE = readFileSync(join(dist, "core.wasm"));
const EMPTY_MODULE = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);

/** The core as another build of the same version would be: one byte of its name differs. */
function anotherBuild() {
  const bytes = Uint8Array.from(CORE);
  bytes[bytes.length - 1] ^= 1;
  return bytes;
}

/** How `core.wasm` names its build: after its code, the last thing in the file. */
const build = CORE.toString("latin1").slice(CORE.lastIndexOf("prompt-strata") + "prompt-strata".length);

/**
 * What `init` may be given instead of the core: the code, and how the message begins.
 *
 * @type {[name: string, source: () => unknown, code: string, message: string | RegExp][]}
 */
const WRONG_SOURCES = [
  [
    "a file that is not there",
    () => new Response("gone", { status: 404, statusText: "Not Found" }),
    "wasm-not-fetched",
    "core.wasm could not be fetched: 404 Not Found from ",
  ],
  [
    "no network",
    () => Promise.reject(new TypeError("no network")),
    "wasm-not-fetched",
    "core.wasm could not be fetched: no network",
  ],
  ["no URL", () => "not a URL", "wasm-not-fetched", "core.wasm could not be fetched: Failed to parse URL from not a URL"],
  ["a number", () => 5, "wasm-not-fetched", "core.wasm could not be fetched: Failed to parse URL from 5"],
  [
    "a page that a server sends for any path",
    () => new Response("<!doctype html><title>My app</title>"),
    "wasm-invalid",
    'not WebAssembly: the file begins with "<!doctype html><title>My"',
  ],
  [
    "a data URL of something else",
    () => "data:application/wasm,nonsense",
    "wasm-invalid",
    'not WebAssembly: the file begins with "nonsense"',
  ],
  ["no bytes", () => new Uint8Array(), "wasm-invalid", 'not WebAssembly: the file begins with ""'],
  [
    "the core, cut off",
    () => CORE.subarray(0, 20_000),
    "wasm-invalid",
    "not WebAssembly that this runtime can compile: WebAssembly.Module(): ",
  ],
  [
    "another module, as bytes",
    () => EMPTY_MODULE,
    "wasm-foreign",
    `not the core.wasm of this build: expected ${build}, got another module`,
  ],
  [
    "another module, compiled",
    () => new WebAssembly.Module(EMPTY_MODULE),
    "wasm-foreign",
    `not the core.wasm of this build: expected ${build}, got another module`,
  ],
  [
    "the core of another build, as a cache may keep",
    anotherBuild,
    "wasm-foreign",
    `not the core.wasm of this build: expected ${build}, got ${build.slice(0, -1)}`,
  ],
  [
    "what only says that it is a module",
    () => ({ [Symbol.toStringTag]: "WebAssembly.Module" }),
    "wasm-foreign",
    `not the core.wasm of this build: expected ${build}, got another module`,
  ],
];

test("init says what it was given instead of the core, and may be tried again", async (context) => {
  for (const [name, source, code, message] of WRONG_SOURCES) {
    await context.test(name, async () => {
      const web = await freshWeb(name);
      const check = (/** @type {any} */ thrown) => {
        assert.ok(thrown instanceof web.StrataError, String(thrown));
        assert.deepEqual([thrown.code, thrown.path], [code, ""], thrown.message);
        assert.ok(thrown.message.startsWith(message), thrown.message);
        return true;
      };
      for (let round = 0; round < 2; round += 1) {
        await assert.rejects(() => web.init(source()), check);
        assert.throws(() => web.assemble({ layers: [] }), { code: "not-ready" });
      }
      // A wrong and a right one at the same time, in both orders: the right one wins.
      const loads = [source(), CORE, source()].map((it) => web.init(it));
      const [first, right, last] = await Promise.allSettled(loads);
      assert.ok(first.status === "rejected" && check(first.reason));
      assert.equal(right.status, "fulfilled");
      assert.ok(last.status === "fulfilled" || check(last.reason));
      assert.equal(web.assemble({ layers: [] }).prefix, "");
      // What is loaded stays.
      await web.init(source());
      assert.equal(web.assemble({ layers: [] }).prefix, "");
    });
  }
});

test("a slow wrong file does not replace the right one, and a slow right one comes through", async () => {
  for (const [isWrongSlow, name] of /** @type {const} */ ([[true, "slow wrong"], [false, "slow right"]])) {
    const web = await freshWeb(name);
    const slow = (/** @type {Uint8Array} */ bytes) => setTimeout(20, bytes);
    const wrong = web.init(isWrongSlow ? slow(EMPTY_MODULE) : EMPTY_MODULE);
    const right = web.init(isWrongSlow ? CORE : slow(CORE));
    await Promise.all([assert.rejects(wrong, { code: "wasm-foreign" }), right]);
    assert.equal(web.assemble({ layers: [] }).prefix, "");
  }
});

test("parts of a page that load the same file at the same time fetch it once", async () => {
  const web = await freshWeb("once");
  const { fetch } = globalThis;
  let count = 0;
  globalThis.fetch = async () => {
    count += 1;
    return new Response(CORE);
  };
  try {
    await Promise.all([web.init(), web.init(), web.init()]);
  } finally {
    globalThis.fetch = fetch;
  }
  assert.equal(count, 1);
  assert.equal(web.assemble({ layers: [] }).prefix, "");
});

test("StrataError is one class, whichever entry threw", async () => {
  const web = await import("prompt-strata/web");
  assert.equal(web.StrataError, strata.StrataError);
  const common = require(join(dist, "index.cjs"));
  /** @param {() => unknown} call */
  const thrownBy = (call) => {
    try {
      call();
    } catch (thrown) {
      return thrown;
    }
    assert.fail("nothing was thrown");
  };
  const entries = [strata, web, common, await freshWeb("one class")];
  const errors = entries.map((entry) => thrownBy(() => entry.assemble(/** @type {any} */ (undefined))));
  errors.push(thrownBy(() => entries[3].assemble({ layers: [] })), await web.init("not a URL").catch((it) => it));
  for (const error of errors) {
    for (const { StrataError } of entries) assert.ok(error instanceof StrataError);
    assert.ok(error instanceof Error);
  }
  class Narrower extends strata.StrataError {}
  for (const other of [...errors, new Error("x"), null, undefined, 5, "x", {}, Object.create(null)]) {
    assert.ok(!(other instanceof Narrower));
    assert.equal(other instanceof common.StrataError, errors.includes(other));
  }
  assert.ok(new Narrower("internal", "", "") instanceof common.StrataError);
});

test("where WebAssembly is forbidden or missing, the first call says so", () => {
  const explained = (/** @type {string} */ forbid) =>
    inNode(`
      const strata = await import("prompt-strata");
      ${forbid}
      for (const call of [() => strata.assemble({ layers: [] }), () => new strata.Assembler({ layers: [] })]) {
        try { call(); } catch (error) { console.log(error instanceof strata.StrataError, error.code, error.message); }
      }`).split("\n");
  const [first, second] = explained(
    'WebAssembly.Module = class { constructor() { throw new WebAssembly.CompileError("disallowed by embedder"); } };',
  );
  assert.match(first, /^true wasm-forbidden .*script-src 'wasm-unsafe-eval': disallowed by embedder$/);
  assert.equal(second, first);
  const lacking = explained("delete globalThis.WebAssembly;");
  assert.deepEqual(lacking, Array(2).fill("true unsupported-runtime this runtime has no WebAssembly"));
});

test("the version is that of Cargo.toml, in all places", () => {
  const cargo = /^\[workspace\.package\][^[]*^version = "([^"]*)"/m.exec(readText("Cargo.toml"))?.[1];
  assert.match(cargo ?? "", /^\d+\.\d+\.\d+/);
  assert.equal(strata.version, cargo);
  assert.equal(manifest.version, cargo);
});

test("the package depends on nothing, and runs no script on installation", () => {
  for (const field of ["dependencies", "peerDependencies", "optionalDependencies", "bundledDependencies"]) {
    assert.deepEqual(Object.keys(manifest[field] ?? {}), [], field);
  }
  for (const script of ["preinstall", "install", "postinstall", "prepare"]) {
    assert.equal(manifest.scripts?.[script], undefined, script);
  }
  for (const name of ["inline.js", "web.js", "workerd.js", "edge-light.js", "index.cjs"]) {
    const imported = [...readText("pkg", "dist", name).matchAll(/(?:\bfrom|\bimport|\brequire\()\s*["']([^"']+)["']/g)];
    const names = imported
      .map(([, specifier]) => specifier)
      .filter((specifier) => !specifier.startsWith("./core.wasm"));
    // What all modules share is a file of its own.
    assert.deepEqual([...new Set(names)], name === "index.cjs" ? [] : ["./errors.js"], `${name} imports something`);
  }
});

test("every path in package.json leads somewhere, types before code", () => {
  /** @param {unknown} target @param {string} path */
  const check = (target, path) => {
    if (typeof target === "string") {
      assert.ok(existsSync(join(packageFolder, target)), `${path}: ${target} is not there`);
      return;
    }
    const conditions = Object.keys(/** @type {object} */ (target));
    if (conditions.includes("types")) assert.equal(conditions[0], "types", path);
    if (conditions.includes("default")) assert.equal(conditions.at(-1), "default", path);
    for (const [name, value] of Object.entries(/** @type {object} */ (target))) check(value, `${path} ${name}`);
  };
  const { exports, main, module, types, sideEffects } = manifest;
  check(exports, "exports");
  for (const path of [main, module, types, ...sideEffects]) check(path, "manifest");
  assert.deepEqual(Object.keys(exports), [".", "./web", "./core.wasm", "./package.json"]);
});
