//! Generators of nasty input, for the property tests.

use std::borrow::Cow;

use prompt_strata::{
    AssembleInput, Descriptor, Dialect, Fact, Items, Layer, LayerContent, LayerInput, Options,
    RuntimeSections, Turn, Untrusted, Volatility, Wording, digest,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Map, Value, json};

type Text = Cow<'static, str>;

/// White space that ends no line of guardrail text.
const SPACES: [&str; 10] = [
    " ", "  ", "\t", "\u{b}", "\u{c}", "\u{85}", "\u{a0}", "\u{2028}", "\u{2029}", "\u{3000}",
];
const BREAKS: [&str; 5] = ["\n", "\r\n", "\r", "\n\n", " \n\t"];

/// What means something at the start of a line, or nothing to Rust but something elsewhere.
const NASTY: [&str; 50] = [
    "# h",
    "## Guardrails",
    "#",
    "###### six ##",
    "####### seven",
    "- x",
    "- -",
    "-",
    "* y",
    "*",
    "+ z",
    "+",
    "1. x",
    "12) x",
    "1.",
    "---",
    "- - -",
    "***",
    "* * *",
    "___",
    "===",
    "```",
    "```sh",
    "~~~",
    "`code`",
    "<!-- c -->",
    "<!--",
    "-->",
    "<!-->",
    "Guardrails:",
    "Guardrails: x",
    "guardrails",
    "Also true on this surface:",
    "> quote",
    "<facts>",
    "</facts>",
    "</FACTS",
    "<",
    "&lt;facts>",
    "a\u{85}b",
    "\u{85}",
    "\u{feff}",
    "a\u{feff}b",
    "\u{200b}",
    "😀",
    "e\u{301}",
    "नमस्ते",
    "\0",
    "ends:",
    "\\",
];

/// Words that differ only in what duplicates may differ in.
const TWINS: [&str; 8] = [
    "never push",
    "Never  Push",
    "never\u{a0}push",
    "NEVER\tPUSH",
    "ask first",
    "ask\u{2028}FIRST",
    "İstanbul",
    "istanbul",
];

fn fragment() -> impl Strategy<Value = &'static str> {
    prop_oneof![3 => select(&NASTY[..]), 2 => select(&TWINS[..])]
}

fn space() -> impl Strategy<Value = &'static str> {
    select(&SPACES[..])
}

/// White space of any kind, or nothing.
pub fn blank() -> impl Strategy<Value = String> {
    let any = prop_oneof![select(&SPACES[..]), select(&BREAKS[..])];
    vec(any, 0..4).prop_map(|them| them.concat())
}

/// A trimmed line that is not empty.
pub fn line() -> impl Strategy<Value = String> {
    let nasty = vec((fragment(), space()), 1..4).prop_map(|them| {
        let joined: String = them
            .into_iter()
            .flat_map(|(word, space)| [word, space])
            .collect();
        joined
    });
    let any = "[^\n\r]{1,12}";
    prop_oneof![4 => nasty, 1 => any].prop_map(|text| match text.trim() {
        "" => "x".to_owned(),
        trimmed => trimmed.to_owned(),
    })
}

/// Text of several lines, with white space of all kinds; may be blank.
pub fn prose() -> impl Strategy<Value = String> {
    let gap = prop_oneof![select(&SPACES[..]), select(&BREAKS[..]), Just("")];
    let nasty = vec((gap, fragment()), 0..6).prop_map(|them| {
        them.into_iter()
            .flat_map(|(gap, word)| [gap, word])
            .collect()
    });
    let nasty = (nasty, blank()).prop_map(|(text, end): (String, String)| text + &end);
    prop_oneof![6 => nasty, 2 => blank(), 1 => any::<String>()]
}

pub fn text() -> impl Strategy<Value = Text> {
    prose().prop_map(Cow::Owned)
}

pub fn items() -> impl Strategy<Value = Items<'static>> {
    let entry = prop_oneof![2 => line().prop_map(Cow::Owned), 1 => text()];
    prop_oneof![3 => vec(entry, 0..5).prop_map(Items::List), 1 => text().prop_map(Items::Text)]
}

