//! Builds the console and serves it.

use anyhow::Result;

use crate::process::{root, run, step};
use crate::{package, tools};

/// Builds the package and the console, and serves it until interrupted.
pub fn serve() -> Result<()> {
    package::build()?;
    tools::npm_packages("www")?;
    let in_www = |arguments: &[&str]| {
        let mut npm = tools::npm(arguments);
        npm.current_dir(root().join("www"));
        npm
    };
    step("building the console");
    run(&mut in_www(&["run", "build"]))?;
    step("serving the console; stop it with Ctrl-C");
    run(&mut in_www(&[
        "exec",
        "--",
        "vite",
        "preview",
        "--port=4173",
    ]))
}
