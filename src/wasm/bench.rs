//! For the benchmarks alone, and in no package: work repeated inside, so that crossings are paid once.

use std::hint::black_box;
use std::rc::Rc;

use wasm_bindgen::prelude::*;

use super::hasher::{HostHasher, hasher};
use crate::assembler::Assembler;
use crate::model::assembly::AssembleInput;
use crate::model::descriptor::HexDigest;
use crate::model::error::StrataError;
use crate::model::turn::Turn;
use crate::record::digest::Hasher;

/// Assembles from JSON text `count` times, as `benches/native.rs` does; gives the fingerprint of the last.
#[wasm_bindgen]
#[allow(clippy::needless_pass_by_value)]
pub fn assemble_repeatedly(
    text: String,
    count: u32,
    host: Option<HostHasher>,
) -> Result<String, StrataError> {
    let shared = Shared(hasher(host).into());
    let mut last = String::new();
    for _ in 0..count {
        let input = AssembleInput::from_json(black_box(&text))?;
        let assembler = Assembler::with_hasher(input, Box::new(shared.clone()))?;
        last = black_box(assembler.assemble(Turn::default())?).fingerprint;
    }
    Ok(last)
}

/// One hasher for all the assemblies.
#[derive(Clone)]
struct Shared(Rc<dyn Hasher>);

impl Hasher for Shared {
    fn sha256(&self, text: &str) -> HexDigest {
        self.0.sha256(text)
    }
}