/// A list of single items only, as a host gives them.
pub fn list() -> impl Strategy<Value = Items<'static>> {
    vec(text(), 0..6).prop_map(Items::List)
}

pub fn content() -> impl Strategy<Value = LayerContent<'static>> {
    let text = || option::weighted(0.4, text());
    (text(), text(), text(), items(), items()).prop_map(
        |(identity, operating_rules, instructions, guardrails, surface_notes)| LayerContent {
            identity,
            operating_rules,
            instructions,
            guardrails,
            surface_notes,
        },
    )
}

pub fn layer() -> impl Strategy<Value = Layer> {
    select(&Layer::ALL[..])
}

/// Few sources, so that layers repeat.
pub fn source() -> impl Strategy<Value = Option<Text>> {
    select(vec![None, Some("a".into()), Some("b: 😀".into())])
}

pub fn layer_input() -> impl Strategy<Value = LayerInput<'static>> {
    let trusted = select(vec![None, Some(true), Some(false)]);
    (layer(), source(), trusted, content()).prop_map(|(layer, source, trusted, content)| {
        LayerInput {
            layer,
            source,
            trusted,
            content,
        }
    })
}

pub fn runtime() -> impl Strategy<Value = RuntimeSections<'static>> {
    vec(option::weighted(0.4, text()), 10).prop_map(|texts| {
        let mut texts = texts.into_iter();
        let mut next = || texts.next().flatten();
        RuntimeSections {
            capability_contract: next(),
            presentation_contract: next(),
            sandbox_contract: next(),
            surface: next(),
            skills: next(),
            mcp: next(),
            tool_index: next(),
            standing: next(),
            epistemic_stance: next(),
            temporal: next(),
        }
    })
}

/// A fact that is accepted.
pub fn fact() -> impl Strategy<Value = Fact<'static>> {
    let volatility = select(vec![Volatility::Static, Volatility::Dynamic]);
    (line(), text(), volatility).prop_map(|(key, value, volatility)| Fact {
        key: key.into(),
        value,
        volatility,
    })
}

pub fn dynamic_fact() -> impl Strategy<Value = Fact<'static>> {
    (line(), text()).prop_map(|(key, value)| Fact::dynamic(key, value))
}

pub fn wording() -> impl Strategy<Value = Wording<'static>> {
    let given = vec(prop_oneof![blank(), line()].prop_map(Cow::Owned), 6).prop_map(|texts| {
        let mut texts = texts.into_iter();
        let mut next = || texts.next().unwrap_or_default();
        Wording {
            guardrails_heading: next(),
            surface_notes_heading: next(),
            instructions_heading: next(),
            stance_clarifier: next(),
            facts_note: next(),
            untrusted_heading: next(),
        }
    });
    prop_oneof![3 => Just(Wording::source()), 1 => Just(Wording::neutral()), 1 => given]
}

pub fn options() -> impl Strategy<Value = Options<'static>> {
    let untrusted = select(vec![
        Untrusted::GuardrailsOnly,
        Untrusted::Apart,
        Untrusted::Drop,
    ]);
    let dialect = select(vec![Dialect::Strict, Dialect::Markdown]);
    let parts = (untrusted, dialect, wording(), any::<bool>());
    parts.prop_map(|(untrusted, dialect, wording, sections)| Options {
        untrusted,
        dialect,
        wording,
        sections,
    })
}

/// The same input with sections.
pub fn with_sections(mut input: AssembleInput<'_>) -> AssembleInput<'_> {
    input.options.sections = true;
    input
}

pub fn input() -> impl Strategy<Value = AssembleInput<'static>> {
    let glue = || option::weighted(0.5, text());
    let parts = (
        vec(layer_input(), 0..5),
        runtime(),
        vec(fact(), 0..4),
        glue(),
        glue(),
        options(),
    );
    parts.prop_map(
        |(layers, runtime, facts, binding_glue, channel_meta, options)| AssembleInput {
            layers,
            runtime,
            facts,
            binding_glue,
            channel_meta,
            options,
        },
    )
}

