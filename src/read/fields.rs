//! Reading objects field by field, so that nothing in them goes unread.

use std::borrow::Cow;

use crate::model::error::{ErrorCode, StrataError, expected, quote};
use crate::model::path::Path;
use crate::read::Value;

/// A type that can be read from a [`Value`], whose texts it takes out.
pub(crate) trait FromValue<'a>: Sized {
    fn from_value(value: &mut Value<'a>, path: &Path<'_>) -> Result<Self, StrataError>;
}

impl<'a> FromValue<'a> for Cow<'a, str> {
    fn from_value(value: &mut Value<'a>, path: &Path<'_>) -> Result<Self, StrataError> {
        match value {
            Value::Text(text) => Ok(std::mem::take(text)),
            other => Err(other.wrong_type("text", path)),
        }
    }
}

impl<'a> FromValue<'a> for bool {
    fn from_value(value: &mut Value<'a>, path: &Path<'_>) -> Result<Self, StrataError> {
        match value {
            Value::Bool(value) => Ok(*value),
            other => Err(other.wrong_type("true or false", path)),
        }
    }
}

/// The largest whole number that JavaScript holds exactly.
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

impl<'a> FromValue<'a> for u64 {
    fn from_value(value: &mut Value<'a>, path: &Path<'_>) -> Result<Self, StrataError> {
        let whole = match value {
            Value::Number(text) => text.parse().ok().filter(|it| *it <= MAX_SAFE_INTEGER),
            _ => None,
        };
        whole.ok_or_else(|| value.wrong_type("a whole number of bytes", path))
    }
}

impl<'a, T: FromValue<'a>> FromValue<'a> for Vec<T> {
    fn from_value(value: &mut Value<'a>, path: &Path<'_>) -> Result<Self, StrataError> {
        let Value::List(items) = value else {
            return Err(value.wrong_type("a list", path));
        };
        let mut read = Vec::with_capacity(items.len());
        for (index, item) in items.iter_mut().enumerate() {
            read.push(T::from_value(item, &path.index(index))?);
        }
        Ok(read)
    }
}

/// The fields of one object, all of them known.
///
/// The first mistake is kept until [`Fields::finish`], so that readers are plain lists of fields.
pub(crate) struct Fields<'v, 'a, 'p> {
    map: &'v mut [(Cow<'a, str>, Value<'a>)],
    path: &'p Path<'p>,
    mistake: Option<StrataError>,
}

