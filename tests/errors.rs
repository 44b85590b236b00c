//! Every refusal, exactly: code, path and message. After each, the very next call works.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]

use std::collections::BTreeSet;

use ErrorCode::{
    AmbiguousLayer, DuplicateField, InvalidFactKey, InvalidJson, InvalidUtf8, LoneSurrogate,
    MissingField, NoFileForField, StaticFactInTurn, TooDeep, TooLarge, UnknownField, UnknownLayer,
    UnknownValue, WrongType,
};
use prompt_strata::limits::{MAX_DEPTH, MAX_JSON_BYTES, MAX_TEXT_BYTES, MAX_VALUES};
use prompt_strata::{
    AssembleInput, Assembler, Dialect, ErrorCode, Fact, Items, Layer, LayerContent, LayerInput,
    Options, ResolveInput, StrataError, Turn, assemble, layer_to_files, parse_guardrails,
    render_facts,
};

/// A mistake, and what is said about it.
type Row<'r> = (&'r str, ErrorCode, &'r str, &'r str);

const LAYERS: &str = "expected seed, shared, workspace, surface, bot, chat or agent";

#[track_caller]
fn refused(found: Result<(), StrataError>, code: ErrorCode, path: &str, message: &str) {
    let Err(error) = found else {
        panic!("not refused: {message}")
    };
    let found = (error.code(), error.path(), error.message());
    assert_eq!(found, (code, path, message));
    assert_eq!(error.to_string(), message);
    works();
}

#[track_caller]
fn works() {
    let json = r#"{"layers": [{"layer": "seed", "content": {"guardrails": "- a"}}]}"#;
    let assembly = assemble(AssembleInput::from_json(json).unwrap()).unwrap();
    assert_eq!(assembly.prefix, "Guardrails:\n- a\n");
}

fn read(json: &str) -> Result<(), StrataError> {
    AssembleInput::from_json(json).map(drop)
}

