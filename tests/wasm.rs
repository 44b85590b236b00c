//! The boundary to JavaScript where it is one: compiled to WebAssembly, in Node and in a browser.

#![cfg(all(target_arch = "wasm32", feature = "wasm"))]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, Error, Function, JSON, Object, Reflect, Uint8Array, WebAssembly};
use prompt_strata::limits::{MAX_DEPTH, MAX_TEXT_BYTES};
use prompt_strata::wasm::{AssemblerHandle, assemble, call};
use prompt_strata::{AssembleInput, Assembly, StrataError, digest, fingerprint};
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

const NULL: u32 = 0;
const NUMBER: u32 = 3;
const TEXT: u32 = 4;
const LIST: u32 = 5;
const MAP: u32 = 6;

const fn sized(tag: u32, size: u32) -> u32 {
    size << 3 | tag
}

fn units(text: &str) -> u32 {
    text.encode_utf16().count() as u32
}

/// A value as JavaScript sends it, written another way than by `pkg/src/tape.js`.
#[derive(Default)]
struct Crossing {
    text: String,
    tape: Vec<u32>,
}

impl Crossing {
    fn of(value: &Value) -> Self {
        let mut crossing = Self::default();
        crossing.write(value);
        crossing
    }

    fn write(&mut self, value: &Value) {
        match value {
            Value::Null => self.tape.push(NULL),
            Value::Bool(value) => self.tape.push(1 + u32::from(*value)),
            Value::Number(number) => {
                // A fraction is not spelt out.
                let digits = number.to_string();
                let digits = Some(digits).filter(|it| !it.contains('.'));
                self.append(NUMBER, &digits.unwrap_or_default());
            }
            Value::String(text) => self.append(TEXT, text),
            Value::Array(list) => {
                self.tape.push(sized(LIST, list.len() as u32));
                list.iter().for_each(|it| self.write(it));
            }
            Value::Object(map) => {
                self.tape.push(sized(MAP, map.len() as u32));
                for (key, value) in map {
                    self.tape.push(units(key));
                    self.text.push_str(key);
                    self.write(value);
                }
            }
        }
    }

    fn append(&mut self, tag: u32, text: &str) {
        self.tape.push(sized(tag, units(text)));
        self.text.push_str(text);
    }
}

fn apply(name: &str, parameters: &Value) -> Result<JsValue, StrataError> {
    let Crossing { text, tape } = Crossing::of(parameters);
    call(name, text, tape)
}

