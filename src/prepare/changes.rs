//! What a layer says differently from the one whose place it takes.

use std::borrow::Cow;

use crate::model::descriptor::HexDigest;
use crate::prepare::item::Item;
use crate::prepare::prepared_layer::PreparedLayer;
use crate::prepare::text_digests::TextDigests;
use crate::text::search::is_same;

/// Which lists of a layer changed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Changed {
    pub(crate) guardrails: bool,
    pub(crate) surface_notes: bool,
}

impl Changed {
    /// Both of them.
    pub(crate) const BOTH: Self = Self {
        guardrails: true,
        surface_notes: true,
    };

    /// What `new` says differently from `old`, in whose place it comes; of what it says alike, it takes the digests.
    pub(crate) fn between(old: &mut PreparedLayer<'_>, new: &mut PreparedLayer<'_>) -> Self {
        let digests = std::mem::take(&mut old.digests);
        let kept = |digest: Option<HexDigest>, is_same: bool| digest.filter(|_| is_same);
        new.digests = TextDigests {
            identity: kept(digests.identity, is_same_text(&old.identity, &new.identity)),
            operating_rules: kept(
                digests.operating_rules,
                is_same_text(&old.operating_rules, &new.operating_rules),
            ),
            instructions: kept(
                digests.instructions,
                is_same_text(&old.instructions, &new.instructions),
            ),
        };
        let is_moved = old.is_untrusted != new.is_untrusted;
        Self {
            guardrails: is_moved || !is_same_list(&old.guardrails, &new.guardrails),
            surface_notes: !is_same_list(&old.surface_notes, &new.surface_notes),
        }
    }
}

fn is_same_text(old: &Option<Cow<'_, str>>, new: &Option<Cow<'_, str>>) -> bool {
    match (old, new) {
        (Some(old), Some(new)) => is_same(old, new),
        (old, new) => old.is_none() && new.is_none(),
    }
}

fn is_same_list(old: &[Item<'_>], new: &[Item<'_>]) -> bool {
    let mut pairs = old.iter().zip(new);
    old.len() == new.len() && pairs.all(|(old, new)| is_same(&old.text, &new.text))
}
