// @ts-check

/** @import { AssembleInput, Assembly, Layer, LayerInput, Turn } from "./index.js" */
/** @import { Stable } from "./assembly.js" */

import { readAssembly, readStable } from "./assembly.js";
import { StrataError } from "./errors.js";
import { hostHasher } from "./hash.js";
import { crossing } from "./input.js";
import { call, currentInstance } from "./instance.js";
import { Receiver } from "./results.js";
import { encode } from "./tape.js";

/** @typedef {InstanceType<typeof import("./glue.js").AssemblerHandle>} Handle */
/** @typedef {"Stable" | "Turn" | "SetLayer" | "RemoveLayer"} Method */

export class Assembler {
  // Names are shortened in what ships.
  static name = "Assembler";

  /** @type {Handle | undefined} */
  #handle;
  #instance;
  /** @type {Stable | undefined} */
  #stable;

  /** @param {AssembleInput | string | Uint8Array} input */
  constructor(input) {
    const { text, tape } = crossing(input);
    this.#handle = call((core) => new core.AssemblerHandle(text, tape, hostHasher()));
    this.#instance = currentInstance();
    this.#update("Stable", {});
  }

  /**
   * @param {Turn} [turn]
   * @returns {Assembly}
   */
  assemble(turn = {}) {
    const stable = /** @type {Stable} */ (this.#stable);
    return /** @type {Assembly} */ (this.#call("Turn", turn, (reader) => readAssembly(stable, reader)));
  }

  /** @param {LayerInput} layer */
  setLayer(layer) {
    this.#update("SetLayer", layer);
  }

  /**
   * @param {Layer} layer
   * @param {string} [source]
   */
  removeLayer(layer, source) {
    return this.#update("RemoveLayer", { layer, source });
  }

  free() {
    const handle = this.#handle;
    this.#handle = undefined;
    // The memory of an instance that was replaced is gone with it.
    if (handle && this.#instance === currentInstance()) call(() => handle.free());
  }

  /**
   * @template T
   * @param {Method} method
   * @param {unknown} argument
   * @param {(reader: Receiver) => T} read
   * @returns {T | undefined} Undefined where the core has nothing to say.
   */
  #call(method, argument, read) {
    const handle = this.#handle;
    if (!handle) {
      throw new StrataError("freed-handle", "", "this Assembler was freed");
    }
    if (this.#instance !== currentInstance()) {
      const message = "this Assembler belongs to a WebAssembly instance that failed and was replaced: make a new one";
      throw new StrataError("stale-handle", "", message);
    }
    const { text, tape } = encode(argument);
    /** @type {T | undefined} */
    let result;
    const receiver = new Receiver((reader) => (result = read(reader)));
    call((core) => handle.call(core.Method[method], text, tape, receiver));
    return result;
  }

  /**
   * Takes over what no turn changes; false where it did not change either.
   *
   * @param {Method} method
   * @param {unknown} argument
   */
  #update(method, argument) {
    const stable = this.#call(method, argument, (reader) => freeze(readStable(reader, this.#stable)));
    if (stable) this.#stable = stable;
    return stable !== undefined;
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
