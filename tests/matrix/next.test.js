// @ts-check

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { assertSame, browser, closeBrowser, consumer, freePort, run, start, visit } from "./harness.js";

/** @type {string} */
let url;
/** @type {Awaited<ReturnType<typeof start>>} */
let server;

before(async () => {
  // Next's bundler follows no link out of the project.
  const folder = await consumer("next", { copied: ["next", "react", "react-dom"] });
  const next = join(folder, "node_modules/next/dist/bin/next");
  await run(process.execPath, [next, "build"], { cwd: folder, seconds: 400 });
  const port = String(await freePort());
  const args = [next, "start", "--hostname", "127.0.0.1", "--port", port];
  server = await start(process.execPath, args, { cwd: folder, ready: /Ready in/ });
  url = `http://127.0.0.1:${port}`;
});

after(async () => {
  await closeBrowser();
  await server?.stop();
});

test("Next: a server component", async () => {
  const page = await (await browser()).newPage();
  await page.goto(`${url}/`);
  await assertSame(JSON.parse(await page.textContent("#report")));
  await page.close();
});

test("Next: a page in the browser", async () => {
  await assertSame(await visit(`${url}/client`));
});

for (const route of ["route", "edge"]) {
  test(`Next: ${route === "edge" ? "an edge route" : "a route handler"}`, async () => {
    const response = await fetch(`${url}/${route}`, { method: "POST" });
    assert.equal(response.status, 200, server.output());
    await assertSame(await response.json());
  });
}
