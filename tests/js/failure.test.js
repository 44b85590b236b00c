// @ts-check

// What goes wrong inside the core: it is caught, the instance is replaced, and the next call works.
//
// The package has no hooks for tests, so the failures are those that a host can cause: a setter on Object.prototype or
// a decoder that throws while a result is handed over, a memory that may not grow, a broken host hasher, an exhausted
// stack.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { collectGarbage, liveInstances, madeInstances, memoryBytes } from "./instances.js";
import * as strata from "prompt-strata";
import { dist } from "./repository.js";
import { KNOWN_INPUT, refused, thrownBy, works } from "./refusals.js";

const { assemble, Assembler, StrataError } = strata;

const FAILED =
  "the WebAssembly core failed and is replaced: the next call works, each Assembler has to be made again: ";
const entry = pathToFileURL(join(dist, "inline.js")).href;
let copies = 0;

/**
 * A copy of the package of its own, in which nothing has happened yet.
 *
 * @returns {Promise<typeof strata>}
 */
function freshCopy() {
  copies += 1;
  return import(`${entry}?copy=${copies}`);
}

/**
 * Runs a call while using the property `name` of `holder` throws.
 *
 * @param {object} holder
 * @param {string} name
 * @param {unknown} thrown
 * @param {() => unknown} call
 */
function poisoned(holder, name, thrown, call) {
  const fail = () => {
    throw thrown;
  };
  const was = Object.getOwnPropertyDescriptor(holder, name);
  Object.defineProperty(holder, name, { get: fail, set: fail, configurable: true });
  try {
    return call();
  } finally {
    if (was) Object.defineProperty(holder, name, was);
    else Reflect.deleteProperty(holder, name);
  }
}

const boom = new Error("boom");

/** Makes the core of the package fail. */
function fail() {
  const error = thrownBy(() => poisoned(TextDecoder.prototype, "decode", boom, () => assemble(KNOWN_INPUT)));
  assert.equal(error.code, "internal");
}

const { prototype } = Object;

/** @type {[name: string, holder: object, property: string, call: () => unknown][]} */
const CALLS = [
  ["assemble", TextDecoder.prototype, "decode", () => assemble(KNOWN_INPUT)],
  ["resolve", TextDecoder.prototype, "decode", () => strata.resolve({ layers: [] })],
  ["new Assembler", TextDecoder.prototype, "decode", () => new Assembler(KNOWN_INPUT)],
  ["buildBlocks", prototype, "label", () => strata.buildBlocks({ skills: "x" })],
  ["parseSeed", prototype, "capabilityContract", () => strata.parseSeed("", { version: "1" })],
  ["drift", prototype, "added", () => strata.drift([{ block: "b", layer: "l", digest: "d", bytes: 1 }], [])],
  ["setBlock", prototype, "identity", () => strata.setBlock({}, "identity", "x")],
  ["layerFromFiles", prototype, "content", () => strata.layerFromFiles({})],
  ["layerToFiles", prototype, "identity.md", () => strata.layerToFiles({ identity: "x" })],
  ["an error", prototype, "message", () => strata.layerLabel(/** @type {any} */ (5))],
];

for (const [name, holder, property, call] of CALLS) {
  test(`a failure in the middle of ${name}`, () => {
    works();
    const before = madeInstances();
    refused(() => poisoned(holder, property, boom, call), "internal", "", `${FAILED}boom`);
    assert.equal(madeInstances(), before + 1, "the instance was not replaced, or more than once");
    assert.equal(thrownBy(() => poisoned(holder, property, boom, call)).cause, boom);
    works();
  });
}

/** @type {[name: string, use: (handle: Assembler) => unknown][]} */
const METHODS = [
  ["assemble", (handle) => handle.assemble()],
  ["setLayer", (handle) => handle.setLayer({ layer: "seed", content: { identity: "New." } })],
  ["removeLayer", (handle) => handle.removeLayer("seed")],
];