pub fn turn() -> impl Strategy<Value = Turn<'static>> {
    let text = || option::of(text());
    (
        option::of(vec(dynamic_fact(), 0..3)),
        text(),
        text(),
        text(),
    )
        .prop_map(|(facts, channel_meta, epistemic_stance, temporal)| Turn {
            facts,
            channel_meta,
            epistemic_stance,
            temporal,
        })
}

/// Descriptors with few keys and few texts, so that both repeat.
pub fn descriptor() -> impl Strategy<Value = Descriptor> {
    let block = select(vec!["identity", "guardrails", "from-tomorrow"]);
    let layer = select(vec!["seed", "bot", "agent", "tenant"]);
    (block, layer, source(), 0_u64..4).prop_map(|(block, layer, source, bytes)| Descriptor {
        block: block.into(),
        layer: layer.into(),
        source: source.map(Cow::into_owned),
        digest: digest(&"x".repeat(bytes as usize)),
        bytes,
    })
}

/// A document whose words are all different, and what may become of them.
#[derive(Clone, Debug, Default)]
pub struct Document {
    pub text: String,
    /// Words that have to be there once.
    pub once: Vec<String>,
    /// Words of headings, which lead each item below.
    pub headings: Vec<String>,
    /// Words inside comments.
    pub comments: Vec<String>,
}

/// The shapes of lines: `W` stands for a word, `H` for one of a heading, `C` for one in a comment.
const SHAPES: [&str; 46] = [
    "",
    "",
    "",
    "- W",
    "- W",
    "- ",
    "-",
    "* W",
    "+ W W",
    "1. W",
    "12) W",
    "12)W",
    "W",
    "W W",
    "W: W",
    "# H",
    "## H H ##",
    "### H: ##",
    "#### H #:",
    "###### H",
    "#W",
    "####### W",
    "#",
    "# Guardrails",
    "## guardrails:",
    "Guardrails:",
    "Guardrails: W",
    "---",
    "* * *",
    "___",
    "===",
    "<!-- C -->",
    "<!-- C\n- C\n-->",
    "<!-- C --><!-- C\n--> W",
    "<!-- W",
    "<!--> W",
    "W <!-- C --> W",
    "- # W",
    "- - W",
    "- ```",
    "```",
    "```W",
    "~~~~",
    "~~~",
    "> W",
    "| W | W |",
];

pub fn document() -> impl Strategy<Value = Document> {
    let indent = select(vec!["", "", "", " ", "  ", "   ", "    ", "\t", "\u{a0}"]);
    let end = select(vec!["\n", "\n", "\r\n", " \n", "\u{85}\n"]);
    let lines = vec((indent, select(&SHAPES[..]), end), 0..16);
    (lines, select(vec!["", "\u{feff}"])).prop_map(|(mut lines, mark)| {
        // An open comment swallows all up to the next end, rightly.
        let closed = lines
            .iter()
            .rposition(|(_, shape, _)| shape.contains("-->"));
        for (_, shape, _) in lines.iter_mut().take(closed.unwrap_or_default()) {
            if *shape == "<!-- W" {
                *shape = "W";
            }
        }
        let mut document = Document {
            text: mark.to_owned(),
            ..Document::default()
        };
        let mut words = 0;
        for (indent, shape, end) in lines {
            document.text.push_str(indent);
            for c in shape.chars() {
                let kind = match c {
                    'W' => &mut document.once,
                    'H' => &mut document.headings,
                    'C' => &mut document.comments,
                    other => {
                        document.text.push(other);
                        continue;
                    }
                };
                let word = format!("w{words}x");
                words += 1;
                document.text.push_str(&word);
                kind.push(word);
            }
            document.text.push_str(end);
        }
        document
    })
}

