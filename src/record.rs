//! Records a resolution: its descriptors, and what is known of each layer's contributions until they change.

use std::borrow::Cow;
use std::ops::Range;

use crate::contribution::{Contribution, Item};
use crate::descriptor::Descriptor;
use crate::digest::{Hasher, HexDigest};
use crate::layer::Layer;
use crate::prefix::Prefix;
use crate::resolution::{Accumulated, Resolved};
use crate::search::is_same;

/// What is known of one layer's contributions.
#[derive(Debug, Default)]
pub(crate) struct Known {
    identity: Option<HexDigest>,
    operating_rules: Option<HexDigest>,
    instructions: Option<HexDigest>,
    pub(crate) guardrails: Option<Bullets>,
    pub(crate) surface_notes: Option<Bullets>,
}

/// The bullets a layer added; which these are depends on the layers before it.
#[derive(Debug)]
pub(crate) struct Bullets {
    items: Vec<usize>,
    /// Where they stand in the prefix last made.
    range: Range<usize>,
    digest: HexDigest,
}

impl Bullets {
    /// The bullets of these items, where they are the same as in the prefix last made.
    pub(crate) fn of<'p>(&self, items: &[usize], prefix: &'p str) -> Option<&'p str> {
        // Number by number: the comparison of slices takes a byte at a time in WebAssembly.
        let is_known = self.items.iter().eq(items);
        is_known.then(|| prefix.get(self.range.clone())).flatten()
    }
}

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
}

impl Known {
    /// Forgets what `new` says differently from `old`.
    pub(crate) fn forget(&mut self, old: &Contribution<'_>, new: &Contribution<'_>) -> Changed {
        if !is_same_text(&old.identity, &new.identity) {
            self.identity = None;
        }
        if !is_same_text(&old.operating_rules, &new.operating_rules) {
            self.operating_rules = None;
        }
        if !is_same_text(&old.instructions, &new.instructions) {
            self.instructions = None;
        }
        let changed = Changed {
            guardrails: !is_same_list(&old.guardrails, &new.guardrails),
            surface_notes: !is_same_list(&old.surface_notes, &new.surface_notes),
        };
        if changed.guardrails {
            self.guardrails = None;
        }
        if changed.surface_notes {
            self.surface_notes = None;
        }
        changed
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

/// The descriptors of a resolution: by block name, then by the breadth of the layer, then in the order given.
///
/// `known` runs along `contributions` and takes in what is computed.
pub(crate) fn descriptors(
    contributions: &[Contribution<'_>],
    known: &mut [Known],
    resolved: &Resolved,
    prefix: &Prefix,
    hasher: &dyn Hasher,
) -> Vec<Descriptor> {
    let mut recorder = Recorder {
        contributions,
        known,
        hasher,
        recorded: Vec::new(),
    };
    recorder.list(
        "guardrails",
        &resolved.guardrails,
        (&prefix.text, &prefix.guardrails),
        |it| &mut it.guardrails,
    );
    recorder.texts(
        "identity",
        |at, it| {
            it.identity
                .as_deref()
                .filter(|_| resolved.identity == Some(at))
        },
        |it| &mut it.identity,
    );
    recorder.texts(
        "instructions",
        |_, it| it.instructions.as_deref(),
        |it| &mut it.instructions,
    );
    recorder.texts(
        "operating-rules",
        |at, it| {
            let text = it.operating_rules.as_deref();
            text.filter(|_| resolved.operating_rules == Some(at))
        },
        |it| &mut it.operating_rules,
    );
    recorder.list(
        "surface-note",
        &resolved.surface_notes,
        (&prefix.text, &prefix.surface_notes),
        |it| &mut it.surface_notes,
    );
    recorder.recorded
}

struct Recorder<'r, 'c> {
    contributions: &'r [Contribution<'c>],
    known: &'r mut [Known],
    hasher: &'r dyn Hasher,
    recorded: Vec<Descriptor>,
}

impl Recorder<'_, '_> {
    fn record(&mut self, block: &'static str, at: usize, digest: HexDigest, bytes: usize) {
        if let Some(by) = self.contributions.get(at) {
            self.recorded.push(Descriptor {
                block: Cow::Borrowed(block),
                layer: Cow::Borrowed(by.layer.as_str()),
                source: by.source.as_deref().map(str::to_owned),
                digest,
                bytes: bytes as u64,
            });
        }
    }

    /// Records the layers whose `text` counts.
    fn texts(
        &mut self,
        block: &'static str,
        text: impl for<'t> Fn(usize, &'t Contribution<'_>) -> Option<&'t str>,
        digest: impl Fn(&mut Known) -> &mut Option<HexDigest>,
    ) {
        let contributions = self.contributions;
        for layer in Layer::ALL {
            for (at, by) in contributions.iter().enumerate() {
                let text = text(at, by).filter(|_| by.layer == layer);
                let digest = self.known.get_mut(at).map(&digest);
                if let (Some(text), Some(digest)) = (text, digest) {
                    let digest = digest.get_or_insert_with(|| self.hasher.sha256(text));
                    let digest = digest.clone();
                    self.record(block, at, digest, text.len());
                }
            }
        }
    }

    /// Records the layers that added to a list, over the bullets they added: `ranges` of the prefix's text.
    fn list(
        &mut self,
        block: &'static str,
        accumulated: &Accumulated,
        (text, ranges): (&str, &[Range<usize>]),
        known: impl Fn(&mut Known) -> &mut Option<Bullets>,
    ) {
        for layer in Layer::ALL {
            for (added, range) in accumulated.added.iter().zip(ranges) {
                let is_here = |by: &&Contribution<'_>| by.layer == layer;
                if self
                    .contributions
                    .get(added.layer)
                    .filter(is_here)
                    .is_none()
                {
                    continue;
                }
                let known = self.known.get_mut(added.layer).map(&known);
                let bullets = text.get(range.clone());
                if let (Some(bullets), Some(known)) = (bullets, known) {
                    let known = match known {
                        Some(known) if known.items.iter().eq(&added.items) => known,
                        stale => stale.insert(Bullets {
                            items: added.items.clone(),
                            range: 0..0,
                            digest: self.hasher.sha256(bullets),
                        }),
                    };
                    known.range = range.clone();
                    let digest = known.digest.clone();
                    self.record(block, added.layer, digest, bullets.len());
                }
            }
        }
    }
}
