//! The one error type: a stable code, the path of the culprit, a message that quotes it.

use std::fmt;

/// What kind of mistake an error reports.
///
/// The wire spelling, [`ErrorCode::as_str`], is stable: hosts may match on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorCode {
    /// The text is not JSON.
    InvalidJson,
    /// The bytes are not UTF-8.
    InvalidUtf8,
    /// A value has the wrong type: a number where text belongs.
    WrongType,
    /// An object has a field that nobody reads; most often a misspelling.
    UnknownField,
    /// A field that has to be there is not.
    MissingField,
    /// One field is given twice, also when once in camelCase and once in snake_case.
    DuplicateField,
    /// A layer name that is none of the seven.
    UnknownLayer,
    /// Text that is none of the values its place allows.
    UnknownValue,
    /// A name that is no editable block.
    UnknownBlock,
    /// Text with half a surrogate pair, which has no UTF-8 form.
    LoneSurrogate,
    /// Nested deeper than [`limits::MAX_DEPTH`](crate::limits::MAX_DEPTH).
    TooDeep,
    /// Larger than one of the [`limits`](crate::limits).
    TooLarge,
    /// A fact whose key is blank or holds a line break.
    InvalidFactKey,
    /// A static fact given to a turn: it would change the prefix.
    StaticFactInTurn,
    /// A layer and source that stand for several layers of the handle.
    AmbiguousLayer,
    /// A field that has no file of its own, where content is written as files.
    NoFileForField,
    /// A bug in this library.
    Internal,
}

impl ErrorCode {
    /// The stable kebab-case spelling.
    ///
    /// ```
    /// use prompt_strata::ErrorCode;
    /// assert_eq!(ErrorCode::UnknownField.as_str(), "unknown-field");
    /// ```
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InvalidJson => "invalid-json",
            Self::InvalidUtf8 => "invalid-utf8",
            Self::WrongType => "wrong-type",
            Self::UnknownField => "unknown-field",
            Self::MissingField => "missing-field",
            Self::DuplicateField => "duplicate-field",
            Self::UnknownLayer => "unknown-layer",
            Self::UnknownValue => "unknown-value",
            Self::UnknownBlock => "unknown-block",
            Self::LoneSurrogate => "lone-surrogate",
            Self::TooDeep => "too-deep",
            Self::TooLarge => "too-large",
            Self::InvalidFactKey => "invalid-fact-key",
            Self::StaticFactInTurn => "static-fact-in-turn",
            Self::AmbiguousLayer => "ambiguous-layer",
            Self::NoFileForField => "no-file-for-field",
            Self::Internal => "internal",
        }
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Why an input was refused.
///
/// ```
/// use prompt_strata::{AssembleInput, ErrorCode};
///
/// let error = AssembleInput::from_json(
///     r#"{"layers": [{"layer": "seed", "content": {"gaurdrails": []}}]}"#,
/// )
/// .unwrap_err();
/// assert_eq!(error.code(), ErrorCode::UnknownField);
/// assert_eq!(error.path(), "layers[0].content.gaurdrails");
/// assert_eq!(
///     error.to_string(),
///     "unknown field `gaurdrails` at layers[0].content.gaurdrails: \
///      expected identity, operatingRules, instructions, guardrails or surfaceNotes",
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrataError(Box<Details>);

// Boxed, so that every result that may be an error stays small.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Details {
    code: ErrorCode,
    path: String,
    message: String,
}

impl StrataError {
    /// An error whose message says all, path included.
    pub(crate) fn new(code: ErrorCode, path: &dyn fmt::Display, message: String) -> Self {
        let path = path.to_string();
        Self(Box::new(Details {
            code,
            path,
            message,
        }))
    }

    /// An error about the value at `path`: the path ends the message, or precedes its explanation.
    ///
    /// Nothing here is generic: it would be compiled once for each caller.
    pub(crate) fn at(
        code: ErrorCode,
        path: &dyn fmt::Display,
        what: fmt::Arguments<'_>,
        explanation: &str,
    ) -> Self {
        let path = path.to_string();
        let mut message = what.to_string();
        if !path.is_empty() {
            message.push_str(" at ");
            message.push_str(&path);
        }
        if !explanation.is_empty() {
            message.push_str(": ");
            message.push_str(explanation);
        }
        Self(Box::new(Details {
            code,
            path,
            message,
        }))
    }

    /// What kind of mistake this is.
    #[must_use]
    pub fn code(&self) -> ErrorCode {
        self.0.code
    }

    /// Where in the input the culprit stands, as `layers[2].content.guardrails[0]`; empty for the input itself.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.0.path
    }

    /// The sentence for a person, the same as `to_string()`.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }
}

impl fmt::Display for StrataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for StrataError {}

/// The most characters of a culprit that a message quotes.
const QUOTED_CHARS: usize = 60;

/// Quotes a culprit, shortened where it is long, with its line breaks visible.
pub(crate) fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(QUOTED_CHARS + 8);
    quoted.push('`');
    let mut chars = text.chars();
    // Most begin plainly, and that much is copied at once.
    let head = text.get(..text.len().min(QUOTED_CHARS)).unwrap_or_default();
    if head.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        quoted.push_str(head);
        chars = text.get(head.len()..).unwrap_or_default().chars();
    }
    let room = QUOTED_CHARS - (quoted.len() - 1);
    for c in chars.by_ref().take(room) {
        if c.is_control() {
            quoted.extend(c.escape_default());
        } else {
            quoted.push(c);
        }
    }
    if chars.next().is_some() {
        quoted.push('…');
    }
    quoted.push('`');
    quoted
}

/// Says what would have been right: `expected a, b or c`.
pub(crate) fn expected(names: &[&str]) -> String {
    let mut text = String::from("expected ");
    for (at, name) in names.iter().enumerate() {
        if at > 0 {
            text.push_str(if at + 1 == names.len() { " or " } else { ", " });
        }
        text.push_str(name);
    }
    text
}
