//! The shapes of every input, field by field. The names are the wire's, in camelCase.

use std::borrow::Cow;

use crate::model::assembly::{AssembleInput, ResolveInput};
use crate::model::cache_block::{BlockParts, CacheBlock, CachePolicy};
use crate::model::content::{Items, LayerContent, LayerInput};
use crate::model::descriptor::Descriptor;
use crate::model::error::StrataError;
use crate::model::fact::{Fact, Volatility};
use crate::model::layer::Layer;
use crate::model::options::{Dialect, Options, Untrusted};
use crate::model::path::Path;
use crate::model::runtime::RuntimeSections;
use crate::model::turn::Turn;
use crate::model::wording::Wording;
use crate::read::fields::{Fields, one_of};
use crate::read::{FromValue, Value, json};

impl<'a> AssembleInput<'a> {
    /// Reads an input from JSON. Texts are borrowed from `json` where they hold no escapes.
    ///
    /// # Errors
    ///
    /// Whatever is wrong with it, with its path: see [`StrataError`].
    pub fn from_json(json: &'a str) -> Result<Self, StrataError> {
        json::read(json)
    }

    /// The same for bytes, which have to be UTF-8.
    ///
    /// # Errors
    ///
    /// As [`AssembleInput::from_json`], and [`ErrorCode::InvalidUtf8`](crate::ErrorCode::InvalidUtf8).
    pub fn from_json_bytes(json: &'a [u8]) -> Result<Self, StrataError> {
        json::read(json::utf8(json)?)
    }
}

impl<'a> ResolveInput<'a> {
    /// Reads an input from JSON. Texts are borrowed from `json` where they hold no escapes.
    ///
    /// # Errors
    ///
    /// Whatever is wrong with it, with its path: see [`StrataError`].
    pub fn from_json(json: &'a str) -> Result<Self, StrataError> {
        json::read(json)
    }
}

impl<'a> FromValue<'a> for AssembleInput<'a> {
    fn from_value(value: &mut Value<'a>, path: &Path<'_>) -> Result<Self, StrataError> {
        let known = [
            "layers",
            "runtime",
            "facts",
            "bindingGlue",
            "channelMeta",
            "options",
        ];
        Self::read(value, path, &known)
    }
}

impl<'a> AssembleInput<'a> {
    /// The fields of a mere resolution.
    pub(crate) const RESOLVED: [&'static str; 3] = ["layers", "runtime", "options"];

    /// Reads an input that may have the fields `known`.
    pub(crate) fn read(
        value: &mut Value<'a>,
        path: &Path<'_>,
        known: &[&'static str],
    ) -> Result<Self, StrataError> {
        let mut fields = Fields::open(value, path, known)?;
        let read = Self {
            layers: fields.required("layers"),
            runtime: fields.or_default("runtime"),
            facts: fields.or_default("facts"),
            binding_glue: fields.text("bindingGlue"),
            channel_meta: fields.text("channelMeta"),
            options: fields.or_default("options"),
        };
        fields.finish(read)
    }
}

impl<'a> FromValue<'a> for ResolveInput<'a> {
    fn from_value(value: &mut Value<'a>, path: &Path<'_>) -> Result<Self, StrataError> {
        let input = AssembleInput::read(value, path, &AssembleInput::RESOLVED)?;
        Ok(Self {
            layers: input.layers,
            runtime: input.runtime,
            options: input.options,
        })
    }
}

impl<'a> FromValue<'a> for Turn<'a> {
    fn from_value(value: &mut Value<'a>, path: &Path<'_>) -> Result<Self, StrataError> {
        let known = ["facts", "channelMeta", "epistemicStance", "temporal"];
        let mut fields = Fields::open(value, path, &known)?;
        let read = Self {
            facts: fields.optional("facts"),
            channel_meta: fields.text("channelMeta"),
            epistemic_stance: fields.text("epistemicStance"),
            temporal: fields.text("temporal"),
        };
        fields.finish(read)
    }
}

impl<'a> FromValue<'a> for LayerInput<'a> {
    fn from_value(value: &mut Value<'a>, path: &Path<'_>) -> Result<Self, StrataError> {
        let mut fields = Fields::open(value, path, &["layer", "source", "trusted", "content"])?;
        let read = Self {
            layer: fields.required_or("layer", Layer::Seed),
            source: fields.text("source"),
            trusted: fields.optional("trusted"),
            content: fields.required("content"),
        };
        fields.finish(read)
    }
}

