//! From the crate to `core.wasm` and the glue that loads it.

use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

use crate::process::{cargo, command, quietly, root, run, step};
use crate::tools::{self, WASM_TARGET};

/// What Node 20 runs. Without naming them, wasm-opt refuses some and invents others.
const WASM_FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-reference-types",
    "--enable-mutable-globals",
    "--enable-sign-ext",
    "--enable-nontrapping-float-to-int",
    "--enable-multivalue",
];

/// Encodes chunks of a string into the memory of the core, one after the other: joined, a large string would be copied
/// once more, into memory that is slow because it is new.
const PASS_CHUNKS: &str = "
function passChunks(chunks, malloc, realloc) {
    let left = 0;
    for (const chunk of chunks) left += chunk.length;
    let size = left;
    let ptr = malloc(size, 1) >>> 0;
    let end = 0;
    for (const chunk of chunks) {
        for (let at = 0; at < chunk.length;) {
            const rest = at > 0 ? chunk.slice(at) : chunk;
            const { read, written } = cachedTextEncoder.encodeInto(rest, getUint8ArrayMemory0().subarray(ptr + end, ptr + size));
            at += read;
            left -= read;
            end += written;
            if (read < rest.length) {
                // There was room for ASCII; what is left takes three bytes a unit at most.
                const grown = end + left * 3;
                ptr = realloc(ptr, size, grown, 1) >>> 0;
                size = grown;
            }
        }
    }
    if (end < size) ptr = realloc(ptr, size, end, 1) >>> 0;
    WASM_VECTOR_LEN = end;
    return ptr;
}
";

/// The compiled core and the generated JavaScript beside it.
pub struct Bindings {
    pub wasm: PathBuf,
    pub glue: String,
    /// What both know each other by: also two builds of one version do not belong together.
    pub build: String,
    /// The declarations of the glue, for checking the hand-written JavaScript.
    pub types: String,
}

/// What is compiled, and where it goes: one variant never stands where another is expected.
pub struct Variant {
    feature: &'static str,
    target: &'static str,
}

/// What ships.
pub const PACKAGE: Variant = Variant {
    feature: "wasm",
    target: "target",
};

/// The same with what only the benchmarks call.
pub const BENCH: Variant = Variant {
    feature: "bench",
    target: "target/bench",
};

/// Compiles the crate, generates the bindings and optimises the result.
pub fn build(variant: &Variant) -> Result<Bindings> {
    tools::wasm_target()?;
    // Where dependencies lie has to be known before they are compiled.
    quietly(&mut cargo(&["fetch", "--quiet"]))?;
    step("compiling the core to WebAssembly");
    let mut build = cargo(&[
        "build",
        "--quiet",
        "--package=prompt-strata",
        "--lib",
        "--profile=wasm",
        "--target",
        WASM_TARGET,
    ]);
    let target = root().join(variant.target);
    build.args(["--features", variant.feature]);
    build.arg("--target-dir").arg(&target);
    run(build.env("RUSTFLAGS", compiler_flags()))?;
    let compiled = target.join(WASM_TARGET).join("wasm/prompt_strata.wasm");
    let folder = target.join("bindings");
    step("generating the JavaScript bindings");
    generate(&compiled, &folder)?;
    step("optimising core.wasm (wasm-opt)");
    let generated = folder.join("core_bg.wasm");
    let wasm = folder.join("core.wasm");
    // -O1, because the compiler has optimised already: what -Oz inlines and merges compresses worse.
    let mut optimise = command("node", &["pkg/node_modules/binaryen/bin/wasm-opt"]);
    optimise
        .args([
            "--dae-optimizing",
            "-O1",
            "--duplicate-function-elimination",
        ])
        .args([
            "--rse",
            "--vacuum",
            "--coalesce-locals-learning",
            "--remove-unused-brs",
            "--reorder-locals",
        ])
        .args([
            "--strip-debug",
            "--strip-producers",
            "--strip-target-features",
        ])
        .args(WASM_FEATURES)
        .arg(&generated)
        .arg("-o")
        .arg(&wasm);
    quietly(&mut optimise)?;
    let glue = adapt(&fs::read_to_string(folder.join("core.js"))?)?;
    let build = sign(&wasm, &glue)?;
    Ok(Bindings {
        wasm,
        glue,
        build,
        types: fs::read_to_string(folder.join("core.d.ts"))?,
    })
}

/// Speed within the size budget: compiled for speed, but copying little code to where it is used. Against compiling for
/// size this halves the time of an assembly, for two kilobytes more.
const FRUGAL: [&str; 4] = [
    "-Cllvm-args=-inline-threshold=20",
    "-Cllvm-args=-inlinehint-threshold=150",
    "-Cllvm-args=-unroll-threshold=0",
    "-Cllvm-args=-unroll-max-count=1",
];

/// How the core is compiled; without the paths of this machine, which panic messages would hold.
fn compiler_flags() -> String {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let registry = home.unwrap_or_default().join("registry/src");
    let sources = fs::read_dir(&registry).into_iter().flatten().flatten();
    let mut flags = FRUGAL.map(str::to_owned).to_vec();
    flags.push(format!("--remap-path-prefix={}=", root().display()));
    flags.extend(sources.map(|source| format!("--remap-path-prefix={}=", source.path().display())));
    flags.join(" ")
}

/// Names a build after its bytes, and writes the name into a section of the module, where `init` looks for it.
fn sign(wasm: &PathBuf, glue: &str) -> Result<String> {
    let mut module = fs::read(wasm)?;
    let mut hasher = DefaultHasher::new();
    hasher.write(&module);
    hasher.write(glue.as_bytes());
    let build = format!("{}-{:016x}", env!("CARGO_PKG_VERSION"), hasher.finish());
    let name = "prompt-strata";
    // A custom section: its kind, the sizes of what follows, its name and its content.
    module.extend([0, u8::try_from(1 + name.len() + build.len())?]);
    module.push(u8::try_from(name.len())?);
    module.extend(name.bytes().chain(build.bytes()));
    fs::write(wasm, module)?;
    Ok(build)
}

fn generate(compiled: &PathBuf, folder: &PathBuf) -> Result<()> {
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(compiled)
        .out_name("core")
        .web(true)?
        .typescript(true)
        .omit_default_module_path(true)
        .reset_state_function(true);
    bindgen
        .generate(folder)
        .context("the bindings could not be generated from the compiled core")
}

/// Changes what the generated glue gets wrong for some hosts; each change has to find its place.
fn adapt(glue: &str) -> Result<String> {
    let changes = [
        // A module from another realm, as in an edge function, is no instance of this realm's class.
        (
            "module instanceof WebAssembly.Module",
            "Object.prototype.toString.call(module) === \"[object WebAssembly.Module]\"",
        ),
        // The stock loop copies ASCII character by character, at a thirtieth of the speed.
        (
            "    if (realloc === undefined) {",
            "    if (typeof arg !== \"string\") return passChunks(arg, malloc, realloc);\n    \
             if (arg.length > 64 && realloc) return passChunks([arg], malloc, realloc);\n    \
             if (realloc === undefined) {",
        ),
    ];
    let mut adapted = glue.to_owned();
    for (old, new) in changes {
        if !adapted.contains(old) {
            bail!("the generated glue no longer has `{old}`: look at how it loads modules now");
        }
        adapted = adapted.replace(old, new);
    }
    adapted.push_str(PASS_CHUNKS);
    Ok(adapted)
}
