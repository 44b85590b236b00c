//! One layer made ready: demoted where it is untrusted, its lists parsed and on single lines.

pub(crate) mod changes;
pub(crate) mod item;
pub(crate) mod lists;
pub(crate) mod notice;
pub(crate) mod prepared_layer;
pub(crate) mod size;
pub(crate) mod text_digests;
pub(crate) mod trust;
