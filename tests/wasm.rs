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

use js_sys::{Array, Error, Function, JSON, Object, Reflect, Uint8Array, Uint32Array, WebAssembly};
use prompt_strata::limits::{MAX_DEPTH, MAX_TEXT_BYTES};
use prompt_strata::wasm::{AssemblerHandle, HostHasher, Method, Receiver, call};
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

/// The host's random number; no result depends on it.
const SECRET: f64 = 0.625;

fn apply(name: &str, parameters: &Value) -> Result<JsValue, StrataError> {
    let Crossing { text, tape } = Crossing::of(parameters);
    call(name, text, tape, SECRET)
}

/// A result as it was handed over, read another way than by `pkg/src/results.js`.
#[derive(Default)]
struct Heard {
    apart: Option<String>,
    text: Vec<u16>,
    numbers: Vec<u32>,
    times: usize,
}

impl Heard {
    fn number(&mut self) -> usize {
        self.numbers.remove(0) as usize
    }

    fn cut(&mut self, units: usize) -> String {
        let rest = self.text.split_off(units);
        String::from_utf16(&std::mem::replace(&mut self.text, rest)).unwrap()
    }

    fn text(&mut self) -> Value {
        let units = self.number();
        json!(self.cut(units))
    }

    /// Sets a field, unless the text is absent.
    fn optional(&mut self, object: &mut Value, field: &str) {
        let units = self.number();
        if units > 0 {
            object[field] = json!(self.cut(units - 1));
        }
    }

    fn list(&mut self, mut read: impl FnMut(&mut Self) -> Value) -> Vec<Value> {
        (0..self.number()).map(|_| read(self)).collect()
    }

    fn diagnostic(&mut self) -> Value {
        let mut found =
            json!({"code": self.text(), "severity": self.text(), "message": self.text()});
        self.optional(&mut found, "path");
        found
    }

    fn section(&mut self) -> Value {
        let mut found = json!({"name": self.text(), "block": self.text(),
            "start": self.number(), "end": self.number()});
        self.optional(&mut found, "layer");
        self.optional(&mut found, "source");
        found
    }

    /// The stable part; of the segments in `known`, what did not cross is kept.
    fn stable(&mut self, known: &mut Known) -> Value {
        let (before, after) = (self.number(), self.number());
        let apart: Vec<u16> = self.apart.take().unwrap().encode_utf16().collect();
        let mut rest = &*apart;
        let added = (0..self.number()).map(|_| {
            let (cut, left) = rest.split_at(self.numbers.remove(0) as usize);
            rest = left;
            String::from_utf16(cut).unwrap()
        });
        known.crossed = added.collect();
        assert!(rest.is_empty());
        let end = known.segments.len() - after;
        known.left_out = (before, after);
        known
            .segments
            .splice(before..end, known.crossed.iter().cloned());
        let segments = &known.segments;
        let mut start = 0;
        let blocks = self.list(|it| {
            let (label, cache) = (it.text(), it.text());
            let end = it.number();
            let text = segments[start..end].concat();
            start = end;
            json!({"label": label, "text": text, "cache": cache})
        });
        assert_eq!(start, segments.len());
        let mut effective = json!({});
        for field in ["identity", "operating-rules", "guardrails", "surface-note"] {
            let range = self.number()..self.number();
            if range.is_empty() {
                self.optional(&mut effective, field);
            } else {
                effective[field] = json!(segments[range].concat());
            }
            if field == "guardrails" {
                // Those of untrusted layers, where they stand apart; here they do not.
                let apart = self.number()..self.number();
                assert!(apart.is_empty());
                self.optional(&mut json!({}), field);
            }
        }
        let (kept, before) = (self.number(), self.text.len());
        let fingerprint = self.text();
        let descriptors = self.list(|it| {
            let mut found = json!({"block": it.text(), "layer": it.text()});
            it.optional(&mut found, "source");
            found["digest"] = it.text();
            found["bytes"] = json!(it.number());
            found
        });
        assert_eq!(before - self.text.len(), kept);
        let diagnostics = self.list(Self::diagnostic);
        let mut found = json!({"blocks": blocks, "effective": effective, "fingerprint": fingerprint,
            "descriptors": descriptors, "diagnostics": diagnostics});
        if self.number() == 1 {
            found["sections"] = json!(self.list(Self::section));
        }
        found
    }

    fn turn(&mut self) -> Value {
        let mut found = json!({"tail": self.text(), "channelMeta": self.text()});
        if let [section] = &*self.list(Self::section) {
            found["section"] = section.clone();
        }
        found["diagnostics"] = json!(self.list(Self::diagnostic));
        found
    }

