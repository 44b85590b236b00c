//! Seed files of any kind: nothing panics, and the last body of each known block is used.

#![no_main]

use libfuzzer_sys::fuzz_target;
use prompt_strata::{DiagnosticCode, Dialect, Items, parse_guardrails, parse_seed};

/// The name on a marker line, found another way than the crate does.
fn marker(line: &str) -> Option<String> {
    let name = line
        .trim()
        .strip_prefix("<!-- block:")?
        .strip_suffix("-->")?;
    Some(name.trim().replace('-', "_"))
}

/// The blocks in order, with trimmed bodies; the first has no name.
fn blocks(text: &str) -> Vec<(Option<String>, String)> {
    let mut blocks = vec![(None, String::new())];
    for line in text.split('\n') {
        let line = line.strip_suffix('\r').unwrap_or(line);
        match marker(line) {
            Some(name) => blocks.push((Some(name), String::new())),
            None => {
                if let Some((_, body)) = blocks.last_mut() {
                    body.push_str(line);
                    body.push('\n');
                }
            }
        }
    }
    for (_, body) in &mut blocks {
        *body = body.trim().to_owned();
    }
    blocks
}

fuzz_target!(|input: &str| {
    // The first line is the version, so that seeds stay readable.
    let (version, text) = input.split_once('\n').unwrap_or(("", input));
    let seed = parse_seed(text, version).expect("a fuzzed text is small");
    let text = text
        .strip_prefix('\u{feff}')
        .unwrap_or(text)
        .replace("{{version}}", version);
    let blocks = blocks(&text);
    let body = |wanted: &str| {
        let mut named = blocks
            .iter()
            .filter(|(name, _)| name.as_deref() == Some(wanted));
        named.next_back().map(|(_, body)| body.as_str())
    };
    assert_eq!(seed.content.identity.as_deref(), body("identity"));
    assert_eq!(
        seed.content.operating_rules.as_deref(),
        body("operating_rules")
    );
    let guardrails = body("guardrails").unwrap_or_default();
    let guardrails =
        parse_guardrails(guardrails, Dialect::Strict).expect("strict text never fails");
    assert_eq!(seed.content.guardrails, Items::List(guardrails));
    let contract = |name| body(name).unwrap_or_default();
    assert_eq!(seed.capability_contract, contract("capability_contract"));
    assert_eq!(
        seed.presentation_contract,
        contract("presentation_contract")
    );
    assert_eq!(seed.sandbox_contract, contract("sandbox_contract"));

    let has = |code| seed.diagnostics.iter().any(|it| it.code == code);
    assert_eq!(
        has(DiagnosticCode::SeedPreamble),
        blocks.first().is_some_and(|it| !it.1.is_empty())
    );
    assert!(
        seed.diagnostics
            .iter()
            .all(|it| !it.message.is_empty() && it.path.is_some())
    );
});
