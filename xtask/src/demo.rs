//! Shows the main job on the example company in `examples/acme`.

use std::path::Path;

use anyhow::{Result, bail};

use crate::process::{command, root, run, step};
use crate::{package, tools};

/// Builds the package and runs the terminal example on it.
pub fn run_demo(arguments: &[String]) -> Result<()> {
    if let Some(unknown) = arguments.iter().find(|argument| *argument != "--json") {
        bail!("the demo does not know `{unknown}`; it takes --json or nothing");
    }
    package::build()?;
    link("examples/terminal")?;
    step("assembling examples/acme through the npm package");
    run(command("node", &["examples/terminal/demo.js"]).args(arguments))
}

/// Makes the built package the one that `folder` imports.
pub fn link(folder: &str) -> Result<()> {
    let modules = root().join(folder).join("node_modules");
    if is_linked(&modules) {
        return Ok(());
    }
    let mut install = tools::npm(&[
        "install",
        "--no-package-lock",
        "--no-audit",
        "--no-fund",
        "--offline",
        "--loglevel=error",
    ]);
    crate::process::quietly(install.current_dir(root().join(folder)))
}

fn is_linked(modules: &Path) -> bool {
    modules.join("prompt-strata/package.json").exists()
}
