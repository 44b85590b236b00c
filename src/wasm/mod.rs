//! The JavaScript boundary: converts, calls, converts.
//!
//! Nothing is decided here. Arguments come as a [tape](tape) or as JSON text, results go as plain objects, and
//! errors as `{code, path, message}`, of which the hand-written JavaScript makes its `StrataError`.

// What the bindings export is reached from JavaScript, where the package documents it.
#![allow(missing_docs, unreachable_pub)]

mod arguments;
#[cfg(feature = "bench")]
mod bench;
mod convert;
mod functions;
mod hasher;
mod parts;
mod results;
mod tape;

use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::assembler::Assembler;
use crate::model::assembly::AssembleInput;
use crate::model::content::LayerInput;
use crate::model::error::StrataError;
use crate::model::path::Path;
use crate::model::turn::Turn;
use crate::read::{FromValue, Value, json};
use crate::text::hash_table::HashKey;
use convert::to_js;
pub use hasher::HostHasher;
use hasher::hasher;
pub use results::Receiver;

/// Weighs a quarter of the one that comes with the standard library.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: rlsf::GlobalTlsf = rlsf::GlobalTlsf::new();

#[derive(Serialize)]
struct ThrownError<'a> {
    code: &'a str,
    path: &'a str,
    message: &'a str,
}

impl From<StrataError> for JsValue {
    /// The error as it is thrown: a plain object.
    fn from(error: StrataError) -> Self {
        let thrown = ThrownError {
            code: error.code().as_str(),
            path: error.path(),
            message: error.message(),
        };
        to_js(&thrown).unwrap_or_default()
    }
}

/// Reads what JavaScript sent: a tape, or JSON text where there is none.
fn value<'a>(text: &'a str, tape: Option<&[u32]>) -> Result<Value<'a>, StrataError> {
    match tape {
        Some(tape) => tape::read(text, tape, false),
        None => json::parse(text),
    }
}

fn read<'a, T: FromValue<'a>>(text: &'a str, tape: Option<&[u32]>) -> Result<T, StrataError> {
    T::from_value(&mut value(text, tape)?, &Path::ROOT)
}

/// The host's random number: there is no randomness in here.
fn hash_key(secret: f64) -> HashKey {
    HashKey::new(secret.to_bits())
}

/// Assembles a prompt; `without_facts` takes the input of a mere resolution.
#[wasm_bindgen]
pub fn assemble(
    text: String,
    tape: Option<Vec<u32>>,
    host: Option<HostHasher>,
    secret: f64,
    without_facts: bool,
    receiver: &Receiver,
) -> Result<(), StrataError> {
    let mut value = value(&text, tape.as_deref())?;
    let input = if without_facts {
        AssembleInput::read(&mut value, &Path::ROOT, &AssembleInput::RESOLVED)
    } else {
        AssembleInput::from_value(&mut value, &Path::ROOT)
    };
    let assembler = Assembler::keyed(input?, hasher(host), hash_key(secret))?;
    let turn = assembler.turn(&Turn::default())?;
    parts::whole(&assembler, &turn, receiver);
    Ok(())
}

/// The methods of a handle. One export for all: each of its own would weigh a kilobyte.
#[wasm_bindgen]
#[derive(Clone, Copy, Debug)]
pub enum Method {
    Stable,
    Turn,
    SetLayer,
    RemoveLayer,
}

/// The handle for repeated turns; JavaScript keeps the stable part and asks for what changes.
#[wasm_bindgen]
pub struct AssemblerHandle {
    assembler: Assembler<'static>,
}

#[wasm_bindgen]
impl AssemblerHandle {
    #[wasm_bindgen(constructor)]
    pub fn new(
        text: String,
        tape: Option<Vec<u32>>,
        host: Option<HostHasher>,
        secret: f64,
    ) -> Result<AssemblerHandle, StrataError> {
        let mut input = value(&text, tape.as_deref())?.into_owned();
        let input = AssembleInput::from_value(&mut input, &Path::ROOT)?;
        let assembler = Assembler::keyed(input, hasher(host), hash_key(secret))?;
        Ok(Self { assembler })
    }

    /// Calls a method.
    ///
    /// `SetLayer` and `RemoveLayer` hand the stable part over without the text that is the same, `RemoveLayer` nothing
    /// where there was no such layer.
    pub fn call(
        &mut self,
        method: Method,
        text: String,
        tape: Vec<u32>,
        receiver: &Receiver,
    ) -> Result<(), StrataError> {
        let tape = Some(&*tape);
        match method {
            Method::Stable => parts::since(None, &self.assembler, receiver),
            Method::Turn => {
                let turn: Turn<'_> = read(&text, tape)?;
                parts::turn(&self.assembler.turn(&turn)?, receiver);
            }
            Method::SetLayer => {
                let mut layer = value(&text, tape)?.into_owned();
                let layer = LayerInput::from_value(&mut layer, &Path::ROOT)?;
                let old = self.assembler.replace_layer(layer)?;
                parts::since(Some(&old), &self.assembler, receiver);
            }
            Method::RemoveLayer => {
                let which: arguments::Which<'_> = read(&text, tape)?;
                let source = which.source.as_deref();
                let old = self.assembler.take_layer(which.layer, source)?;
                if let Some(old) = old {
                    parts::since(Some(&old), &self.assembler, receiver);
                }
            }
        }
        Ok(())
    }
}

/// Calls one of the functions without state, by its name in JavaScript; the arguments are one object.
///
/// One export for all, as for the methods of a handle.
#[wasm_bindgen]
pub fn call(name: &str, text: String, tape: Vec<u32>, secret: f64) -> Result<JsValue, StrataError> {
    let key = hash_key(secret);
    functions::call(name, &mut tape::read(&text, &tape, true)?, &key)
}
