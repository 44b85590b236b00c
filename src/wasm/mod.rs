//! The JavaScript boundary: converts, calls, converts.
//!
//! Nothing is decided here. Arguments come as a [tape](tape) or as JSON text, results go as plain objects, and
//! errors as `{code, path, message}`, of which the hand-written JavaScript makes its `StrataError`.

// What the bindings export is reached from JavaScript, where the package documents it.
#![allow(missing_docs, unreachable_pub)]

mod arguments;
mod functions;
mod hasher;
mod parts;
mod tape;

use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::error::{ErrorCode, StrataError};
use crate::input::{FromValue, Path, json};
use hasher::{HostHasher, hasher};
use parts::{Changed, Whole};

/// A result, or the error to throw.
type Thrown<T> = Result<T, JsValue>;

#[derive(Serialize)]
struct ThrownError<'a> {
    code: &'a str,
    path: &'a str,
    message: &'a str,
}

fn throw(error: &StrataError) -> JsValue {
    let thrown = ThrownError {
        code: error.code().as_str(),
        path: error.path(),
        message: error.message(),
    };
    to_js(&thrown).unwrap_or_else(|error| error)
}

fn to_js<T: Serialize + ?Sized>(value: &T) -> Thrown<JsValue> {
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    value.serialize(&serializer).map_err(|error| {
        let message = format!("cannot hand the result over: {error}");
        JsValue::from_str(&message)
    })
}

/// Reads what JavaScript sent: a tape, or JSON text where there is none.
fn read<'a, T: FromValue<'a>>(text: &'a str, tape: Option<&[u32]>) -> Thrown<T> {
    let value = match tape {
        Some(tape) => tape::read(text, tape),
        None => json::parse(text),
    };
    value
        .and_then(|mut value| T::from_value(&mut value, &Path::ROOT))
        .map_err(|error| throw(&error))
}

/// Assembles a prompt; `without_facts` takes the input of a mere resolution.
#[wasm_bindgen]
pub fn assemble(
    text: String,
    tape: Option<Vec<u32>>,
    host: Option<HostHasher>,
    without_facts: bool,
) -> Thrown<JsValue> {
    let input = if without_facts {
        read::<crate::ResolveInput<'_>>(&text, tape.as_deref())?.into()
    } else {
        read(&text, tape.as_deref())?
    };
    let assembler = crate::Assembler::with_hasher(input, hasher(host));
    let assembler = assembler.map_err(|error| throw(&error))?;
    let turn = assembler.turn(&crate::Turn::default());
    let turn = turn.map_err(|error| throw(&error))?;
    to_js(&Whole::of(assembler.stable(), &turn))
}

/// The handle for repeated turns; JavaScript keeps the stable part and asks for what changes.
#[wasm_bindgen]
pub struct AssemblerHandle {
    assembler: crate::Assembler<'static>,
}

#[wasm_bindgen]
impl AssemblerHandle {
    #[wasm_bindgen(constructor)]
    pub fn new(
        text: String,
        tape: Option<Vec<u32>>,
        host: Option<HostHasher>,
    ) -> Thrown<AssemblerHandle> {
        let input = read(&text, tape.as_deref())?;
        let assembler = crate::Assembler::with_hasher(input, hasher(host));
        let assembler = assembler.map_err(|error| throw(&error))?.into_owned();
        Ok(Self { assembler })
    }

    /// Calls a method by name: `stable`, `turn`, `setLayer` or `removeLayer`.
    ///
    /// The last two give the stable part without the texts that are the same; `removeLayer` gives undefined where
    /// there was no such layer.
    pub fn call(&mut self, name: &str, text: String, tape: Vec<u32>) -> Thrown<JsValue> {
        if name == "turn" {
            let turn: crate::Turn<'_> = read(&text, Some(&tape))?;
            let parts = self.assembler.turn(&turn).map_err(|error| throw(&error))?;
            return to_js(&parts::Turn::of(&parts));
        }
        if name == "stable" {
            return to_js(&Changed::whole(self.assembler.stable()));
        }
        let known = parts::texts(self.assembler.stable());
        let is_changed = if name == "setLayer" {
            let layer: crate::LayerInput<'_> = read(&text, Some(&tape))?;
            let set = self.assembler.set_layer(layer.into_owned());
            set.map(|()| true)
        } else {
            let which: arguments::Which<'_> = read(&text, Some(&tape))?;
            let source = which.source.as_deref();
            self.assembler.remove_layer(which.layer, source)
        };
        if is_changed.map_err(|error| throw(&error))? {
            to_js(&Changed::since(&known, self.assembler.stable()))
        } else {
            Ok(JsValue::UNDEFINED)
        }
    }
}

/// Calls one of the functions without state, by its name in JavaScript; the arguments are one object.
///
/// One export for all: each of its own would weigh a kilobyte.
#[wasm_bindgen]
pub fn call(name: &str, text: String, tape: Vec<u32>) -> Thrown<JsValue> {
    let value = tape::read(&text, &tape);
    value
        .and_then(|mut value| functions::call(name, &mut value))
        .map_err(|error| throw(&error))?
}

/// The error for a tape that does not say what it should: the two sides of the boundary disagree.
fn disagreement() -> StrataError {
    StrataError::new(
        ErrorCode::Internal,
        &"",
        "the JavaScript and the WebAssembly of this package do not belong together".to_owned(),
    )
}