#[track_caller]
fn check(rows: &[Row<'_>], wrap: impl Fn(&str) -> String) {
    for &(culprit, code, path, message) in rows {
        let json = wrap(culprit);
        println!("{json}");
        refused(read(&json), code, path, message);
        refused(
            AssembleInput::from_json_bytes(json.as_bytes()).map(drop),
            code,
            path,
            message,
        );
    }
}

#[test]
fn text_that_is_not_json() {
    let rows: [Row<'_>; 25] = [
        (
            "",
            InvalidJson,
            "",
            "not JSON: expected a value, but the text ends at line 1 column 1",
        ),
        (
            "nul",
            InvalidJson,
            "",
            "not JSON: expected a value, but found `nul` at line 1 column 1",
        ),
        (
            "é",
            InvalidJson,
            "",
            "not JSON: expected a value, but found `é` at line 1 column 1",
        ),
        (
            "[",
            InvalidJson,
            "[0]",
            "not JSON at [0]: expected a value, but the text ends at line 1 column 2",
        ),
        (
            "{\"layers\"",
            InvalidJson,
            "layers",
            "not JSON at layers: expected `:`, but the text ends at line 1 column 10",
        ),
        (
            "{\"layers\":\n[",
            InvalidJson,
            "layers[0]",
            "not JSON at layers[0]: expected a value, but the text ends at line 2 column 2",
        ),
        (
            "{\"layers\":[\"a",
            InvalidJson,
            "layers[0]",
            "not JSON at layers[0]: expected a closing quote, but the text ends at line 1 column 14",
        ),
        (
            "{layers:[]}",
            InvalidJson,
            "",
            "not JSON: expected a field name in quotes, but found `layers` at line 1 column 2",
        ),
        (
            "{\"layers\":[],}",
            InvalidJson,
            "",
            "not JSON: expected a field name in quotes, but found `}` at line 1 column 14",
        ),
        (
            "{\"layers\" []}",
            InvalidJson,
            "layers",
            "not JSON at layers: expected `:`, but found `[` at line 1 column 11",
        ),
        (
            "{\"layers\":[1 2]}",
            InvalidJson,
            "layers",
            "not JSON at layers: expected `,` or `]`, but found `2` at line 1 column 14",
        ),
        (
            "{\"layers\":[]}\n}",
            InvalidJson,
            "",
            "not JSON: expected nothing after the value, but found `}` at line 2 column 1",
        ),
        (
            "\"\\q\"",
            InvalidJson,
            "",
            "not JSON: expected an escape after `\\`, but found `q` at line 1 column 3",
        ),
        (
            "\"\\u12\"",
            InvalidJson,
            "",
            "not JSON: expected four digits after `\\u`, but found `u12` at line 1 column 3",
        ),
        (
            "\"a\tb\"",
            InvalidJson,
            "",
            "not JSON: expected control characters to be escaped, but found `\\t` at line 1 column 3",
        ),
        (
            "+1",
            InvalidJson,
            "",
            "not JSON: expected a value, but found `+` at line 1 column 1",
        ),
        (
            "{\"layers\":[]",
            InvalidJson,
            "",
            "not JSON: expected `,` or `}`, but the text ends at line 1 column 13",
        ),
        (
            "01",
            InvalidJson,
            "",
            "not JSON: a number may not start with zeros, but found `01` at line 1 column 1",
        ),
        (
            "-",
            InvalidJson,
            "",
            "not JSON: expected a digit, but the text ends at line 1 column 2",
        ),
        (
            "1.x",
            InvalidJson,
            "",
            "not JSON: expected a digit, but found `x` at line 1 column 3",
        ),
        (
            "\"a\\",
            InvalidJson,
            "",
            "not JSON: expected an escape after `\\`, but the text ends at line 1 column 4",
        ),
        (
            "truetrue",
            InvalidJson,
            "",
            "not JSON: expected nothing after the value, but found `true` at line 1 column 5",
        ),
        (
            "{\"bindingGlue\":\"\\ud800\"}",
            LoneSurrogate,
            "bindingGlue",
            "half a surrogate pair at bindingGlue: `\\ud800` at line 1 column 17",
        ),
        (
            "{\"layers\":[\"a\",\"\\ud800\\u0041\"]}",
            LoneSurrogate,
            "layers[1]",
            "half a surrogate pair at layers[1]: `\\ud800` at line 1 column 17",
        ),
        (
            "{\"runtime\":{\"\\udc00\":1}}",
            LoneSurrogate,
            "runtime",
            "half a surrogate pair at runtime: `\\udc00` at line 1 column 14",
        ),
    ];
    check(&rows, str::to_owned);
}

#[test]
fn bytes_that_are_not_utf8() {
    for (bytes, message) in [
        (&b"\xff"[..], "not UTF-8: the byte at 0 is invalid"),
        (
            b"{\"layers\":[],\"channelMeta\":\"a\xc3\"}",
            "not UTF-8: the byte at 29 is invalid",
        ),
        (b"{}\xed\xa0\x80", "not UTF-8: the byte at 2 is invalid"),
    ] {
        refused(
            AssembleInput::from_json_bytes(bytes).map(drop),
            InvalidUtf8,
            "",
            message,
        );
    }
}

#[test]
fn the_whole_input() {
    let rows: [Row<'_>; 12] = [
        ("null", WrongType, "", "expected an object, got null"),
        ("[]", WrongType, "", "expected an object, got a list"),
        ("5", WrongType, "", "expected an object, got the number `5`"),
        ("true", WrongType, "", "expected an object, got `true`"),
        (
            "\"x\\ny\"",
            WrongType,
            "",
            "expected an object, got the text `x\\ny`",
        ),
        (
            "{}",
            MissingField,
            "layers",
            "missing field `layers` at layers",
        ),
        (
            "{\"layers\":null}",
            MissingField,
            "layers",
            "missing field `layers` at layers",
        ),
        (
            "{\"layers\":{}}",
            WrongType,
            "layers",
            "expected a list, got an object at layers",
        ),
        (
            "{\"layers\":[null]}",
            WrongType,
            "layers[0]",
            "expected an object, got null at layers[0]",
        ),
        (
            "{\"layers\":[\"seed\"]}",
            WrongType,
            "layers[0]",
            "expected an object, got the text `seed` at layers[0]",
        ),
        (
            "{\"layers\":[{}]}",
            MissingField,
            "layers[0].layer",
            "missing field `layer` at layers[0].layer",
        ),
        (
            "{\"layer\":[]}",
            UnknownField,
            "layer",
            "unknown field `layer` at layer: \
             expected layers, runtime, facts, bindingGlue, channelMeta or options",
        ),
    ];
    check(&rows, str::to_owned);
}

#[test]
fn a_layer() {
    let seed = format!("unknown layer `Seed` at layers[1].layer: {LAYERS}");
    let empty = format!("unknown layer `` at layers[1].layer: {LAYERS}");
    let long = format!(
        "unknown layer `{}…` at layers[1].layer: {LAYERS}",
        "x".repeat(60)
    );
    let long_name = format!("\"layer\":\"{}\",\"content\":{{}}", "x".repeat(61));
    let rows: [Row<'_>; 8] = [
        (
            "\"layer\":\"Seed\",\"content\":{}",
            UnknownLayer,
            "layers[1].layer",
            &seed,
        ),
        (
            "\"layer\":\"\",\"content\":{}",
            UnknownLayer,
            "layers[1].layer",
            &empty,
        ),
        (&long_name, UnknownLayer, "layers[1].layer", &long),
        (
            "\"layer\":7,\"content\":{}",
            WrongType,
            "layers[1].layer",
            "expected text, got the number `7` at layers[1].layer",
        ),
        (
            "\"layer\":\"seed\"",
            MissingField,
            "layers[1].content",
            "missing field `content` at layers[1].content",
        ),
        (
            "\"layer\":\"seed\",\"content\":[]",
            WrongType,
            "layers[1].content",
            "expected an object, got a list at layers[1].content",
        ),
        (
            "\"layer\":\"seed\",\"trusted\":\"yes\",\"content\":{}",
            WrongType,
            "layers[1].trusted",
            "expected true or false, got the text `yes` at layers[1].trusted",
        ),
        (
            "\"layer\":\"seed\",\"source\":-3,\"content\":{}",
            WrongType,
            "layers[1].source",
            "expected text, got the number `-3` at layers[1].source",
        ),
    ];
    check(&rows, |it| {
        format!("{{\"layers\":[{{\"layer\":\"seed\",\"content\":{{}}}},{{{it}}}]}}")
    });
}

#[test]
fn the_content_of_a_layer() {
    let expected = "expected identity, operatingRules, instructions, guardrails or surfaceNotes";
    let misspelt =
        format!("unknown field `gaurdrails` at layers[0].content.gaurdrails: {expected}");
    let spaced = format!("unknown field `a b` at layers[0].content[\"a b\"]: {expected}");
    let nameless = format!("unknown field `` at layers[0].content[\"\"]: {expected}");
    let (long, shown) = ("y".repeat(61), "y".repeat(60));
    let long_field = format!("\"{long}\":1");
    let long_path = format!("layers[0].content[\"{shown}…\"]");
    let long_message = format!("unknown field `{shown}…` at {long_path}: {expected}");
    let short_field = format!("\"{shown}\":1");
    let short_path = format!("layers[0].content.{shown}");
    let short_message = format!("unknown field `{shown}` at {short_path}: {expected}");
    let odd =
        format!("unknown field `a\\nb\"c` at layers[0].content[\"a\\u000ab\\\"c\"]: {expected}");
    let rows: [Row<'_>; 14] = [
        (
            "\"gaurdrails\":[]",
            UnknownField,
            "layers[0].content.gaurdrails",
            &misspelt,
        ),
        (
            "\"a b\":null",
            UnknownField,
            "layers[0].content[\"a b\"]",
            &spaced,
        ),
        ("\"\":1", UnknownField, "layers[0].content[\"\"]", &nameless),
        (
            "\"a\\nb\\\"c\":1",
            UnknownField,
            "layers[0].content[\"a\\u000ab\\\"c\"]",
            &odd,
        ),
        (&long_field, UnknownField, &long_path, &long_message),
        (&short_field, UnknownField, &short_path, &short_message),
        (
            "\"identity\":7",
            WrongType,
            "layers[0].content.identity",
            "expected text, got the number `7` at layers[0].content.identity",
        ),
        (
            "\"identity\":[\"x\"]",
            WrongType,
            "layers[0].content.identity",
            "expected text, got a list at layers[0].content.identity",
        ),
        (
            "\"operating_rules\":false",
            WrongType,
            "layers[0].content.operating_rules",
            "expected text, got `false` at layers[0].content.operating_rules",
        ),
        (
            "\"guardrails\":true",
            WrongType,
            "layers[0].content.guardrails",
            "expected a list of texts, or one text, got `true` at layers[0].content.guardrails",
        ),
        (
            "\"guardrails\":[\"a\",null]",
            WrongType,
            "layers[0].content.guardrails[1]",
            "expected text, got null at layers[0].content.guardrails[1]",
        ),
        (
            "\"surfaceNotes\":[[\"a\"]]",
            WrongType,
            "layers[0].content.surfaceNotes[0]",
            "expected text, got a list at layers[0].content.surfaceNotes[0]",
        ),
        (
            "\"identity\":\"a\",\"identity\":\"b\"",
            DuplicateField,
            "layers[0].content.identity",
            "field `identity` given twice at layers[0].content.identity",
        ),
        (
            "\"operatingRules\":\"a\",\"operating_rules\":null",
            DuplicateField,
            "layers[0].content.operating_rules",
            "field `operating_rules` given twice at layers[0].content.operating_rules",
        ),
    ];
    check(&rows, |it| {
        format!("{{\"layers\":[{{\"layer\":\"seed\",\"content\":{{{it}}}}}]}}")
    });
}

#[test]
fn the_other_fields() {
    let rows: [Row<'_>; 14] = [
        (
            "\"facts\":[{\"key\":\"k\",\"value\":1,\"volatility\":\"static\"}]",
            WrongType,
            "facts[0].value",
            "expected text, got the number `1` at facts[0].value",
        ),
        (
            "\"facts\":[{\"key\":\"k\",\"value\":\"v\"}]",
            MissingField,
            "facts[0].volatility",
            "missing field `volatility` at facts[0].volatility",
        ),
        (
            "\"facts\":[{\"key\":\"k\",\"value\":\"v\",\"volatility\":\"sometimes\"}]",
            UnknownValue,
            "facts[0].volatility",
            "unknown value `sometimes` at facts[0].volatility: expected static or dynamic",
        ),
        (
            "\"options\":{\"dialect\":\"Markdown\"}",
            UnknownValue,
            "options.dialect",
            "unknown value `Markdown` at options.dialect: expected strict or markdown",
        ),
        (
            "\"options\":{\"untrusted\":\"keep\"}",
            UnknownValue,
            "options.untrusted",
            "unknown value `keep` at options.untrusted: expected guardrails-only, apart or drop",
        ),
        (
            "\"options\":{\"wording\":\"mine\"}",
            UnknownValue,
            "options.wording",
            "unknown value `mine` at options.wording: expected source or neutral",
        ),
        (
            "\"options\":{\"wording\":[]}",
            WrongType,
            "options.wording",
            "expected source, neutral or an object, got a list at options.wording",
        ),
        (
            "\"options\":{\"wording\":{\"facts_notes\":\"\"}}",
            UnknownField,
            "options.wording.facts_notes",
            "unknown field `facts_notes` at options.wording.facts_notes: expected base, guardrailsHeading, \
             surfaceNotesHeading, instructionsHeading, stanceClarifier, factsNote or untrustedHeading",
        ),
        (
            "\"options\":{\"sections\":\"true\"}",
            WrongType,
            "options.sections",
            "expected true or false, got the text `true` at options.sections",
        ),
        (
            "\"options\":{\"section\":true}",
            UnknownField,
            "options.section",
            "unknown field `section` at options.section: \
             expected untrusted, dialect, wording or sections",
        ),
        (
            "\"runtime\":{\"tool_index\":[]}",
            WrongType,
            "runtime.tool_index",
            "expected text, got a list at runtime.tool_index",
        ),
        (
            "\"runtime\":{\"toolindex\":\"\"}",
            UnknownField,
            "runtime.toolindex",
            "unknown field `toolindex` at runtime.toolindex: expected capabilityContract, \
             presentationContract, sandboxContract, surface, skills, mcp, toolIndex, standing, \
             epistemicStance or temporal",
        ),
        (
            "\"runtime\":\"x\"",
            WrongType,
            "runtime",
            "expected an object, got the text `x` at runtime",
        ),
        (
            "\"channel_meta\":{}",
            WrongType,
            "channel_meta",
            "expected text, got an object at channel_meta",
        ),
    ];
    check(&rows, |it| format!("{{\"layers\":[],{it}}}"));
}

#[test]
fn a_resolution_has_no_facts() {
    refused(
        ResolveInput::from_json("{\"layers\":[],\"facts\":[]}").map(drop),
        UnknownField,
        "facts",
        "unknown field `facts` at facts: expected layers, runtime or options",
    );
}

#[test]
fn inputs_beyond_the_limits() {
    let deep = |open: &str, count: usize| open.repeat(count);
    let lists = "[0]".repeat(MAX_DEPTH + 1);
    refused(
        read(&deep("[", MAX_DEPTH + 2)),
        TooDeep,
        &lists,
        &format!("nested deeper than 32 levels at {lists}"),
    );
    // Far deeper than the stack would bear.
    refused(
        read(&deep("[", 1_000_000)),
        TooDeep,
        &lists,
        &format!("nested deeper than 32 levels at {lists}"),
    );
    let objects = vec!["a"; MAX_DEPTH + 1].join(".");
    refused(
        read(&deep("{\"a\":", MAX_DEPTH + 2)),
        TooDeep,
        &objects,
        &format!("nested deeper than 32 levels at {objects}"),
    );
    refused(
        read(&format!("[{}0]", "0,".repeat(MAX_VALUES))),
        TooLarge,
        "[999999]",
        "more than 1000000 values at [999999]",
    );
    let text = "a".repeat(MAX_TEXT_BYTES);
    refused(
        read(&format!("{{\"layers\":[],\"channelMeta\":\"{text}\"}}")),
        TooLarge,
        "channelMeta",
        "more than 8388608 bytes of text at channelMeta",
    );
    // The names of fields are text, too: these are all that is left for names.
    let names = "layers".len() + "channelMeta".len();
    let fits = "a".repeat(MAX_TEXT_BYTES - names);
    assert_eq!(
        read(&format!("{{\"layers\":[],\"channelMeta\":\"{fits}\"}}")),
        Ok(())
    );
    refused(
        read(&format!("{{\"layers\":[]{}}}", " ".repeat(MAX_JSON_BYTES))),
        TooLarge,
        "",
        "more than 33554432 bytes of JSON",
    );
}

#[test]
fn fact_keys() {
    for (key, quoted) in [
        ("", "`` is blank"),
        (" \t", "` \\t` is blank"),
        ("\u{85}", "`\\u{85}` is blank"),
        ("a\nb", "`a\\nb` holds a line break"),
        ("a\rb", "`a\\rb` holds a line break"),
    ] {
        let facts = || vec![Fact::fixed("fine", "v"), Fact::dynamic(key, "v")];
        refused(
            render_facts(&facts()).map(drop),
            InvalidFactKey,
            "[1].key",
            &format!("fact key {quoted} at [1].key"),
        );
        let message = format!("fact key {quoted} at facts[1].key");
        let input = AssembleInput {
            facts: facts(),
            ..AssembleInput::default()
        };
        refused(
            assemble(input).map(drop),
            InvalidFactKey,
            "facts[1].key",
            &message,
        );
        let assembler = Assembler::new(AssembleInput::default()).unwrap();
        let facts = Some(vec![Fact::dynamic("fine", "v"), Fact::dynamic(key, "v")]);
        let turn = Turn {
            facts,
            ..Turn::default()
        };
        refused(
            assembler.assemble(turn).map(drop),
            InvalidFactKey,
            "facts[1].key",
            &message,
        );
        assert!(assembler.assemble(Turn::default()).is_ok());
    }
    let fine = [Fact::fixed("fine", "v")];
    assert_eq!(
        render_facts(&fine).unwrap().unwrap(),
        "<facts>\n- fine: v\n</facts>"
    );
}

/// Heading paths of about 8,008,000 bytes: one such text fits a call, two do not.
fn headings(items: usize) -> String {
    format!("# a\n## {}\n{}", "h".repeat(1000), "- x\n".repeat(items))
}

fn notes(layer: Layer, text: &str) -> LayerInput<'static> {
    let surface_notes = Items::Text(text.to_owned().into());
    LayerInput::new(
        layer,
        LayerContent {
            surface_notes,
            ..LayerContent::default()
        },
    )
}

