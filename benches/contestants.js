// Who is compared: the package, the same without the host's hash, and plain JavaScript over two hashes.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { cpus } from "node:os";
import { pathToFileURL } from "node:url";

import { sha256Hex as nodeHash } from "../tests/oracle/node-crypto.js";
import { createOracle } from "../tests/oracle/oracle.js";

const tests = createRequire(new URL("../tests/package.json", import.meta.url));

/** Imports a package of the tests; with a query, a copy of it with a state of its own. */
export const load = (name, query = "") => import(pathToFileURL(tests.resolve(name)).href + query);

const { sha256 } = await load("@noble/hashes/sha2.js");
const { bytesToHex, utf8ToBytes } = await load("@noble/hashes/utils.js");

/** Plain JavaScript as Node has it, and as a browser or an edge function has it, where the host's hash is asynchronous. */
export const withNode = createOracle({ sha256Hex: nodeHash });
export const withNoble = createOracle({ sha256Hex: (text) => bytesToHex(sha256(utf8ToBytes(text))) });

export const strata = await load("prompt-strata");
/** The package where the host has no hash that answers at once. */
export const strataAlone = await loadAlone();

/** Loads a copy that asks for the host's hash on its first call, finds none, and never asks again. */
async function loadAlone() {
  const copy = await load("prompt-strata", "?as-a-browser");
  assert.notEqual(copy.assemble, strata.assemble);
  const { getBuiltinModule } = process;
  let asked = 0;
  const count = (answer) => {
    process.getBuiltinModule = (name) => {
      asked += 1;
      return answer(name);
    };
  };
  try {
    count(() => undefined);
    copy.assemble({ layers: [] });
    assert.equal(asked, 1, "the package looks for the host's hash in another way now");
    count(getBuiltinModule);
    copy.assemble({ layers: [{ layer: "bot", content: { identity: "Ada. ".repeat(1000) } }] });
    assert.equal(asked, 1, "the copy did not keep that there is no hash");
    // The other copy has a state of its own, and hashes with the host.
    strata.assemble({ layers: [] });
    assert.equal(asked, 2, "the package did not ask for the host's hash");
  } finally {
    process.getBuiltinModule = getBuiltinModule;
  }
  return copy;
}

/** What is measured, and where. */
export const machine = `prompt-strata ${strata.version}, Node ${process.version}, ${cpus()[0]?.model ?? "unknown processor"}`;
const { dependencies } = tests("./package.json");
/** What it is compared with, as pinned. */
export const others = ["@noble/hashes", "minijinja-js", "@huggingface/jinja"]
  .map((name) => `${name} ${dependencies[name]}`)
  .join(", ");
