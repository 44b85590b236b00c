//! Builds, tests, measures and shows prompt-strata: `cargo xtask help` lists what it can do.

mod bench;
mod bindings;
mod console;
mod core_text;
mod demo;
mod package;
mod process;
mod test;
mod tools;

use std::process::ExitCode;

use anyhow::{Result, bail};

const HELP: &str = "\
cargo xtask <command>

  build    compile the core to WebAssembly and make the npm package in pkg/dist
  pack     build, then make the tarball to publish; its path is the last line
  demo     build, then assemble the example in examples/acme and print the result
           --json prints the Assembly alone
  test     install what the tests need and run them all
           or some: lint, native, boundary, package, console, matrix
  bench    build, then print how long things take, as ratios, beside their goals
           or some: speed, growth, instructions; or cold, until the first prompt
           of a process or isolate; --quick for a glance
  console  build the console and serve it on this machine
  help     print this
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((command, rest)) = arguments.split_first() else {
        eprint!("{HELP}");
        return ExitCode::FAILURE;
    };
    match run(command, rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nerror: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: &str, arguments: &[String]) -> Result<()> {
    match command {
        "build" => package::build(),
        "pack" => package::pack(),
        "demo" => demo::run_demo(arguments),
        "test" => test::run_tests(arguments),
        "console" => console::serve(),
        "bench" => bench::run_benches(arguments),
        "help" | "--help" | "-h" => {
            print!("{HELP}");
            Ok(())
        }
        other => bail!("there is no command `{other}`\n\n{HELP}"),
    }
}
