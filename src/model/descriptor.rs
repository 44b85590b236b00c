//! Descriptors: who contributed what to a prompt.

use std::borrow::Cow;

use serde::Serialize;

/// A digest in lower-case hex: 64 characters.
pub type HexDigest = String;

/// The record of one contribution.
///
/// Blocks and layers are names here, not types: a recorded list may come from a newer build.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Descriptor {
    /// The block: `identity`, `operating-rules`, `instructions`, `guardrails` or `surface-note`.
    pub block: Cow<'static, str>,
    /// The layer's wire name.
    pub layer: Cow<'static, str>,
    /// The layer input's source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The SHA-256 of the text, in lower-case hex.
    pub digest: HexDigest,
    /// The text's length in bytes of UTF-8.
    pub bytes: u64,
}

impl Descriptor {
    /// What says that two descriptors record the same contribution: block, layer and source, each with its length,
    /// so that no two share a key by accident.
    pub(crate) fn key(&self) -> String {
        let source = self.source.as_deref();
        let parts = [Some(&*self.block), Some(&*self.layer), source];
        let mut key = String::new();
        for part in parts.into_iter().flatten() {
            key.push_str(&part.len().to_string());
            key.push(':');
            key.push_str(part);
        }
        key
    }
}
