// @ts-check

// A million turns and a hundred thousand one-shot calls, with and without bad input among them. The core's own memory
// has to be what it was after the warm-up, to the byte; that of the process may have grown by `SLACK`.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { createInterface } from "node:readline";
import { test } from "node:test";

import { consumer, run } from "./harness.js";
import { startWorker } from "./workers.js";

const MIB = 1024 * 1024;

/** What garbage that is not collected yet, caches of compiled code and the allocator's reserve may come to. */
const SLACK = { heap: 2 * MIB, rss: 48 * MIB };

const TURNS = 1_000_000;
const CALLS = 100_000;

/**
 * @typedef {{ kind: "turns" | "calls", count: number, bad: number }} Stretch
 * @typedef {{ instances: number, bytes: number, references: number }} Held
 * @typedef {{ said: string, held: Held, heap?: number, rss: number }} Answer
 */

/** @param {(stretch: Stretch) => Promise<Answer>} ask */
async function soak(ask) {
  for (const kind of /** @type {const} */ (["turns", "calls"])) {
    await ask({ kind, count: 20_000, bad: 10 });
  }
  const before = await ask({ kind: "calls", count: 1000, bad: 10 });
  for (const [kind, total] of /** @type {const} */ ([
    ["turns", TURNS],
    ["calls", CALLS],
  ])) {
    // Half of them without bad input, half with one in a hundred.
    const count = total / 2;
    const good = await ask({ kind, count, bad: 0 });
    const mixed = await ask({ kind, count, bad: 1 });
    assert.equal(mixed.said, good.said, `bad input among the ${kind} changed what the others say`);
    for (const after of [good, mixed]) {
      assert.deepEqual(after.held, before.held, `the core holds more after the ${kind}`);
      assertNear(after.rss, before.rss, SLACK.rss, `the process, after the ${kind}`);
      if (before.heap) assertNear(after.heap ?? 0, before.heap, SLACK.heap, `the JavaScript heap, after the ${kind}`);
    }
  }
}

/**
 * @param {number} after
 * @param {number} before
 * @param {number} slack
 * @param {string} whose
 */
function assertNear(after, before, slack, whose) {
  const grown = after - before;
  assert.ok(grown <= slack, `${whose}, has grown by ${(grown / MIB).toFixed(1)} MiB, more than ${slack / MIB}`);
}

test("soak: Node", async () => {
  const folder = await consumer("soak");
  const child = spawn(process.execPath, ["--expose-gc", "main.js"], {
    cwd: folder,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  try {
    await soak(async (stretch) => {
      child.stdin.write(`${JSON.stringify(stretch)}\n`);
      const { value, done } = await answers.next();
      assert.ok(!done, "the process ended");
      return JSON.parse(value);
    });
  } finally {
    child.stdin.end();
    child.kill();
  }
});

test("soak: workerd", async () => {
  const worker = await startWorker(await consumer("soak"));
  try {
    await soak(async (stretch) => {
      const response = await fetch(worker.url, { method: "POST", body: JSON.stringify(stretch) });
      assert.equal(response.status, 200, await response.clone().text());
      return { .../** @type {Answer} */ (await response.json()), rss: await memoryOfChild("workerd") };
    });
  } finally {
    await worker.stop();
  }
});

/**
 * What a child of this process holds in memory, in bytes.
 *
 * @param {string} name
 */
async function memoryOfChild(name) {
  const processes = process.platform === "linux" ? linuxProcesses() : await otherProcesses();
  const child = processes.find(({ parent, command }) => parent === process.pid && command.includes(name));
  return child?.kibibytes ? child.kibibytes * 1024 : assert.fail(`no process ${name} is there to be measured`);
}

function linuxProcesses() {
  const field = (/** @type {string} */ status, /** @type {string} */ name) =>
    new RegExp(`^${name}:\\s*(\\S+)`, "m").exec(status)?.[1] ?? "";
  const ids = readdirSync("/proc").filter((entry) => /^\d+$/.test(entry));
  return ids.flatMap((id) => {
    try {
      const status = readFileSync(`/proc/${id}/status`, "utf8");
      return [
        {
          parent: Number(field(status, "PPid")),
          kibibytes: Number(field(status, "VmRSS")),
          command: field(status, "Name"),
        },
      ];
    } catch {
      // It ended in between.
      return [];
    }
  });
}

async function otherProcesses() {
  const listed = await run("ps", ["-A", "-o", "ppid=,rss=,comm="]);
  return listed.split("\n").map((line) => {
    const [parent, kibibytes, ...command] = line.trim().split(/\s+/);
    return { parent: Number(parent), kibibytes: Number(kibibytes), command: command.join(" ") };
  });
}
