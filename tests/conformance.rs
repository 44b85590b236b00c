//! Runs every conformance vector through the native crate; one failing line does not hide the next.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::fs;
use std::path::Path;

use prompt_strata::{
    AssembleInput, BlockParts, CacheBlock, CachePolicy, Descriptor, Dialect, Drift, Fact, Items,
    LayerContent, ResolveInput, SubLayer, Untrusted, Volatility, assemble, build_blocks, demote,
    drift, flatten_blocks, get_block, layer_label, parse_block_name, parse_guardrails, parse_seed,
    render_facts, render_guardrails, resolve, set_block, sub_layer_path,
};
use serde_json::{Map, Value, json};
use similar_asserts::SimpleDiff;

fn text(args: &Value, name: &str) -> String {
    args[name].as_str().unwrap_or_default().to_owned()
}

fn texts(value: &Value) -> Vec<&str> {
    let list = value.as_array().into_iter().flatten();
    list.filter_map(Value::as_str).collect()
}

fn content(value: &Value) -> LayerContent<'_> {
    let field = |name: &str| value[name].as_str().map(Into::into);
    LayerContent {
        identity: field("identity"),
        operating_rules: field("operating_rules"),
        instructions: field("instructions"),
        guardrails: Items::from_iter(texts(&value["guardrails"])),
        surface_notes: Items::from_iter(texts(&value["surface_notes"])),
    }
}

/// Content in the spelling of the vectors.
fn snake(content: &LayerContent<'_>) -> Value {
    let wire = json!(content);
    let fields = wire.as_object().unwrap().iter();
    let fields = fields.map(|(name, value)| {
        let name = match name.as_str() {
            "operatingRules" => "operating_rules",
            "surfaceNotes" => "surface_notes",
            name => name,
        };
        (name.to_owned(), value.clone())
    });
    Value::Object(fields.collect())
}

fn descriptors(value: &Value) -> Vec<Descriptor> {
    let list = value.as_array().unwrap().iter();
    list.map(|it| Descriptor {
        block: text(it, "block").into(),
        layer: text(it, "layer").into(),
        source: it["source"].as_str().map(str::to_owned),
        digest: text(it, "digest"),
        bytes: it["bytes"].as_u64().unwrap(),
    })
    .collect()
}

fn drifted(drift: &Drift) -> Value {
    let changed = drift.changed.iter().map(|it| json!([it.was, it.now]));
    json!({
        "drift": {
            "added": drift.added,
            "removed": drift.removed,
            "changed": changed.collect::<Vec<_>>(),
        },
        "lines": drift.lines,
    })
}

fn run(op: &str, args: &Value) -> Value {
    match op {
        "assemble" => {
            json!(assemble(AssembleInput::from_json(&args.to_string()).unwrap()).unwrap())
        }
        "resolve" => {
            let resolved = resolve(ResolveInput::from_json(&args.to_string()).unwrap()).unwrap();
            json!({
                "text": resolved.prefix,
                "tail": resolved.tail,
                "descriptors": resolved.descriptors,
                "fingerprint": resolved.fingerprint,
                "blocks": resolved.effective,
            })
        }
        "parse_guardrails" => {
            let dialect = match args["dialect"].as_str() {
                Some("markdown") => Dialect::Markdown,
                _ => Dialect::Strict,
            };
            json!(parse_guardrails(&text(args, "text"), dialect).unwrap())
        }
        "render_guardrails" => json!(render_guardrails(texts(&args["rules"]))),
        "parse_block" => json!(parse_block_name(&text(args, "value"))),
        "layer_label" => json!(layer_label(&text(args, "wire"))),
        "stance" => {
            let input = json!({"layers": [], "runtime": {"epistemicStance": args["stance"]}});
            let input = input.to_string();
            json!(
                assemble(AssembleInput::from_json(&input).unwrap())
                    .unwrap()
                    .tail
            )
        }
        "sub_layer" => {
            let kind = match args["kind"].as_str() {
                Some("agents") => SubLayer::Agents,
                _ => SubLayer::Surface,
            };
            json!(sub_layer_path(kind, &text(args, "name"), Some("R")))
        }
        "parse_seed" => {
            let seed = parse_seed(&text(args, "text"), &text(args, "version")).unwrap();
            json!({
                "content": snake(&seed.content),
                "identity": seed.content.identity,
                "capability_contract": seed.capability_contract,
                "presentation_contract": seed.presentation_contract,
                "sandbox_contract": seed.sandbox_contract,
            })
        }
        "demote" => snake(&demote(
            content(&args["content"]),
            Untrusted::GuardrailsOnly,
        )),
        "set_block" => {
            let block = parse_block_name(&text(args, "block")).unwrap();
            let edited = set_block(content(&args["content"]), block, args["text"].as_str());
            json!({
                "content": snake(&edited),
                "block": get_block(&edited, block),
                "is_empty": edited == LayerContent::default(),
            })
        }
        "drift" => drift(
            &descriptors(&args["frozen"]),
            &descriptors(&args["current"]),
        )
        .map_or(Value::Null, |drift| drifted(&drift)),
        "build_blocks" => {
            let part = |name: &str| args[name].as_str().map(|text| text.to_owned().into());
            json!(build_blocks(&BlockParts {
                workspace: part("workspace"),
                skills: part("skills"),
                binding_glue: part("bindingGlue"),
                channel_meta: part("channelMeta"),
            }))
        }
        "flatten_blocks" => {
            let blocks = args["blocks"].as_array().unwrap().iter();
            let blocks = blocks.map(|block| CacheBlock {
                label: text(block, "label").into(),
                text: text(block, "text"),
                cache: match block["cache"].as_str() {
                    Some("1h") => CachePolicy::OneHour,
                    Some("5m") => CachePolicy::FiveMinutes,
                    _ => CachePolicy::Never,
                },
            });
            json!(flatten_blocks(&blocks.collect::<Vec<_>>()))
        }
        "render_facts" => {
            let facts = args["facts"].as_array().unwrap().iter();
            let facts = facts.map(|fact| Fact {
                key: text(fact, "key").into(),
                value: text(fact, "value").into(),
                volatility: match fact["volatility"].as_str() {
                    Some("dynamic") => Volatility::Dynamic,
                    _ => Volatility::Static,
                },
            });
            json!(render_facts(&facts.collect::<Vec<_>>()).unwrap())
        }
        other => panic!("no runner for the op {other}"),
    }
}

