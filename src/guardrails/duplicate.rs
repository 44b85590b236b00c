//! Which items are duplicates: runs of white space count as one space, and ASCII case does not count.

use std::hash::Hasher;

use crate::text::hash_table::HashKey;
use crate::text::search::is_same;

/// What duplicates share; the definition that the faster ways below agree with.
fn key(item: &str) -> String {
    let mut key = String::with_capacity(item.len());
    for word in item.split_whitespace() {
        if !key.is_empty() {
            key.push(' ');
        }
        key.push_str(word);
    }
    key.make_ascii_lowercase();
    key
}

/// Whether two items are duplicates.
pub(crate) fn is_duplicate(item: &str, other: &str) -> bool {
    is_same(item, other) || item.eq_ignore_ascii_case(other) || key(item) == key(other)
}

/// The hash of what an item shares with its duplicates.
pub(crate) fn hash(item: &str, hash_key: &HashKey) -> u64 {
    plain_hash(item, hash_key).unwrap_or_else(|| {
        let mut hasher = hash_key.hasher();
        for bytes in key(item).as_bytes().chunks(CHUNK) {
            hasher.write(bytes);
        }
        hasher.finish()
    })
}

/// [`hash`] of an item that is printable ASCII without runs of spaces, as most are; `None` for any other.
pub(crate) fn plain_hash(item: &str, hash_key: &HashKey) -> Option<u64> {
    let mut hasher = hash_key.hasher();
    let mut lower = [0; CHUNK];
    let mut follows_space = 0;
    for bytes in item.as_bytes().chunks(CHUNK) {
        let (words, rest) = bytes.as_chunks();
        let last = words_end(rest);
        let (lowered, _) = lower.as_chunks_mut();
        for (word, lowered) in words.iter().chain(&last).zip(lowered) {
            *lowered = plain(u64::from_le_bytes(*word), &mut follows_space)?.to_le_bytes();
        }
        hasher.write(lower.get(..bytes.len())?);
    }
    Some(hasher.finish())
}

/// How many bytes are hashed at once.
const CHUNK: usize = 64;

/// Less than eight bytes, filled up with a letter.
fn words_end(bytes: &[u8]) -> Option<[u8; 8]> {
    let mut word = [b'a'; 8];
    let filled = word.iter_mut().zip(bytes);
    filled.for_each(|(to, from)| *to = *from);
    (!bytes.is_empty()).then_some(word)
}

/// Eight bytes in lower case, if they are printable ASCII without runs of spaces; `follows_space` leads from word to
/// word.
///
/// Eight at a time, because a byte at a time this was a quarter of an assembly.
fn plain(word: u64, follows_space: &mut u64) -> Option<u64> {
    const fn each(byte: u8) -> u64 {
        u64::from_le_bytes([byte; 8])
    }
    // A mark is the highest bit of a byte, which no byte of ASCII has; so these sums never reach the next byte.
    const MARKS: u64 = each(0x80);
    if word & MARKS != 0 || (word + each(0x80 - b' ')) & MARKS != MARKS {
        return None;
    }
    let spaces = (MARKS - (word ^ each(b' '))) & MARKS;
    let runs = spaces & (spaces << 8 | *follows_space);
    *follows_space = spaces >> 56;
    let upper = (word + each(0x80 - b'A')) & !(word + each(0x7f - b'Z')) & MARKS;
    (runs == 0).then_some(word | upper >> 2)
}
