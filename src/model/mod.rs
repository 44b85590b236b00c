//! What people give and get, as plain types, and the errors that both have.

pub(crate) mod assembly;
pub(crate) mod cache_block;
pub(crate) mod content;
pub(crate) mod descriptor;
pub(crate) mod diagnostic;
pub(crate) mod error;
pub(crate) mod fact;
pub(crate) mod layer;
pub mod limits;
pub(crate) mod options;
pub(crate) mod path;
pub(crate) mod runtime;
pub(crate) mod section;
pub(crate) mod turn;
pub(crate) mod wording;