for (const [name, use] of METHODS) {
  test(`a failure in the middle of Assembler.${name}`, () => {
    const before = madeInstances();
    const handle = new Assembler(KNOWN_INPUT);
    refused(() => poisoned(TextDecoder.prototype, "decode", boom, () => use(handle)), "internal", "", `${FAILED}boom`);
    works();
    assert.equal(madeInstances(), before + 1);
    assert.equal(thrownBy(() => use(handle)).code, "stale-handle");
  });
}

test("whatever is thrown, it becomes a StrataError", () => {
  for (const thrown of ["text", undefined, null, 5, Symbol("s"), { message: "m" }, [], Object.create(null)]) {
    const error = thrownBy(() => poisoned(TextDecoder.prototype, "decode", thrown, () => assemble(KNOWN_INPUT)));
    assert.equal(error.code, "internal");
    works();
  }
});

test("handles made before a failure say so, for good, and can be freed", () => {
  const first = new Assembler(KNOWN_INPUT);
  const want = first.assemble();
  fail();
  const second = new Assembler(KNOWN_INPUT);
  const stale = "this Assembler belongs to a WebAssembly instance that failed and was replaced: make a new one";
  for (let round = 0; round < 2; round += 1) {
    refused(() => first.assemble(), "stale-handle", "", stale);
    refused(() => first.setLayer({ layer: "seed", content: {} }), "stale-handle", "", stale);
    refused(() => first.removeLayer("seed"), "stale-handle", "", stale);
  }
  assert.deepEqual(second.assemble(), want);
  first.free();
  first.free();
  refused(() => first.assemble(), "freed-handle", "", "this Assembler was freed");
  // Nothing of the living one was freed.
  assert.deepEqual(second.assemble(), want);
  second.free();
  works();
});

test("200 failures leave nothing behind", async () => {
  works();
  const before = madeInstances();
  const memory = memoryBytes();
  for (let round = 0; round < 200; round += 1) {
    const handle = new Assembler(KNOWN_INPUT);
    fail();
    assert.equal(thrownBy(() => handle.assemble()).code, "stale-handle");
    works();
  }
  assert.equal(madeInstances(), before + 200);
  assert.equal(memoryBytes(), memory);
  await collectGarbage();
  assert.ok(liveInstances() <= 3, `${liveInstances()} instances are still there`);
});

// ---------------------------------------------------------------- traps

test("a trap, when memory may not grow, is caught", () => {
  // 4 MiB: enough for the core, not for this text.
  const script = `
    const { assemble, Assembler, StrataError } = await import(${JSON.stringify(entry)});
    const small = { layers: [{ layer: "seed", content: { identity: "You are Ada." } }] };
    const large = { layers: [{ layer: "seed", content: { identity: "x".repeat(7 * 1024 * 1024) } }] };
    const want = JSON.stringify(assemble(small));
    for (let round = 0; round < 5; round += 1) {
      for (const input of [large, JSON.stringify(large)]) {
        const handle = new Assembler(small);
        const check = (call, code) => {
          try {
            call();
          } catch (error) {
            if (error instanceof StrataError && error.code === code) return error.cause;
            throw error;
          }
          throw new Error("nothing was thrown");
        };
        const cause = check(() => assemble(input), "internal");
        check(() => handle.assemble(), "stale-handle");
        if (JSON.stringify(assemble(small)) !== want) throw new Error("the next call gives something else");
        console.log(cause instanceof WebAssembly.RuntimeError, cause.message);
      }
    }`;
  const parameters = ["--wasm-max-mem-pages=64", "--input-type=module", "--eval", script];
  const printed = execFileSync(process.execPath, parameters, { encoding: "utf8" });
  assert.equal(printed, "true unreachable\n".repeat(10));
});

