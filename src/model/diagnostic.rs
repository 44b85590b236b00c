//! What was dropped, folded or escaped on the way, said aloud.

use std::fmt;

use serde::{Serialize, Serializer};

/// How much a diagnostic matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Text that somebody wrote is not used, and that was hardly meant.
    Error,
    /// Something is probably not as meant.
    Warning,
    /// For the record.
    Info,
}

impl Severity {
    /// The spelling on the wire: `error`, `warning` or `info`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

/// What a diagnostic is about; the wire spelling, [`DiagnosticCode::as_str`], is stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DiagnosticCode {
    /// A layer comes after a narrower one.
    LayerOrder,
    /// A workspace layer without `trusted` counts as trusted.
    TrustUnstated,
    /// Text of an untrusted layer was dropped.
    UntrustedDropped,
    /// A guardrail of an untrusted layer was kept.
    UntrustedKept,
    /// Items that a broader layer, or the same, has already.
    DuplicateFolded,
    /// A layer's empty text hid a broader one.
    Blanked,
    /// Line breaks inside an item became spaces.
    LineBreaksFolded,
    /// A fact was escaped so that it cannot break out of its line or block.
    FactEscaped,
    /// Two facts have one key; both are rendered.
    DuplicateFactKey,
    /// A turn brings a dynamic fact where none was declared, so the prefix does not announce it.
    UndeclaredDynamicFact,
    /// Text before the first block of a seed file is not used.
    SeedPreamble,
    /// A block of a seed file that nobody reads.
    SeedUnknownBlock,
    /// Of a block given several times in a seed file, the last counts.
    SeedRepeatedBlock,
    /// A file of a layer that nobody reads.
    UnknownFile,
    /// Markdown headings in text read in the strict dialect, where they are guardrails of their own.
    MarkdownInStrict,
    /// A line of a seed file that looks like a marker, is none, and stays text.
    SeedMarkerLike,
    /// Two inputs have one layer and source; both are applied.
    LayerRepeated,
    /// An item of an untrusted layer was escaped so that it cannot forge facts.
    ItemEscaped,
    /// There is more to say than a result holds.
    MoreDiagnostics,
}

impl DiagnosticCode {
    /// The stable kebab-case spelling.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::LayerOrder => "layer-order",
            Self::TrustUnstated => "trust-unstated",
            Self::UntrustedDropped => "untrusted-dropped",
            Self::UntrustedKept => "untrusted-kept",
            Self::DuplicateFolded => "duplicate-folded",
            Self::Blanked => "blanked",
            Self::LineBreaksFolded => "line-breaks-folded",
            Self::FactEscaped => "fact-escaped",
            Self::DuplicateFactKey => "duplicate-fact-key",
            Self::UndeclaredDynamicFact => "undeclared-dynamic-fact",
            Self::SeedPreamble => "seed-preamble",
            Self::SeedUnknownBlock => "seed-unknown-block",
            Self::SeedRepeatedBlock => "seed-repeated-block",
            Self::UnknownFile => "unknown-file",
            Self::MarkdownInStrict => "markdown-in-strict",
            Self::SeedMarkerLike => "seed-marker-like",
            Self::LayerRepeated => "layer-repeated",
            Self::ItemEscaped => "item-escaped",
            Self::MoreDiagnostics => "more-diagnostics",
        }
    }

    /// How much it matters.
    #[must_use]
    pub fn severity(self) -> Severity {
        match self {
            Self::SeedUnknownBlock | Self::SeedRepeatedBlock | Self::UnknownFile => Severity::Error,
            Self::LayerOrder
            | Self::TrustUnstated
            | Self::UntrustedDropped
            | Self::LineBreaksFolded
            | Self::FactEscaped
            | Self::DuplicateFactKey
            | Self::UndeclaredDynamicFact
            | Self::SeedPreamble
            | Self::MarkdownInStrict
            | Self::SeedMarkerLike
            | Self::LayerRepeated
            | Self::ItemEscaped
            | Self::MoreDiagnostics => Severity::Warning,
            Self::UntrustedKept | Self::DuplicateFolded | Self::Blanked => Severity::Info,
        }
    }
}

impl Serialize for DiagnosticCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// One thing a host may want to show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// What it is about.
    pub code: DiagnosticCode,
    /// How much it matters; follows from the code.
    pub severity: Severity,
    /// A sentence for a person.
    pub message: String,
    /// Where in the input, as `layers[2].content.guardrails[0]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

impl Diagnostic {
    pub(crate) fn new(
        code: DiagnosticCode,
        message: impl Into<String>,
        path: Option<String>,
    ) -> Self {
        Self {
            code,
            severity: code.severity(),
            message: message.into(),
            path,
        }
    }
}

/// What there is to say, as far as one result has room, and how much more there is.
pub(crate) type Told = (Vec<Diagnostic>, usize);

/// Cuts a list to what one result holds; `more` is how many there are beside it.
///
/// A stranger may have written a million items, each worth a word.
pub(crate) fn at_most(mut found: Vec<Diagnostic>, room: usize, more: usize) -> Vec<Diagnostic> {
    let more = more + found.len().saturating_sub(room);
    found.truncate(room);
    if more > 0 {
        let message = format!("and {more} more");
        found.push(Diagnostic::new(
            DiagnosticCode::MoreDiagnostics,
            message,
            None,
        ));
    }
    found
}

impl fmt::Display for Diagnostic {
    /// Writes `warning: message (path)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.severity.as_str(), self.message)?;
        match &self.path {
            Some(path) => write!(f, " ({path})"),
            None => Ok(()),
        }
    }
}
