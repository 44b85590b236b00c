//! What a caller may choose.

use crate::guardrails::Dialect;
use crate::trust::Untrusted;
use crate::wording::Wording;

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
