//! Makes the npm package: `pkg/dist` from `pkg/src` and the compiled core.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::bindings;
use crate::core_text::{self, CoreText};
use crate::process::{command, output, quietly, root, step};
use crate::tools;

/// The entries: the source, the file it becomes, and its module format.
const ENTRIES: [(&str, &str, &str); 6] = [
    (SHARED, SHARED, "esm"),
    ("inline.js", "inline.js", "esm"),
    ("inline.js", "index.cjs", "cjs"),
    ("workerd.js", "workerd.js", "esm"),
    ("edge-light.js", "edge-light.js", "esm"),
    ("web.js", "web.js", "esm"),
];

/// What all modules share, so that an error of one is an error of each.
const SHARED: &str = "errors.js";

/// Compiles the core and writes `pkg/dist`.
pub fn build() -> Result<()> {
    tools::node()?;
    tools::npm_packages("pkg")?;
    let bindings = bindings::build(&bindings::PACKAGE)?;
    step("writing the entries of the npm package to pkg/dist");
    let staged = stage(&bindings)?;
    let dist = root().join("pkg/dist");
    if dist.exists() {
        fs::remove_dir_all(&dist)?;
    }
    fs::create_dir_all(&dist)?;
    for (source, entry, format) in ENTRIES {
        bundle(&staged.join(source), &dist.join(entry), format)?;
    }
    fs::copy(&bindings.wasm, dist.join("core.wasm"))?;
    for types in ["index.d.ts", "web.d.ts"] {
        fs::copy(staged.join(types), dist.join(types))?;
    }
    // CommonJS consumers need the same declarations under their own name.
    fs::copy(staged.join("index.d.ts"), dist.join("index.d.cts"))?;
    for text in ["README.md", "LICENSE"] {
        fs::copy(root().join(text), root().join("pkg").join(text))
            .with_context(|| format!("{text} is missing"))?;
    }
    Ok(())
}

/// Builds and makes the tarball; its path is the last line.
pub fn pack() -> Result<()> {
    println!("{}", tarball()?.display());
    Ok(())
}

/// Builds and makes the tarball; gives its path.
pub fn tarball() -> Result<PathBuf> {
    build()?;
    step("packing the tarball (npm pack)");
    let folder = root().join("target/package");
    let destination = folder.to_string_lossy().into_owned();
    let listed = output(
        tools::npm(&["pack", "--json", "--pack-destination", &destination])
            .current_dir(root().join("pkg")),
    )?;
    let name = listed
        .split_once("\"filename\": \"")
        .and_then(|(_, rest)| rest.split_once('"'))
        .map(|(name, _)| name)
        .context("npm pack did not say what it made")?;
    Ok(folder.join(name))
}

/// Puts the hand-written and the generated sources side by side.
fn stage(bindings: &bindings::Bindings) -> Result<PathBuf> {
    let folder = root().join("target/package/src");
    // Nothing of a build before is taken for a source of this one.
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    for entry in fs::read_dir(root().join("pkg/src"))? {
        let entry = entry?;
        fs::copy(entry.path(), folder.join(entry.file_name()))?;
    }
    fs::write(folder.join("glue.js"), &bindings.glue)?;
    fs::write(folder.join("glue.d.ts"), &bindings.types)?;
    let version = env!("CARGO_PKG_VERSION");
    let build = &bindings.build;
    fs::write(
        folder.join("version.js"),
        format!("export const version = \"{version}\";\nexport const build = \"{build}\";\n"),
    )?;
    let CoreText { text, frequent } = core_text::encode(&fs::read(&bindings.wasm)?);
    fs::write(
        folder.join("core-bytes.js"),
        format!("export const text = \"{text}\";\nexport const frequent = \"{frequent}\";\n"),
    )?;
    Ok(folder)
}

fn bundle(source: &Path, entry: &Path, format: &str) -> Result<()> {
    let program = if cfg!(windows) {
        "esbuild.cmd"
    } else {
        "esbuild"
    };
    let program = root().join("pkg/node_modules/.bin").join(program);
    let mut esbuild = command(program, &[]);
    esbuild
        .arg(source)
        .arg(format!("--outfile={}", entry.display()))
        .arg(format!("--format={format}"))
        .args(["--bundle", "--target=es2022", "--charset=utf8"])
        .args([
            "--minify-syntax",
            "--minify-identifiers",
            "--minify-whitespace",
            "--log-level=error",
        ])
        .args(["--external:*.wasm", "--external:*.wasm?module"]);
    if format == "esm" && !source.ends_with(SHARED) {
        esbuild.arg(format!("--external:./{SHARED}"));
    }
    quietly(&mut esbuild)
}