#[test]
fn headings_that_multiply() {
    let (fits, too_large) = (headings(8000), headings(9000));
    refused(
        parse_guardrails(&too_large, Dialect::Markdown).map(drop),
        TooLarge,
        "",
        "more than 8388608 bytes of headings before items",
    );
    assert_eq!(
        parse_guardrails(&fits, Dialect::Markdown).unwrap().len(),
        8001
    );
    let input = |layers| AssembleInput {
        layers,
        options: Options {
            dialect: Dialect::Markdown,
            ..Options::default()
        },
        ..AssembleInput::default()
    };
    refused(
        assemble(input(vec![
            notes(Layer::Seed, &fits),
            notes(Layer::Bot, &fits),
        ]))
        .map(drop),
        TooLarge,
        "layers[1].content.surfaceNotes",
        "more than 8388608 bytes of headings before items at layers[1].content.surfaceNotes",
    );
    let mut assembler = Assembler::new(input(vec![notes(Layer::Seed, &fits)])).unwrap();
    let before = assembler.assemble(Turn::default()).unwrap();
    refused(
        assembler.set_layer(notes(Layer::Bot, &fits)),
        TooLarge,
        "content.surfaceNotes",
        "more than 8388608 bytes of headings before items at content.surfaceNotes",
    );
    // The handle is as it was, and what a layer is replaced by does not count twice.
    assert!(assembler.assemble(Turn::default()).unwrap() == before);
    assert_eq!(assembler.set_layer(notes(Layer::Seed, &fits)), Ok(()));
    assert!(assembler.assemble(Turn::default()).unwrap() == before);
}

