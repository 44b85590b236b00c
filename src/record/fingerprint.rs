//! One digest over a list of descriptors.

use crate::model::descriptor::{Descriptor, HexDigest};
use crate::record::digest::{Hasher, Sha2};

/// One digest over a whole list of descriptors, in the order given.
///
/// ```
/// use prompt_strata::{digest, fingerprint};
/// assert_eq!(fingerprint(&[]), digest(""));
/// ```
#[must_use]
pub fn fingerprint(descriptors: &[Descriptor]) -> HexDigest {
    fingerprint_with(descriptors, &Sha2)
}

pub(crate) fn fingerprint_with(descriptors: &[Descriptor], hasher: &dyn Hasher) -> HexDigest {
    let mut text = String::new();
    for descriptor in descriptors {
        if !text.is_empty() {
            text.push('|');
        }
        let parts = [
            &*descriptor.block,
            ":",
            &*descriptor.layer,
            ":",
            &*descriptor.digest,
        ];
        text.extend(parts);
    }
    hasher.sha256(&text)
}
