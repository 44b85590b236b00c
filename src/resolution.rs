//! Resolution: of several layers, who wins and what accumulates.

use std::collections::hash_map::Entry;

use crate::contribution::{Contribution, Item, ListPlace, Notice, Place};
use crate::diagnostic::{Diagnostic, DiagnosticCode, Told};
use crate::digest::HexDigest;
use crate::error::quote;
use crate::guardrails::{BULLET_BYTES, push_bullet};
use crate::index::{HashKey, Index, Seen};
use crate::limits::MAX_DIAGNOSTICS;
use crate::record::Changed;
use crate::trust::Untrusted;
use crate::whitespace::is_blank;

/// Who wins and what accumulates, by position in the list of contributions.
#[derive(Debug, Default)]
pub(crate) struct Resolved {
    /// The last layer that says something, also when that is nothing but white space.
    pub(crate) identity: Option<usize>,
    pub(crate) operating_rules: Option<usize>,
    pub(crate) guardrails: Accumulated,
    pub(crate) surface_notes: Accumulated,
}

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
struct Folded {
    layer: usize,
    count: usize,
    /// The position of the first such item, and the layer that has it.
    first: usize,
    into: usize,
}

/// Whether the items of a contribution stand apart from those of others.
type Apart = fn(&Contribution<'_>) -> bool;

/// The items of a contribution in one of its list blocks.
type List = for<'c> fn(&'c Contribution<'_>) -> &'c [Item<'c>];

impl Accumulated {
    fn of(contributions: &[Contribution<'_>], list: List, is_apart: Apart) -> Self {
        let mut accumulated = Self::default();
        let count = contributions.iter().map(|it| list(it).len()).sum();
        let mut owners = Index::with_capacity_and_hasher(count, Default::default());
        for apart in [false, true] {
            for (layer, contribution) in contributions.iter().enumerate() {
                if is_apart(contribution) == apart {
                    accumulated.add(layer, list(contribution), &mut owners);
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

    fn notices<'s>(
        &'s self,
        contributions: &'s [Contribution<'_>],
        list: List,
        place: ListPlace,
        name: &'static str,
    ) -> impl Iterator<Item = (usize, Notice)> + 's {
        self.folded.iter().filter_map(move |folded| {
            let first = list(contributions.get(folded.layer)?).get(folded.first)?;
            let owner = contributions.get(folded.into)?;
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

impl Resolved {
    /// Applies layers in the order given; only the lists that changed in one of them are gone through again. Gives those
    /// as they were: guardrails and surface notes.
    pub(crate) fn update(
        &mut self,
        contributions: &[Contribution<'_>],
        untrusted: Untrusted,
        changed: Changed,
    ) -> [Option<Accumulated>; 2] {
        let mut old = [None, None];
        let [old_guardrails, old_notes] = &mut old;
        self.identity = contributions.iter().rposition(|it| it.identity.is_some());
        self.operating_rules = contributions
            .iter()
            .rposition(|it| it.operating_rules.is_some());
        if changed.guardrails {
            let is_apart: Apart = match untrusted {
                Untrusted::Apart => |it| it.is_untrusted,
                Untrusted::GuardrailsOnly | Untrusted::Drop => |_| false,
            };
            let new = Accumulated::of(contributions, guardrails, is_apart);
            *old_guardrails = Some(std::mem::replace(&mut self.guardrails, new));
        }
        if changed.surface_notes {
            let new = Accumulated::of(contributions, surface_notes, |_| false);
            *old_notes = Some(std::mem::replace(&mut self.surface_notes, new));
        }
        old
    }

    /// What a host may want to know about it, in the order of the input.
    ///
    /// The number is how many there are beside these: more than a result holds.
    pub(crate) fn diagnose(&self, contributions: &[Contribution<'_>], hash_key: &HashKey) -> Told {
        let prepared = contributions.iter().enumerate();
        let prepared = prepared.flat_map(|(layer, it)| {
            let notices = it.notices.iter().cloned();
            notices.map(move |notice| (layer, notice))
        });
        let found = prepared
            .chain(out_of_order(contributions))
            .chain(repeated(contributions, hash_key))
            .chain(self.blanked(contributions))
            .chain(self.guardrails.notices(
                contributions,
                guardrails,
                Place::Guardrails,
                "guardrail",
            ))
            .chain(self.surface_notes.notices(
                contributions,
                surface_notes,
                Place::SurfaceNotes,
                "surface note",
            ));
        let mut by_layer: Vec<Vec<Notice>> = Vec::new();
        by_layer.resize_with(contributions.len(), Vec::new);
        found.for_each(|(layer, notice)| {
            if let Some(notices) = by_layer.get_mut(layer) {
                // A handful for each list, so that inserting them costs less than sorting would weigh.
                let is_before = |it: &Notice| it.place.item() <= notice.place.item();
                let at = notices.iter().rposition(is_before).map_or(0, |at| at + 1);
                notices.insert(at, notice);
            }
        });
        let mut diagnostics = Vec::new();
        let mut more = contributions.iter().map(|it| it.more_notices).sum();
        for (layer, notices) in by_layer.iter().enumerate() {
            for field in Place::FIELDS {
                let here = notices.iter().filter(|it| it.place.field() == field);
                for notice in here {
                    if diagnostics.len() == MAX_DIAGNOSTICS {
                        more += 1;
                        continue;
                    }
                    let path = Some(format!("layers[{layer}].{}", notice.place));
                    diagnostics.push(Diagnostic::new(notice.code, &*notice.message, path));
                }
            }
        }
        (diagnostics, more)
    }

    /// Winners with nothing to say, that hide a broader layer with something.
    fn blanked(&self, contributions: &[Contribution<'_>]) -> Vec<(usize, Notice)> {
        type Text = for<'c> fn(&'c Contribution<'_>) -> Option<&'c str>;
        let texts: [(Option<usize>, Text, Place, &str); 2] = [
            (
                self.identity,
                |it| it.identity.as_deref(),
                Place::Identity,
                "identity hides that",
            ),
            (
                self.operating_rules,
                |it| it.operating_rules.as_deref(),
                Place::OperatingRules,
                "operating rules hide those",
            ),
        ];
        let mut found = Vec::new();
        for (winner, text, place, name) in texts {
            let Some((broader, winner)) = winner.and_then(|at| contributions.split_at_checked(at))
            else {
                continue;
            };
            let is_said = |it: &&Contribution<'_>| text(it).is_some_and(|text| !is_blank(text));
            let is_silent = winner.first().and_then(text).is_some_and(is_blank);
            if is_silent && let Some(hidden) = broader.iter().rfind(is_said) {
                let message = format!("empty {name} of {}", hidden.describe());
                found.push((
                    broader.len(),
                    Notice {
                        code: DiagnosticCode::Blanked,
                        place,
                        message,
                    },
                ));
            }
        }
        found
    }
}

fn guardrails<'c>(contribution: &'c Contribution<'_>) -> &'c [Item<'c>] {
    &contribution.guardrails
}

fn surface_notes<'c>(contribution: &'c Contribution<'_>) -> &'c [Item<'c>] {
    &contribution.surface_notes
}

/// Layers that come after a narrower one.
fn out_of_order<'c>(
    contributions: &'c [Contribution<'_>],
) -> impl Iterator<Item = (usize, Notice)> + 'c {
    let mut narrowest = None;
    contributions
        .iter()
        .enumerate()
        .filter_map(move |(at, it)| {
            let narrower = narrowest.filter(|narrowest| *narrowest > it.layer);
            narrowest = narrowest.max(Some(it.layer));
            let message = format!("{} comes after the narrower {}", it.layer, narrower?);
            Some((
                at,
                Notice {
                    code: DiagnosticCode::LayerOrder,
                    place: Place::Layer,
                    message,
                },
            ))
        })
}

/// Layers that an earlier input has the name and source of.
fn repeated(contributions: &[Contribution<'_>], hash_key: &HashKey) -> Vec<(usize, Notice)> {
    let name = |it: &Contribution<'_>| match &it.source {
        Some(source) => [it.layer.as_str(), " ", source].concat(),
        None => it.layer.as_str().to_owned(),
    };
    let names: Vec<String> = contributions.iter().map(name).collect();
    let mut seen = Seen::new(hash_key);
    let mut found = Vec::new();
    for ((at, it), name) in contributions.iter().enumerate().zip(&names) {
        if !seen.add(name) {
            let message = format!("{} is given more than once; all are applied", it.describe());
            let notice = Notice {
                code: DiagnosticCode::LayerRepeated,
                place: Place::Layer,
                message,
            };
            found.push((at, notice));
        }
    }
    found
}
