//! A layer's files and seed files, as text: this crate never touches a filesystem.

pub(crate) mod block_name;
pub(crate) mod edit;
pub(crate) mod layer_files;
pub(crate) mod seed;
pub(crate) mod sub_layer;
