//! The arguments that only JavaScript has: option objects, names as text, files as a map.

use std::borrow::Cow;

use crate::files::block_name::{BlockName, parse_block_name};
use crate::files::sub_layer::SubLayer;
use crate::model::error::{ErrorCode, StrataError, quote};
use crate::model::layer::Layer;
use crate::model::options::Dialect;
use crate::model::path::Path;
use crate::read::fields::{Fields, one_of};
use crate::read::{FromValue, Value};

/// Which layer of a handle is meant.
pub(super) struct Which<'a> {
    pub(super) layer: Layer,
    pub(super) source: Option<Cow<'a, str>>,
}

impl<'a> FromValue<'a> for Which<'a> {
    fn from_value(value: &mut Value<'a>, path: &Path<'_>) -> Result<Self, StrataError> {
        let mut fields = Fields::open(value, path, &["layer", "source"])?;
        let read = Self {
            layer: fields.required_or("layer", Layer::Seed),
            source: fields.text("source"),
        };
        fields.finish(read)
    }
}

#[derive(Default)]
pub(super) struct GuardrailOptions {
    pub(super) dialect: Dialect,
}

impl<'a> FromValue<'a> for GuardrailOptions {
    fn from_value(value: &mut Value<'a>, path: &Path<'_>) -> Result<Self, StrataError> {
        let mut fields = Fields::open(value, path, &["dialect"])?;
        let dialect = fields.or_default("dialect");
        fields.finish(Self { dialect })
    }
}

#[derive(Default)]
pub(super) struct SeedOptions<'a> {
    pub(super) version: Cow<'a, str>,
}

impl<'a> FromValue<'a> for SeedOptions<'a> {
    fn from_value(value: &mut Value<'a>, path: &Path<'_>) -> Result<Self, StrataError> {
        let mut fields = Fields::open(value, path, &["version"])?;
        let version = fields.required_text("version");
        fields.finish(Self { version })
    }
}

#[derive(Default)]
pub(super) struct PathOptions<'a> {
    pub(super) root: Option<Cow<'a, str>>,
}

impl<'a> FromValue<'a> for PathOptions<'a> {
    fn from_value(value: &mut Value<'a>, path: &Path<'_>) -> Result<Self, StrataError> {
        let mut fields = Fields::open(value, path, &["root"])?;
        let root = fields.text("root");
        fields.finish(Self { root })
    }
}

impl<'a> FromValue<'a> for BlockName {
    fn from_value(value: &mut Value<'a>, path: &Path<'_>) -> Result<Self, StrataError> {
        let name = Cow::<'a, str>::from_value(value, path)?;
        parse_block_name(&name).ok_or_else(|| {
            StrataError::at(
                ErrorCode::UnknownBlock,
                path,
                format_args!("unknown block {}", quote(&name)),
                "expected identity, operating-rules, guardrails or surface-note",
            )
        })
    }
}

impl<'a> FromValue<'a> for SubLayer {
    fn from_value(value: &mut Value<'a>, path: &Path<'_>) -> Result<Self, StrataError> {
        let kinds = [Self::Surface, Self::Agents];
        one_of(value, path, &kinds.map(|kind| (kind.as_str(), kind)))
    }
}

/// Files by name, whatever the names; null is no file.
#[derive(Default)]
pub(super) struct Files<'a>(pub(super) Vec<(Cow<'a, str>, Cow<'a, str>)>);

impl<'a> FromValue<'a> for Files<'a> {
    fn from_value(value: &mut Value<'a>, path: &Path<'_>) -> Result<Self, StrataError> {
        let Value::Map(map) = value else {
            return Err(value.wrong_type("an object", path));
        };
        let mut files = Vec::with_capacity(map.len());
        for (name, text) in map {
            if !matches!(text, Value::Null) {
                let text = Cow::from_value(text, &path.field(name))?;
                files.push((std::mem::take(name), text));
            }
        }
        Ok(Self(files))
    }
}