impl<'a> FromValue<'a> for Layer {
    fn from_value(value: &mut Value<'a>, path: &Path<'_>) -> Result<Self, StrataError> {
        let name = Cow::<'a, str>::from_value(value, path)?;
        Layer::from_wire(&name).ok_or_else(|| Layer::unknown(&name, path))
    }
}

impl<'a> FromValue<'a> for LayerContent<'a> {
    fn from_value(value: &mut Value<'a>, path: &Path<'_>) -> Result<Self, StrataError> {
        let known = [
            "identity",
            "operatingRules",
            "instructions",
            "guardrails",
            "surfaceNotes",
        ];
        let mut fields = Fields::open(value, path, &known)?;
        let read = Self {
            identity: fields.text("identity"),
            operating_rules: fields.text("operatingRules"),
            instructions: fields.text("instructions"),
            guardrails: fields.or_default("guardrails"),
            surface_notes: fields.or_default("surfaceNotes"),
        };
        fields.finish(read)
    }
}

impl<'a> FromValue<'a> for Items<'a> {
    fn from_value(value: &mut Value<'a>, path: &Path<'_>) -> Result<Self, StrataError> {
        match value {
            Value::Text(text) => Ok(Self::Text(std::mem::take(text))),
            Value::List(_) => Vec::from_value(value, path).map(Self::List),
            other => Err(other.wrong_type("a list of texts, or one text", path)),
        }
    }
}

impl<'a> FromValue<'a> for RuntimeSections<'a> {
    fn from_value(value: &mut Value<'a>, path: &Path<'_>) -> Result<Self, StrataError> {
        let known = [
            "capabilityContract",
            "presentationContract",
            "sandboxContract",
            "surface",
            "skills",
            "mcp",
            "toolIndex",
            "standing",
            "epistemicStance",
            "temporal",
        ];
        let mut fields = Fields::open(value, path, &known)?;
        let read = Self {
            capability_contract: fields.text("capabilityContract"),
            presentation_contract: fields.text("presentationContract"),
            sandbox_contract: fields.text("sandboxContract"),
            surface: fields.text("surface"),
            skills: fields.text("skills"),
            mcp: fields.text("mcp"),
            tool_index: fields.text("toolIndex"),
            standing: fields.text("standing"),
            epistemic_stance: fields.text("epistemicStance"),
            temporal: fields.text("temporal"),
        };
        fields.finish(read)
    }
}

impl<'a> FromValue<'a> for Fact<'a> {
    fn from_value(value: &mut Value<'a>, path: &Path<'_>) -> Result<Self, StrataError> {
        let mut fields = Fields::open(value, path, &["key", "value", "volatility"])?;
        let read = Self {
            key: fields.required_text("key"),
            value: fields.required_text("value"),
            volatility: fields.required_or("volatility", Volatility::Static),
        };
        fields.finish(read)
    }
}

impl<'a> FromValue<'a> for Volatility {
    fn from_value(value: &mut Value<'a>, path: &Path<'_>) -> Result<Self, StrataError> {
        let choices = [("static", Self::Static), ("dynamic", Self::Dynamic)];
        one_of(value, path, &choices)
    }
}

impl<'a> FromValue<'a> for Options<'a> {
    fn from_value(value: &mut Value<'a>, path: &Path<'_>) -> Result<Self, StrataError> {
        let known = ["untrusted", "dialect", "wording", "sections"];
        let mut fields = Fields::open(value, path, &known)?;
        let read = Self {
            untrusted: fields.or_default("untrusted"),
            dialect: fields.or_default("dialect"),
            wording: fields.or_default("wording"),
            sections: fields.or_default("sections"),
        };
        fields.finish(read)
    }
}

impl<'a> FromValue<'a> for Untrusted {
    fn from_value(value: &mut Value<'a>, path: &Path<'_>) -> Result<Self, StrataError> {
        let choices = [
            ("guardrails-only", Self::GuardrailsOnly),
            ("apart", Self::Apart),
            ("drop", Self::Drop),
        ];
        one_of(value, path, &choices)
    }
}

