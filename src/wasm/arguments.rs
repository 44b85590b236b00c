//! The arguments of the exported functions, each as one object of its parameters' names.

use std::borrow::Cow;

use crate::block_name::{BlockName, parse_block_name};
use crate::cache_block::{BlockParts, CacheBlock};
use crate::content::LayerContent;
use crate::descriptor::Descriptor;
use crate::error::{ErrorCode, StrataError, quote};
use crate::facts::Fact;
use crate::guardrails::Dialect;
use crate::input::fields::{Fields, FromValue, one_of};
use crate::input::{Path, Value};
use crate::layer::Layer;
use crate::layer_files::SubLayer;

/// Declares the parameters of one function, and how they are read: `required`, `optional` or `or_default`.
macro_rules! arguments {
    ($(#[$attribute:meta])? $name:ident $(<$life:lifetime>)? { $($field:ident = $wire:literal: $type:ty, $how:ident $(($stand_in:expr))?;)* }) => {
        $(#[$attribute])?
        pub(super) struct $name $(<$life>)? {
            $(pub(super) $field: $type,)*
        }

        impl<'a> FromValue<'a> for $name $(<$life>)? {
            fn from_value(value: &mut Value<'a>, path: &Path<'_>) -> Result<Self, StrataError> {
                let mut fields = Fields::open(value, path, &[$($wire),*])?;
                let read = Self { $($field: fields.$how($wire $(, $stand_in)?),)* };
                fields.finish(read)
            }
        }
    };
}

arguments!(Which<'a> {
    layer = "layer": Layer, required_or(Layer::Seed);
    source = "source": Option<Cow<'a, str>>, text;
});
arguments!(ParseGuardrails<'a> {
    text = "text": Cow<'a, str>, required;
    options = "options": GuardrailOptions, or_default;
});
arguments!(#[derive(Default)] GuardrailOptions {
    dialect = "dialect": Dialect, or_default;
});
arguments!(RenderGuardrails<'a> {
    rules = "rules": Vec<Cow<'a, str>>, required;
});
arguments!(RenderFacts<'a> {
    facts = "facts": Vec<Fact<'a>>, required;
});
arguments!(BuildBlocks<'a> {
    parts = "parts": BlockParts<'a>, required;
});
arguments!(FlattenBlocks {
    blocks = "blocks": Vec<CacheBlock>, required;
});
arguments!(ParseSeed<'a> {
    text = "text": Cow<'a, str>, required;
    options = "options": SeedOptions<'a>, required;
});
arguments!(#[derive(Default)] SeedOptions<'a> {
    version = "version": Cow<'a, str>, required;
});
arguments!(Digest<'a> {
    text = "text": Cow<'a, str>, required;
});
arguments!(Fingerprint {
    descriptors = "descriptors": Vec<Descriptor>, required;
});
arguments!(Drift {
    frozen = "frozen": Vec<Descriptor>, required;
    current = "current": Vec<Descriptor>, required;
});
arguments!(SetBlock<'a> {
    content = "content": LayerContent<'a>, required;
    block = "block": BlockName, required_or(BlockName::Identity);
    text = "text": Option<Cow<'a, str>>, text;
});
arguments!(GetBlock<'a> {
    content = "content": LayerContent<'a>, required;
    block = "block": BlockName, required_or(BlockName::Identity);
});
arguments!(ParseBlockName<'a> {
    name = "name": Cow<'a, str>, required;
});
arguments!(LayerLabel<'a> {
    wire = "wire": Cow<'a, str>, required;
});
arguments!(LayerFromFiles<'a> {
    files = "files": Files<'a>, required;
});
arguments!(LayerToFiles<'a> {
    content = "content": LayerContent<'a>, required;
});
arguments!(SubLayerPath<'a> {
    kind = "kind": SubLayer, required_or(SubLayer::Surface);
    name = "name": Cow<'a, str>, required;
    options = "options": PathOptions<'a>, or_default;
});
arguments!(#[derive(Default)] PathOptions<'a> {
    root = "root": Option<Cow<'a, str>>, text;
});

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
