// @ts-check

import assert from "node:assert/strict";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { consumer, run, script, tarball } from "./harness.js";

test("the tarball holds what the package needs, and nothing else", async () => {
  const listed = await run("tar", ["-tzf", await tarball()]);
  const names = listed
    .trim()
    .split("\n")
    .map((path) => path.replace(/^package\//, ""));
  const dist = [
    "core.wasm",
    "edge-light.js",
    "errors.js",
    "index.cjs",
    "index.d.cts",
    "index.d.ts",
    "inline.js",
    "web.d.ts",
    "web.js",
    "workerd.js",
  ];
  assert.deepEqual(
    names.sort(),
    [...dist.map((name) => `dist/${name}`), "LICENSE", "README.md", "package.json"].sort(),
  );
});

test("every path in the exports map is there", async () => {
  const folder = join(await consumer("app"), "node_modules/prompt-strata");
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const paths =
    JSON.stringify([manifest.exports, manifest.main, manifest.module, manifest.types, manifest.sideEffects]).match(
      /\.\/[\w./-]+\.\w+/g,
    ) ?? [];
  for (const path of paths.filter((name) => !name.startsWith("./core") && !name.startsWith("./package"))) {
    assert.ok(readFileSync(join(folder, path)).length > 0, path);
  }
  assert.ok(paths.length > 10);
});

test("publint finds nothing", async () => {
  const output = await run(process.execPath, [script("publint"), await tarball(), "--strict"]);
  assert.match(output, /All good!/);
  assert.doesNotMatch(output, /Suggestions|Warnings|Errors/);
});

// `./core.wasm` is an asset and has no types.
test("Are the types wrong? Not those of the package", async () => {
  const args = ["--entrypoints", ".", "./package.json", "--profile", "strict"];
  await run(process.execPath, [script("@arethetypeswrong/cli", "attw"), await tarball(), ...args]);
});

// Pages have no `require`.
test("Are the types wrong? Not those of prompt-strata/web", async () => {
  const args = ["--entrypoints", "./web", "--profile", "esm-only"];
  await run(process.execPath, [script("@arethetypeswrong/cli", "attw"), await tarball(), ...args]);
});

const STRICT = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false,
  noEmit: true,
  types: [],
  target: "es2022",
};

const MODULES = [
  { module: "esnext", moduleResolution: "bundler" },
  { module: "node16", moduleResolution: "node16" },
  { module: "nodenext", moduleResolution: "nodenext" },
];

// Without the DOM: a server has none.
const PROGRAMS = [
  { files: ["main.ts"], lib: ["es2022"] },
  { files: ["disposable.ts"], lib: ["es2022", "esnext.disposable"] },
  { files: ["web.ts"], lib: ["es2022", "dom"] },
];

for (const compiler of ["typescript-5", "typescript-7"]) {
  for (const module of MODULES) {
    const name = compiler.replace("typescript-", "TypeScript ");
    test(`${name}: a strict consumer, ${module.moduleResolution}`, async () => {
      const folder = await consumer("typescript");
      copyFileSync(join(folder, "main.ts"), join(folder, "main.cts"));
      // With `bundler` there is no CommonJS.
      const commonJs = module.moduleResolution === "bundler" ? [] : [{ files: ["main.cts"], lib: ["es2022"] }];
      for (const { files, lib } of [...PROGRAMS, ...commonJs]) {
        const imports = files.includes("main.cts") ? { verbatimModuleSyntax: false } : {};
        const compilerOptions = { ...STRICT, ...module, lib, ...imports };
        writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
        await run(process.execPath, [script(compiler, "tsc"), "--pretty", "false"], { cwd: folder });
      }
    });
  }
}
