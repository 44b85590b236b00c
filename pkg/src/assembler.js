// @ts-check

/** @import { AssembleInput, Assembly, Layer, LayerInput, Turn } from "./index.js" */
/** @import { Stable } from "./assembly.js" */

import { readAssembly, readStable } from "./assembly.js";
import { StrataError } from "./errors.js";
import { hostHasher } from "./hash.js";
import { crossing } from "./input.js";
import { call, currentInstance } from "./instance.js";
import { Reader } from "./results.js";
import { encode } from "./tape.js";

/** @typedef {InstanceType<typeof import("./glue.js").AssemblerHandle>} Handle */

export class Assembler {
  /** @type {Handle | undefined} */
  #handle;
  #instance;
  /** @type {Stable} */
  #stable;

  /** @param {AssembleInput | string | Uint8Array} input */
  constructor(input) {
    const { text, tape } = crossing(input);
    this.#handle = call((core) => new core.AssemblerHandle(text, tape, hostHasher()));
    this.#instance = currentInstance();
    this.#stable = freeze(readStable(new Reader(this.#call("stable", {}))));
  }

  /**
   * @param {Turn} [turn]
   * @returns {Assembly}
   */
  assemble(turn = {}) {
    return readAssembly(this.#stable, new Reader(this.#call("turn", turn)));
  }

  /** @param {LayerInput} layer */
  setLayer(layer) {
    this.#update(this.#call("setLayer", layer));
  }

  /**
   * @param {Layer} layer
   * @param {string} [source]
   */
  removeLayer(layer, source) {
    const result = this.#call("removeLayer", { layer, source });
    if (result === undefined) return false;
    this.#update(result);
    return true;
  }

  free() {
    const handle = this.#handle;
    this.#handle = undefined;
    // The memory of an instance that was replaced is gone with it.
    if (handle && this.#instance === currentInstance()) call(() => handle.free());
  }

  /**
   * @param {"stable" | "turn" | "setLayer" | "removeLayer"} method
   * @param {unknown} argument
   * @returns {unknown}
   */
  #call(method, argument) {
    const handle = this.#handle;
    if (!handle) {
      throw new StrataError("freed-handle", "", "this Assembler was freed");
    }
    if (this.#instance !== currentInstance()) {
      const message = "this Assembler belongs to a WebAssembly instance that failed and was replaced: make a new one";
      throw new StrataError("stale-handle", "", message);
    }
    const { text, tape } = encode(argument);
    return call(() => handle.call(method, text, tape));
  }

  /** @param {unknown} result */
  #update(result) {
    this.#stable = freeze(readStable(new Reader(result), this.#stable));
  }
}

// Where the runtime knows `using`.
if (Symbol.dispose) {
  Object.defineProperty(Assembler.prototype, Symbol.dispose, {
    value: Assembler.prototype.free,
    configurable: true,
    writable: true,
  });
}

/**
 * Every turn hands out the same stable parts, so nobody may change them.
 *
 * @param {Stable} stable
 */
function freeze(stable) {
  const lists = [stable.blocks, stable.descriptors, stable.diagnostics, stable.sections ?? []];
  for (const list of lists) {
    list.forEach(Object.freeze);
    Object.freeze(list);
  }
  Object.freeze(stable.effective);
  return stable;
}
