// @ts-check

// The entries of the package: that each is the same API, and that importing one does nothing yet.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
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
  const counts = { Module: 0, Instance: 0, Memory: 0, async: 0, atob: 0 };
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
  globalThis.atob = new Proxy(globalThis.atob, {
    apply(target, self, parameters) {
      counts.atob += 1;
      return Reflect.apply(target, self, parameters);
    },
  });
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
  const untouched = "[0,0,0,0,0]";
  const started = "[1,1,0,0,1]";
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

test("init may be tried again after it failed", async () => {
  const web = await import(`${pathToFileURL(join(dist, "web.js")).href}?again`);
  /** @type {[() => unknown, string][]} */
  const failures = [
    [() => new Response("gone", { status: 404, statusText: "Not Found" }), "not-ready"],
    [() => Promise.reject(new TypeError("no network")), "not-ready"],
    [() => "data:application/wasm,nonsense", "wasm-forbidden"],
    [() => new Uint8Array([0, 1, 2]), "wasm-forbidden"],
    [() => "not a URL", "not-ready"],
  ];
  for (const [source, code] of failures) {
    await assert.rejects(
      () => web.init(source()),
      (/** @type {any} */ thrown) => {
        assert.ok(thrown instanceof web.StrataError, String(thrown));
        assert.equal(thrown.code, code, thrown.message);
        return true;
      },
    );
    assert.throws(() => web.assemble({ layers: [] }), { code: "not-ready" });
  }
  await web.init(readFileSync(join(dist, "core.wasm")));
  assert.equal(web.assemble({ layers: [] }).prefix, "");
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
  assert.equal(explained("delete globalThis.WebAssembly;")[0], "true wasm-forbidden this runtime has no WebAssembly");
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
    assert.deepEqual(names, [], `${name} imports something`);
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