impl<'v, 'a, 'p> Fields<'v, 'a, 'p> {
    /// Opens an object whose fields are `known`, in camelCase; each may also be spelt in snake_case.
    ///
    /// A field that is null counts as absent.
    pub(crate) fn open(
        value: &'v mut Value<'a>,
        path: &'p Path<'p>,
        known: &[&'static str],
    ) -> Result<Self, StrataError> {
        let Value::Map(map) = value else {
            return Err(value.wrong_type("an object", path));
        };
        Self::check(map, path, known, false)?;
        Ok(Self {
            map,
            path,
            mistake: None,
        })
    }

    /// [`Fields::open`] for an object that a newer build may have written: fields that this one does not know are
    /// ignored.
    pub(crate) fn open_newer(
        value: &'v mut Value<'a>,
        path: &'p Path<'p>,
        known: &[&'static str],
    ) -> Result<Self, StrataError> {
        let Value::Map(map) = value else {
            return Err(value.wrong_type("an object", path));
        };
        Self::check(map, path, known, true)?;
        Ok(Self {
            map,
            path,
            mistake: None,
        })
    }

    /// Refuses fields that are given twice, and unknown ones unless these are fine.
    #[inline(never)]
    fn check(
        map: &[(Cow<'a, str>, Value<'a>)],
        path: &Path<'_>,
        known: &[&'static str],
        may_be_newer: bool,
    ) -> Result<(), StrataError> {
        // A bit for each; no object has as many fields as this has bits.
        let mut seen = 0u32;
        for (key, _) in map {
            let Some(at) = known.iter().position(|name| is_spelling(key, name)) else {
                if may_be_newer {
                    continue;
                }
                return Err(StrataError::at(
                    ErrorCode::UnknownField,
                    &path.field(key),
                    format_args!("unknown field {}", quote(key)),
                    &expected(known),
                ));
            };
            if seen & 1 << at != 0 {
                return Err(StrataError::at(
                    ErrorCode::DuplicateField,
                    &path.field(key),
                    format_args!("field {} given twice", quote(key)),
                    "",
                ));
            }
            seen |= 1 << at;
        }
        Ok(())
    }

    /// The field `name`, or `None` where it is absent or null.
    pub(crate) fn optional<T: FromValue<'a>>(&mut self, name: &'static str) -> Option<T> {
        let (key, value) = take(self.map, name)?;
        match T::from_value(value, &self.path.field(key)) {
            Ok(read) => Some(read),
            Err(mistake) => {
                self.mistake.get_or_insert(mistake);
                None
            }
        }
    }

    /// [`Fields::optional`] for a text: the most frequent, so compiled once.
    #[inline(never)]
    pub(crate) fn text(&mut self, name: &'static str) -> Option<Cow<'a, str>> {
        self.optional(name)
    }

    /// The text `name`, which has to be there.
    #[inline(never)]
    pub(crate) fn required_text(&mut self, name: &'static str) -> Cow<'a, str> {
        self.required(name)
    }

    /// The field `name`, or what its type is without one.
    pub(crate) fn or_default<T: FromValue<'a> + Default>(&mut self, name: &'static str) -> T {
        self.optional(name).unwrap_or_default()
    }

    /// The field `name`, which has to be there; its default stands for it until the mistake is reported.
    pub(crate) fn required<T: FromValue<'a> + Default>(&mut self, name: &'static str) -> T {
        self.required_or(name, T::default())
    }

    /// [`Fields::required`] for a type without a default of its own.
    pub(crate) fn required_or<T: FromValue<'a>>(&mut self, name: &'static str, stand_in: T) -> T {
        self.optional(name).unwrap_or_else(|| {
            self.missing(name);
            stand_in
        })
    }

    /// The value, unless one of its fields was a mistake.
    pub(crate) fn finish<T>(self, value: T) -> Result<T, StrataError> {
        match self.mistake {
            None => Ok(value),
            Some(mistake) => Err(mistake),
        }
    }

    #[inline(never)]
    fn missing(&mut self, name: &'static str) {
        let path = self.path.field(name);
        self.mistake.get_or_insert_with(|| {
            StrataError::at(
                ErrorCode::MissingField,
                &path,
                format_args!("missing field {}", quote(name)),
                "",
            )
        });
    }
}

/// The field `name`, unless it is absent or null, with its key as it is spelt.
#[inline(never)]
fn take<'m, 'a>(
    map: &'m mut [(Cow<'a, str>, Value<'a>)],
    name: &str,
) -> Option<(&'m str, &'m mut Value<'a>)> {
    let found = map.iter_mut().find(|(key, _)| is_spelling(key, name));
    let (key, value) = found.filter(|(_, value)| !matches!(value, Value::Null))?;
    Some((&**key, value))
}

/// One text of a closed set.
pub(crate) fn one_of<T: Copy>(
    value: &mut Value<'_>,
    path: &Path<'_>,
    choices: &[(&'static str, T)],
) -> Result<T, StrataError> {
    let text = Cow::from_value(value, path)?;
    let chosen = choices.iter().find(|(name, _)| *name == text);
    chosen.map(|(_, choice)| *choice).ok_or_else(|| {
        let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        unknown_value(&text, &names, path)
    })
}

fn unknown_value(text: &str, names: &[&str], path: &Path<'_>) -> StrataError {
    StrataError::at(
        ErrorCode::UnknownValue,
        path,
        format_args!("unknown value {}", quote(text)),
        &expected(names),
    )
}

/// Whether `key` is the camelCase `name`, or its snake_case spelling.
fn is_spelling(key: &str, name: &str) -> bool {
    if key.bytes().next() != name.bytes().next() {
        return false;
    }
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
