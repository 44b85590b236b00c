//! The text and its pieces: the prefix in one pass, the tail, facts and cache blocks.

pub(crate) mod blocks;
pub(crate) mod channel;
pub(crate) mod facts;
pub(crate) mod prefix;
pub(crate) mod tail;
