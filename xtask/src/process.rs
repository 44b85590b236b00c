//! Runs other programs, saying what and why.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// The top of the repository.
pub fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_path_buf()
}

/// Says what happens next. On standard error, so that the output of a command stays its own.
pub fn step(what: &str) {
    eprintln!("→ {what}");
}

/// A command that runs at the top of the repository.
pub fn command(program: impl AsRef<OsStr>, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root());
    command
}

/// The cargo that runs this program.
pub fn cargo(arguments: &[&str]) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    command(cargo, arguments)
}

/// Runs a command to its end; its output goes where this program's goes.
pub fn run(command: &mut Command) -> Result<()> {
    let shown = shown(command);
    let status = command
        .status()
        .with_context(|| format!("`{shown}` could not be started"))?;
    if !status.success() {
        bail!("`{shown}` failed ({status})");
    }
    Ok(())
}

/// Runs a command and keeps what it prints; what it complains about is only shown where it fails.
pub fn output(command: &mut Command) -> Result<String> {
    let shown = shown(command);
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("`{shown}` could not be started"))?;
    if !output.status.success() {
        bail!(
            "`{shown}` failed ({})\n{}{}",
            output.status,
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr),
        );
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs a command whose output matters only where it fails.
pub fn quietly(command: &mut Command) -> Result<()> {
    output(command).map(drop)
}

fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let name = program.file_name().unwrap_or(program.as_os_str());
    let words = std::iter::once(name).chain(command.get_args());
    let words: Vec<_> = words.map(OsStr::to_string_lossy).collect();
    words.join(" ")
}