/// What of `got` a vector speaks of: all of it, or the keys that `want` has.
fn narrowed(got: &Value, want: &Value) -> Value {
    match (got, want) {
        (Value::Object(got), Value::Object(want)) => {
            let named = want.keys().map(|key| (key.clone(), got.get(key).cloned()));
            let named = named.map(|(key, value)| (key, value.unwrap_or(Value::Null)));
            Value::Object(named.collect::<Map<_, _>>())
        }
        _ => got.clone(),
    }
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap()
}

fn check(file: &str, partial: bool, at_least: usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/conformance")
        .join(file);
    let lines = fs::read_to_string(path).unwrap();
    let mut failures = Vec::new();
    let mut count = 0;
    for (line, number) in lines.lines().zip(1..) {
        let vector: Value = serde_json::from_str(line).unwrap();
        let got = run(vector["op"].as_str().unwrap(), &vector["args"]);
        let want = &vector["want"];
        let got = if partial || vector["op"] == "assemble" {
            narrowed(&got, want)
        } else {
            drop_extra(&vector, got)
        };
        count += 1;
        if got != *want {
            let (want, got) = (pretty(want), pretty(&got));
            let diff = SimpleDiff::from_str(&want, &got, "want", "got");
            failures.push(format!("{file}:{number} {}\n{diff}", vector["name"]));
        }
    }
    assert!(
        count >= at_least,
        "{file} holds {count} vectors, fewer than {at_least}"
    );
    assert!(
        failures.is_empty(),
        "{} of {count} vectors fail\n{}",
        failures.len(),
        failures.join("\n")
    );
}

/// Drops what the runner adds for the vectors of another file.
fn drop_extra(vector: &Value, mut got: Value) -> Value {
    if vector["op"] == "parse_seed" {
        got.as_object_mut().unwrap().remove("identity");
    }
    got
}

#[test]
fn guardrails() {
    check("guardrails.jsonl", false, 89);
}

#[test]
fn resolutions() {
    check("resolve.jsonl", false, 87);
}

#[test]
fn names_files_and_edits() {
    check("names-files-edits.jsonl", false, 61);
}

#[test]
fn drifts() {
    check("drift.jsonl", false, 40);
}

#[test]
fn blocks_and_facts() {
    check("blocks-facts.jsonl", false, 70);
}

#[test]
fn assemblies() {
    check("assemble.jsonl", false, 47);
}

#[test]
fn departures() {
    check("departures.jsonl", true, 45);
}

#[test]
fn wording() {
    let wording = include_str!("conformance/wording.json");
    let want: Value = serde_json::from_str(wording).unwrap();
    let source = prompt_strata::Wording::source();
    assert_eq!(
        source.guardrails_heading,
        want["guardrailsHeading"].as_str().unwrap()
    );
    assert_eq!(
        source.surface_notes_heading,
        want["surfaceNotesHeading"].as_str().unwrap()
    );
    assert_eq!(
        source.instructions_heading,
        want["instructionsHeading"].as_str().unwrap()
    );
    assert_eq!(
        source.stance_clarifier,
        want["stanceClarifier"].as_str().unwrap()
    );
    assert_eq!(source.facts_note, want["factsNote"].as_str().unwrap());
    assert_eq!(
        source.untrusted_heading,
        want["untrustedHeading"].as_str().unwrap()
    );
}
