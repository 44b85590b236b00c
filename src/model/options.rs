//! What a caller may choose.

use crate::model::wording::Wording;

/// The choices of one assembly; the default is each option's own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options<'a> {
    /// What is kept of an untrusted layer.
    pub untrusted: Untrusted,
    /// How guardrails and surface notes given as text are read.
    pub dialect: Dialect,
    /// The fixed wording.
    pub wording: Wording<'a>,
    /// Whether the result says where each piece of the system text came from.
    pub sections: bool,
}

impl Options<'_> {
    /// The same with text of its own.
    #[must_use]
    pub fn into_owned(self) -> Options<'static> {
        Options {
            untrusted: self.untrusted,
            dialect: self.dialect,
            wording: self.wording.into_owned(),
            sections: self.sections,
        }
    }
}

/// What is kept of a layer with `trusted: false`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Untrusted {
    /// Its guardrails: they can only make the assistant more careful.
    #[default]
    GuardrailsOnly,
    /// Its guardrails, in a list of their own after those of all trusted layers, so that they can neither reframe
    /// nor respell those (departure 11).
    Apart,
    /// Nothing.
    Drop,
}

/// How guardrail text is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// Bullets and paragraphs; byte-compatible with the source design.
    #[default]
    Strict,
    /// Documents written by hand: headings scope what is under them, nested bullets stay with their parent.
    Markdown,
}
