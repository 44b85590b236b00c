//! JSON source to a [`Value`], by RFC 8259.
//!
//! A parser of its own, because the core has to weigh little: serde_json is a fifth of its budget, and would still
//! know no paths. It accepts what serde_json accepts, which a test compares.

use std::borrow::Cow;

use crate::model::error::{ErrorCode, StrataError, quote};
use crate::model::limits::MAX_JSON_BYTES;
use crate::model::path::Path;
use crate::read::value::Budget;
use crate::read::{FromValue, Value};
use crate::text::whitespace::strip_bom;

/// Reads a typed input from JSON source.
pub(crate) fn read<'a, T: FromValue<'a>>(source: &'a str) -> Result<T, StrataError> {
    T::from_value(&mut parse(source)?, &Path::ROOT)
}

/// Bytes as JSON source.
pub(crate) fn utf8(bytes: &[u8]) -> Result<&str, StrataError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        let message = format!("not UTF-8: the byte at {at} is invalid");
        StrataError::new(ErrorCode::InvalidUtf8, &"", message)
    })
}

/// Reads JSON source; a byte order mark before it is ignored.
pub(crate) fn parse(source: &str) -> Result<Value<'_>, StrataError> {
    if source.len() > MAX_JSON_BYTES {
        let message = format!("more than {MAX_JSON_BYTES} bytes of JSON");
        return Err(StrataError::new(ErrorCode::TooLarge, &"", message));
    }
    let mut parser = Parser {
        source: strip_bom(source),
        at: 0,
        budget: Budget::new(),
    };
    let value = parser.value(&Path::ROOT)?;
    parser.skip_blank();
    match parser.peek() {
        None => Ok(value),
        Some(_) => Err(parser.fail(&Path::ROOT, "expected nothing after the value")),
    }
}

struct Parser<'a> {
    source: &'a str,
    /// How many bytes are read; always at a character boundary.
    at: usize,
    budget: Budget,
}

