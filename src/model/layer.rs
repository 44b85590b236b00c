//! The seven layers, broadest to narrowest.

use std::fmt;

use serde::Serialize;

use crate::model::error::{ErrorCode, StrataError, expected, quote};

/// One place configuration comes from. The order is by breadth: `Seed < Shared < … < Agent`.
///
/// ```
/// use prompt_strata::Layer;
/// assert!(Layer::Seed < Layer::Workspace);
/// assert_eq!("agent".parse(), Ok(Layer::Agent));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Layer {
    /// What the product ships.
    Seed,
    /// What all workspaces of a host share.
    Shared,
    /// The project at hand; the only layer that a stranger may have written.
    Workspace,
    /// Where the conversation is shown: a terminal, a messenger.
    Surface,
    /// One bot.
    Bot,
    /// One conversation.
    Chat,
    /// One agent role.
    Agent,
}

impl Layer {
    /// All layers, broadest first.
    pub const ALL: [Self; 7] = [
        Self::Seed,
        Self::Shared,
        Self::Workspace,
        Self::Surface,
        Self::Bot,
        Self::Chat,
        Self::Agent,
    ];

    /// The name on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Seed => "seed",
            Self::Shared => "shared",
            Self::Workspace => "workspace",
            Self::Surface => "surface",
            Self::Bot => "bot",
            Self::Chat => "chat",
            Self::Agent => "agent",
        }
    }

    /// The name for a person.
    ///
    /// ```
    /// use prompt_strata::Layer;
    /// assert_eq!(Layer::Seed.label(), "shipped default");
    /// ```
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Seed => "shipped default",
            Self::Shared => "Shared",
            Self::Workspace => "This workspace",
            Self::Surface => "surface",
            Self::Bot => "bot",
            Self::Chat => "chat",
            Self::Agent => "agent role",
        }
    }

    /// Whether the layer belongs to a project, and so may come from a stranger.
    #[must_use]
    pub fn is_project_scoped(self) -> bool {
        self == Self::Workspace
    }

    /// The layer of a wire name, spelt exactly.
    pub(crate) fn from_wire(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|layer| layer.as_str() == name)
    }

    pub(crate) fn unknown(name: &str, path: &dyn fmt::Display) -> StrataError {
        StrataError::at(
            ErrorCode::UnknownLayer,
            path,
            format_args!("unknown layer {}", quote(name)),
            &expected(&Self::ALL.map(Self::as_str)),
        )
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl std::str::FromStr for Layer {
    type Err = StrataError;

    /// Reads a wire name.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::UnknownLayer`] for any other text; letter case counts.
    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::from_wire(name).ok_or_else(|| Self::unknown(name, &""))
    }
}

/// The label of a wire name; a name this build does not know is its own label.
///
/// A ledger may be written by a newer build, so this never fails.
///
/// ```
/// use prompt_strata::layer_label;
/// assert_eq!(layer_label("workspace"), "This workspace");
/// assert_eq!(layer_label("tenant"), "tenant");
/// ```
#[must_use]
pub fn layer_label(wire: &str) -> &str {
    match Layer::from_wire(wire) {
        Some(layer) => layer.label(),
        None => wire,
    }
}
