//! JSON source to a [`Value`].
//!
//! The parsing is serde_json's. What is added is the path of a mistake, which serde does not keep, and the
//! limits, which have to hold before memory is taken.

use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::error::{ErrorCode, StrataError};
use crate::input::value::{Budget, Value};
use crate::input::{FromValue, Path};
use crate::limits::MAX_JSON_BYTES;
use crate::whitespace::strip_bom;

/// Reads a typed input from JSON source.
pub(crate) fn read<'a, T: FromValue<'a>>(source: &'a str) -> Result<T, StrataError> {
    T::from_value(parse(source)?, &Path::ROOT)
}

/// Reads JSON source; a byte order mark before it is ignored.
pub(crate) fn parse(source: &str) -> Result<Value<'_>, StrataError> {
    if source.len() > MAX_JSON_BYTES {
        return Err(StrataError::new(
            ErrorCode::TooLarge,
            "",
            format!("more than {MAX_JSON_BYTES} bytes of JSON"),
        ));
    }
    let state = State {
        budget: RefCell::new(Budget::new()),
        failure: RefCell::new(None),
    };
    let mut parser = serde_json::Deserializer::from_str(strip_bom(source));
    // The depth is bounded by the budget, at the value that breaks the bound.
    let parsed = Seed {
        state: &state,
        path: Path::ROOT,
    }
    .deserialize(&mut parser)
    .and_then(|value| parser.end().map(|()| value));
    parsed.map_err(|error| {
        let failure = state.failure.into_inner();
        match failure {
            Some(Failure::Ours(error)) => error,
            Some(Failure::Syntax(path)) => syntax_error(&error, path),
            None => syntax_error(&error, String::new()),
        }
    })
}

/// Bytes as JSON source.
pub(crate) fn utf8(bytes: &[u8]) -> Result<&str, StrataError> {
    std::str::from_utf8(bytes).map_err(|error| {
        StrataError::new(
            ErrorCode::InvalidUtf8,
            "",
            format!("not UTF-8: the byte at {} is invalid", error.valid_up_to()),
        )
    })
}

/// Puts a parser's complaint into the words of this crate.
fn syntax_error(error: &serde_json::Error, path: String) -> StrataError {
    let text = error.to_string();
    // serde_json appends the position to its sentence; it is given apart here.
    let sentence = text
        .rsplit_once(" at line ")
        .map_or(text.as_str(), |(sentence, _)| sentence);
    let code = if sentence.contains("surrogate") || sentence.contains("hex escape") {
        ErrorCode::LoneSurrogate
    } else {
        ErrorCode::InvalidJson
    };
    let what = match code {
        ErrorCode::LoneSurrogate => "half a surrogate pair",
        _ => "not JSON",
    };
    StrataError::at(
        code,
        path,
        what,
        format_args!(
            "{} at line {} column {}",
            lower_first(sentence),
            error.line(),
            error.column()
        ),
    )
}

fn lower_first(sentence: &str) -> String {
    // "EOF while parsing …" is the one sentence that does not start with a word.
    match sentence.strip_prefix("EOF while parsing") {
        Some(rest) => format!("the text ends within{rest}"),
        None => sentence.to_owned(),
    }
}

enum Failure {
    /// An error of this crate, which serde's error type cannot carry.
    Ours(StrataError),
    /// The parser's own error, at this path.
    Syntax(String),
}

struct State {
    budget: RefCell<Budget>,
    failure: RefCell<Option<Failure>>,
}

#[derive(Clone, Copy)]
struct Seed<'s> {
    state: &'s State,
    path: Path<'s>,
}

impl Seed<'_> {
    /// Keeps the first failure, which is the innermost: the others are serde passing it on.
    fn fail<E: de::Error>(&self, error: StrataError) -> E {
        self.state
            .failure
            .borrow_mut()
            .get_or_insert(Failure::Ours(error));
        E::custom("")
    }

    fn locate<E>(&self, path: &Path<'_>, error: E) -> E {
        self.state
            .failure
            .borrow_mut()
            .get_or_insert_with(|| Failure::Syntax(path.to_string()));
        error
    }

    fn count<E: de::Error>(&self, text: &str) -> Result<(), E> {
        let counted = self.state.budget.borrow_mut().text(text, &self.path);
        counted.map_err(|error| self.fail(error))
    }
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Value<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        let counted = self.state.budget.borrow_mut().value(&self.path);
        counted.map_err(|error| self.fail::<D::Error>(error))?;
        deserializer
            .deserialize_any(self)
            .map_err(|error| self.locate(&self.path, error))
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Value<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(Value::Number(Cow::Owned(value.to_string())))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(Value::Number(Cow::Owned(value.to_string())))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        Ok(Value::Number(Cow::Owned(value.to_string())))
    }

    fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<Self::Value, E> {
        self.count(text)?;
        Ok(Value::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
        self.count(text)?;
        Ok(Value::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut list = Vec::new();
        while let Some(value) = items.next_element_seed(Seed {
            state: self.state,
            path: self.path.index(list.len()),
        })? {
            list.push(value);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut map = Vec::new();
        while let Some(key) = entries.next_key_seed(Key)? {
            let seed = Seed {
                state: self.state,
                path: self.path.field(&key),
            };
            seed.count(&key)?;
            let value = entries.next_value_seed(seed)?;
            map.push((key, value));
        }
        Ok(Value::Map(map))
    }
}

/// A field name, borrowed where it holds no escape.
struct Key;

impl<'de> DeserializeSeed<'de> for Key {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Key {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a field name")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.to_owned()))
    }
}
