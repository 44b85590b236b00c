//! A JavaScript value in one crossing: all its text as one string, and a tape of numbers that tells its structure.
//!
//! Each entry of the tape is a tag in the low three bits and a size above. Objects and lists are followed by their
//! entries; texts are cut from the string in turn, by their length in UTF-16 code units, which is what JavaScript
//! knows. `pkg/src/tape.js` writes what this reads.

use std::borrow::Cow;

use super::convert::disagreement;
use crate::model::error::StrataError;
use crate::model::path::Path;
use crate::read::Value;
use crate::read::value::Budget;

const NULL: u32 = 0;
const FALSE: u32 = 1;
const TRUE: u32 = 2;
const NUMBER: u32 = 3;
const TEXT: u32 = 4;
const LIST: u32 = 5;
const MAP: u32 = 6;

/// Reads the value that a tape tells. Where it is the arguments of a function, their names do not count as text.
pub(super) fn read<'a>(
    text: &'a str,
    tape: &[u32],
    is_arguments: bool,
) -> Result<Value<'a>, StrataError> {
    let mut reader = Reader {
        text,
        is_arguments,
        is_ascii: text.is_ascii(),
        tape: tape.iter(),
        budget: Budget::new(),
    };
    let value = reader.value(&Path::ROOT)?;
    if reader.tape.next().is_some() || !reader.text.is_empty() {
        return Err(disagreement());
    }
    Ok(value)
}

struct Reader<'a, 't> {
    text: &'a str,
    is_arguments: bool,
    /// Whether one code unit is one byte throughout.
    is_ascii: bool,
    tape: std::slice::Iter<'t, u32>,
    budget: Budget,
}

impl<'a> Reader<'a, '_> {
    fn value(&mut self, path: &Path<'_>) -> Result<Value<'a>, StrataError> {
        self.budget.value(path)?;
        let entry = *self.tape.next().ok_or_else(disagreement)?;
        let size = (entry >> 3) as usize;
        match entry & 7 {
            NULL => Ok(Value::Null),
            FALSE => Ok(Value::Bool(false)),
            TRUE => Ok(Value::Bool(true)),
            NUMBER => self
                .counted(size, path)
                .map(|it| Value::Number(Cow::Borrowed(it))),
            TEXT => self
                .counted(size, path)
                .map(|it| Value::Text(Cow::Borrowed(it))),
            LIST => {
                let mut list = Vec::with_capacity(self.at_most(size));
                for index in 0..size {
                    list.push(self.value(&path.index(index))?);
                }
                Ok(Value::List(list))
            }
            MAP => {
                let mut map = Vec::with_capacity(self.at_most(size));
                for _ in 0..size {
                    map.push(self.entry(path)?);
                }
                Ok(Value::Map(map))
            }
            _ => Err(disagreement()),
        }
    }

    /// How many entries there can be, whatever the tape says.
    fn at_most(&self, size: usize) -> usize {
        size.min(self.tape.len())
    }

    fn entry(&mut self, path: &Path<'_>) -> Result<(Cow<'a, str>, Value<'a>), StrataError> {
        let length = *self.tape.next().ok_or_else(disagreement)? as usize;
        let key = if self.is_arguments && path.depth() == 0 {
            self.cut(length)?
        } else {
            self.counted(length, path)?
        };
        Ok((Cow::Borrowed(key), self.value(&path.field(key))?))
    }

    /// Cuts a text that the caller brought.
    fn counted(&mut self, units: usize, path: &Path<'_>) -> Result<&'a str, StrataError> {
        let cut = self.cut(units)?;
        self.budget.text(cut, path)?;
        Ok(cut)
    }

    /// Cuts the next `units` UTF-16 code units off the text.
    fn cut(&mut self, units: usize) -> Result<&'a str, StrataError> {
        let bytes = if self.is_ascii {
            Some(units)
        } else {
            byte_len(self.text, units)
        };
        let cut = bytes.and_then(|bytes| self.text.split_at_checked(bytes));
        let (cut, rest) = cut.ok_or_else(disagreement)?;
        self.text = rest;
        Ok(cut)
    }
}

/// How many bytes the first `units` UTF-16 code units of a text take; `None` where it has fewer, or half a pair is left.
fn byte_len(text: &str, units: usize) -> Option<usize> {
    let mut left = units;
    for (at, byte) in text.bytes().enumerate() {
        // Continuation bytes add no unit; a four-byte character is a pair.
        let width = match byte {
            0x80..=0xbf => 0,
            0xf0.. => 2,
            _ => 1,
        };
        if left == 0 && width > 0 {
            return Some(at);
        }
        left = left.checked_sub(width)?;
    }
    (left == 0).then_some(text.len())
}
