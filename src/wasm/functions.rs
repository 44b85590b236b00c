//! The functions without state, by name. Each reads its arguments, which come as one object of its parameters' names.

use std::borrow::Cow;

use wasm_bindgen::JsValue;

use super::arguments::{Files, GuardrailOptions, PathOptions, SeedOptions};
use super::convert::{disagreement, to_js};
use super::parts::{LayerFiles, WrittenFiles};
use crate::compose::facts;
use crate::files::block_name::BlockName;
use crate::files::sub_layer::SubLayer;
use crate::model::cache_block::{BlockParts, CacheBlock};
use crate::model::content::LayerContent;
use crate::model::descriptor::Descriptor;
use crate::model::error::StrataError;
use crate::model::fact::{self, Fact};
use crate::model::path::Path;
use crate::read::Value;
use crate::read::fields::Fields;
use crate::record::drift;
use crate::text::hash_table::HashKey;

/// The parameters of each function.
fn parameters(name: &str) -> Option<&'static [&'static str]> {
    Some(match name {
        "parseGuardrails" | "parseSeed" => &["text", "options"],
        "renderGuardrails" => &["rules"],
        "renderFacts" => &["facts"],
        "buildBlocks" => &["parts"],
        "flattenBlocks" => &["blocks"],
        "digest" => &["text"],
        "fingerprint" => &["descriptors"],
        "drift" => &["frozen", "current"],
        "setBlock" => &["content", "block", "text"],
        "getBlock" => &["content", "block"],
        "parseBlockName" => &["name"],
        "layerLabel" => &["wire"],
        "layerFromFiles" => &["files"],
        "layerToFiles" => &["content"],
        "subLayerPath" => &["kind", "name", "options"],
        _ => return None,
    })
}

/// Calls the function `name`.
pub(super) fn call(
    name: &str,
    value: &mut Value<'_>,
    hash_key: &HashKey,
) -> Result<JsValue, StrataError> {
    let known = parameters(name).ok_or_else(disagreement)?;
    let root = Path::ROOT;
    let mut it = Fields::open(value, &root, known)?;
    match name {
        "parseGuardrails" => {
            let text = it.required_text("text");
            let options: GuardrailOptions = it.or_default("options");
            it.finish(())?;
            to_js(&crate::parse_guardrails(&text, options.dialect)?)
        }
        "renderGuardrails" => {
            let rules: Vec<Cow<'_, str>> = it.required("rules");
            it.finish(())?;
            to_js(&crate::render_guardrails(rules))
        }
        "renderFacts" => {
            let stated: Vec<Fact<'_>> = it.required("facts");
            it.finish(())?;
            fact::check(&stated, &root.field("facts"))?;
            to_js(&facts::render(stated.iter()))
        }
        "buildBlocks" => {
            let parts: BlockParts<'_> = it.required("parts");
            it.finish(())?;
            to_js(&crate::build_blocks(&parts))
        }
        "flattenBlocks" => {
            let blocks: Vec<CacheBlock> = it.required("blocks");
            it.finish(())?;
            to_js(&crate::flatten_blocks(&blocks))
        }
        "parseSeed" => {
            let text = it.required_text("text");
            let options: SeedOptions<'_> = it.required("options");
            it.finish(())?;
            to_js(&crate::parse_seed(&text, &options.version)?)
        }
        "digest" => {
            let text = it.required_text("text");
            it.finish(())?;
            to_js(&crate::digest(&text))
        }
        "fingerprint" => {
            let descriptors: Vec<Descriptor> = it.required("descriptors");
            it.finish(())?;
            to_js(&crate::fingerprint(&descriptors))
        }
        "drift" => {
            let frozen: Vec<Descriptor> = it.required("frozen");
            let current: Vec<Descriptor> = it.required("current");
            it.finish(())?;
            to_js(&drift::keyed(&frozen, &current, hash_key))
        }
        "setBlock" => {
            let content: LayerContent<'_> = it.required("content");
            let block = it.required_or("block", BlockName::Identity);
            let text = it.text("text");
            it.finish(())?;
            to_js(&crate::set_block(content, block, text.as_deref()))
        }
        "getBlock" => {
            let content: LayerContent<'_> = it.required("content");
            let block = it.required_or("block", BlockName::Identity);
            it.finish(())?;
            to_js(&crate::get_block(&content, block))
        }
        "parseBlockName" => {
            let name = it.required_text("name");
            it.finish(())?;
            to_js(&crate::parse_block_name(&name))
        }
        "layerLabel" => {
            let wire = it.required_text("wire");
            it.finish(())?;
            to_js(&crate::layer_label(&wire))
        }
        "layerFromFiles" => {
            let files: Files<'_> = it.required("files");
            it.finish(())?;
            let files = files.0.iter().map(|(name, text)| (&**name, &**text));
            let (content, diagnostics) = crate::layer_from_files(files);
            to_js(&LayerFiles {
                content,
                diagnostics,
            })
        }
        "layerToFiles" => {
            let content: LayerContent<'_> = it.required("content");
            it.finish(())?;
            to_js(&WrittenFiles(crate::layer_to_files(&content)?))
        }
        _ => {
            let kind = it.required_or("kind", SubLayer::Surface);
            let name = it.required_text("name");
            let options: PathOptions<'_> = it.or_default("options");
            it.finish(())?;
            to_js(&crate::sub_layer_path(kind, &name, options.root.as_deref()))
        }
    }
}
