// @ts-check

// The Worker of examples/worker, as wrangler would upload it, in workerd.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

import { consumer } from "./harness.js";
import { startWorker } from "./workers.js";

const LIMIT = 1024 * 1024;

/** @type {Awaited<ReturnType<typeof startWorker>>} */
let worker;
/** @type {import("../js/vectors.js").Strata} The same package, in this process. */
let strata;

before(async () => {
  const from = fileURLToPath(new URL("../../examples/worker", import.meta.url));
  const folder = await consumer("worker", { from });
  strata = await import(pathToFileURL(join(folder, "node_modules/prompt-strata/dist/inline.js")).href);
  worker = await startWorker(folder);
});

after(() => worker?.stop());

/**
 * @param {string | Uint8Array} body
 * @param {string} [path]
 * @param {string} [method]
 */
async function ask(body, path = "/assemble", method = "POST") {
  const response = await fetch(worker.url + path, {
    method,
    ...(method === "POST" && { body: /** @type {BodyInit} */ (body) }),
  });
  return { status: response.status, allow: response.headers.get("allow"), text: await response.text() };
}

const GOOD = JSON.stringify({ layers: [{ layer: "bot", content: { identity: "You are Ada." } }] });

test("good input gives the assembly", async () => {
  const { status, text } = await ask(GOOD);
  assert.equal(status, 200);
  assert.deepEqual(JSON.parse(text), strata.assemble(GOOD));
});

/** @type {[string, string | Uint8Array, string, string][]} */
const BAD = [
  [
    "an unknown field",
    '{"layers": [{"layer": "bot", "content": {"gaurdrails": []}}]}',
    "unknown-field",
    "layers[0].content.gaurdrails",
  ],
  ["no JSON", "{", "invalid-json", ""],
  ["nothing", "", "invalid-json", ""],
  ["no UTF-8", new Uint8Array([34, 255, 34]), "invalid-utf8", ""],
  ["an unknown layer", '{"layers": [{"layer": "sead", "content": {}}]}', "unknown-layer", "layers[0].layer"],
];

for (const [name, body, code, path] of BAD) {
  test(`${name} gives 400 and says what and where`, async () => {
    const { status, text } = await ask(body);
    const answer = JSON.parse(text);
    assert.equal(status, 400);
    assert.deepEqual(Object.keys(answer), ["code", "path", "message"]);
    assert.deepEqual([answer.code, answer.path], [code, path]);
    assert.equal((await ask(GOOD)).status, 200, "the next request works");
  });
}

test("other paths give 404, other methods 405", async () => {
  assert.equal((await ask(GOOD, "/")).status, 404);
  assert.equal((await ask(GOOD, "/assemble/x")).status, 404);
  const { status, allow } = await ask("", "/assemble", "GET");
  assert.deepEqual([status, allow], [405, "POST"]);
});

/** @param {number} length */
function sized(length) {
  const frame = GOOD.replace("You are Ada.", "");
  return GOOD.replace("You are Ada.", "x".repeat(length - frame.length));
}

test("the limit is exact", async () => {
  assert.equal((await ask(sized(LIMIT))).status, 200);
  const { status, text } = await ask(sized(LIMIT + 1));
  assert.equal(status, 413);
  assert.equal(JSON.parse(text).code, "too-large");
});

test("a body without an end is refused as soon as it is too long", { timeout: 30_000 }, async () => {
  // No content-length: only reading shows how much there is. Nothing more is sent, and no end either.
  const upload = request(`${worker.url}/assemble`, { method: "POST" });
  const answered = new Promise((accept, reject) => upload.once("response", accept).once("error", reject));
  upload.write("x".repeat(LIMIT));
  upload.write("x");
  const response = await answered;
  assert.equal(response.statusCode, 413);
  response.resume();
  upload.on("error", () => {}).destroy();
  assert.equal((await ask(GOOD)).status, 200);
});

test("64 requests in flight get the answers that one at a time would", async () => {
  const lines = readFileSync(fileURLToPath(new URL("../conformance/assemble.jsonl", import.meta.url)), "utf8")
    .trim()
    .split("\n");
  const inputs = [...lines.map((line) => JSON.stringify(JSON.parse(line).args)), ...BAD.map(([, body]) => body)];
  const bodies = Array.from({ length: 64 * 8 }, (_, index) => inputs[(index * 7) % inputs.length] ?? "");
  /** @type {(string | Uint8Array)[]} */
  const waiting = [...bodies];
  let answered = 0;
  const client = async () => {
    for (let body = waiting.pop(); body !== undefined; body = waiting.pop()) {
      const { status, text } = await ask(body);
      assert.deepEqual({ status, text }, alone(body));
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: 64 }, client));
  assert.equal(answered, bodies.length);
});

/**
 * What the package says in this process, with one call at a time.
 *
 * @param {string | Uint8Array} body
 */
function alone(body) {
  try {
    return { status: 200, text: JSON.stringify(strata.assemble(body)) };
  } catch (thrown) {
    assert.ok(thrown instanceof strata.StrataError);
    const { code, path, message } = thrown;
    return { status: 400, text: JSON.stringify({ code, path, message }) };
  }
}
