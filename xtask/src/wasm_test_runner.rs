//! Runs a compiled `wasm-bindgen-test` file, in Node or in a headless browser.
//!
//! It is the runner of the wasm-bindgen project, called as a library, so that its version is always
//! the one in `Cargo.lock` and nothing has to be installed.

use std::process::ExitCode;

fn main() -> ExitCode {
    match wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(std::env::args_os()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:?}");
            ExitCode::FAILURE
        }
    }
}
