//! The core as text of JavaScript, for the entry that carries it inside.
//!
//! Base64 spreads three bytes over four characters, so that what repeats in the bytes no longer repeats in the text,
//! and compresses to a third more. Here each byte is one character of its own, or two where it is rare.
//! `pkg/src/core-text.js` reads what this writes.

/// Printable, and nothing that a string, a template or a page of HTML would want escaped.
fn alphabet() -> impl Iterator<Item = char> {
    (' '..='~').filter(|it| !"\"$'<\\`".contains(*it))
}

/// How many characters of the alphabet only say that another follows.
const PREFIXES: usize = 2;

pub struct CoreText {
    pub text: String,
    /// The bytes that are one character, ascending, in hex; the others follow, ascending too.
    pub frequent: String,
}

pub fn encode(bytes: &[u8]) -> CoreText {
    let alphabet: Vec<char> = alphabet().collect();
    let (prefixes, digits) = alphabet.split_at(PREFIXES);
    let mut count = [0usize; 256];
    for byte in bytes {
        count[usize::from(*byte)] += 1;
    }
    let mut order: Vec<u8> = (0..=u8::MAX).collect();
    order.sort_by_key(|byte| std::cmp::Reverse(count[usize::from(*byte)]));
    let (frequent, rare) = order.split_at_mut(digits.len());
    frequent.sort_unstable();
    rare.sort_unstable();
    let frequent = frequent.iter().map(|byte| format!("{byte:02x}")).collect();
    let mut codes = vec![String::new(); 256];
    for (place, byte) in order.iter().enumerate() {
        let code = &mut codes[usize::from(*byte)];
        if let Some(page) = (place / digits.len()).checked_sub(1) {
            code.push(prefixes[page]);
        }
        code.push(digits[place % digits.len()]);
    }
    let text = bytes.iter().map(|byte| &*codes[usize::from(*byte)]);
    CoreText {
        text: text.collect(),
        frequent,
    }
}
