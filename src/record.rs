//! Records a resolution: its descriptors, and the digests they are made of.

use std::borrow::Cow;
use std::ops::Range;

use crate::contribution::Contribution;
use crate::descriptor::Descriptor;
use crate::digest::{Hasher, HexDigest};
use crate::layer::Layer;
use crate::prefix::Prefix;
use crate::resolution::{Accumulated, Resolved};

/// The digests of one layer's contributions, kept for as long as the layer does not change.
#[derive(Debug, Default)]
pub(crate) struct LayerDigests {
    identity: Option<HexDigest>,
    operating_rules: Option<HexDigest>,
    instructions: Option<HexDigest>,
    guardrails: Option<AddedDigest>,
    surface_notes: Option<AddedDigest>,
}

/// The digest of the bullets a layer added; which these are depends on the layers before it.
#[derive(Debug)]
struct AddedDigest {
    items: Vec<usize>,
    digest: HexDigest,
}

/// The descriptors of a resolution: by block name, then by the breadth of the layer, then in the order given.
///
/// `digests` runs along `contributions` and takes in what is computed.
pub(crate) fn descriptors(
    contributions: &[Contribution<'_>],
    digests: &mut [LayerDigests],
    resolved: &Resolved,
    prefix: &Prefix,
    hasher: &dyn Hasher,
) -> Vec<Descriptor> {
    let mut recorder = Recorder {
        contributions,
        digests,
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
    digests: &'r mut [LayerDigests],
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
        known: impl Fn(&mut LayerDigests) -> &mut Option<HexDigest>,
    ) {
        let contributions = self.contributions;
        for layer in Layer::ALL {
            for (at, by) in contributions.iter().enumerate() {
                let text = text(at, by).filter(|_| by.layer == layer);
                let known = self.digests.get_mut(at).map(&known);
                if let (Some(text), Some(known)) = (text, known) {
                    let digest = known.get_or_insert_with(|| self.hasher.sha256(text));
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
        known: impl Fn(&mut LayerDigests) -> &mut Option<AddedDigest>,
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
                let known = self.digests.get_mut(added.layer).map(&known);
                let bullets = text.get(range.clone());
                if let (Some(bullets), Some(known)) = (bullets, known) {
                    let known = match known {
                        Some(known) if known.items == added.items => known,
                        stale => stale.insert(AddedDigest {
                            items: added.items.clone(),
                            digest: self.hasher.sha256(bullets),
                        }),
                    };
                    let digest = known.digest.clone();
                    self.record(block, added.layer, digest, bullets.len());
                }
            }
        }
    }
}