test("a host hasher that misbehaves is a failure, too", async () => {
  const long = "x".repeat(1000);
  /** @type {(() => unknown)[]} */
  const hashers = [
    () => {
      throw boom;
    },
    () => {
      throw "text";
    },
    () => {
      throw undefined;
    },
    () => undefined,
    () => null,
    () => Symbol("s"),
  ];
  const known = process.getBuiltinModule;
  for (const hash of hashers) {
    const copy = await freshCopy();
    process.getBuiltinModule = /** @type {any} */ (() => ({ hash }));
    try {
      for (let round = 0; round < 2; round += 1) {
        // What is short is hashed in the core.
        const handle = new copy.Assembler(KNOWN_INPUT);
        const calls = [
          () => copy.assemble({ layers: [{ layer: "seed", content: { identity: long } }] }),
          () => handle.setLayer({ layer: "seed", content: { identity: long } }),
        ];
        const [failed, stale] = calls.map((call) => {
          try {
            call();
          } catch (thrown) {
            assert.ok(thrown instanceof copy.StrataError, String(thrown));
            return thrown.code;
          }
        });
        assert.deepEqual([failed, stale], ["internal", "stale-handle"]);
        assert.deepEqual(copy.assemble(KNOWN_INPUT), assemble(KNOWN_INPUT));
      }
    } finally {
      process.getBuiltinModule = known;
    }
  }
});

// ---------------------------------------------------------------- an exhausted stack

/**
 * Exhausts the stack, and calls `visit` on the way back, frame by frame, until it gives true.
 *
 * @param {() => boolean} visit
 */
function dive(visit) {
  let isDone = false;
  const deeper = () => {
    try {
      deeper();
    } catch {
      // The stack ended in here, or in `visit` itself.
    }
    if (!isDone) isDone = visit();
  };
  deeper();
}

/**
 * A visitor that makes a call, and has seen enough once it worked a few times.
 *
 * @param {() => unknown} call
 * @param {Record<string, number>} seen How often which error was thrown.
 */
function visitor(call, seen) {
  let worked = 0;
  const visit = () => {
    try {
      call();
      worked += 1;
    } catch (thrown) {
      worked = 0;
      // Without a call, which the stack may have no room for.
      if (thrown instanceof StrataError) seen[thrown.code] += 1;
      else if (thrown instanceof RangeError) seen.overflow += 1;
      else seen.other += 1;
    }
    return worked > 3;
  };
  // Compiled now, and not where there is no room for it.
  visit();
  visit();
  worked = 0;
  return visit;
}

test("calls from an exhausted stack, at every depth, 200 times", async () => {
  const text = JSON.stringify(KNOWN_INPUT);
  const long = "text ".repeat(1000);
  const seen = { internal: 0, unreadable: 0, "stale-handle": 0, overflow: 0, other: 0 };
  let handle = new Assembler(KNOWN_INPUT);
  /** @type {(() => unknown)[]} */
  const calls = [
    () => assemble(KNOWN_INPUT),
    () => assemble(text),
    () => strata.digest(long),
    () => strata.parseGuardrails("## A\n- a\n  - b\n## C\n- d", { dialect: "markdown" }),
    () => handle.assemble({ channelMeta: "x" }),
    () => handle.setLayer({ layer: "chat", content: { identity: "x" } }),
    () => new Assembler(text).free(),
  ];
  works();
  const memory = memoryBytes();
  const want = handle.assemble();
  for (let round = 0; round < 200; round += 1) {
    dive(visitor(calls[round % calls.length], seen));
    works();
    // A handle is whole, or it says that it is gone.
    try {
      handle.removeLayer("chat");
      assert.deepEqual(handle.assemble(), want);
    } catch (thrown) {
      assert.ok(thrown instanceof StrataError && thrown.code === "stale-handle", String(thrown));
      handle.free();
      handle = new Assembler(KNOWN_INPUT);
    }
  }
  assert.equal(seen.other, 0);
  assert.ok(seen.internal > 0, `the stack never ended inside the core: ${JSON.stringify(seen)}`);
  assert.ok(seen.overflow + seen.unreadable > 0, `the stack never ended before the core: ${JSON.stringify(seen)}`);
  assert.ok(memoryBytes() <= memory * 2, `the memory grew from ${memory} to ${memoryBytes()} bytes`);
  await collectGarbage();
  assert.ok(liveInstances() < 20, `${liveInstances()} instances are still there`);
});

test("the first failure may come where the stack has no room to handle it", async () => {
  const copy = await freshCopy();
  const want = copy.assemble(KNOWN_INPUT);
  const text = JSON.stringify(KNOWN_INPUT);
  let frames = 0;
  let worked = 0;
  const visit = () => {
    frames += 1;
    for (let round = 0; round < 20; round += 1) {
      try {
        copy.assemble(text);
        worked += 1;
      } catch (thrown) {
        worked = 0;
        // Replaced, as it should be.
        if (thrown instanceof copy.StrataError) break;
      }
    }
    return frames > 200 || worked > 100;
  };
  visit();
  worked = 0;
  dive(visit);
  assert.deepEqual(copy.assemble(text), want);
});

