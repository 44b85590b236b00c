//! Prints how long things take.

use anyhow::{Result, bail};

use crate::process::{cargo, command, run, step};
use crate::{package, tools};

/// Builds the package and the native core, and compares them with each other and with plain JavaScript.
pub fn run_benches(arguments: &[String]) -> Result<()> {
    if let Some(unknown) = arguments.iter().find(|argument| *argument != "--quick") {
        bail!("the benchmark does not know `{unknown}`; it takes --quick or nothing");
    }
    package::build()?;
    tools::npm_packages("tests")?;
    step("compiling the native core (cargo bench)");
    run(&mut cargo(&[
        "bench", "--quiet", "--bench", "native", "--no-run",
    ]))?;
    step("measuring; this takes some minutes");
    run(command("node", &["benches/bench.js"]).args(arguments))
}
