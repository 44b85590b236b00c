//! Guardrail text of any kind: nothing panics, nothing is lost, and what was read can be written and read again.

#![no_main]

use std::borrow::Cow;
use std::collections::HashMap;

use libfuzzer_sys::fuzz_target;
use prompt_strata::{Dialect, ErrorCode, parse_guardrails, render_guardrails};

const HEADING: &str = "Guardrails";

fn letters(text: &str) -> HashMap<char, usize> {
    let mut counts = HashMap::new();
    for letter in text.chars().filter(|c| c.is_alphabetic()) {
        *counts.entry(letter).or_default() += 1;
    }
    counts
}

/// An item as it is written: a lone `\r` ends no line where text is read, but is one space where items are written.
fn on_one_line(item: &str) -> String {
    let pieces = item.split('\r').map(str::trim);
    let pieces: Vec<&str> = pieces.filter(|it| !it.is_empty()).collect();
    pieces.join(" ")
}

fn round_trips(items: &[Cow<'_, str>], dialect: Dialect) {
    for item in items {
        assert!(
            !item.is_empty() && item.trim() == item,
            "untrimmed: {item:?}"
        );
        assert!(!item.contains('\n'), "more than a line: {item:?}");
    }
    let rendered = render_guardrails(items);
    let again = parse_guardrails(&rendered, dialect).expect("bullets have no headings");
    let written: Vec<String> = items.iter().map(|it| on_one_line(it)).collect();
    assert_eq!(again, written, "{dialect:?}");
}

/// Only the word of the heading may be missing, a whole number of times.
fn strict_loses_nothing(text: &str, items: &[Cow<'_, str>]) {
    let (source, kept) = (letters(text), letters(&items.concat()));
    let lost = |c: char| source.get(&c).unwrap_or(&0) - kept.get(&c).unwrap_or(&0);
    let headings = lost('G');
    let word = letters(HEADING);
    for &c in source.keys() {
        let expected = headings * word.get(&c).unwrap_or(&0);
        assert_eq!(lost(c), expected, "{c:?} of {text:?} in {items:?}");
    }
}

/// Headings repeat, so there may be more than was written; digits may be bullet marks.
fn markdown_loses_nothing(text: &str, items: &[Cow<'_, str>]) {
    if text.contains("<!--") {
        return;
    }
    let mut required = String::new();
    for line in text.lines() {
        let words: String = line.chars().filter(|c| c.is_alphabetic()).collect();
        let line = line.trim_start_matches('\u{feff}').trim_start();
        if !words.eq_ignore_ascii_case(HEADING) {
            required.push_str(line.strip_prefix("Guardrails:").unwrap_or(line));
        }
    }
    let kept = letters(&items.concat());
    for (c, count) in letters(&required) {
        assert!(
            kept.get(&c).is_some_and(|it| *it >= count),
            "{c:?} of {text:?} in {items:?}"
        );
    }
}

fuzz_target!(|text: &str| {
    let strict = parse_guardrails(text, Dialect::Strict).expect("strict text never fails");
    round_trips(&strict, Dialect::Strict);
    round_trips(&strict, Dialect::Markdown);
    strict_loses_nothing(text, &strict);
    match parse_guardrails(text, Dialect::Markdown) {
        Ok(items) => {
            round_trips(&items, Dialect::Markdown);
            round_trips(&items, Dialect::Strict);
            markdown_loses_nothing(text, &items);
        }
        Err(error) => assert_eq!(error.code(), ErrorCode::TooLarge),
    }
});
