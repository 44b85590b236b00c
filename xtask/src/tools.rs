//! What has to be on the machine, and how it gets there.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::process::{cargo, command, output, quietly, root, run, step};

pub const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// The oldest Node: below it, `require` of an ES module does not work.
const NODE: (u32, u32) = (20, 19);

/// Installs the WebAssembly target of the toolchain in use, where it is missing.
pub fn wasm_target() -> Result<()> {
    let sysroot = output(&mut command("rustc", &["--print", "sysroot"]))?;
    let installed = Path::new(sysroot.trim())
        .join("lib/rustlib")
        .join(WASM_TARGET);
    if installed.exists() {
        return Ok(());
    }
    step(&format!(
        "installing the Rust target {WASM_TARGET} (rustup target add)"
    ));
    run(&mut command("rustup", &["target", "add", WASM_TARGET])).context(
        "the WebAssembly target is missing and rustup could not add it; \
         install Rust from rustup.rs, or add the target by hand",
    )
}

/// Installs the formatter and the linter of the toolchain in use, where they are missing.
pub fn rust_components() -> Result<()> {
    for (component, program) in [("rustfmt", "fmt"), ("clippy", "clippy")] {
        if output(&mut cargo(&[program, "--version"])).is_err() {
            step(&format!("installing {component} (rustup component add)"));
            run(&mut command("rustup", &["component", "add", component]))?;
        }
    }
    Ok(())
}

/// Checks that Node is there and new enough.
pub fn node() -> Result<()> {
    let (major, minor) = NODE;
    let version = output(&mut command("node", &["--version"]))
        .with_context(|| format!("Node {major}.{minor} or newer is needed; see nodejs.org"))?;
    let version = version.trim().trim_start_matches('v');
    let mut parts = version.split('.').map(|part| part.parse().unwrap_or(0));
    let found = (parts.next().unwrap_or(0), parts.next().unwrap_or(0));
    if found < NODE {
        bail!("Node {version} is too old: {major}.{minor} or newer is needed");
    }
    Ok(())
}

/// Installs the npm packages that `folder` pins, unless they are the ones installed.
pub fn npm_packages(folder: &str) -> Result<()> {
    let folder_path = root().join(folder);
    let lock = fs::read(folder_path.join("package-lock.json"))
        .with_context(|| format!("{folder}/package-lock.json is missing"))?;
    // The lock file as it was when its packages were installed.
    let mark = folder_path.join("node_modules/.installed-lock");
    if fs::read(&mark).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    step(&format!("installing the npm packages of {folder} (npm ci)"));
    // No package's own script has to run; some would download programs.
    let mut install = npm(&[
        "ci",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
    ]);
    quietly(install.current_dir(&folder_path))
        .with_context(|| format!("the npm packages of {folder} could not be installed"))?;
    fs::write(mark, lock)?;
    Ok(())
}

/// npm, whose program has another name on Windows.
pub fn npm(arguments: &[&str]) -> std::process::Command {
    command(if cfg!(windows) { "npm.cmd" } else { "npm" }, arguments)
}

/// The first of several programs that is on the path.
fn find(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let candidates = names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    candidates.into_iter().find(|program| program.is_file())
}

/// Chromium and its driver, for the tests in a browser.
pub struct Browser {
    pub chromium: PathBuf,
    pub driver: PathBuf,
}

/// Finds Chromium and its driver, installing them with the system's package manager where they are missing.
pub fn browser() -> Result<Browser> {
    if let Some(found) = find_browser() {
        return Ok(found);
    }
    apt_install(
        &["chromium", "chromium-driver"],
        "the browser tests need Chromium and chromedriver on the path",
    )?;
    find_browser().context("Chromium was installed but is not on the path")
}

/// Whether callgrind is there, which counts instructions.
pub fn has_valgrind() -> bool {
    find(&["valgrind"]).is_some()
}

/// Installs valgrind with the system's package manager where it is missing.
pub fn valgrind() -> Result<()> {
    if has_valgrind() {
        return Ok(());
    }
    apt_install(
        &["valgrind"],
        "counting instructions needs valgrind on the path",
    )
}

/// Installs packages of a system that has apt-get; `need` says what for, to people with another.
fn apt_install(packages: &[&str], need: &str) -> Result<()> {
    if find(&["apt-get"]).is_none() {
        bail!("{need}; install it with your system's package manager");
    }
    step(&format!(
        "installing {0} (apt-get install {0})",
        packages.join(" ")
    ));
    let privileged = |arguments: &[&str]| {
        let mut all = vec!["apt-get"];
        all.extend(arguments);
        let is_root = output(&mut command("id", &["-u"])).is_ok_and(|id| id.trim() == "0");
        if !is_root {
            all.insert(0, "sudo");
        }
        let (program, arguments) = all.split_first().map_or(("", &[][..]), |(a, b)| (*a, b));
        quietly(command(program, arguments).env("DEBIAN_FRONTEND", "noninteractive"))
    };
    privileged(&["update"])?;
    privileged(&[&["install", "--yes"], packages].concat())
}

fn find_browser() -> Option<Browser> {
    Some(Browser {
        chromium: find(&["chromium", "chromium-browser", "google-chrome", "chrome"])?,
        driver: find(&["chromedriver"])?,
    })
}
