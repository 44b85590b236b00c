//! The sections that the host's code owns.

use std::borrow::Cow;

use crate::model::content::owned;

/// Text from the host's code, which no layer can edit. Blank sections leave no trace.
///
/// The first eight are part of the stable prefix, the last two of the tail.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuntimeSections<'a> {
    /// What the assistant can do and how it calls tools.
    pub capability_contract: Option<Cow<'a, str>>,
    /// How answers are shown.
    pub presentation_contract: Option<Cow<'a, str>>,
    /// What it may touch.
    pub sandbox_contract: Option<Cow<'a, str>>,
    /// The line that says where the conversation is shown.
    pub surface: Option<Cow<'a, str>>,
    /// The skills it can load.
    pub skills: Option<Cow<'a, str>>,
    /// What the MCP servers say.
    pub mcp: Option<Cow<'a, str>>,
    /// The index of tools.
    pub tool_index: Option<Cow<'a, str>>,
    /// Standing orders and memory that changes seldom.
    pub standing: Option<Cow<'a, str>>,
    /// The stance of this turn.
    pub epistemic_stance: Option<Cow<'a, str>>,
    /// The clock of this turn.
    pub temporal: Option<Cow<'a, str>>,
}

impl RuntimeSections<'_> {
    /// The same with text of its own.
    #[must_use]
    pub fn into_owned(self) -> RuntimeSections<'static> {
        RuntimeSections {
            capability_contract: self.capability_contract.map(owned),
            presentation_contract: self.presentation_contract.map(owned),
            sandbox_contract: self.sandbox_contract.map(owned),
            surface: self.surface.map(owned),
            skills: self.skills.map(owned),
            mcp: self.mcp.map(owned),
            tool_index: self.tool_index.map(owned),
            standing: self.standing.map(owned),
            epistemic_stance: self.epistemic_stance.map(owned),
            temporal: self.temporal.map(owned),
        }
    }
}