    /// All of it was read.
    fn end(self) {
        assert!(self.text.is_empty() && self.numbers.is_empty() && self.apart.is_none());
    }
}

/// The prefix in segments, and what of it crossed last.
#[derive(Default)]
struct Known {
    segments: Vec<String>,
    /// How many were left out at the start and at the end.
    left_out: (usize, usize),
    crossed: Vec<String>,
}

/// What a call hands over; `None` where it has nothing to say. What is refused has not.
#[track_caller]
fn hear<E>(call: impl FnOnce(&Receiver) -> Result<(), E>) -> Result<Option<Heard>, E> {
    let heard = Rc::new(RefCell::new(Heard::default()));
    let noted = Rc::clone(&heard);
    let keep_apart = Closure::<dyn FnMut(String)>::new(move |text| {
        assert_eq!(noted.borrow_mut().apart.replace(text), None);
    });
    let noted = Rc::clone(&heard);
    let receive = Closure::<dyn FnMut(String, Uint32Array)>::new(
        move |text: String, numbers: Uint32Array| {
            let mut heard = noted.borrow_mut();
            heard.text = text.encode_utf16().collect();
            heard.numbers = numbers.to_vec();
            heard.times += 1;
        },
    );
    let receiver = Object::new();
    Reflect::set(&receiver, &"keepApart".into(), keep_apart.as_ref()).unwrap();
    Reflect::set(&receiver, &"receive".into(), receive.as_ref()).unwrap();
    let result = call(receiver.unchecked_ref());
    let heard = heard.take();
    assert!(heard.times == 0 || heard.times == 1 && result.is_ok());
    assert!(heard.times == 1 || heard.apart.is_none());
    result.map(|()| (heard.times == 1).then_some(heard))
}

/// A whole prompt, in its two parts.
#[track_caller]
fn assemble(
    text: String,
    tape: Option<Vec<u32>>,
    host: Option<HostHasher>,
    without_facts: bool,
) -> Result<Value, StrataError> {
    let call =
        |it: &Receiver| prompt_strata::wasm::assemble(text, tape, host, SECRET, without_facts, it);
    let mut heard = hear(call)?.unwrap();
    let parts = json!({"stable": heard.stable(&mut Known::default()), "turn": heard.turn()});
    heard.end();
    Ok(parts)
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
fn refused<T>(result: Result<T, StrataError>) -> Value {
    let thrown = read(&JsValue::from(result.err().unwrap()));
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
        assert_eq!(
            refused(call("digest", text(), tape(), SECRET)),
            disagreement()
        );
        assert_eq!(
            refused(assemble(text(), Some(tape()), None, false)),
            disagreement()
        );
        let made = AssemblerHandle::new(text(), Some(tape()), None, SECRET);
        assert_eq!(refused(made), disagreement());
        for method in [Method::Turn, Method::SetLayer, Method::RemoveLayer] {
            let called = hear(|it| handle.call(method, text(), tape(), it));
            assert_eq!(refused(called), disagreement());
        }
    }
    assert_eq!(refused(apply("nonsense", &json!({}))), disagreement());
    let heard = hear(|it| handle.call(Method::Stable, String::new(), Vec::new(), it));
    let stable = heard.unwrap().unwrap().stable(&mut Known::default());
    assert_eq!(stable["blocks"], json!([]));
}

