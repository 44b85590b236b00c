//! SHA-256 as lower-case hex, and who computes it.

use crate::model::descriptor::HexDigest;
use sha2::{Digest as _, Sha256};

/// Something that computes SHA-256.
///
/// The digests are most of the cost of an assembly. A host that has a faster implementation than this crate's
/// own, such as its runtime's, gives it to [`Assembler::with_hasher`](crate::Assembler::with_hasher). The results have to be the same.
pub trait Hasher {
    /// The SHA-256 of the UTF-8 bytes of `text`, in lower-case hex.
    fn sha256(&self, text: &str) -> HexDigest;
}

/// The implementation in Rust, used where no other is given.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sha2;

impl Hasher for Sha2 {
    fn sha256(&self, text: &str) -> HexDigest {
        hex(&Sha256::digest(text.as_bytes()))
    }
}

/// The SHA-256 of a text's UTF-8 bytes, in lower-case hex.
///
/// ```
/// use prompt_strata::digest;
/// assert_eq!(
///     digest("abc"),
///     "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
/// );
/// ```
#[must_use]
pub fn digest(text: &str) -> HexDigest {
    Sha2.sha256(text)
}

fn hex(bytes: &[u8]) -> HexDigest {
    let digit = |nibble: u8| match nibble {
        0..=9 => b'0' + nibble,
        _ => b'a' + nibble - 10,
    };
    let mut digits = Vec::with_capacity(2 * bytes.len());
    for byte in bytes {
        digits.extend([digit(byte >> 4), digit(byte & 0xf)]);
    }
    String::from_utf8(digits).unwrap_or_default()
}