test("the very first call may come where the stack has no room for it", async () => {
  // The window in which the core starts is narrow. Below it, not even the error can be made.
  let lowest = 0;
  for (let highest = 4096; lowest < highest;) {
    const middle = (lowest + highest) >> 1;
    if (firstCall(await freshCopy(), middle, 0) !== "overflow") highest = middle;
    else lowest = middle + 1;
  }
  const outcomes = new Set();
  for (let framesToSkip = lowest - 2; framesToSkip <= lowest + 2; framesToSkip += 1) {
    for (let padding = 0; padding < 16; padding += 1) {
      const copy = await freshCopy();
      outcomes.add(firstCall(copy, framesToSkip, padding));
      const assembler = new copy.Assembler(KNOWN_INPUT);
      assert.equal(assembler.removeLayer("chat"), false);
      assert.equal(copy.renderFacts([]), null);
      assert.deepEqual(assembler.assemble(), assemble(KNOWN_INPUT));
    }
  }
  assert.ok(outcomes.has("overflow") && outcomes.has("internal"), [...outcomes].join());
});

/**
 * How the first call of a copy ends, some frames above the end of the stack.
 *
 * @param {typeof strata} copy
 * @param {number} framesToSkip
 * @param {number} padding How many arguments, which take a few bytes each.
 */
function firstCall(copy, framesToSkip, padding) {
  let outcome = "";
  let isWarm = false;
  const call = () => {
    if (isWarm) copy.assemble('{"layers":[]}');
  };
  const attempt = () => {
    try {
      call.apply(undefined, /** @type {any} */ (new Array(padding)));
      outcome = "worked";
    } catch (thrown) {
      outcome = "overflow";
      if (thrown instanceof copy.StrataError) outcome = thrown.code;
    }
  };
  attempt();
  attempt();
  isWarm = true;
  let skipped = 0;
  dive(() => {
    skipped += 1;
    if (skipped <= framesToSkip) return false;
    attempt();
    return true;
  });
  return outcome;
}

// ---------------------------------------------------------------- a locked realm

test("errors work where the prototypes are frozen", () => {
  const script = `
    for (const name of ["Error", "Object", "Array", "Function", "Promise", "Map", "Symbol", "Uint8Array"]) {
      Object.freeze(globalThis[name]);
      Object.freeze(globalThis[name].prototype);
    }
    const { assemble, Assembler, StrataError } = await import(${JSON.stringify(entry)});
    const handle = new Assembler({ layers: [{ layer: "seed", content: { identity: "Ada" } }] });
    const calls = [
      () => assemble("{"),
      () => assemble({ layers: [{ layer: "seed", content: { identity: 5 } }] }),
      () => assemble({ get layers() { throw new Error("boom"); } }),
      () => Reflect.apply(handle.assemble, new Proxy(handle, {}), []),
      () => handle.setLayer({ layer: "nobody", content: {} }),
      () => (handle.free(), handle.assemble()),
    ];
    for (const call of calls) {
      try {
        call();
      } catch (error) {
        console.log(error instanceof StrataError, String(error).split(":")[0], error.code, error.path);
      }
    }
    console.log(assemble({ layers: [{ layer: "seed", content: { identity: "Ada" } }] }).prefix);`;
  const codes = ["invalid-json ", "wrong-type layers[0].content.identity", "unreadable layers", "wrapped-handle "];
  const more = ["unknown-layer layer", "freed-handle "];
  const want = [...[...codes, ...more].map((it) => `true StrataError ${it}`), "Ada"];
  for (const flags of [[], ["--frozen-intrinsics"]]) {
    const parameters = ["--no-warnings", ...flags, "--input-type=module", "--eval", script];
    assert.deepEqual(execFileSync(process.execPath, parameters, { encoding: "utf8" }).trim().split("\n"), want);
  }
});
