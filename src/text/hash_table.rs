//! Finding a text again among many, by a hash that is made once.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash, Hasher, RandomState};

/// Positions by text. One kind of map for all uses, because each would weigh another two kilobytes of WebAssembly.
pub(crate) type Index<'t> = HashMap<Key<'t>, usize, BuildHasherDefault<Made>>;

/// What makes hashes unlike those of any other call, so that nobody can choose texts that all have the same: looking
/// them up would take as long as there are pairs of them. No result depends on it.
#[derive(Clone, Debug)]
pub(crate) struct HashKey(DefaultHasher);

impl HashKey {
    /// A key made from a number that nobody knows.
    pub(crate) fn new(secret: u64) -> Self {
        let mut hasher = DefaultHasher::new();
        hasher.write_u64(secret);
        Self(hasher)
    }

    /// A key from the system's randomness. WebAssembly has none, so there the host brings a number.
    pub(crate) fn random() -> Self {
        Self::new(RandomState::new().build_hasher().finish())
    }

    pub(crate) fn hasher(&self) -> DefaultHasher {
        self.0.clone()
    }
}

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
    pub(crate) fn exact(text: &'t str, hash_key: &HashKey) -> Self {
        let mut hasher = hash_key.hasher();
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

/// Texts seen so far.
pub(crate) struct Seen<'f> {
    /// The first of them: most prompts have no more, and comparing a few costs less than hashing one.
    few: [&'f str; 8],
    count: usize,
    /// All of them, once they are more than a few.
    many: Index<'f>,
    hash_key: &'f HashKey,
}

impl<'f> Seen<'f> {
    pub(crate) fn new(hash_key: &'f HashKey) -> Self {
        Self {
            few: [""; 8],
            count: 0,
            many: Index::default(),
            hash_key,
        }
    }

    /// Adds a text; `false` where it was seen before.
    pub(crate) fn add(&mut self, text: &'f str) -> bool {
        if self.many.is_empty() {
            if self.few.iter().take(self.count).any(|it| *it == text) {
                return false;
            }
            if let Some(free) = self.few.get_mut(self.count) {
                *free = text;
                self.count += 1;
                return true;
            }
            let few = self.few.into_iter();
            self.many
                .extend(few.map(|it| (Key::exact(it, self.hash_key), 0)));
        }
        let key = Key::exact(text, self.hash_key);
        self.many.insert(key, 0).is_none()
    }
}
