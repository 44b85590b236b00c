// @ts-check

// A plain page in a real browser: no bundler, no build step, the same results.

import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { delimiter, join } from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import * as strata from "prompt-strata";

import { dist, readVectors, testsFolder } from "./repository.js";
import { runVectors } from "./vectors.js";

const SELF = "default-src 'self'; script-src 'self'";
/** The headers of each page: who may compile WebAssembly. */
const PAGES = {
  "/": {},
  "/allowed": { "content-security-policy": `${SELF} 'wasm-unsafe-eval'` },
  "/forbidden": { "content-security-policy": SELF },
};
const PAGE =
  '<!doctype html><meta charset="utf-8"><title>prompt-strata</title><script type="module" src="/page.js"></script>';
const SCRIPT = `
  import * as strata from "/inline.js";
  import * as web from "/web.js";
  import { runVectors } from "/vectors.js";
  globalThis.here = { strata, web, runVectors };
  document.documentElement.dataset.ready = "";
`;

/** @type {Record<string, () => [type: string, body: string | Buffer]>} */
const FILES = {
  "/favicon.ico": () => ["image/x-icon", ""],
  "/page.js": () => ["text/javascript", SCRIPT],
  "/inline.js": () => ["text/javascript", readFileSync(join(dist, "inline.js"))],
  "/web.js": () => ["text/javascript", readFileSync(join(dist, "web.js"))],
  "/errors.js": () => ["text/javascript", readFileSync(join(dist, "errors.js"))],
  "/page.html": () => ["text/html", PAGE],
  "/empty.wasm": () => ["application/wasm", Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])],
  "/core.wasm": () => ["application/wasm", readFileSync(join(dist, "core.wasm"))],
  "/vectors.js": () => ["text/javascript", readFileSync(join(testsFolder, "js", "vectors.js"))],
  "/vectors.json": () => ["application/json", JSON.stringify(readVectors())],
};

function findChromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
  const folders = (process.env.PATH ?? "").split(delimiter);
  const found = names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
  if (!found) throw new Error("there is no Chromium on the path: install it, or name it in CHROMIUM");
  return found;
}

const server = createServer(({ url = "/" }, response) => {
  if (Object.hasOwn(PAGES, url)) {
    const headers = PAGES[/** @type {keyof typeof PAGES} */ (url)];
    response.writeHead(200, { "content-type": "text/html", ...headers }).end(PAGE);
    return;
  }
  const file = FILES[url];
  if (!file) {
    response.writeHead(404).end();
    return;
  }
  const [type, body] = file();
  response.writeHead(200, { "content-type": type }).end(body);
});

// A connection that the browser means to use again is not closed under its hands.
server.keepAliveTimeout = 600_000;

/** @type {import("playwright-core").Browser | undefined} */
let browser;
/** @type {string} */
let origin;

before(async () => {
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = /** @type {import("node:net").AddressInfo} */ (server.address());
  origin = `http://127.0.0.1:${address.port}`;
  browser = await chromium.launch({
    executablePath: findChromium(),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
});

after(async () => {
  await browser?.close();
  server.close();
  server.closeAllConnections();
});

/**
 * Opens a page, waits for its modules and runs a function in it; whatever the page complains about fails the test.
 *
 * @template T
 * @param {string} path
 * @param {(argument: any) => T | Promise<T>} run
 * @param {unknown} [argument]
 */
async function inPage(path, run, argument) {
  assert.ok(browser);
  const context = await browser.newContext();
  const page = await context.newPage();
  /** @type {string[]} */
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => complaints.push(message.text()));
  try {
    await page.goto(`${origin}${path}`, { waitUntil: "commit" });
    await page.waitForSelector("html[data-ready]", { state: "attached" });
    const result = await page.evaluate(run, argument);
    return { result, complaints };
  } finally {
    await context.close();
  }
}

/** What the script of the page puts there: functions that run in the page find it by this name. */
const here = /** @type {any} */ (undefined);

test("all vectors give the same digest as in Node", async () => {
  const { result, complaints } = await inPage("/", async () => {
    const vectors = await (await fetch("/vectors.json")).json();
    return here.runVectors(here.strata, vectors);
  });
  assert.deepEqual(complaints, []);
  assert.deepEqual(result.failures, []);
  assert.deepEqual(result, runVectors(strata, readVectors()));
  assert.equal(result.count, 439);
});

test("the core as an asset of its own gives the same", async () => {
  const { result, complaints } = await inPage("/", async () => {
    await here.web.init();
    const vectors = await (await fetch("/vectors.json")).json();
    return here.runVectors(here.web, vectors).digest;
  });
  assert.deepEqual(complaints, []);
  assert.equal(result, runVectors(strata, readVectors()).digest);
});

test("after a bad input, a good one works", async () => {
  const { result, complaints } = await inPage("/", () => {
    const { assemble, StrataError } = here.strata;
    const errors = [{ layers: [{ layer: "bot", content: { gaurdrails: [] } }] }, "{", { layers: document.body }].map(
      (input) => {
        try {
          assemble(input);
        } catch (thrown) {
          const error = /** @type {any} */ (thrown);
          return [error instanceof StrataError && error instanceof Error, error.code, error.path];
        }
      },
    );
    const { prefix } = assemble({ layers: [{ layer: "bot", content: { identity: "You are Ada." } }] });
    return { errors, prefix };
  });
  assert.deepEqual(complaints, []);
  assert.deepEqual(result.errors, [
    [true, "unknown-field", "layers[0].content.gaurdrails"],
    [true, "invalid-json", ""],
    [true, "wrong-type", "layers"],
  ]);
  assert.equal(result.prefix, "You are Ada.\n");
});

test("bytes of every kind of buffer are read", async () => {
  const { result } = await inPage("/", () => {
    const source = new TextEncoder().encode('{"layers":[],"channelMeta":"é"}');
    const resizable = new Uint8Array(Reflect.construct(ArrayBuffer, [source.length, { maxByteLength: 1000 }]));
    resizable.set(source);
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1 });
    const inMemory = new Uint8Array(memory.buffer, 8, source.length);
    inMemory.set(source);
    return [source, resizable, inMemory].map((bytes) => {
      try {
        return here.strata.assemble(bytes).system;
      } catch (error) {
        return String(error);
      }
    });
  });
  assert.deepEqual(result, ["é\n", "é\n", "é\n"]);
});