#[wasm_bindgen_test]
fn the_limits_hold_for_a_tape() {
    let mut tape = vec![sized(LIST, 1); MAX_DEPTH + 1];
    tape.push(NULL);
    let path = "[0]".repeat(MAX_DEPTH + 1);
    let message = format!("nested deeper than 32 levels at {path}");
    assert_eq!(
        refused(call("digest", String::new(), tape, SECRET)),
        json!({"code": "too-deep", "path": path, "message": message}),
    );

    // The name of the parameter does not count.
    let fits = "é".repeat(MAX_TEXT_BYTES / 2);
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
    assert_eq!(from_text, from_tape);
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
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let diagnostics = [list(&stable["diagnostics"]), list(&turn["diagnostics"])].concat();
    let mut whole = json!({
        "prefix": prefix,
        "tail": turn["tail"],
        "system": format!("{prefix}{channel}"),
        "blocks": blocks,
        "descriptors": stable["descriptors"],
        "fingerprint": stable["fingerprint"],
        "effective": stable["effective"],
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
        let parts = assemble(text, Some(tape), None, false).unwrap();
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
    AssemblerHandle::new(text, Some(tape), None, SECRET).unwrap()
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
#[track_caller]
fn invoke(handle: &JsValue, name: Method, argument: &Value) -> Result<Option<Heard>, JsValue> {
    let Crossing { text, tape } = Crossing::of(argument);
    let tape: Array = tape.into_iter().map(JsValue::from).collect();
    hear(|receiver| {
        let name = JsValue::from(name as u32);
        let arguments = Array::of4(&name, &text.into(), &tape, receiver);
        let result = method(handle, "call").apply(handle, &arguments)?;
        assert!(result.is_undefined());
        Ok(())
    })
}

/// The stable part of a handle's prompts, or what a method changes of it.
#[track_caller]
fn stable_of(handle: &JsValue, name: Method, argument: &Value, known: &mut Known) -> Value {
    let mut heard = invoke(handle, name, argument).unwrap().unwrap();
    let stable = heard.stable(known);
    heard.end();
    stable
}

#[track_caller]
fn turn_of(handle: &JsValue, argument: &Value) -> Value {
    let mut heard = invoke(handle, Method::Turn, argument).unwrap().unwrap();
    let turn = heard.turn();
    heard.end();
    turn
}

/// The whole of a handle's prompt.
#[track_caller]
fn whole_of(handle: &JsValue) -> Value {
    let stable = stable_of(handle, Method::Stable, &json!({}), &mut Known::default());
    join(&stable, &turn_of(handle, &json!({})))
}

#[wasm_bindgen_test]
fn a_handle_gives_what_changes() {
    let input = whole_input();
    let arguments = Array::of2(&input.to_string().into(), &JsValue::UNDEFINED);
    let handle = Reflect::construct(&class(), &arguments).unwrap();

    let mut known = Known::default();
    let stable = stable_of(&handle, Method::Stable, &json!({}), &mut known);
    assert_eq!(known.left_out, (0, 0));
    assert_eq!(
        join(&stable, &turn_of(&handle, &json!({}))),
        json!(native(&input))
    );

    let facts = json!([{"key": "time", "value": "12:01", "volatility": "dynamic"}]);
    let argument =
        json!({"facts": facts, "channelMeta": "", "epistemicStance": "é", "temporal": null});
    let turn = turn_of(&handle, &argument);
    assert_eq!(turn["channelMeta"], "");
    assert_eq!(turn.get("section"), None);
    let tail = turn["tail"].as_str().unwrap();
    assert!(
        tail.starts_with("é\n") && tail.contains("\n\nnoon\n\n"),
        "{tail}"
    );
    assert!(tail.ends_with("<facts>\n- time: 12:01\n</facts>"), "{tail}");

    // Another identity wins: it crosses, and what is as it was does not.
    let layer = json!({"layer": "bot", "content": {
        "identity": "I am é", "instructions": "do", "surfaceNotes": ["m 😀", "n"]}});
    let count = known.segments.len();
    let changed = stable_of(&handle, Method::SetLayer, &layer, &mut known);
    assert_eq!(known.crossed, ["I am é"]);
    assert_eq!(known.left_out, (0, count - 1));
    let mut expected = input.clone();
    expected["layers"][2] = layer;
    let expected = json!(native(&expected));
    assert_eq!(join(&changed, &turn_of(&handle, &json!({}))), expected);
    assert_eq!(changed["effective"]["identity"], "I am é");
    assert_eq!(whole_of(&handle), expected);

    // A note less, in the middle: only the bullets of its layer cross.
    let layer = json!({"layer": "bot", "content": {
        "identity": "I am é", "instructions": "do", "surfaceNotes": ["m 😀!"]}});
    let changed = stable_of(&handle, Method::SetLayer, &layer, &mut known);
    assert_eq!(known.crossed, ["- m 😀!\n"]);
    let (before, after) = known.left_out;
    assert!(before > 0 && after > 0 && before + 1 + after == known.segments.len());
    let mut expected = input.clone();
    expected["layers"][2] = layer;
    assert_eq!(
        join(&changed, &turn_of(&handle, &json!({}))),
        json!(native(&expected))
    );

    let nobody = json!({"layer": "workspace", "source": "another"});
    assert!(
        invoke(&handle, Method::RemoveLayer, &nobody)
            .unwrap()
            .is_none()
    );
    let somebody = json!({"layer": "workspace", "source": "w: 😀"});
    let changed = stable_of(&handle, Method::RemoveLayer, &somebody, &mut known);
    let left = changed["descriptors"].as_array().unwrap();
    assert!(left.iter().all(|it| it["layer"] != "workspace"), "{left:?}");
    expected["layers"].as_array_mut().unwrap().remove(1);
    let expected = json!(native(&expected));
    assert_eq!(join(&changed, &turn_of(&handle, &json!({}))), expected);
    assert_eq!(whole_of(&handle), expected);
    assert!(
        invoke(&handle, Method::RemoveLayer, &somebody)
            .unwrap()
            .is_none()
    );
    method(&handle, "free").call0(&handle).unwrap();
}

#[wasm_bindgen_test]
fn a_handle_stays_as_it_was_after_a_refusal() {
    let handle = JsValue::from(handle(&whole_input()));
    let state = || whole_of(&handle);
    let before = state();
    let fact = json!({"key": "plan", "value": "pro", "volatility": "static"});
    for (name, argument, code, path) in [
        (
            Method::Turn,
            json!({"facts": [fact]}),
            "static-fact-in-turn",
            "facts[0].volatility",
        ),
        (Method::Turn, json!({"fact": []}), "unknown-field", "fact"),
        (
            Method::SetLayer,
            json!({"layer": "bot"}),
            "missing-field",
            "content",
        ),
        (
            Method::SetLayer,
            json!({"layer": "é", "content": {}}),
            "unknown-layer",
            "layer",
        ),
        (
            Method::RemoveLayer,
            json!({"layer": null}),
            "missing-field",
            "layer",
        ),
        (
            Method::RemoveLayer,
            json!({"layer": "Bot"}),
            "unknown-layer",
            "layer",
        ),
    ] {
        let thrown = read(&invoke(&handle, name, &argument).err().unwrap());
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
        let thrown = invoke(&first, Method::Turn, &json!({})).err().unwrap();
        assert!(thrown.is_instance_of::<Error>(), "{thrown:?}");
        works();
    }
    assert_eq!(turn_of(&second, &json!({}))["tail"], "");
    method(&second, "free").call0(&second).unwrap();
}

#[wasm_bindgen_test]
fn what_is_freed_is_given_back() {
    let bytes = 1 << 20;
    let input = json!({"layers": [], "bindingGlue": "x".repeat(bytes)});
    let once = || {
        let handle = JsValue::from(handle(&input));
        turn_of(&handle, &json!({}));
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
        "a".repeat(255),
        "b".repeat(256),
        "é".repeat(127),
        "é".repeat(128),
        "😀".repeat(1000),
    ];
    let texts = texts.each_ref().map(String::as_str);
    let input = instructing(&texts);
    let Crossing { text, tape } = Crossing::of(&input);
    let run = |host| assemble(text.clone(), Some(tape.clone()), host, false).unwrap();

    let (honest, seen) = host(digest);
    assert_eq!(run(Some(honest.unchecked_into())), run(None));
    // The same bytes, in the order of the descriptors, and then the list of these.
    assert_eq!(*seen.borrow(), [256, 256, 4000, 5 * 81 + 4]);

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
    let handle =
        AssemblerHandle::new(text, Some(tape), Some(honest.unchecked_into()), SECRET).unwrap();
    let handle = JsValue::from(handle);
    let mut known = Known::default();
    assert_eq!(*seen.borrow(), [600, 700]);
    stable_of(&handle, Method::Stable, &json!({}), &mut known);
    turn_of(&handle, &json!({}));
    assert_eq!(*seen.borrow(), [600, 700]);

    let layer = |text: &str, identity: &str| {
        let content = json!({"instructions": text, "identity": identity});
        json!({"layer": "bot", "source": "1", "content": content})
    };
    let third = layer(&"c".repeat(800), "C");
    let changed = stable_of(&handle, Method::SetLayer, &third, &mut known);
    assert_eq!(*seen.borrow(), [600, 700, 800]);
    let own = [digest("C"), digest(&texts[0]), digest(&"c".repeat(800))];
    let descriptors = changed["descriptors"].as_array().unwrap();
    let digests: Vec<&Value> = descriptors.iter().map(|it| &it["digest"]).collect();
    assert_eq!(digests, own.each_ref().map(|it| json!(it)).each_ref());

    // Of a layer that is set again, too, only what differs.
    let fourth = layer(&"c".repeat(800), "D");
    let changed = stable_of(&handle, Method::SetLayer, &fourth, &mut known);
    assert_eq!(*seen.borrow(), [600, 700, 800]);
    assert_eq!(changed["descriptors"][0]["digest"], digest("D"));

    let first = json!({"layer": "bot", "source": "0"});
    let left = stable_of(&handle, Method::RemoveLayer, &first, &mut known);
    assert_eq!(*seen.borrow(), [600, 700, 800]);
    let only: Vec<prompt_strata::Descriptor> = native(&json!({"layers": [fourth]})).descriptors;
    assert_eq!(left["fingerprint"], fingerprint(&only));
    method(&handle, "free").call0(&handle).unwrap();
}