impl<'a> FromValue<'a> for Dialect {
    fn from_value(value: &mut Value<'a>, path: &Path<'_>) -> Result<Self, StrataError> {
        let choices = [("strict", Self::Strict), ("markdown", Self::Markdown)];
        one_of(value, path, &choices)
    }
}

/// The wording that a host's own starts from.
#[derive(Clone, Copy, Default)]
enum Base {
    #[default]
    Source,
    Neutral,
}

impl Base {
    fn wording(self) -> Wording<'static> {
        match self {
            Self::Source => Wording::source(),
            Self::Neutral => Wording::neutral(),
        }
    }
}

impl<'a> FromValue<'a> for Base {
    fn from_value(value: &mut Value<'a>, path: &Path<'_>) -> Result<Self, StrataError> {
        let choices = [("source", Self::Source), ("neutral", Self::Neutral)];
        one_of(value, path, &choices)
    }
}

impl<'a> FromValue<'a> for Wording<'a> {
    fn from_value(value: &mut Value<'a>, path: &Path<'_>) -> Result<Self, StrataError> {
        if matches!(value, Value::Text(_)) {
            return Base::from_value(value, path).map(Base::wording);
        }
        if !matches!(value, Value::Map(_)) {
            return Err(value.wrong_type("source, neutral or an object", path));
        }
        let known = [
            "base",
            "guardrailsHeading",
            "surfaceNotesHeading",
            "instructionsHeading",
            "stanceClarifier",
            "factsNote",
            "untrustedHeading",
        ];
        let mut fields = Fields::open(value, path, &known)?;
        let base = fields.or_default::<Base>("base").wording();
        let mut or = |name, text| fields.text(name).unwrap_or(text);
        let read = Self {
            guardrails_heading: or("guardrailsHeading", base.guardrails_heading),
            surface_notes_heading: or("surfaceNotesHeading", base.surface_notes_heading),
            instructions_heading: or("instructionsHeading", base.instructions_heading),
            stance_clarifier: or("stanceClarifier", base.stance_clarifier),
            facts_note: or("factsNote", base.facts_note),
            untrusted_heading: or("untrustedHeading", base.untrusted_heading),
        };
        fields.finish(read)
    }
}

impl<'a> FromValue<'a> for Descriptor {
    fn from_value(value: &mut Value<'a>, path: &Path<'_>) -> Result<Self, StrataError> {
        let known = ["block", "layer", "source", "digest", "bytes"];
        let mut fields = Fields::open_newer(value, path, &known)?;
        let mut text = |name| fields.required_text(name).into_owned();
        let (block, layer, digest) = (text("block"), text("layer"), text("digest"));
        let read = Self {
            block: block.into(),
            layer: layer.into(),
            source: fields.text("source").map(Cow::<'a, str>::into_owned),
            digest,
            bytes: fields.required("bytes"),
        };
        fields.finish(read)
    }
}

impl<'a> FromValue<'a> for BlockParts<'a> {
    fn from_value(value: &mut Value<'a>, path: &Path<'_>) -> Result<Self, StrataError> {
        let known = ["workspace", "skills", "bindingGlue", "channelMeta"];
        let mut fields = Fields::open(value, path, &known)?;
        let read = Self {
            workspace: fields.text("workspace"),
            skills: fields.text("skills"),
            binding_glue: fields.text("bindingGlue"),
            channel_meta: fields.text("channelMeta"),
        };
        fields.finish(read)
    }
}

impl<'a> FromValue<'a> for CacheBlock {
    fn from_value(value: &mut Value<'a>, path: &Path<'_>) -> Result<Self, StrataError> {
        let mut fields = Fields::open(value, path, &["label", "text", "cache"])?;
        let mut text = |name| fields.required_text(name).into_owned();
        let read = Self {
            label: text("label").into(),
            text: text("text"),
            cache: fields.required_or("cache", CachePolicy::Never),
        };
        fields.finish(read)
    }
}

impl<'a> FromValue<'a> for CachePolicy {
    fn from_value(value: &mut Value<'a>, path: &Path<'_>) -> Result<Self, StrataError> {
        let policies = [Self::OneHour, Self::FiveMinutes, Self::Never];
        let choices = policies.map(|policy| (policy.as_str(), policy));
        one_of(value, path, &choices)
    }
}
