// Sees the instances of the core as they are made, so that their memory can be measured. Import it first.

const instances = [];

const { Instance } = WebAssembly;
WebAssembly.Instance = new Proxy(Instance, {
  construct(target, args) {
    const instance = Reflect.construct(target, args);
    instances.push(new WeakRef(instance));
    return instance;
  },
});

/** What the core holds: instances ever made, bytes of memory, references to JavaScript values. */
export function held() {
  const { exports } = instances.at(-1).deref();
  return {
    instances: instances.length,
    bytes: exports.memory.buffer.byteLength,
    references: exports.__wbindgen_externrefs.length,
  };
}
