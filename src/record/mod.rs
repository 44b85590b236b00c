//! Who contributed what: digests, descriptors, fingerprint and drift.

pub(crate) mod descriptors;
pub(crate) mod digest;
pub(crate) mod drift;
pub(crate) mod fingerprint;
