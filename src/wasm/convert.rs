//! Values for JavaScript, and the error where the two sides disagree.

use serde::Serialize;
use wasm_bindgen::JsValue;

use crate::model::error::{ErrorCode, StrataError};

pub(super) fn to_js<T: Serialize + ?Sized>(value: &T) -> Result<JsValue, StrataError> {
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    // Nothing that is handed over can fail to be written.
    value.serialize(&serializer).map_err(|_| disagreement())
}

/// The error for a tape that does not say what it should: the two sides of the boundary disagree.
pub(super) fn disagreement() -> StrataError {
    StrataError::new(
        ErrorCode::Internal,
        &"",
        "the JavaScript and the WebAssembly of this package do not belong together".to_owned(),
    )
}
