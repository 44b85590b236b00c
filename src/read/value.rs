//! An input before its shape is known: what JSON, or a JavaScript value, can say.

use std::borrow::Cow;

#[cfg(feature = "wasm")]
use crate::model::content::owned;
use crate::model::error::{ErrorCode, StrataError, quote};
use crate::model::limits::{MAX_DEPTH, MAX_TEXT_BYTES, MAX_VALUES};
use crate::model::path::Path;

/// A JSON value whose texts are borrowed from the source where they can be.
#[derive(Debug)]
pub(crate) enum Value<'a> {
    Null,
    Bool(bool),
    /// The digits of a whole number; empty for any other, which no field wants and no message quotes: writing
    /// fractions would weigh 15 KB.
    Number(Cow<'a, str>),
    Text(Cow<'a, str>),
    List(Vec<Value<'a>>),
    Map(Vec<(Cow<'a, str>, Value<'a>)>),
}

impl Value<'_> {
    /// The same with text of its own.
    #[cfg(feature = "wasm")]
    pub(crate) fn into_owned(self) -> Value<'static> {
        match self {
            Self::Null => Value::Null,
            Self::Bool(value) => Value::Bool(value),
            Self::Number(text) => Value::Number(owned(text)),
            Self::Text(text) => Value::Text(owned(text)),
            Self::List(list) => Value::List(list.into_iter().map(Value::into_owned).collect()),
            Self::Map(map) => {
                let owned = |(key, value): (_, Self)| (owned(key), value.into_owned());
                Value::Map(map.into_iter().map(owned).collect())
            }
        }
    }

    /// The value as a message names it.
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Null => "null".to_owned(),
            Self::Bool(value) => format!("`{value}`"),
            Self::Number(text) if text.is_empty() => "a number".to_owned(),
            Self::Number(text) => format!("the number {}", quote(text)),
            Self::Text(text) => format!("the text {}", quote(text)),
            Self::List(_) => "a list".to_owned(),
            Self::Map(_) => "an object".to_owned(),
        }
    }

    /// The error for a value that is not what its place needs; `expected` reads like "text".
    pub(crate) fn wrong_type(&self, expected: &str, path: &Path<'_>) -> StrataError {
        StrataError::at(
            ErrorCode::WrongType,
            path,
            format_args!("expected {expected}, got {}", self.describe()),
            "",
        )
    }
}

/// What is left of the limits while one input is read.
pub(crate) struct Budget {
    text: usize,
    values: usize,
}

impl Budget {
    pub(crate) fn new() -> Self {
        Self {
            text: MAX_TEXT_BYTES,
            values: MAX_VALUES,
        }
    }

    /// Counts one value at `path`.
    pub(crate) fn value(&mut self, path: &Path<'_>) -> Result<(), StrataError> {
        if path.depth() > MAX_DEPTH {
            return Err(StrataError::at(
                ErrorCode::TooDeep,
                path,
                format_args!("nested deeper than {MAX_DEPTH} levels"),
                "",
            ));
        }
        self.values = self.values.checked_sub(1).ok_or_else(|| {
            StrataError::at(
                ErrorCode::TooLarge,
                path,
                format_args!("more than {MAX_VALUES} values"),
                "",
            )
        })?;
        Ok(())
    }

    /// Counts the text or field name at `path`.
    pub(crate) fn text(&mut self, text: &str, path: &Path<'_>) -> Result<(), StrataError> {
        self.text = self.text.checked_sub(text.len()).ok_or_else(|| {
            StrataError::at(
                ErrorCode::TooLarge,
                path,
                format_args!("more than {MAX_TEXT_BYTES} bytes of text"),
                "",
            )
        })?;
        Ok(())
    }
}