test("an exhausted stack is survived", async () => {
  const { result } = await inPage("/", () => {
    const { assemble, StrataError } = here.strata;
    const input = JSON.stringify({
      layers: [{ layer: "bot", content: { identity: "You are Ada.", guardrails: ["g"] } }],
    });
    const want = JSON.stringify(assemble(input));
    let worked = 0;
    let other = 0;
    const visit = () => {
      try {
        assemble(input);
        worked += 1;
      } catch (error) {
        worked = 0;
        if (!(error instanceof StrataError) && !(error instanceof RangeError)) other += 1;
      }
    };
    const deeper = () => {
      try {
        deeper();
      } catch {
        // The stack ended in here.
      }
      if (worked < 4) visit();
    };
    for (let round = 0; round < 20; round += 1) {
      worked = 0;
      deeper();
      if (JSON.stringify(assemble(input)) !== want) return "the next call gives something else";
    }
    return other;
  });
  assert.equal(result, 0);
});

test("a Content-Security-Policy that allows WebAssembly is enough", async () => {
  const { result, complaints } = await inPage("/allowed", () => here.strata.assemble({ layers: [] }).prefix);
  assert.deepEqual(complaints, []);
  assert.equal(result, "");
});

test("a Content-Security-Policy that forbids WebAssembly is explained", async () => {
  const { result } = await inPage("/forbidden", () => {
    const { assemble, StrataError } = here.strata;
    try {
      assemble({ layers: [] });
    } catch (thrown) {
      const error = /** @type {any} */ (thrown);
      return [error instanceof StrataError, error.code, error.message.includes("'wasm-unsafe-eval'")];
    }
  });
  assert.deepEqual(result, [true, "wasm-forbidden", true]);
});

/** What `init` says of each file, on a page that may compile WebAssembly and on one that may not. */
const LOADS = {
  "/core.wasm": ["works", "wasm-forbidden"],
  "/page.html": ["wasm-invalid", "wasm-invalid"],
  "/empty.wasm": ["wasm-foreign", "wasm-forbidden"],
  "/missing.wasm": ["wasm-not-fetched", "wasm-not-fetched"],
};

for (const [column, path] of ["/allowed", "/forbidden"].entries()) {
  test(`what init says of each file, on ${path}`, async () => {
    for (const [file, codes] of Object.entries(LOADS)) {
      const { result } = await inPage(path, async (/** @type {string} */ file) => {
        const { init, assemble, StrataError } = here.web;
        /** @param {() => unknown} run */
        const outcome = async (run) => {
          try {
            await run();
            return "works";
          } catch (thrown) {
            return thrown instanceof StrataError ? /** @type {any} */ (thrown).code : String(thrown);
          }
        };
        const first = await outcome(() => init(file));
        const call = await outcome(() => assemble({ layers: [] }));
        const both = await Promise.all([file, "/core.wasm", file].map((it) => outcome(() => init(it))));
        const later = await outcome(() => assemble({ layers: [] }));
        return { first, call, right: both[1], later, isOneClass: here.strata.StrataError === StrataError };
      }, file);
      const [code, right] = [codes[column], LOADS["/core.wasm"][column]];
      const call = code === "works" ? "works" : "not-ready";
      const later = right === "works" ? "works" : "not-ready";
      assert.deepEqual(result, { first: code, call, right, later, isOneClass: true }, file);
    }
  });
}
