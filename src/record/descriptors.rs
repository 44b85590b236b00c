//! Records a resolution: its descriptors, and the digests that are made for them.
//!
//! A digest is made again unless the bytes it was made from are there to compare with: those of a layer's text stand
//! in the layer, those of bullets beside their digest.

use std::borrow::Cow;

use crate::model::descriptor::{Descriptor, HexDigest};
use crate::model::layer::Layer;
use crate::prepare::prepared_layer::PreparedLayer;
use crate::record::digest::Hasher;
use crate::resolve::Resolved;
use crate::resolve::accumulated::Accumulated;
use crate::text::search::is_same;

/// How layers moved since the last text was composed: those from `at` on, by so many places back then.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Moved {
    pub(crate) at: usize,
    pub(crate) by: isize,
}

impl Moved {
    /// Where a layer stood; for one that is new, where another did.
    fn before(self, layer: usize) -> usize {
        if layer < self.at {
            layer
        } else {
            layer.saturating_add_signed(self.by)
        }
    }
}

/// Gives the bullets of each layer their digest: that of bullets as they were, where the bytes are equal.
///
/// `moved` only says where to look.
pub(crate) fn digest_bullets(
    new: &mut Accumulated,
    old: &Accumulated,
    moved: Moved,
    hasher: &dyn Hasher,
) {
    let (together, apart) = new.split_mut();
    let (was_together, was_apart) = old.split();
    for (new, old) in [(together, was_together), (apart, was_apart)] {
        let mut old = old.iter().peekable();
        for added in new {
            let was = moved.before(added.layer);
            while old.next_if(|old| old.layer < was).is_some() {}
            let known = old
                .peek()
                .filter(|old| is_same(&old.bullets, &added.bullets));
            added.digest = match known {
                Some(old) => old.digest.clone(),
                None => hasher.sha256(&added.bullets),
            };
        }
    }
}

/// The descriptors of a resolution: by block name, then by the breadth of the layer, then in the order given.
pub(crate) fn descriptors(
    layers: &mut [PreparedLayer<'_>],
    resolved: &Resolved,
    hasher: &dyn Hasher,
) -> Vec<Descriptor> {
    let mut recorded = Recorded {
        descriptors: Vec::new(),
        hasher,
    };
    recorded.list("guardrails", layers, &resolved.guardrails);
    recorded.texts("identity", layers, |at, it| {
        let text = it.identity.as_deref();
        let text = text.filter(|_| resolved.identity == Some(at));
        Some((text?, &mut it.digests.identity))
    });
    recorded.texts("instructions", layers, |_, it| {
        Some((it.instructions.as_deref()?, &mut it.digests.instructions))
    });
    recorded.texts("operating-rules", layers, |at, it| {
        let text = it.operating_rules.as_deref();
        let text = text.filter(|_| resolved.operating_rules == Some(at));
        Some((text?, &mut it.digests.operating_rules))
    });
    recorded.list("surface-note", layers, &resolved.surface_notes);
    recorded.descriptors
}

/// A layer's text that counts, beside the place for its digest.
type Counted<'t> = Option<(&'t str, &'t mut Option<HexDigest>)>;

struct Recorded<'r> {
    descriptors: Vec<Descriptor>,
    hasher: &'r dyn Hasher,
}

impl Recorded<'_> {
    fn add(
        &mut self,
        block: &'static str,
        by: &PreparedLayer<'_>,
        digest: HexDigest,
        bytes: usize,
    ) {
        self.descriptors.push(Descriptor {
            block: Cow::Borrowed(block),
            layer: Cow::Borrowed(by.layer.as_str()),
            source: by.source.as_deref().map(str::to_owned),
            digest,
            bytes: bytes as u64,
        });
    }

    /// Records the layers that have a text that counts.
    fn texts(
        &mut self,
        block: &'static str,
        layers: &mut [PreparedLayer<'_>],
        counted: impl for<'t> Fn(usize, &'t mut PreparedLayer<'_>) -> Counted<'t>,
    ) {
        for layer in Layer::ALL {
            for (at, by) in layers.iter_mut().enumerate() {
                if by.layer == layer
                    && let Some((text, digest)) = counted(at, by)
                {
                    let digest = digest.get_or_insert_with(|| self.hasher.sha256(text));
                    let (digest, bytes) = (digest.clone(), text.len());
                    self.add(block, by, digest, bytes);
                }
            }
        }
    }

    /// Records the layers that added to a list, over the bullets they added.
    fn list(&mut self, block: &'static str, layers: &[PreparedLayer<'_>], list: &Accumulated) {
        // In the order of the input, also where some stand apart.
        let mut by_layer = vec![None; layers.len()];
        for added in &list.added {
            if let Some(by_layer) = by_layer.get_mut(added.layer) {
                *by_layer = Some(added);
            }
        }
        for layer in Layer::ALL {
            for (by, added) in layers.iter().zip(&by_layer) {
                if let Some(added) = added
                    && by.layer == layer
                {
                    self.add(block, by, added.digest.clone(), added.bullets.len());
                }
            }
        }
    }
}