impl<'a> Parser<'a> {
    fn value(&mut self, path: &Path<'_>) -> Result<Value<'a>, StrataError> {
        self.budget.value(path)?;
        self.skip_blank();
        match self.peek() {
            Some(b'"') => self.text(path).map(Value::Text),
            Some(b'{') => self.map(path),
            Some(b'[') => self.list(path),
            Some(b'-' | b'0'..=b'9') => self.number(path),
            Some(b't') => self.word("true", Value::Bool(true), path),
            Some(b'f') => self.word("false", Value::Bool(false), path),
            Some(b'n') => self.word("null", Value::Null, path),
            _ => Err(self.fail(path, "expected a value")),
        }
    }

    fn list(&mut self, path: &Path<'_>) -> Result<Value<'a>, StrataError> {
        let mut list = Vec::new();
        self.at += 1;
        if self.takes(b']') {
            return Ok(Value::List(list));
        }
        loop {
            list.push(self.value(&path.index(list.len()))?);
            if self.takes(b']') {
                return Ok(Value::List(list));
            }
            if !self.takes(b',') {
                return Err(self.fail(path, "expected `,` or `]`"));
            }
        }
    }

    fn map(&mut self, path: &Path<'_>) -> Result<Value<'a>, StrataError> {
        let mut map = Vec::new();
        self.at += 1;
        if self.takes(b'}') {
            return Ok(Value::Map(map));
        }
        loop {
            self.skip_blank();
            if self.peek() != Some(b'"') {
                return Err(self.fail(path, "expected a field name in quotes"));
            }
            let key = self.text(path)?;
            let field = path.field(&key);
            if !self.takes(b':') {
                return Err(self.fail(&field, "expected `:`"));
            }
            let value = self.value(&field)?;
            map.push((key, value));
            if self.takes(b'}') {
                return Ok(Value::Map(map));
            }
            if !self.takes(b',') {
                return Err(self.fail(path, "expected `,` or `}`"));
            }
        }
    }

    /// A text in quotes, borrowed where it holds no escape.
    fn text(&mut self, path: &Path<'_>) -> Result<Cow<'a, str>, StrataError> {
        self.at += 1;
        let plain = self.plain();
        if self.peek() == Some(b'"') {
            self.at += 1;
            self.budget.text(plain, path)?;
            return Ok(Cow::Borrowed(plain));
        }
        let mut text = plain.to_owned();
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    self.budget.text(&text, path)?;
                    return Ok(Cow::Owned(text));
                }
                Some(b'\\') => text.push(self.escape(path)?),
                Some(_) => {
                    return Err(self.fail(path, "expected control characters to be escaped"));
                }
                None => return Err(self.fail(path, "expected a closing quote")),
            }
            text.push_str(self.plain());
        }
    }

    /// The run of characters that stand for themselves.
    fn plain(&mut self) -> &'a str {
        let rest = self.source.get(self.at..).unwrap_or_default();
        let is_special = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..=0x1f);
        let len = rest.bytes().position(|byte| is_special(&byte));
        let plain = rest.get(..len.unwrap_or(rest.len())).unwrap_or_default();
        self.at += plain.len();
        plain
    }

    fn escape(&mut self, path: &Path<'_>) -> Result<char, StrataError> {
        self.at += 1;
        let escaped = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.code_point(path),
            _ => return Err(self.fail(path, "expected an escape after `\\`")),
        };
        self.at += 1;
        Ok(escaped)
    }

    /// A character written as `u` and four digits, or as a pair of such halves.
    fn code_point(&mut self, path: &Path<'_>) -> Result<char, StrataError> {
        let start = self.at - 1;
        let first = self.unit(path)?;
        let is_pair = (0xd800..0xdc00).contains(&first)
            && self.peek() == Some(b'\\')
            && self.source.as_bytes().get(self.at + 1) == Some(&b'u');
        let code = if is_pair {
            self.at += 1;
            let second = self.unit(path)?;
            let low = second.wrapping_sub(0xdc00);
            if low < 0x400 {
                0x10000 + ((first - 0xd800) << 10) + low
            } else {
                first
            }
        } else {
            first
        };
        char::from_u32(code).ok_or_else(|| {
            self.at = start;
            let place = self.place();
            StrataError::at(
                ErrorCode::LoneSurrogate,
                path,
                format_args!("half a surrogate pair"),
                &format!("`\\u{first:04x}` at {place}"),
            )
        })
    }

    /// Reads `u` and four hexadecimal digits.
    fn unit(&mut self, path: &Path<'_>) -> Result<u32, StrataError> {
        let digits = self.source.get(self.at + 1..self.at + 5);
        let digits = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let unit = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let unit = unit.ok_or_else(|| self.fail(path, "expected four digits after `\\u`"))?;
        self.at += 5;
        Ok(unit)
    }

    fn number(&mut self, path: &Path<'_>) -> Result<Value<'a>, StrataError> {
        let start = self.at;
        self.accept(b"-");
        let leads = self.peek();
        let whole = self.digits();
        if whole > 1 && leads == Some(b'0') {
            self.at = start;
            return Err(self.fail(path, "a number may not start with zeros"));
        }
        let mut is_number = whole > 0;
        let end = self.at;
        if self.accept(b".") {
            is_number &= self.digits() > 0;
        }
        if self.accept(b"eE") {
            self.accept(b"+-");
            is_number &= self.digits() > 0;
        }
        if !is_number {
            return Err(self.fail(path, "expected a digit"));
        }
        // More digits than JavaScript holds are as little spelt out as fractions.
        let is_spelt = end == self.at && whole <= 16;
        let digits = self.source.get(start..end).filter(|_| is_spelt);
        Ok(Value::Number(Cow::Borrowed(digits.unwrap_or_default())))
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while self.accept(b"0123456789") {}
        self.at - start
    }

    fn word(
        &mut self,
        word: &str,
        value: Value<'a>,
        path: &Path<'_>,
    ) -> Result<Value<'a>, StrataError> {
        if self.source.get(self.at..self.at + word.len()) != Some(word) {
            return Err(self.fail(path, "expected a value"));
        }
        self.at += word.len();
        Ok(value)
    }

    fn peek(&self) -> Option<u8> {
        self.source.as_bytes().get(self.at).copied()
    }

    /// Steps over one of `bytes`, if it comes next.
    fn accept(&mut self, bytes: &[u8]) -> bool {
        let comes = self.peek().is_some_and(|byte| bytes.contains(&byte));
        self.at += usize::from(comes);
        comes
    }

    /// Steps over blank characters and then over `byte`, if it comes next.
    fn takes(&mut self, byte: u8) -> bool {
        self.skip_blank();
        self.accept(&[byte])
    }

    fn skip_blank(&mut self) {
        while self.accept(b" \n\r\t") {}
    }

    fn fail(&self, path: &Path<'_>, what: &str) -> StrataError {
        let rest = self.source.get(self.at..).unwrap_or_default();
        let found = match rest.split(|c: char| !c.is_ascii_alphanumeric()).next() {
            _ if rest.is_empty() => "the text ends".to_owned(),
            Some("") | None => {
                let next: String = rest.chars().take(1).collect();
                format!("found {}", quote(&next))
            }
            Some(word) => format!("found {}", quote(word)),
        };
        let explanation = format!("{what}, but {found} at {}", self.place());
        StrataError::at(
            ErrorCode::InvalidJson,
            path,
            format_args!("not JSON"),
            &explanation,
        )
    }

    /// Where the parser stands, as an editor shows it.
    fn place(&self) -> String {
        let read = self.source.get(..self.at).unwrap_or_default();
        let line = read.bytes().filter(|byte| *byte == b'\n').count() + 1;
        let start = read.rfind('\n').map_or(0, |at| at + 1);
        let column = read.get(start..).unwrap_or_default().chars().count() + 1;
        format!("line {line} column {column}")
    }
}