#[test]
fn calls_that_a_handle_refuses() {
    let json = r#"{"layers": [
        {"layer": "bot", "content": {"guardrails": ["a"]}},
        {"layer": "bot", "content": {}},
        {"layer": "chat", "source": "c:\n1", "content": {}},
        {"layer": "chat", "source": "c:\n1", "content": {}}
    ]}"#;
    let mut assembler = Assembler::new(AssembleInput::from_json(json).unwrap()).unwrap();
    let before = assembler.assemble(Turn::default()).unwrap();
    let facts = Some(vec![
        Fact::dynamic("time", "12:00"),
        Fact::fixed("plan", "pro"),
    ]);
    refused(
        assembler
            .assemble(Turn {
                facts,
                ..Turn::default()
            })
            .map(drop),
        StaticFactInTurn,
        "facts[1].volatility",
        "static fact `plan` in a turn at facts[1].volatility: a turn never changes the prefix",
    );
    let bot = "several layers are `bot` with no source";
    let chat = "several layers are `chat` with source `c:\\n1`";
    let source = Some("c:\n1");
    refused(
        assembler.set_layer(LayerInput::new(Layer::Bot, LayerContent::default())),
        AmbiguousLayer,
        "layer",
        bot,
    );
    let layer = LayerInput::new(Layer::Chat, LayerContent::default());
    let layer = LayerInput {
        source: source.map(Into::into),
        ..layer
    };
    refused(assembler.set_layer(layer), AmbiguousLayer, "layer", chat);
    refused(
        assembler.remove_layer(Layer::Bot, None).map(drop),
        AmbiguousLayer,
        "layer",
        bot,
    );
    refused(
        assembler.remove_layer(Layer::Chat, source).map(drop),
        AmbiguousLayer,
        "layer",
        chat,
    );
    assert_eq!(assembler.assemble(Turn::default()), Ok(before));
    assert_eq!(assembler.remove_layer(Layer::Bot, Some("other")), Ok(false));
}

