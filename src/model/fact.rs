//! Facts: what the host states, key by key.

use std::borrow::Cow;

use crate::model::content::owned;
use crate::model::error::{ErrorCode, StrataError, quote};
use crate::model::path::Path;
use crate::text::whitespace::{has_line_break, is_blank};

/// Whether a fact holds for the whole session or changes by the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Volatility {
    /// Joins the prefix.
    Static,
    /// Rides at the tail.
    Dynamic,
}

/// One statement of the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact<'a> {
    /// What is stated. Not blank, on one line.
    pub key: Cow<'a, str>,
    /// What holds.
    pub value: Cow<'a, str>,
    /// How long it holds.
    pub volatility: Volatility,
}

impl<'a> Fact<'a> {
    /// A fact for the prefix.
    #[must_use]
    pub fn fixed(key: impl Into<Cow<'a, str>>, value: impl Into<Cow<'a, str>>) -> Self {
        Self {
            key: key.into(),
            value: value.into(),
            volatility: Volatility::Static,
        }
    }

    /// A fact for the tail.
    #[must_use]
    pub fn dynamic(key: impl Into<Cow<'a, str>>, value: impl Into<Cow<'a, str>>) -> Self {
        Self {
            volatility: Volatility::Dynamic,
            ..Self::fixed(key, value)
        }
    }

    /// The same with text of its own.
    #[must_use]
    pub fn into_owned(self) -> Fact<'static> {
        Fact {
            key: owned(self.key),
            value: owned(self.value),
            volatility: self.volatility,
        }
    }

    fn check(&self, path: &Path<'_>) -> Result<(), StrataError> {
        let complaint = if is_blank(&self.key) {
            "is blank"
        } else if has_line_break(&self.key) {
            "holds a line break"
        } else {
            return Ok(());
        };
        Err(StrataError::at(
            ErrorCode::InvalidFactKey,
            &path.field("key"),
            format_args!("fact key {} {complaint}", quote(&self.key)),
            "",
        ))
    }
}

/// Refuses facts whose key would not stay a key.
pub(crate) fn check(facts: &[Fact<'_>], path: &Path<'_>) -> Result<(), StrataError> {
    facts
        .iter()
        .enumerate()
        .try_for_each(|(index, fact)| fact.check(&path.index(index)))
}
