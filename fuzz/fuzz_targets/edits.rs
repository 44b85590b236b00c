//! Bytes as dice: whatever a handle is edited to, it gives what a fresh assembly gives.

#![no_main]

use std::sync::atomic::{AtomicU64, Ordering};

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/common/edits.rs"]
mod edits;

/// Each byte is a throw; where there are no more, the first side is up.
struct Bytes<'b>(std::slice::Iter<'b, u8>);

impl edits::Dice for Bytes<'_> {
    fn below(&mut self, sides: usize) -> usize {
        self.0.next().map_or(0, |byte| usize::from(*byte) % sides)
    }
}

/// How many edits were checked.
static EDITS: AtomicU64 = AtomicU64::new(0);

fuzz_target!(|bytes: &[u8]| {
    const SHOWN: u64 = 1_000_000;
    let more = edits::check(&mut Bytes(bytes.iter()), 0);
    let before = EDITS.fetch_add(more, Ordering::Relaxed);
    if before / SHOWN < (before + more) / SHOWN {
        eprintln!("{} edits checked", before + more);
    }
});
