//! Runs every test, after installing what the tests need.

use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process::{cargo, command, output, root, run, step};
use crate::tools::{self, WASM_TARGET};
use crate::{demo, package};

/// A part of the tests and its name.
type Part = (&'static str, fn() -> Result<()>);

/// The parts, in the order they run: what fails quickly comes first.
const PARTS: [Part; 6] = [
    ("lint", lint),
    ("native", native),
    ("boundary", boundary),
    ("package", javascript),
    ("console", console),
    ("matrix", matrix),
];

/// Runs the parts named, or all.
pub fn run_tests(names: &[String]) -> Result<()> {
    let known = PARTS.map(|(name, _)| name);
    if let Some(unknown) = names.iter().find(|name| !known.contains(&name.as_str())) {
        bail!(
            "there are no tests `{unknown}`; there are {}",
            known.join(", ")
        );
    }
    tools::node()?;
    tools::wasm_target()?;
    for (name, part) in PARTS {
        if names.is_empty() || names.iter().any(|wanted| wanted == name) {
            part().with_context(|| format!("the tests of `{name}` failed"))?;
        }
    }
    Ok(())
}

/// Format, lints and documentation.
fn lint() -> Result<()> {
    tools::rust_components()?;
    step("checking the format (cargo fmt)");
    run(&mut cargo(&["fmt", "--all", "--check"]))?;
    step("linting (cargo clippy)");
    let clippy = |arguments: &[&str]| {
        let mut all = vec!["clippy", "--quiet"];
        all.extend(arguments);
        all.extend(["--", "--deny=warnings"]);
        run(&mut cargo(&all))
    };
    clippy(&["--workspace", "--all-targets"])?;
    // The native tests need crates that do not compile to WebAssembly.
    let boundary = ["--features=bench", "--lib", "--test=wasm"];
    clippy(&[&["--target", WASM_TARGET], &boundary[..]].concat())?;
    step("checking the documentation (cargo doc)");
    let arguments = ["doc", "--quiet", "--no-deps", "--document-private-items"];
    run(cargo(&arguments).env("RUSTDOCFLAGS", "--deny=warnings"))
}

/// The core, and the examples in its documentation.
fn native() -> Result<()> {
    step("testing the core natively (cargo test)");
    run(&mut cargo(&["test", "--quiet"]))
}

/// The boundary, compiled to WebAssembly, in Node and in Chromium.
fn boundary() -> Result<()> {
    let browser = tools::browser()?;
    step("compiling the runner of the WebAssembly tests");
    run(&mut cargo(&[
        "build",
        "--quiet",
        "--package=xtask",
        "--features=test-runner",
        "--bin=wasm-test-runner",
    ]))?;
    // Beside this program, wherever cargo puts what it compiles.
    let runner = std::env::current_exe()?.with_file_name("wasm-test-runner");
    let tests = || {
        // The runner does not know --quiet, which cargo would pass on.
        let mut tests = cargo(&["test", "--target", WASM_TARGET]);
        tests.args(["--features=wasm", "--test=wasm"]);
        tests.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", &runner);
        tests
    };
    step("testing the boundary in Node");
    run(&mut tests())?;
    step("testing the boundary in headless Chromium");
    run(tests()
        .env("WASM_BINDGEN_USE_BROWSER", "1")
        // Seconds; a slow machine takes a while to start a browser.
        .env("WASM_BINDGEN_TEST_TIMEOUT", "120")
        .env("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", "60")
        .env("CHROMEDRIVER", browser.driver))
}

/// The package as built, in Node and in a page.
fn javascript() -> Result<()> {
    let browser = tools::browser()?;
    package::build()?;
    tools::npm_packages("tests")?;
    step("testing the package in Node and in Chromium (node --test)");
    run(node_tests(&["tests/js", "tests/oracle"]).env("CHROMIUM", browser.chromium))?;
    step("running the demo");
    demo::link("examples/terminal")?;
    let shown = output(&mut command("node", &["examples/terminal/demo.js"]))?;
    if !shown.contains("Drift") {
        bail!("the demo did not come to its end:\n{shown}");
    }
    Ok(())
}

/// The console in Chromium.
fn console() -> Result<()> {
    let browser = tools::browser()?;
    tools::npm_packages("www")?;
    step("testing the console in Chromium");
    run(tools::npm(&["test"])
        .current_dir(root().join("www"))
        .env("CHROMIUM", browser.chromium))
}

/// The packed tarball in every runtime and bundler.
fn matrix() -> Result<()> {
    let browser = tools::browser()?;
    let tarball = package::tarball()?;
    tools::npm_packages("tests/matrix")?;
    step("testing the tarball in every runtime and bundler (node --test)");
    run(node_tests(&["tests/matrix"])
        .env("TARBALL", tarball)
        .env("CHROMIUM", browser.chromium))
}

/// Node's test runner, one file at a time: two at once would share two cores with the browsers they start.
fn node_tests(folders: &[&str]) -> Command {
    let mut node = command("node", &["--test", "--test-concurrency=1"]);
    for folder in folders {
        let entries = std::fs::read_dir(root().join(folder));
        let names = entries.into_iter().flatten().flatten();
        let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let mut tests: Vec<String> = names.filter(|name| name.ends_with(".test.js")).collect();
        tests.sort();
        node.args(tests.iter().map(|name| format!("{folder}/{name}")));
    }
    node
}
