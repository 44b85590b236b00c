//! How large an input may be.
//!
//! The memory of a WebAssembly instance never shrinks, so what comes from outside is bounded: each input where JSON or
//! a JavaScript value is read, and what an [`Assembler`](crate::Assembler) holds after each edit.

/// The most bytes of text in one input: all strings and field names together, as UTF-8. A handle may hold as much.
pub const MAX_TEXT_BYTES: usize = 8 * 1024 * 1024;

/// The most bytes of JSON source for one input; escapes make it longer than the text it holds.
pub const MAX_JSON_BYTES: usize = 4 * MAX_TEXT_BYTES;

/// The deepest nesting of lists and objects in one input. A valid input needs five levels.
pub const MAX_DEPTH: usize = 32;

/// The most values (texts, numbers, lists, objects …) in one input.
pub const MAX_VALUES: usize = 1_000_000;

/// The most diagnostics of one result, whatever they are about; one more then tells how many were left out.
///
/// A list may hold a million items, and a stranger may have written it.
pub const MAX_DIAGNOSTICS: usize = 100;
