//! What accumulates over the layers: items, each said once.

use std::collections::hash_map::Entry;

use crate::guardrails::{BULLET_BYTES, push_bullet};
use crate::model::descriptor::HexDigest;
use crate::model::diagnostic::DiagnosticCode;
use crate::model::error::quote;
use crate::prepare::item::Item;
use crate::prepare::notice::{ListPlace, Notice};
use crate::prepare::prepared_layer::PreparedLayer;
use crate::text::hash_table::Index;

/// A list block over all layers, duplicates folded into the first.
#[derive(Debug, Default)]
pub(crate) struct Accumulated {
    /// The layers that add at least one item, in order; where untrusted ones stand apart, those come last.
    pub(crate) added: Vec<Added>,
    /// How many of these stand together: all of them, or the trusted ones.
    together: usize,
    folded: Vec<Folded>,
}

/// What one layer adds to a list: its bullets, with the digest made from these very bytes.
#[derive(Debug)]
pub(crate) struct Added {
    pub(crate) layer: usize,
    pub(crate) bullets: String,
    pub(crate) digest: HexDigest,
}

/// The items of one layer that others have already.
#[derive(Debug)]
pub(super) struct Folded {
    layer: usize,
    count: usize,
    /// The position of the first such item, and the layer that has it.
    first: usize,
    into: usize,
}

/// Whether the items of a layer stand apart from those of others.
pub(super) type Apart = fn(&PreparedLayer<'_>) -> bool;

/// The items of a layer in one of its list blocks.
pub(super) type List = for<'c> fn(&'c PreparedLayer<'_>) -> &'c [Item<'c>];

impl Accumulated {
    pub(super) fn of(layers: &[PreparedLayer<'_>], list: List, is_apart: Apart) -> Self {
        let mut accumulated = Self::default();
        let count = layers.iter().map(|it| list(it).len()).sum();
        let mut owners = Index::with_capacity_and_hasher(count, Default::default());
        for apart in [false, true] {
            for (at, layer) in layers.iter().enumerate() {
                if is_apart(layer) == apart {
                    accumulated.add(at, list(layer), &mut owners);
                }
            }
            if !apart {
                accumulated.together = accumulated.added.len();
            }
        }
        accumulated
    }

    /// Adds the items of one layer; `owners` says which layer has an item already.
    fn add<'c>(&mut self, layer: usize, list: &'c [Item<'_>], owners: &mut Index<'c>) {
        let size = list.iter().map(|it| it.text.len() + BULLET_BYTES).sum();
        let mut bullets = String::with_capacity(size);
        let mut folded: Option<Folded> = None;
        for (at, item) in list.iter().enumerate() {
            match owners.entry(item.key()) {
                Entry::Vacant(owner) => {
                    owner.insert(layer);
                    push_bullet(&mut bullets, &item.text);
                }
                Entry::Occupied(owner) => {
                    let folded = folded.get_or_insert(Folded {
                        layer,
                        count: 0,
                        first: at,
                        into: *owner.get(),
                    });
                    folded.count += 1;
                }
            }
        }
        if !bullets.is_empty() {
            self.added.push(Added {
                layer,
                bullets,
                digest: HexDigest::new(),
            });
        }
        self.folded.extend(folded);
    }

    /// Those that stand together, and those that stand apart, to be given their digests.
    pub(crate) fn split_mut(&mut self) -> (&mut [Added], &mut [Added]) {
        let together = self.together.min(self.added.len());
        self.added.split_at_mut(together)
    }

    /// Those that stand together, and those that stand apart.
    pub(crate) fn split(&self) -> (&[Added], &[Added]) {
        self.added
            .split_at_checked(self.together)
            .unwrap_or_default()
    }

    pub(super) fn notices<'s>(
        &'s self,
        layers: &'s [PreparedLayer<'_>],
        list: List,
        place: ListPlace,
        name: &'static str,
    ) -> impl Iterator<Item = (usize, Notice)> + 's {
        self.folded.iter().filter_map(move |folded| {
            let first = list(layers.get(folded.layer)?).get(folded.first)?;
            let owner = layers.get(folded.into)?;
            let message = format!(
                "{} {name}{} folded, the first {} into that of {}",
                folded.count,
                if folded.count == 1 {
                    " is a duplicate and"
                } else {
                    "s are duplicates and"
                },
                quote(&first.text),
                owner.describe(),
            );
            let notice = Notice {
                code: DiagnosticCode::DuplicateFolded,
                place: first.place(place),
                message,
            };
            Some((folded.layer, notice))
        })
    }
}
