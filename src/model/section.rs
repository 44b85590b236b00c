//! Sections: which piece of the system text came from where.

use std::borrow::Cow;

use serde::Serialize;

use crate::model::layer::Layer;

/// A contiguous piece of the system text, with one origin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Section {
    /// The piece: `identity`, `capability-contract`, `guardrails`, `surface`, `facts` …
    pub name: Cow<'static, str>,
    /// The label of the cache block it is in.
    pub block: Cow<'static, str>,
    /// Where it begins, in UTF-16 code units of the system text: what JavaScript's `slice` counts in.
    pub start: usize,
    /// Where it ends, exclusive.
    pub end: usize,
    /// The layer it came from; none for the host's text and for fixed wording.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<Layer>,
    /// The source of that layer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}
