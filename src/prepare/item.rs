//! An item of a list block.

use std::borrow::Cow;

use crate::guardrails::duplicate;
use crate::model::content::owned;
use crate::prepare::notice::{ListPlace, Place};
use crate::text::hash_table::{HashKey, Key};
use crate::text::whitespace::{fold_line_breaks, has_line_break, trim_cow};

/// One item of a list block, trimmed and not empty.
#[derive(Clone, Debug)]
pub(crate) struct Item<'a> {
    pub(crate) text: Cow<'a, str>,
    /// Of what it shares with its duplicates: made once, since it costs more than all else about an item.
    pub(super) hash: u64,
    /// Where the item stands in the input: none for an item of a text.
    index: Option<usize>,
}

impl<'a> Item<'a> {
    /// Makes an item, and says whether line breaks inside it were folded; `None` where nothing is left.
    pub(super) fn new(
        text: Cow<'a, str>,
        index: Option<usize>,
        hash_key: &HashKey,
    ) -> Option<(Self, bool)> {
        let mut text = trim_cow(text);
        if text.is_empty() {
            return None;
        }
        if let Some(hash) = duplicate::plain_hash(&text, hash_key) {
            return Some((Self { text, hash, index }, false));
        }
        let has_break = has_line_break(&text);
        if has_break {
            text = Cow::Owned(fold_line_breaks(&text).into_owned());
        }
        let hash = duplicate::hash(&text, hash_key);
        Some((Self { text, hash, index }, has_break))
    }

    /// The item as the search for duplicates takes it.
    pub(crate) fn key(&self) -> Key<'_> {
        Key {
            text: &self.text,
            hash: self.hash,
            is_same: duplicate::is_duplicate,
        }
    }

    pub(crate) fn place(&self, list: ListPlace) -> Place {
        list(self.index)
    }

    pub(super) fn into_owned(self) -> Item<'static> {
        Item {
            text: owned(self.text),
            hash: self.hash,
            index: self.index,
        }
    }
}
