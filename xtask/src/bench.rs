//! Prints how long things take.

use anyhow::{Result, bail};

use crate::process::{cargo, command, run, step};
use crate::{package, tools};

/// Builds the package and the native core, and compares them with each other and with plain JavaScript.
///
/// `cold` measures how soon a process, or an isolate, has its first prompt instead.
pub fn run_benches(arguments: &[String]) -> Result<()> {
    let known = ["--quick", "cold"];
    if let Some(unknown) = arguments.iter().find(|it| !known.contains(&it.as_str())) {
        bail!("the benchmark does not know `{unknown}`; it takes --quick or cold");
    }
    tools::npm_packages("tests")?;
    if arguments.iter().any(|argument| argument == "cold") {
        let tarball = package::tarball()?;
        tools::npm_packages("tests/matrix")?;
        step("measuring cold starts");
        return run(command("node", &["tests/matrix/cold-start.js"]).env("TARBALL", tarball));
    }
    package::build()?;
    step("compiling the native core (cargo bench)");
    run(&mut cargo(&[
        "bench", "--quiet", "--bench", "native", "--no-run",
    ]))?;
    step("measuring; this takes some minutes");
    run(command("node", &["benches/bench.js"]).args(arguments))
}
