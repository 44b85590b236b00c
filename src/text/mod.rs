//! What is true of any text: white space, lengths, search, and finding one among many.

pub(crate) mod fact_escape;
pub(crate) mod hash_table;
pub(crate) mod search;
pub(crate) mod utf16;
pub(crate) mod whitespace;
