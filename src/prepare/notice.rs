//! What there is to say about a layer, before its place in the input is known.

use std::fmt;

use crate::model::diagnostic::DiagnosticCode;

/// Where in a layer input something stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Layer,
    Trusted,
    Identity,
    OperatingRules,
    Instructions,
    Guardrails(Option<usize>),
    SurfaceNotes(Option<usize>),
}

impl Place {
    /// The fields of a layer input, in the order of diagnostics.
    pub(crate) const FIELDS: [Self; 7] = [
        Self::Layer,
        Self::Trusted,
        Self::Identity,
        Self::OperatingRules,
        Self::Instructions,
        Self::Guardrails(None),
        Self::SurfaceNotes(None),
    ];

    /// The item, where it is one of a list.
    pub(crate) fn item(self) -> Option<usize> {
        match self {
            Self::Guardrails(item) | Self::SurfaceNotes(item) => item,
            _ => None,
        }
    }

    /// The place without the item.
    pub(crate) fn field(self) -> Self {
        match self {
            Self::Guardrails(_) => Self::Guardrails(None),
            Self::SurfaceNotes(_) => Self::SurfaceNotes(None),
            other => other,
        }
    }
}

impl fmt::Display for Place {
    /// Writes the path below the layer input.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (field, item) = match *self {
            Self::Layer => ("layer", None),
            Self::Trusted => ("trusted", None),
            Self::Identity => ("content.identity", None),
            Self::OperatingRules => ("content.operatingRules", None),
            Self::Instructions => ("content.instructions", None),
            Self::Guardrails(item) => ("content.guardrails", item),
            Self::SurfaceNotes(item) => ("content.surfaceNotes", item),
        };
        f.write_str(field)?;
        item.map_or(Ok(()), |item| write!(f, "[{item}]"))
    }
}

/// The place of an item in a list block, or of the whole list.
pub(crate) type ListPlace = fn(Option<usize>) -> Place;

/// A diagnostic before the layer's position in the input is known.
#[derive(Clone, Debug)]
pub(crate) struct Notice {
    pub(crate) code: DiagnosticCode,
    pub(crate) place: Place,
    pub(crate) message: String,
}