/// What JavaScript would say a value is.
#[track_caller]
fn read(value: &JsValue) -> Value {
    assert!(is_plain(value), "{value:?} is not plain data");
    let text = JSON::stringify(value).unwrap().as_string().unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Whether `JSON.stringify` and `structuredClone` keep all of a value: no class, no `Map`, no `BigInt`, no undefined.
fn is_plain(value: &JsValue) -> bool {
    let body = r#"
        const walk = (it) =>
            it === null ||
            ["string", "number", "boolean"].includes(typeof it) ||
            (Array.isArray(it)
                ? it.every(walk)
                : typeof it === "object" &&
                  Object.getPrototypeOf(it) === Object.prototype &&
                  Object.values(it).every(walk));
        return walk(value) && JSON.stringify(structuredClone(value)) === JSON.stringify(value);
    "#;
    let check = Function::new_with_args("value", body);
    check.call1(&JsValue::NULL, value).unwrap().is_truthy()
}

/// A refusal as it is thrown; after it, the very next call works.
#[track_caller]
fn refused(result: Result<JsValue, StrataError>) -> Value {
    let thrown = read(&JsValue::from(result.unwrap_err()));
    works();
    thrown
}

#[track_caller]
fn works() {
    let found = apply("renderGuardrails", &json!({"rules": ["a", "é"]})).unwrap();
    assert_eq!(read(&found), "- a\n- é\n");
}

fn disagreement() -> Value {
    let message = "the JavaScript and the WebAssembly of this package do not belong together";
    json!({"code": "internal", "path": "", "message": message})
}

// ---- the tape

#[wasm_bindgen_test]
fn each_type_is_told_apart() {
    for (value, got) in [
        (json!(false), "`false`"),
        (json!(true), "`true`"),
        (json!(7), "the number `7`"),
        (json!(-12345678901_i64), "the number `-12345678901`"),
        (json!(0.5), "a number"),
        (json!([]), "a list"),
        (json!([["x"], {"y": null}]), "a list"),
        (json!({}), "an object"),
        (json!({"text": "x"}), "an object"),
    ] {
        let message = format!("expected text, got {got} at text");
        assert_eq!(
            refused(apply("digest", &json!({"text": value}))),
            json!({"code": "wrong-type", "path": "text", "message": message}),
        );
    }
    // Null is what an argument is that was not given.
    assert_eq!(
        refused(apply("digest", &json!({"text": null}))),
        json!({"code": "missing-field", "path": "text", "message": "missing field `text` at text"}),
    );
    for (value, got) in [
        (json!(null), "null"),
        (json!("it"), "the text `it`"),
        (json!([]), "a list"),
    ] {
        let message = format!("expected an object, got {got}");
        assert_eq!(
            refused(apply("digest", &value)),
            json!({"code": "wrong-type", "path": "", "message": message}),
        );
    }
}

/// Texts of one to four bytes a character, of one and two code units.
const TEXTS: [&str; 12] = [
    "",
    "ascii",
    "é",
    "\u{7ff}\u{800}",
    "नमस्ते",
    "\u{ffff}",
    "😀",
    "\u{10000}\u{10ffff}",
    "a😀b",
    "e\u{301}",
    "\0",
    "\u{feff}",
];

#[wasm_bindgen_test]
fn texts_are_cut_by_utf16_units() {
    for first in TEXTS {
        for second in TEXTS {
            let blocks =
                [first, second, "end"].map(|it| json!({"label": it, "text": it, "cache": "none"}));
            let flat = apply("flattenBlocks", &json!({"blocks": blocks})).unwrap();
            let parts = [first, second, "end"]
                .into_iter()
                .filter(|it| !it.is_empty());
            assert_eq!(read(&flat), parts.collect::<Vec<_>>().join("\n\n"));

            // Keys are cut, too.
            let mut files = json!({});
            files[first] = json!("x");
            files[second] = json!("y");
            files["identity.md"] = json!("z");
            let found = read(&apply("layerFromFiles", &json!({"files": files})).unwrap());
            assert_eq!(found["content"], json!({"identity": "z"}));
            let unknown = found["diagnostics"].as_array().unwrap();
            assert_eq!(unknown.len(), files.as_object().unwrap().len() - 1);
            for (diagnostic, name) in unknown.iter().zip(
                files
                    .as_object()
                    .unwrap()
                    .keys()
                    .filter(|it| *it != "identity.md"),
            ) {
                let shown = name.replace('\0', "\\u0000");
                let path = match name.as_str() {
                    "ascii" => shown,
                    _ => format!("[\"{shown}\"]"),
                };
                assert_eq!(diagnostic["path"], path);
            }
        }
    }
}

#[wasm_bindgen_test]
fn a_wrong_tape_is_an_internal_error() {
    let rows: [(&str, &[u32]); 18] = [
        ("", &[]),
        ("", &[7]),
        ("", &[sized(7, 3)]),
        ("", &[sized(LIST, 1)]),
        ("", &[sized(LIST, 2), NULL]),
        ("", &[sized(LIST, u32::MAX >> 3)]),
        ("", &[sized(MAP, 1)]),
        ("a", &[sized(MAP, 1), 1]),
        ("a", &[sized(MAP, 1), 2, NULL]),
        ("a", &[sized(MAP, u32::MAX >> 3), 1, NULL]),
        ("a", &[sized(TEXT, 2)]),
        ("a", &[sized(TEXT, u32::MAX >> 3)]),
        ("a", &[sized(NUMBER, 2)]),
        // Something is left over.
        ("ab", &[sized(TEXT, 1)]),
        ("", &[NULL, NULL]),
        // Half a pair.
        ("😀", &[sized(TEXT, 1)]),
        ("a😀", &[sized(TEXT, 2)]),
        // More units than there are.
        ("é😀", &[sized(TEXT, 4)]),
    ];
    let mut handle = handle(&json!({"layers": []}));
    for (text, tape) in rows {
        let text = || text.to_owned();
        let tape = || tape.to_vec();
        assert_eq!(refused(call("digest", text(), tape())), disagreement());
        assert_eq!(
            refused(assemble(text(), Some(tape()), None, false)),
            disagreement()
        );
        let made = AssemblerHandle::new(text(), Some(tape()), None);
        assert_eq!(refused(made.map(JsValue::from)), disagreement());
        for method in ["turn", "setLayer", "removeLayer"] {
            assert_eq!(refused(handle.call(method, text(), tape())), disagreement());
        }
    }
    assert_eq!(refused(apply("nonsense", &json!({}))), disagreement());
    assert_eq!(
        read(&handle.call("stable", String::new(), Vec::new()).unwrap())["blocks"],
        json!([])
    );
}

#[wasm_bindgen_test]
fn the_limits_hold_for_a_tape() {
    let mut tape = vec![sized(LIST, 1); MAX_DEPTH + 1];
    tape.push(NULL);
    let path = "[0]".repeat(MAX_DEPTH + 1);
    let message = format!("nested deeper than 32 levels at {path}");
    assert_eq!(
        refused(call("digest", String::new(), tape)),
        json!({"code": "too-deep", "path": path, "message": message}),
    );

    // Half as many code units as bytes: JavaScript lets it pass, the core counts exactly.
    let key = "text".len();
    let fits = "é".repeat((MAX_TEXT_BYTES - key) / 2);
    let too_large = format!("{fits}é");
    assert_eq!(
        refused(apply("parseGuardrails", &json!({"text": too_large}))),
        json!({
            "code": "too-large",
            "path": "text",
            "message": "more than 8388608 bytes of text at text",
        }),
    );
    let items = apply("parseGuardrails", &json!({"text": fits})).unwrap();
    assert_eq!(Array::from(&items).length(), 1);
}

// ---- what is thrown

#[wasm_bindgen_test]
fn a_refusal_is_thrown_as_a_record() {
    let input = json!({"layers": [{"layer": "seed", "content": {"gaurdrails": ["é"]}}]});
    let message = "unknown field `gaurdrails` at layers[0].content.gaurdrails: \
        expected identity, operatingRules, instructions, guardrails or surfaceNotes";
    let expected = json!({
        "code": "unknown-field",
        "path": "layers[0].content.gaurdrails",
        "message": message,
    });
    let Crossing { text, tape } = Crossing::of(&input);
    assert_eq!(refused(assemble(text, Some(tape), None, false)), expected);
    assert_eq!(
        refused(assemble(input.to_string(), None, None, false)),
        expected
    );

    // As JavaScript catches it: no Error, three fields and their order.
    let class = class();
    let arguments = Array::of2(&input.to_string().into(), &JsValue::UNDEFINED);
    let thrown = Reflect::construct(&class, &arguments).unwrap_err();
    assert!(!thrown.is_instance_of::<Error>());
    assert_eq!(read(&thrown), expected);
    let keys = Object::keys(thrown.unchecked_ref::<Object>());
    assert_eq!(keys.join(" ").as_string().unwrap(), "code path message");
    works();
}

#[wasm_bindgen_test]
fn json_text_is_an_input_too() {
    assert_eq!(
        refused(assemble("{\"layers\":[é".to_owned(), None, None, false)),
        json!({
            "code": "invalid-json",
            "path": "layers[0]",
            "message": "not JSON at layers[0]: expected a value, but found `é` at line 1 column 12",
        }),
    );
    let input = whole_input();
    let from_text = assemble(input.to_string(), None, None, false).unwrap();
    let Crossing { text, tape } = Crossing::of(&input);
    let from_tape = assemble(text, Some(tape), None, false).unwrap();
    assert_eq!(read(&from_text), read(&from_tape));
}

#[wasm_bindgen_test]
fn a_resolution_takes_no_facts() {
    let mut input = json!({"layers": [], "facts": []});
    assert_eq!(
        refused(assemble(input.to_string(), None, None, true)),
        json!({
            "code": "unknown-field",
            "path": "facts",
            "message": "unknown field `facts` at facts: expected layers, runtime or options",
        }),
    );
    assert!(assemble(input.to_string(), None, None, false).is_ok());
    input.as_object_mut().unwrap().remove("facts");
    assert!(assemble(input.to_string(), None, None, true).is_ok());
}

// ---- what is returned

/// An input with something of everything, and more than ASCII before what is counted.
fn whole_input() -> Value {
    json!({
        "layers": [
            {"layer": "seed", "content": {
                "identity": "I am 😀", "operatingRules": "Rules é", "guardrails": ["never push 😀", "a\nb"]}},
            {"layer": "workspace", "source": "w: 😀", "trusted": true, "content": {
                "guardrails": "- Never  PUSH 😀\n- é", "surfaceNotes": ["n"]}},
            {"layer": "bot", "content": {"instructions": "do", "surfaceNotes": ["m 😀", "n"]}},
        ],
        "runtime": {"surface": "On 😀\n", "skills": "S\n", "standing": "T\n",
            "epistemicStance": "sure", "temporal": "noon"},
        "facts": [
            {"key": "plan", "value": "pro", "volatility": "static"},
            {"key": "time", "value": "12:00\n", "volatility": "dynamic"},
        ],
        "bindingGlue": "glue",
        "channelMeta": "Bob 😀",
        "options": {"sections": true},
    })
}

fn native(input: &Value) -> Assembly {
    prompt_strata::assemble(AssembleInput::from_json(&input.to_string()).unwrap()).unwrap()
}

/// Puts the parts of a prompt together, as the package does.
fn join(stable: &Value, turn: &Value) -> Value {
    let mut blocks = stable["blocks"].as_array().unwrap().clone();
    let texts = blocks.iter().map(|it| it["text"].as_str().unwrap());
    let prefix = texts.collect::<String>();
    let channel = turn["channelMeta"].as_str().unwrap();
    if !channel.is_empty() {
        blocks.push(json!({"label": "channel_meta", "text": channel, "cache": "5m"}));
    }
    // Lists stand in the first block, by their place.
    let mut effective = stable["effective"].clone();
    for value in effective.as_object_mut().unwrap().values_mut() {
        if let Some(range) = value.as_array() {
            let text: Vec<u16> = blocks[0]["text"].as_str().unwrap().encode_utf16().collect();
            let at = |index: usize| range[index].as_u64().unwrap() as usize;
            *value = json!(String::from_utf16(&text[at(0)..at(1)]).unwrap());
        }
    }
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let diagnostics = [list(&stable["diagnostics"]), list(&turn["diagnostics"])].concat();
    let mut whole = json!({
        "prefix": prefix,
        "tail": turn["tail"],
        "system": format!("{prefix}{channel}"),
        "blocks": blocks,
        "descriptors": stable["descriptors"],
        "fingerprint": stable["fingerprint"],
        "effective": effective,
        "diagnostics": diagnostics,
    });
    if let Some(sections) = stable["sections"].as_array() {
        let own = turn.get("section").into_iter().cloned();
        whole["sections"] = sections.iter().cloned().chain(own).collect();
    }
    whole
}

#[wasm_bindgen_test]
fn a_prompt_is_that_of_the_core() {
    let mut plain = whole_input();
    plain["options"] = json!({"dialect": "markdown", "wording": "neutral"});
    for input in [whole_input(), plain, json!({"layers": []})] {
        let Crossing { text, tape } = Crossing::of(&input);
        let parts = read(&assemble(text, Some(tape), None, false).unwrap());
        assert_eq!(
            join(&parts["stable"], &parts["turn"]),
            json!(native(&input))
        );
    }
}

#[wasm_bindgen_test]
fn each_function_answers() {
    let descriptor = json!({
        "block": "identity", "layer": "from-tomorrow", "source": "😀", "digest": "0".repeat(64),
        "bytes": 9_007_199_254_740_991_u64});
    let mut newer = descriptor.clone();
    newer["digest"] = json!("1".repeat(64));
    let content = json!({"identity": "a", "guardrails": "- é"});
    let rows = [
        (
            "parseGuardrails",
            json!({"text": "# é\n- a", "options": {"dialect": "markdown"}}),
            json!(["é", "a"]),
        ),
        (
            "parseGuardrails",
            json!({"text": "", "options": null}),
            json!([]),
        ),
        ("renderGuardrails", json!({"rules": []}), json!("")),
        ("renderFacts", json!({"facts": []}), json!(null)),
        (
            "renderFacts",
            json!({"facts": [{"key": "é", "value": "</facts>", "volatility": "static"}]}),
            json!("<facts>\n- é: &lt;/facts>\n</facts>"),
        ),
        (
            "buildBlocks",
            json!({"parts": {"skills": "s", "channelMeta": "c", "workspace": " "}}),
            json!([
                {"label": "skills", "text": "s", "cache": "1h"},
                {"label": "channel_meta", "text": "c", "cache": "5m"},
            ]),
        ),
        ("flattenBlocks", json!({"blocks": []}), json!("")),
        (
            "parseSeed",
            json!({"text": "<!-- block: identity -->\nv{{version}}", "options": {"version": "1 😀"}}),
            json!({"content": {"identity": "v1 😀"}, "capabilityContract": "",
                "presentationContract": "", "sandboxContract": "", "diagnostics": []}),
        ),
        ("digest", json!({"text": "é"}), json!(digest("é"))),
        (
            "fingerprint",
            json!({"descriptors": [descriptor]}),
            json!(digest(&format!(
                "identity:from-tomorrow:{}",
                "0".repeat(64)
            ))),
        ),
        (
            "drift",
            json!({"frozen": [descriptor], "current": [descriptor]}),
            json!(null),
        ),
        (
            "drift",
            json!({"frozen": [descriptor], "current": [newer]}),
            json!({"added": [], "removed": [], "changed": [{"was": descriptor, "now": newer}],
                "lines": ["~ identity from from-tomorrow (9007199254740991B → 9007199254740991B)"]}),
        ),
        (
            "setBlock",
            json!({"content": content, "block": "rules", "text": " r "}),
            json!({"identity": "a", "operatingRules": "r", "guardrails": "- é"}),
        ),
        (
            "setBlock",
            json!({"content": content, "block": "identity", "text": null}),
            json!({"guardrails": "- é"}),
        ),
        (
            "getBlock",
            json!({"content": content, "block": "guardrail"}),
            json!("- é\n"),
        ),
        (
            "getBlock",
            json!({"content": content, "block": "surface"}),
            json!(null),
        ),
        (
            "parseBlockName",
            json!({"name": " Surface_Notes"}),
            json!("surface-note"),
        ),
        ("parseBlockName", json!({"name": "é"}), json!(null)),
        (
            "layerLabel",
            json!({"wire": "workspace"}),
            json!("This workspace"),
        ),
        ("layerLabel", json!({"wire": "é"}), json!("é")),
        (
            "layerFromFiles",
            json!({"files": {"identity.md": "", "guardrails.md": null}}),
            json!({"content": {"identity": ""}, "diagnostics": []}),
        ),
        (
            "layerToFiles",
            json!({"content": content}),
            json!({"identity.md": "a\n", "guardrails.md": "- é\n"}),
        ),
        (
            "subLayerPath",
            json!({"kind": "agents", "name": "x", "options": {"root": "é"}}),
            json!("é/.vak/prompts/agents/x"),
        ),
        (
            "subLayerPath",
            json!({"kind": "surface", "name": "é", "options": null}),
            json!(null),
        ),
    ];
    for (name, parameters, expected) in rows {
        let found = apply(name, &parameters).unwrap();
        assert_eq!(read(&found), expected, "{name} of {parameters}");
    }
}

// ---- the handle

fn handle(input: &Value) -> AssemblerHandle {
    let Crossing { text, tape } = Crossing::of(input);
    AssemblerHandle::new(text, Some(tape), None).unwrap()
}

/// The class of handles, as the bindings give it to JavaScript.
fn class() -> Function {
    let handle = JsValue::from(handle(&json!({"layers": []})));
    let class = Reflect::get(&handle, &"constructor".into()).unwrap();
    method(&handle, "free").call0(&handle).unwrap();
    class.unchecked_into()
}

fn method(handle: &JsValue, name: &str) -> Function {
    Reflect::get(handle, &name.into()).unwrap().unchecked_into()
}

/// Calls a method of a handle, from JavaScript.
fn invoke(handle: &JsValue, name: &str, argument: &Value) -> Result<JsValue, JsValue> {
    let Crossing { text, tape } = Crossing::of(argument);
    let tape: Array = tape.into_iter().map(JsValue::from).collect();
    method(handle, "call").call3(handle, &name.into(), &text.into(), &tape)
}

#[wasm_bindgen_test]
fn a_handle_gives_what_changes() {
    let input = whole_input();
    let arguments = Array::of2(&input.to_string().into(), &JsValue::UNDEFINED);
    let handle = Reflect::construct(&class(), &arguments).unwrap();

    let stable = read(&invoke(&handle, "stable", &json!({})).unwrap());
    let turn = read(&invoke(&handle, "turn", &json!({})).unwrap());
    assert_eq!(join(&stable, &turn), json!(native(&input)));

    let facts = json!([{"key": "time", "value": "12:01", "volatility": "dynamic"}]);
    let argument =
        json!({"facts": facts, "channelMeta": "", "epistemicStance": "é", "temporal": null});
    let turn = read(&invoke(&handle, "turn", &argument).unwrap());
    assert_eq!(turn["channelMeta"], "");
    assert_eq!(turn.get("section"), None);
    let tail = turn["tail"].as_str().unwrap();
    assert!(
        tail.starts_with("é\n") && tail.contains("\n\nnoon\n\n"),
        "{tail}"
    );
    assert!(tail.ends_with("<facts>\n- time: 12:01\n</facts>"), "{tail}");

    // A layer changes the first block; what comes after it is as it was, and does not cross again.
    let layer = json!({"layer": "bot", "content": {"identity": "I am é"}});
    let changed = read(&invoke(&handle, "setLayer", &layer).unwrap());
    let mut expected = input.clone();
    expected["layers"][2] = layer;
    let expected = json!(native(&expected));
    let blocks = changed["blocks"].as_array().unwrap();
    assert_eq!(blocks[0]["text"], expected["blocks"][0]["text"]);
    let rest: Vec<Value> = blocks[1..].to_vec();
    assert_eq!(
        rest,
        [
            json!({"label": "skills", "cache": "1h"}),
            json!({"label": "binding_glue", "cache": "1h"}),
        ]
    );
    assert_eq!(changed["fingerprint"], expected["fingerprint"]);
    assert_eq!(changed["descriptors"], expected["descriptors"]);
    assert_eq!(changed["effective"]["identity"], "I am é");
    // All of it still is one handle's prompt.
    let stable = read(&invoke(&handle, "stable", &json!({})).unwrap());
    let turn = read(&invoke(&handle, "turn", &json!({})).unwrap());
    assert_eq!(join(&stable, &turn), expected);

    let nobody = json!({"layer": "workspace", "source": "another"});
    assert!(
        invoke(&handle, "removeLayer", &nobody)
            .unwrap()
            .is_undefined()
    );
    let somebody = json!({"layer": "workspace", "source": "w: 😀"});
    let changed = read(&invoke(&handle, "removeLayer", &somebody).unwrap());
    let left = changed["descriptors"].as_array().unwrap();
    assert!(left.iter().all(|it| it["layer"] != "workspace"), "{left:?}");
    assert!(
        invoke(&handle, "removeLayer", &somebody)
            .unwrap()
            .is_undefined()
    );
    method(&handle, "free").call0(&handle).unwrap();
}

#[wasm_bindgen_test]
fn a_handle_stays_as_it_was_after_a_refusal() {
    let handle = JsValue::from(handle(&whole_input()));
    let state = || {
        let parts = ["stable", "turn"].map(|it| read(&invoke(&handle, it, &json!({})).unwrap()));
        json!(parts)
    };
    let before = state();
    let fact = json!({"key": "plan", "value": "pro", "volatility": "static"});
    for (name, argument, code, path) in [
        (
            "turn",
            json!({"facts": [fact]}),
            "static-fact-in-turn",
            "facts[0].volatility",
        ),
        ("turn", json!({"fact": []}), "unknown-field", "fact"),
        (
            "setLayer",
            json!({"layer": "bot"}),
            "missing-field",
            "content",
        ),
        (
            "setLayer",
            json!({"layer": "é", "content": {}}),
            "unknown-layer",
            "layer",
        ),
        (
            "removeLayer",
            json!({"layer": null}),
            "missing-field",
            "layer",
        ),
        (
            "removeLayer",
            json!({"layer": "Bot"}),
            "unknown-layer",
            "layer",
        ),
    ] {
        let thrown = read(&invoke(&handle, name, &argument).unwrap_err());
        assert_eq!(
            (&thrown["code"], &thrown["path"]),
            (&json!(code), &json!(path))
        );
        assert_eq!(state(), before);
    }
    method(&handle, "free").call0(&handle).unwrap();
}

#[wasm_bindgen_test]
fn a_freed_handle_refuses_and_others_work() {
    let (first, second) = (whole_input(), json!({"layers": []}));
    let (first, second) = (
        JsValue::from(handle(&first)),
        JsValue::from(handle(&second)),
    );
    method(&first, "free").call0(&first).unwrap();
    for _ in 0..2 {
        let thrown = invoke(&first, "turn", &json!({})).unwrap_err();
        assert!(thrown.is_instance_of::<Error>(), "{thrown:?}");
        works();
    }
    assert_eq!(
        read(&invoke(&second, "turn", &json!({})).unwrap())["tail"],
        ""
    );
    method(&second, "free").call0(&second).unwrap();
}

#[wasm_bindgen_test]
fn what_is_freed_is_given_back() {
    let bytes = 1 << 20;
    let input = json!({"layers": [], "bindingGlue": "x".repeat(bytes)});
    let once = || {
        let handle = JsValue::from(handle(&input));
        invoke(&handle, "turn", &json!({})).unwrap();
        method(&handle, "free").call0(&handle).unwrap();
        apply("digest", &json!({"text": "x".repeat(bytes / 8)})).unwrap();
    };
    let pages = || {
        let memory: WebAssembly::Memory = wasm_bindgen::memory().unchecked_into();
        let buffer: js_sys::ArrayBuffer = memory.buffer().unchecked_into();
        buffer.byte_length() as usize
    };
    (0..3).for_each(|_| once());
    let before = pages();
    (0..20).for_each(|_| once());
    let grown = pages() - before;
    assert!(
        grown < 2 * bytes,
        "{grown} bytes more after 20 handles of {bytes}"
    );
}

// ---- the host's hasher

/// A host's hasher that notes how many bytes it was given.
fn host(answer: fn(&str) -> String) -> (JsValue, Rc<RefCell<Vec<usize>>>) {
    let seen = Rc::new(RefCell::new(Vec::new()));
    let noted = Rc::clone(&seen);
    let sha256 = Closure::<dyn FnMut(Uint8Array) -> String>::new(move |bytes: Uint8Array| {
        let bytes = bytes.to_vec();
        noted.borrow_mut().push(bytes.len());
        answer(&String::from_utf8(bytes).unwrap())
    });
    let host = Object::new();
    Reflect::set(&host, &"sha256".into(), &sha256.into_js_value()).unwrap();
    (host.into(), seen)
}

/// Instructions, since each layer with some has a descriptor of its own.
fn instructing(texts: &[&str]) -> Value {
    let layers = texts.iter().enumerate().map(|(at, text)| {
        json!({"layer": "bot", "source": at.to_string(), "content": {"instructions": text}})
    });
    json!({"layers": layers.collect::<Vec<_>>()})
}

#[wasm_bindgen_test]
fn the_hasher_of_the_host_is_asked_above_the_threshold() {
    let texts = [
        "a".repeat(511),
        "b".repeat(512),
        "é".repeat(255),
        "é".repeat(256),
        "😀".repeat(1000),
    ];
    let texts = texts.each_ref().map(String::as_str);
    let input = instructing(&texts);
    let Crossing { text, tape } = Crossing::of(&input);
    let run = |host| read(&assemble(text.clone(), Some(tape.clone()), host, false).unwrap());

    let (honest, seen) = host(digest);
    assert_eq!(run(Some(honest.unchecked_into())), run(None));
    // The same bytes, in the order of the descriptors; the list of them is short enough to hash here.
    assert_eq!(*seen.borrow(), [512, 512, 4000]);

    // One that answers wrongly shows which digests are its own.
    let wrong = "f".repeat(64);
    let (liar, _) = host(|_| "f".repeat(64));
    let lied = run(Some(liar.unchecked_into()));
    let digests = lied["stable"]["descriptors"].as_array().unwrap().iter();
    let digests: Vec<&str> = digests.map(|it| it["digest"].as_str().unwrap()).collect();
    let (small, other) = (digest(texts[0]), digest(texts[2]));
    assert_eq!(digests, [&*small, &wrong, &other, &wrong, &wrong]);
}

#[wasm_bindgen_test]
fn a_handle_hashes_again_only_what_changed() {
    let texts = ["a".repeat(600), "b".repeat(700)];
    let input = instructing(&texts.each_ref().map(String::as_str));
    let (honest, seen) = host(digest);
    let Crossing { text, tape } = Crossing::of(&input);
    let mut handle = AssemblerHandle::new(text, Some(tape), Some(honest.unchecked_into())).unwrap();
    let mut invoke = |name: &str, argument: &Value| {
        let Crossing { text, tape } = Crossing::of(argument);
        read(&handle.call(name, text, tape).unwrap())
    };
    assert_eq!(*seen.borrow(), [600, 700]);
    invoke("stable", &json!({}));
    invoke("turn", &json!({}));
    assert_eq!(*seen.borrow(), [600, 700]);

    let third =
        json!({"layer": "bot", "source": "1", "content": {"instructions": "c".repeat(800)}});
    let changed = invoke("setLayer", &third);
    assert_eq!(*seen.borrow(), [600, 700, 800]);
    let descriptors = &changed["descriptors"];
    let own: Vec<_> = ["a".repeat(600), "c".repeat(800)]
        .iter()
        .map(|it| digest(it))
        .collect();
    assert_eq!(descriptors[0]["digest"], own[0]);
    assert_eq!(descriptors[1]["digest"], own[1]);
    let left = invoke("removeLayer", &json!({"layer": "bot", "source": "0"}));
    assert_eq!(*seen.borrow(), [600, 700, 800]);
    let only: Vec<prompt_strata::Descriptor> = native(&json!({"layers": [third]})).descriptors;
    assert_eq!(left["fingerprint"], fingerprint(&only));
}
