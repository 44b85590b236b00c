//! Reading objects field by field, so that nothing in them goes unread.

use std::borrow::Cow;

use crate::error::{ErrorCode, StrataError, either, quote};
use crate::input::{Path, Value};

/// A type that can be read from a [`Value`].
pub(crate) trait FromValue<'a>: Sized {
    fn from_value(value: Value<'a>, path: &Path<'_>) -> Result<Self, StrataError>;
}

impl<'a> FromValue<'a> for Cow<'a, str> {
    fn from_value(value: Value<'a>, path: &Path<'_>) -> Result<Self, StrataError> {
        match value {
            Value::Text(text) => Ok(text),
            other => Err(other.wrong_type("text", path)),
        }
    }
}

impl<'a> FromValue<'a> for bool {
    fn from_value(value: Value<'a>, path: &Path<'_>) -> Result<Self, StrataError> {
        match value {
            Value::Bool(value) => Ok(value),
            other => Err(other.wrong_type("true or false", path)),
        }
    }
}

impl<'a> FromValue<'a> for u64 {
    fn from_value(value: Value<'a>, path: &Path<'_>) -> Result<Self, StrataError> {
        let whole = match &value {
            Value::Number(text) => text.parse().ok(),
            _ => None,
        };
        whole.ok_or_else(|| value.wrong_type("a whole number of bytes", path))
    }
}

impl<'a, T: FromValue<'a>> FromValue<'a> for Vec<T> {
    fn from_value(value: Value<'a>, path: &Path<'_>) -> Result<Self, StrataError> {
        match value {
            Value::List(items) => items
                .into_iter()
                .enumerate()
                .map(|(index, item)| T::from_value(item, &path.index(index)))
                .collect(),
            other => Err(other.wrong_type("a list", path)),
        }
    }
}

/// One field: its camelCase name, and the key as it is spelt in the input.
struct Entry<'a> {
    name: &'static str,
    key: Cow<'a, str>,
    value: Value<'a>,
}

/// The fields of one object, all of them known.
pub(crate) struct Fields<'a, 'p> {
    entries: Vec<Entry<'a>>,
    path: &'p Path<'p>,
}

impl<'a, 'p> Fields<'a, 'p> {
    /// Opens an object whose fields are `known`, in camelCase; each may also be spelt in snake_case.
    ///
    /// A field that is null counts as absent.
    pub(crate) fn open(
        value: Value<'a>,
        path: &'p Path<'p>,
        known: &[&'static str],
    ) -> Result<Self, StrataError> {
        let map = match value {
            Value::Map(map) => map,
            other => return Err(other.wrong_type("an object", path)),
        };
        let mut entries: Vec<Entry<'a>> = Vec::with_capacity(known.len());
        for (key, value) in map {
            let Some(name) = known.iter().copied().find(|name| is_spelling(&key, name)) else {
                return Err(StrataError::at(
                    ErrorCode::UnknownField,
                    path.field(&key),
                    format_args!("unknown field {}", quote(&key)),
                    format_args!("expected {}", either(known)),
                ));
            };
            if entries.iter().any(|entry| entry.name == name) {
                return Err(StrataError::at(
                    ErrorCode::DuplicateField,
                    path.field(&key),
                    format_args!("field {} given twice", quote(&key)),
                    "",
                ));
            }
            entries.push(Entry { name, key, value });
        }
        Ok(Self { entries, path })
    }

    /// The field `name`, or `None` where it is absent or null.
    pub(crate) fn optional<T: FromValue<'a>>(
        &mut self,
        name: &'static str,
    ) -> Result<Option<T>, StrataError> {
        let Some(at) = self.entries.iter().position(|entry| entry.name == name) else {
            return Ok(None);
        };
        match self.entries.swap_remove(at) {
            Entry {
                value: Value::Null, ..
            } => Ok(None),
            Entry { key, value, .. } => T::from_value(value, &self.path.field(&key)).map(Some),
        }
    }

    /// The field `name`, or what its type is without one.
    pub(crate) fn or_default<T: FromValue<'a> + Default>(
        &mut self,
        name: &'static str,
    ) -> Result<T, StrataError> {
        self.optional(name).map(Option::unwrap_or_default)
    }

    /// The field `name`, which has to be there.
    pub(crate) fn required<T: FromValue<'a>>(
        &mut self,
        name: &'static str,
    ) -> Result<T, StrataError> {
        self.optional(name)?.ok_or_else(|| {
            StrataError::at(
                ErrorCode::MissingField,
                self.path.field(name),
                format_args!("missing field {}", quote(name)),
                "",
            )
        })
    }
}

/// One text of a closed set.
pub(crate) fn one_of<'a, T: Copy>(
    value: Value<'a>,
    path: &Path<'_>,
    choices: &[(&str, T)],
) -> Result<T, StrataError> {
    let text = Cow::<'a, str>::from_value(value, path)?;
    let chosen = choices.iter().find(|(name, _)| *name == text);
    chosen.map(|(_, choice)| *choice).ok_or_else(|| {
        let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        StrataError::at(
            ErrorCode::UnknownValue,
            path,
            format_args!("unknown value {}", quote(&text)),
            format_args!("expected {}", either(&names)),
        )
    })
}

/// Whether `key` is the camelCase `name`, or its snake_case spelling.
fn is_spelling(key: &str, name: &str) -> bool {
    if key == name {
        return true;
    }
    let mut key = key.bytes();
    let snake = name.bytes().all(|byte| {
        if byte.is_ascii_uppercase() {
            key.next() == Some(b'_') && key.next() == Some(byte.to_ascii_lowercase())
        } else {
            key.next() == Some(byte)
        }
    });
    snake && key.next().is_none()
}
