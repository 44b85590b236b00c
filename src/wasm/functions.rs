//! The functions without state, by name.

use serde::Serialize;
use wasm_bindgen::JsValue;

use super::arguments::{
    BuildBlocks, Digest, Drift, Fingerprint, FlattenBlocks, GetBlock, LayerFromFiles, LayerLabel,
    LayerToFiles, ParseBlockName, ParseGuardrails, ParseSeed, RenderFacts, RenderGuardrails,
    SetBlock, SubLayerPath,
};
use super::parts::{Files, LayerFiles};
use super::{Thrown, disagreement, to_js};
use crate::error::StrataError;
use crate::facts;
use crate::input::{FromValue, Path, Value};

fn arguments<'a, A: FromValue<'a>>(value: &mut Value<'a>) -> Result<A, StrataError> {
    A::from_value(value, &Path::ROOT)
}

/// Calls the function `name`; the outer error is the library's, the inner one the boundary's.
pub(super) fn call(name: &str, value: &mut Value<'_>) -> Result<Thrown<JsValue>, StrataError> {
    fn done<T: Serialize>(result: T) -> Result<Thrown<JsValue>, StrataError> {
        Ok(to_js(&result))
    }
    match name {
        "parseGuardrails" => {
            let it: ParseGuardrails<'_> = arguments(value)?;
            done(crate::parse_guardrails(&it.text, it.options.dialect)?)
        }
        "renderGuardrails" => {
            let it: RenderGuardrails<'_> = arguments(value)?;
            done(crate::render_guardrails(it.rules))
        }
        "renderFacts" => {
            let it: RenderFacts<'_> = arguments(value)?;
            facts::check(&it.facts, &Path::ROOT.field("facts"))?;
            done(facts::render(it.facts.iter()))
        }
        "buildBlocks" => {
            let it: BuildBlocks<'_> = arguments(value)?;
            done(crate::build_blocks(&it.parts))
        }
        "flattenBlocks" => {
            let it: FlattenBlocks = arguments(value)?;
            done(crate::flatten_blocks(&it.blocks))
        }
        "parseSeed" => {
            let it: ParseSeed<'_> = arguments(value)?;
            done(crate::parse_seed(&it.text, &it.options.version))
        }
        "digest" => {
            let it: Digest<'_> = arguments(value)?;
            done(crate::digest(&it.text))
        }
        "fingerprint" => {
            let it: Fingerprint = arguments(value)?;
            done(crate::fingerprint(&it.descriptors))
        }
        "drift" => {
            let it: Drift = arguments(value)?;
            done(crate::drift(&it.frozen, &it.current))
        }
        "setBlock" => {
            let it: SetBlock<'_> = arguments(value)?;
            done(crate::set_block(it.content, it.block, it.text.as_deref()))
        }
        "getBlock" => {
            let it: GetBlock<'_> = arguments(value)?;
            done(crate::get_block(&it.content, it.block))
        }
        "parseBlockName" => {
            let it: ParseBlockName<'_> = arguments(value)?;
            done(crate::parse_block_name(&it.name))
        }
        "layerLabel" => {
            let it: LayerLabel<'_> = arguments(value)?;
            done(crate::layer_label(&it.wire))
        }
        "layerFromFiles" => {
            let it: LayerFromFiles<'_> = arguments(value)?;
            let files = it.files.0.iter().map(|(name, text)| (&**name, &**text));
            let (content, diagnostics) = crate::layer_from_files(files);
            done(LayerFiles {
                content,
                diagnostics,
            })
        }
        "layerToFiles" => {
            let it: LayerToFiles<'_> = arguments(value)?;
            done(Files(crate::layer_to_files(&it.content)?))
        }
        "subLayerPath" => {
            let it: SubLayerPath<'_> = arguments(value)?;
            let root = it.options.root.as_deref();
            done(crate::sub_layer_path(it.kind, &it.name, root))
        }
        _ => Err(disagreement()),
    }
}
