//! Records a resolution: its descriptors, and the digests they are made of.

use std::borrow::Cow;
use std::ops::Range;

use crate::contribution::Contribution;
use crate::descriptor::{self, Descriptor};
use crate::digest::{Hasher, HexDigest};
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

/// The descriptors of a resolution, sorted. `digests` runs along `contributions` and takes in what is computed.
pub(crate) fn descriptors(
    contributions: &[Contribution<'_>],
    digests: &mut [LayerDigests],
    resolved: &Resolved,
    prefix: &Prefix,
    hasher: &dyn Hasher,
) -> Vec<Descriptor> {
    let mut recorded = Vec::new();
    let mut record = |block: &'static str, by: &Contribution<'_>, digest: &str, bytes: usize| {
        recorded.push(Descriptor {
            block: Cow::Borrowed(block),
            layer: Cow::Borrowed(by.layer.as_str()),
            source: by.source.as_deref().map(str::to_owned),
            digest: digest.to_owned(),
            bytes: bytes as u64,
        });
    };
    for (at, (by, known)) in contributions.iter().zip(digests.iter_mut()).enumerate() {
        for (block, text, digest, counts) in [
            (
                "identity",
                &by.identity,
                &mut known.identity,
                resolved.identity == Some(at),
            ),
            (
                "operating-rules",
                &by.operating_rules,
                &mut known.operating_rules,
                resolved.operating_rules == Some(at),
            ),
            (
                "instructions",
                &by.instructions,
                &mut known.instructions,
                true,
            ),
        ] {
            if let Some(text) = text.as_deref().filter(|_| counts) {
                let digest = digest.get_or_insert_with(|| hasher.sha256(text));
                record(block, by, digest, text.len());
            }
        }
    }
    type List = fn(&mut LayerDigests) -> &mut Option<AddedDigest>;
    let lists: [(&'static str, &Accumulated, &[Range<usize>], List); 2] = [
        (
            "guardrails",
            &resolved.guardrails,
            &prefix.guardrails,
            |it| &mut it.guardrails,
        ),
        (
            "surface-note",
            &resolved.surface_notes,
            &prefix.surface_notes,
            |it| &mut it.surface_notes,
        ),
    ];
    for (block, accumulated, ranges, list) in lists {
        for (added, range) in accumulated.added.iter().zip(ranges) {
            let by = contributions.get(added.layer);
            let known = digests.get_mut(added.layer).map(list);
            let text = prefix.text.get(range.clone());
            let (Some(by), Some(known), Some(text)) = (by, known, text) else {
                continue;
            };
            let known = match known {
                Some(known) if known.items == added.items => known,
                stale => stale.insert(AddedDigest {
                    items: added.items.clone(),
                    digest: hasher.sha256(text),
                }),
            };
            record(block, by, &known.digest, text.len());
        }
    }
    descriptor::sort(&mut recorded);
    recorded
}