#[test]
fn content_that_has_no_file() {
    for instructions in ["", "do"] {
        let content = LayerContent {
            identity: Some("a".into()),
            instructions: Some(instructions.into()),
            ..LayerContent::default()
        };
        refused(
            layer_to_files(&content).map(drop),
            NoFileForField,
            "instructions",
            "no file for `instructions` at instructions: a layer's files hold only the editable blocks",
        );
        let content = LayerContent {
            instructions: None,
            ..content
        };
        assert_eq!(
            layer_to_files(&content).unwrap(),
            [("identity.md", "a\n".to_owned())]
        );
    }
}

#[test]
fn names_of_layers() {
    for (name, quoted) in [
        ("Bot", "`Bot`"),
        (" bot", "` bot`"),
        ("b\u{7f}t", "`b\\u{7f}t`"),
    ] {
        let message = format!("unknown layer {quoted}: {LAYERS}");
        refused(name.parse::<Layer>().map(drop), UnknownLayer, "", &message);
    }
    assert_eq!("bot".parse(), Ok(Layer::Bot));
}

/// Codes that no call of the native crate makes are the bindings' to test.
#[test]
fn codes_are_kebab_case_and_differ() {
    let codes = [
        InvalidJson,
        InvalidUtf8,
        WrongType,
        UnknownField,
        MissingField,
        DuplicateField,
        UnknownLayer,
        UnknownValue,
        ErrorCode::UnknownBlock,
        LoneSurrogate,
        TooDeep,
        TooLarge,
        InvalidFactKey,
        StaticFactInTurn,
        AmbiguousLayer,
        NoFileForField,
        ErrorCode::Internal,
    ];
    let spelt: BTreeSet<&str> = codes.iter().map(|code| code.as_str()).collect();
    assert_eq!(spelt.len(), codes.len());
    for (code, spelt) in codes.iter().map(|code| (code.to_string(), code.as_str())) {
        assert_eq!(code, spelt);
        assert!(
            spelt
                .bytes()
                .all(|it| it.is_ascii_lowercase() || b"-8".contains(&it)),
            "{spelt}"
        );
    }
}
