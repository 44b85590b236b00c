// @ts-check

// How long the first prompt takes: from the start of a process of Node, and of a workerd with one Worker in it.
// `node tests/matrix/cold-start.js` prints a table; it is no test.

import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { consumer, tool } from "./harness.js";

const RUNS = 15;

/** What is measured: a name, the module for Node, the module for workerd. */
const CONTESTANTS = [
  ["nothing at all", "nothing.js", "nothing.js"],
  ["plain JavaScript", "oracle-entry.js", "oracle-entry.js"],
  ["prompt-strata", "strata.js", "strata.js"],
  ["minijinja-js", "minijinja-node.js", "minijinja-worker.js"],
];

const folder = await consumer("cold-start", { tools: ["minijinja-js"] });
for (const file of ["oracle.js", "node-crypto.js"]) {
  cpSync(fileURLToPath(new URL(`../oracle/${file}`, import.meta.url)), join(folder, file));
}

const CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [MODULES],
    compatibilityDate = "2026-04-01", compatibilityFlags = ["nodejs_compat"])
  )],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
`;

/**
 * Bundles a Worker that answers with the prompt.
 *
 * @param {string} entry
 * @returns {Promise<string>} Its configuration.
 */
async function bundle(entry) {
  const out = join(folder, `worker-${entry}`);
  mkdirSync(out);
  /** @type {string[]} */
  const modules = ['(name = "main.js", esModule = embed "main.js")'];
  await tool("esbuild").build({
    stdin: {
      contents: `import { prompt } from "./${entry}"; export default { fetch: () => new Response(prompt()) };`,
      resolveDir: folder,
    },
    outfile: join(out, "main.js"),
    bundle: true,
    format: "esm",
    conditions: ["workerd", "worker", "browser"],
    external: ["node:*"],
    logLevel: "error",
    plugins: [
      {
        name: "wasm",
        setup(/** @type {any} */ build) {
          build.onResolve(
            { filter: /\.wasm$/ },
            (/** @type {{ path: string, resolveDir: string }} */ { path, resolveDir }) => {
              cpSync(join(resolveDir, path), join(out, "core.wasm"));
              modules.push('(name = "core.wasm", wasm = embed "core.wasm")');
              return { path: "core.wasm", external: true };
            },
          );
        },
      },
    ],
  });
  const config = join(out, "config.capnp");
  writeFileSync(config, CONFIG.replace("MODULES", modules.join(", ")));
  return config;
}

/** @param {string} entry */
function startNode(entry) {
  const script = `const { prompt } = await import("./${entry}"); process.stdout.write(prompt());`;
  return new Promise((accept, reject) => {
    const begin = performance.now();
    const child = spawn(process.execPath, ["--input-type=module", "--eval", script], { cwd: folder });
    child.stderr.pipe(process.stderr);
    let time = NaN;
    child.stdout.once("data", () => (time = performance.now() - begin));
    // Its end is not measured, but is not to meet the next start either.
    child.once("close", (code) =>
      time ? accept(time) : reject(new Error(`${entry} ended without a prompt (${code})`)),
    );
  });
}

const { default: workerd } = tool("workerd");

/** @param {string} config */
async function startWorkerd(config) {
  const begin = performance.now();
  const child = spawn(workerd, ["serve", config, "--control-fd=3"], { stdio: ["ignore", "ignore", "inherit", "pipe"] });
  const closed = new Promise((accept) => child.once("close", accept));
  try {
    const control = /** @type {import("node:stream").Readable} */ (child.stdio[3]);
    const port = await new Promise((accept, reject) => {
      control.once("data", (line) => accept(JSON.parse(String(line)).port));
      child.once("close", (code) => reject(new Error(`workerd ended (${code})`)));
    });
    const response = await fetch(`http://127.0.0.1:${port}/`);
    const text = await response.text();
    if (!response.ok || !text.includes("You are Ada.")) throw new Error(`${config}: ${text}`);
    return performance.now() - begin;
  } finally {
    child.kill("SIGKILL");
    await closed;
  }
}

/** @param {number[]} values */
function median(values) {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

/**
 * @param {string} title
 * @param {(() => Promise<number>)[]} starts
 */
async function measure(title, starts) {
  const times = starts.map(() => /** @type {number[]} */ ([]));
  // One after the other, again and again: what the machine is doing meets all of them alike.
  for (let run = 0; run <= RUNS; run += 1) {
    for (let turn = 0; turn < starts.length; turn += 1) {
      // Nobody always follows the same neighbour.
      const index = (turn + run) % starts.length;
      const time = (await starts[index]?.()) ?? NaN;
      // The first run only warms the file system.
      if (run > 0) times[index]?.push(time);
    }
  }
  const medians = times.map(median);
  const [floor = NaN, plain = NaN] = medians;
  console.log(`\n${title}, medians of ${RUNS} runs\n`);
  console.log("| | ms | over nothing at all, ms | beside plain JavaScript |\n|---|--:|--:|--:|");
  for (const [index, [name]] of CONTESTANTS.entries()) {
    const time = medians[index] ?? NaN;
    console.log(`| ${name} | ${time.toFixed(1)} | ${(time - floor).toFixed(1)} | ${(time / plain).toFixed(2)} × |`);
  }
}

const version = JSON.parse(readFileSync(join(folder, "node_modules/minijinja-js/package.json"), "utf8")).version;
console.log(`Node ${process.version}, minijinja-js ${version}`);
await measure(
  "Process start to first prompt in Node",
  CONTESTANTS.map(
    ([, entry = ""]) =>
      () =>
        startNode(entry),
  ),
);
const configs = await Promise.all(CONTESTANTS.map(([, , entry = ""]) => bundle(entry)));
await measure(
  "Start of workerd to first response",
  configs.map((config) => () => startWorkerd(config)),
);
process.exit();
