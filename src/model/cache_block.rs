//! Cache blocks: slices of the system prompt, each with a cache policy.

use std::borrow::Cow;

use serde::Serialize;

/// How long a provider should keep what ends with a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum CachePolicy {
    /// An hour: text that is the same for a session.
    #[serde(rename = "1h")]
    OneHour,
    /// Five minutes: text that varies by turn or sender.
    #[serde(rename = "5m")]
    FiveMinutes,
    /// Not at all.
    #[serde(rename = "none")]
    Never,
}

impl CachePolicy {
    /// The spelling on the wire: `1h`, `5m` or `none`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::OneHour => "1h",
            Self::FiveMinutes => "5m",
            Self::Never => "none",
        }
    }
}

/// The four slices of a system prompt, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum BlockLabel {
    Workspace,
    Skills,
    BindingGlue,
    ChannelMeta,
}

impl BlockLabel {
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Workspace => "workspace",
            Self::Skills => "skills",
            Self::BindingGlue => "binding_glue",
            Self::ChannelMeta => "channel_meta",
        }
    }

    pub(crate) fn cache(self) -> CachePolicy {
        match self {
            Self::Workspace | Self::Skills | Self::BindingGlue => CachePolicy::OneHour,
            Self::ChannelMeta => CachePolicy::FiveMinutes,
        }
    }

    pub(crate) fn block(self, text: &str) -> CacheBlock {
        CacheBlock {
            label: self.label().into(),
            text: text.to_owned(),
            cache: self.cache(),
        }
    }
}

/// A slice of the system prompt. A provider's breakpoint belongs at its end, unless the policy is `none`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CacheBlock {
    /// What the slice holds: `workspace`, `skills`, `binding_glue`, `channel_meta`, or a host's own name.
    pub label: Cow<'static, str>,
    /// The text, to the byte.
    pub text: String,
    /// How long to keep it.
    pub cache: CachePolicy,
}

/// What [`build_blocks`](crate::build_blocks) makes blocks of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockParts<'a> {
    /// Policy and surface; kept for an hour.
    pub workspace: Option<Cow<'a, str>>,
    /// Skills and tools; kept for an hour.
    pub skills: Option<Cow<'a, str>>,
    /// What binds this host; kept for an hour.
    pub binding_glue: Option<Cow<'a, str>>,
    /// Sender and channel; kept for five minutes.
    pub channel_meta: Option<Cow<'a, str>>,
}
