//! Prints how long things take.

use std::fs;

use anyhow::{Result, bail};

use crate::bindings::{self, BENCH};
use crate::process::{cargo, command, root, run, step};
use crate::{package, tools};

/// A part of the benchmark: its name, whether it runs without being named, and what it does.
type Part = (&'static str, bool, fn(&[&str]) -> Result<()>);

const PARTS: [Part; 4] = [
    ("speed", true, speed),
    ("growth", true, growth),
    ("instructions", true, instructions),
    ("cold", false, cold),
];

const QUICK: &str = "--quick";

/// Runs the parts named, or all but `cold`.
pub fn run_benches(arguments: &[String]) -> Result<()> {
    let names: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (flags, names): (Vec<_>, Vec<_>) = names.into_iter().partition(|it| *it == QUICK);
    let known = PARTS.map(|(name, ..)| name);
    if let Some(unknown) = names.iter().find(|it| !known.contains(it)) {
        bail!(
            "the benchmark does not know `{unknown}`; it takes {QUICK} and {}",
            known.join(", ")
        );
    }
    tools::node()?;
    tools::npm_packages("tests")?;
    for (name, is_usual, part) in PARTS {
        if names.contains(&name) {
            if name == "instructions" {
                tools::valgrind()?;
            }
            part(&flags)?;
        } else if names.is_empty() && is_usual {
            part(&flags)?;
        }
    }
    Ok(())
}

/// The package beside plain JavaScript, the native core and template engines.
fn speed(flags: &[&str]) -> Result<()> {
    package::build()?;
    let bindings = bindings::build(&BENCH)?;
    fs::write(bindings.wasm.with_file_name("glue.mjs"), &bindings.glue)?;
    native()?;
    step("measuring speed; this takes some minutes");
    let wasm = bindings.wasm.with_file_name("");
    run(node("speed", flags).env("BENCH_CORE", wasm))
}

/// Time at ten times the input.
fn growth(flags: &[&str]) -> Result<()> {
    package::build()?;
    step("measuring growth; this takes some minutes");
    run(&mut node("growth", flags))
}

/// Instructions per byte of input, natively, where valgrind can count them.
fn instructions(flags: &[&str]) -> Result<()> {
    if !tools::has_valgrind() {
        step(
            "not counting instructions: `cargo xtask bench instructions` installs valgrind for that",
        );
        return Ok(());
    }
    native()?;
    step("counting instructions (valgrind)");
    run(&mut node("instructions", flags))
}

/// How soon a process, or an isolate, has its first prompt.
fn cold(_: &[&str]) -> Result<()> {
    let tarball = package::tarball()?;
    tools::npm_packages("tests/matrix")?;
    step("measuring cold starts");
    run(command("node", &["tests/matrix/cold-start.js"]).env("TARBALL", tarball))
}

fn native() -> Result<()> {
    step("compiling the native core (cargo bench)");
    run(&mut cargo(&[
        "bench", "--quiet", "--bench", "native", "--no-run",
    ]))
}

fn node(script: &str, flags: &[&str]) -> std::process::Command {
    let mut node = command("node", &[]);
    node.arg(root().join("benches").join(script).with_extension("js"));
    node.args(flags);
    node
}
