// @ts-check

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { assertSame, browser, closeBrowser, consumer, serve, visit } from "./harness.js";

after(closeBrowser);

/**
 * @param {Record<string, string>} headers
 * @param {(site: Awaited<ReturnType<typeof serve>>) => Promise<void>} use
 */
async function withSite(headers, use) {
  const site = await serve(await consumer("browser"), headers);
  try {
    await use(site);
  } finally {
    await site.close();
  }
}

test("Chromium: a plain module script", () =>
  withSite({}, async ({ url }) => {
    await assertSame(await visit(`${url}/index.html`));
  }));

test("Chromium: a Web Worker", () =>
  withSite({}, async ({ url }) => {
    await assertSame(await visit(`${url}/web-worker.html`));
  }));

test("Chromium: a Service Worker", () =>
  withSite({}, async ({ url }) => {
    await assertSame(await visit(`${url}/service-worker.html`));
  }));

const STRICT = "default-src 'none'; connect-src 'self'; img-src data:; script-src 'self' 'wasm-unsafe-eval'";

test("Chromium: prompt-strata/web under a Content-Security-Policy", () =>
  withSite({ "content-security-policy": STRICT }, async ({ url }) => {
    const { early, ...report } = await visit(`${url}/web.html`);
    assert.equal(early, "not-ready");
    await assertSame(report);
  }));

test("Chromium: core.wasm comes from the cache the second time", () =>
  withSite({ "cache-control": "public, max-age=31536000, immutable" }, async ({ url, requests }) => {
    const context = await (await browser()).newContext();
    for (const time of ["first", "second"]) {
      const page = await context.newPage();
      await page.goto(`${url}/web.html`);
      await page.waitForFunction(() => globalThis.report, undefined, { timeout: 60_000 });
      await page.close();
      const fetched = requests.filter((path) => path.endsWith("/core.wasm"));
      assert.equal(fetched.length, 1, `core.wasm was fetched ${fetched.length} times by the ${time} visit`);
    }
    await context.close();
  }));

test("Chromium: a policy that forbids WebAssembly is a typed error that names the directive", () =>
  withSite({ "content-security-policy": "script-src 'self'" }, async ({ url }) => {
    const report = await visit(`${url}/forbidden.html`);
    assert.deepEqual(Object.keys(report), ["inline", "inline again", "web", "web again"]);
    for (const { isTyped, code, message } of Object.values(report)) {
      assert.equal(isTyped, true);
      assert.equal(code, "wasm-forbidden");
      assert.match(message, /script-src 'wasm-unsafe-eval'/);
    }
  }));
