// @ts-check

/** @import { AssembleInput, Assembly, Layer, LayerInput, Turn } from "./index.js" */
/** @import { Stable } from "./assembly.js" */

import { readAssembly, readStable } from "./assembly.js";
import { StrataError } from "./errors.js";
import { hostHasher, secret } from "./hash.js";
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
  #isBusy = false;
  /** @type {Stable | undefined} */
  #stable;

  /** @param {AssembleInput | string | Uint8Array} input */
  constructor(input) {
    const { text, tape } = crossing(input);
    this.#handle = call((core) => new core.AssemblerHandle(text, tape, hostHasher(), secret()));
    this.#instance = currentInstance();
    this.#update("Stable", {});
  }

  /**
   * @param {Turn} [turn]
   * @returns {Assembly}
   */
  assemble(turn = {}) {
    const self = Assembler.#unwrapped(this);
    const read = (/** @type {Receiver} */ reader) =>
      readAssembly(/** @type {Stable} */ (self.#stable), reader, Object.freeze);
    return /** @type {Assembly} */ (self.#call("Turn", turn, read));
  }

  /** @param {LayerInput} layer */
  setLayer(layer) {
    Assembler.#unwrapped(this).#update("SetLayer", layer);
  }

  /**
   * @param {Layer} layer
   * @param {string} [source]
   */
  removeLayer(layer, source) {
    return Assembler.#unwrapped(this).#update("RemoveLayer", { layer, source });
  }

  free() {
    const self = Assembler.#unwrapped(this);
    self.#refuseIfBusy();
    const handle = self.#handle;
    self.#handle = undefined;
    // The memory of an instance that was replaced is gone with it.
    if (handle && self.#instance === currentInstance()) call(() => handle.free());
  }

  /**
   * A proxy, as stores of reactive state hand out, has none of the private fields.
   *
   * @param {unknown} it
   */
  static #unwrapped(it) {
    if (typeof it === "object" && it !== null && #handle in it) return it;
    const message = "this is no Assembler but perhaps a proxy of one: call the one inside, as by toRaw(it) of Vue";
    throw new StrataError("wrapped-handle", "", message);
  }

  #refuseIfBusy() {
    if (this.#isBusy) {
      throw new StrataError("handle-busy", "", "this Assembler is busy: another of its calls still reads its input");
    }
  }

  #living() {
    if (!this.#handle) {
      throw new StrataError("freed-handle", "", "this Assembler was freed");
    }
    if (this.#instance !== currentInstance()) {
      const message = "this Assembler belongs to a WebAssembly instance that failed and was replaced: make a new one";
      throw new StrataError("stale-handle", "", message);
    }
    return this.#handle;
  }

  /**
   * @template T
   * @param {Method} method
   * @param {unknown} argument
   * @param {(reader: Receiver) => T} read
   * @returns {T | undefined} Undefined where the core has nothing to say.
   */
  #call(method, argument, read) {
    this.#refuseIfBusy();
    let crossing;
    this.#isBusy = true;
    try {
      // Reading the argument may call anything, also this handle.
      crossing = encode(argument);
    } finally {
      this.#isBusy = false;
    }
    const { text, tape } = crossing;
    const handle = this.#living();
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
 * The results of a handle share what no turn changes, so nobody may change it.
 *
 * @param {Stable} stable
 */
function freeze(stable) {
  for (const list of [stable.blocks, stable.descriptors, stable.diagnostics, stable.sections ?? []]) {
    list.forEach(Object.freeze);
  }
  Object.freeze(stable.descriptors);
  Object.freeze(stable.effective);
  return stable;
}
