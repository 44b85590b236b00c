// @ts-check

// Counts the WebAssembly instances that are made from now on, and measures their memory: import this before a call.

import { setTimeout } from "node:timers/promises";
import v8 from "node:v8";
import vm from "node:vm";

/** @type {WeakRef<WebAssembly.Instance>[]} */
const instances = [];

WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
  construct(target, parameters, newTarget) {
    const instance = Reflect.construct(target, parameters, newTarget);
    instances.push(new WeakRef(instance));
    return instance;
  },
});

v8.setFlagsFromString("--expose-gc");
/** @type {() => void} */
const collect = vm.runInNewContext("gc");

/** Collects garbage; what was touched in this turn of the event loop is only then let go. */
export async function collectGarbage() {
  for (let round = 0; round < 3; round += 1) {
    await setTimeout(0);
    collect();
  }
}

/** How many instances were made. */
export function madeInstances() {
  return instances.length;
}

/** How many of them are still there. */
export function liveInstances() {
  return instances.filter((instance) => instance.deref()).length;
}

/** The bytes of memory of the instance made last. */
export function memoryBytes() {
  const memory = instances.at(-1)?.deref()?.exports.memory;
  if (!(memory instanceof WebAssembly.Memory)) throw new Error("there is no instance");
  return memory.buffer.byteLength;
}
