//! Finding a text again among many, by a hash that is made once.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, Hash, Hasher, RandomState};

/// Positions by text. One kind of map for all uses, because each would weigh another two kilobytes of WebAssembly.
pub(crate) type Index<'t> = HashMap<Key<'t>, usize, BuildHasherDefault<Made>>;

/// A text with its hash, and when it counts as the same as another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key<'t> {
    pub(crate) text: &'t str,
    /// The same for texts that count as the same.
    pub(crate) hash: u64,
    pub(crate) is_same: fn(&str, &str) -> bool,
}

impl<'t> Key<'t> {
    /// A text that is only the same as itself.
    pub(crate) fn exact(text: &'t str, state: &RandomState) -> Self {
        let mut hasher = state.build_hasher();
        hasher.write(text.as_bytes());
        Self {
            text,
            hash: hasher.finish(),
            is_same: |text, other| text == other,
        }
    }
}

impl PartialEq for Key<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash && (self.is_same)(self.text, other.text)
    }
}

impl Eq for Key<'_> {}

impl Hash for Key<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

/// Takes a hash that is made.
#[derive(Default)]
pub(crate) struct Made(u64);

impl Hasher for Made {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    fn write(&mut self, _: &[u8]) {}
}
