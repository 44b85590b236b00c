//! Where in an input something stands, written as JavaScript would reach it.

use std::fmt;

/// A position in an input; it lives on the stack of the reader and is only written out for an error.
#[derive(Clone, Copy)]
pub(crate) struct Path<'p> {
    parent: Option<&'p Path<'p>>,
    step: Step<'p>,
    depth: usize,
}

#[derive(Clone, Copy)]
enum Step<'p> {
    Root,
    Field(&'p str),
    Index(usize),
}

impl<'p> Path<'p> {
    /// The input itself; written, it is empty.
    pub(crate) const ROOT: Path<'static> = Path {
        parent: None,
        step: Step::Root,
        depth: 0,
    };

    pub(crate) fn field(&'p self, name: &'p str) -> Path<'p> {
        Path {
            parent: Some(self),
            step: Step::Field(name),
            depth: self.depth + 1,
        }
    }

    pub(crate) fn index(&'p self, index: usize) -> Path<'p> {
        Path {
            parent: Some(self),
            step: Step::Index(index),
            depth: self.depth + 1,
        }
    }

    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    fn is_root(&self) -> bool {
        matches!(self.step, Step::Root)
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(parent) = self.parent {
            parent.fmt(f)?;
        }
        match self.step {
            Step::Root => Ok(()),
            Step::Index(index) => write!(f, "[{index}]"),
            Step::Field(name) if !is_identifier(name) => write_key(f, name),
            Step::Field(name) => {
                if self.parent.is_some_and(|parent| !parent.is_root()) {
                    f.write_str(".")?;
                }
                f.write_str(name)
            }
        }
    }
}

/// The most characters of one field name that a path shows: a stranger may have chosen it.
const SHOWN_CHARS: usize = 60;

fn is_identifier(name: &str) -> bool {
    (1..=SHOWN_CHARS).contains(&name.len())
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$'))
}

fn write_key(f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
    f.write_str("[\"")?;
    let mut chars = name.chars();
    for c in chars.by_ref().take(SHOWN_CHARS) {
        match c {
            '"' | '\\' => write!(f, "\\{c}")?,
            c if c.is_control() => write!(f, "\\u{:04x}", u32::from(c))?,
            c => write!(f, "{c}")?,
        }
    }
    if chars.next().is_some() {
        f.write_str("…")?;
    }
    f.write_str("\"]")
}