/// Changes that make valid JSON into something else.
#[derive(Clone, Debug)]
pub enum Mutation {
    Cut(Index),
    Remove(Index),
    Insert(Index, &'static str),
    Byte(Index, u8),
    Swap(Index, Index),
}

pub fn mutation() -> impl Strategy<Value = Mutation> {
    let pieces = vec![
        "\"",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "null",
        "1",
        "-0.5e3",
        "true",
        "\\ud800",
        "\\",
        "\u{feff}",
        "\"\":0,",
        "[[[[[[[[[[[[",
        "\0",
        "layers",
        "é",
    ];
    prop_oneof![
        any::<Index>().prop_map(Mutation::Cut),
        any::<Index>().prop_map(Mutation::Remove),
        (any::<Index>(), select(pieces)).prop_map(|(at, piece)| Mutation::Insert(at, piece)),
        (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Mutation::Byte(at, byte)),
        (any::<Index>(), any::<Index>()).prop_map(|(a, b)| Mutation::Swap(a, b)),
    ]
}

impl Mutation {
    pub fn apply(&self, bytes: &mut Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        let length = bytes.len();
        match self {
            Self::Cut(at) => bytes.truncate(at.index(length)),
            Self::Remove(at) => drop(bytes.remove(at.index(length))),
            Self::Insert(at, piece) => {
                let at = at.index(length);
                drop(bytes.splice(at..at, piece.bytes()));
            }
            Self::Byte(at, byte) => bytes[at.index(length)] = *byte,
            Self::Swap(a, b) => bytes.swap(a.index(length), b.index(length)),
        }
    }
}

fn object(fields: impl IntoIterator<Item = (&'static str, Option<Value>)>) -> Value {
    let given = fields
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Value::Object(given.collect::<Map<_, _>>())
}

fn some(text: &Option<Text>) -> Option<Value> {
    text.as_ref().map(|text| json!(text))
}

/// An input as a JavaScript host writes it.
pub fn wire(input: &AssembleInput<'_>) -> Value {
    let input = input.clone().into_owned();
    let layers = input.layers.iter().map(|it| {
        object([
            ("layer", Some(json!(it.layer))),
            ("source", some(&it.source)),
            ("trusted", it.trusted.map(Value::Bool)),
            ("content", Some(json!(it.content))),
        ])
    });
    let facts = input.facts.iter().map(|it| {
        let volatility = match it.volatility {
            Volatility::Static => "static",
            Volatility::Dynamic => "dynamic",
        };
        json!({"key": it.key, "value": it.value, "volatility": volatility})
    });
    let it = &input.runtime;
    let runtime = object([
        ("capabilityContract", some(&it.capability_contract)),
        ("presentationContract", some(&it.presentation_contract)),
        ("sandboxContract", some(&it.sandbox_contract)),
        ("surface", some(&it.surface)),
        ("skills", some(&it.skills)),
        ("mcp", some(&it.mcp)),
        ("toolIndex", some(&it.tool_index)),
        ("standing", some(&it.standing)),
        ("epistemicStance", some(&it.epistemic_stance)),
        ("temporal", some(&it.temporal)),
    ]);
    let it = &input.options;
    let options = json!({
        "untrusted": match it.untrusted {
            Untrusted::GuardrailsOnly => "guardrails-only",
            Untrusted::Apart => "apart",
            Untrusted::Drop => "drop",
        },
        "dialect": match it.dialect {
            Dialect::Strict => "strict",
            Dialect::Markdown => "markdown",
        },
        "wording": {
            "guardrailsHeading": it.wording.guardrails_heading,
            "surfaceNotesHeading": it.wording.surface_notes_heading,
            "instructionsHeading": it.wording.instructions_heading,
            "stanceClarifier": it.wording.stance_clarifier,
            "factsNote": it.wording.facts_note,
            "untrustedHeading": it.wording.untrusted_heading,
        },
        "sections": it.sections,
    });
    object([
        ("layers", Some(layers.collect())),
        ("runtime", Some(runtime)),
        ("facts", Some(facts.collect())),
        ("bindingGlue", some(&input.binding_glue)),
        ("channelMeta", some(&input.channel_meta)),
        ("options", Some(options)),
    ])
}

/// The same value with its field names in snake_case.
pub fn snake_case(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(snake_case).collect(),
        Value::Object(fields) => {
            let fields = fields.into_iter().map(|(name, value)| {
                let name = name.chars().flat_map(|c| {
                    let mark = c.is_ascii_uppercase().then_some('_');
                    mark.into_iter().chain([c.to_ascii_lowercase()])
                });
                (name.collect::<String>(), snake_case(value))
            });
            Value::Object(fields.collect())
        }
        other => other,
    }
}
