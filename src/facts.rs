//! Facts: what the host states, key by key.

use std::borrow::Cow;

use crate::content::owned;
use crate::diagnostic::{Diagnostic, DiagnosticCode, Told};
use crate::error::{ErrorCode, StrataError, quote};
use crate::index::Seen;
use crate::input::Path;
use crate::limits::MAX_DIAGNOSTICS;
use crate::whitespace::{has_line_break, is_blank};

/// Whether a fact holds for the whole session or changes by the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Volatility {
    /// Joins the prefix.
    Static,
    /// Rides at the tail.
    Dynamic,
}

/// One statement of the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact<'a> {
    /// What is stated. Not blank, on one line.
    pub key: Cow<'a, str>,
    /// What holds.
    pub value: Cow<'a, str>,
    /// How long it holds.
    pub volatility: Volatility,
}

impl<'a> Fact<'a> {
    /// A fact for the prefix.
    #[must_use]
    pub fn fixed(key: impl Into<Cow<'a, str>>, value: impl Into<Cow<'a, str>>) -> Self {
        Self {
            key: key.into(),
            value: value.into(),
            volatility: Volatility::Static,
        }
    }

    /// A fact for the tail.
    #[must_use]
    pub fn dynamic(key: impl Into<Cow<'a, str>>, value: impl Into<Cow<'a, str>>) -> Self {
        Self {
            volatility: Volatility::Dynamic,
            ..Self::fixed(key, value)
        }
    }

    /// The same with text of its own.
    #[must_use]
    pub fn into_owned(self) -> Fact<'static> {
        Fact {
            key: owned(self.key),
            value: owned(self.value),
            volatility: self.volatility,
        }
    }

    fn check(&self, path: &Path<'_>) -> Result<(), StrataError> {
        let complaint = if is_blank(&self.key) {
            "is blank"
        } else if has_line_break(&self.key) {
            "holds a line break"
        } else {
            return Ok(());
        };
        Err(StrataError::at(
            ErrorCode::InvalidFactKey,
            &path.field("key"),
            format_args!("fact key {} {complaint}", quote(&self.key)),
            "",
        ))
    }

    fn is_escaped(&self) -> bool {
        let escaped = |text| matches!(escape(text), Cow::Owned(_));
        escaped(&self.key) || escaped(&self.value)
    }
}

/// Renders facts as one `<facts>` block, in the order given, or `None` where there are none.
///
/// A value cannot break out: its line breaks are indented, and `<facts` or `</facts` in it is escaped.
///
/// ```
/// use prompt_strata::{Fact, render_facts};
/// let facts = [Fact::fixed("plan", "pro"), Fact::fixed("motto", "one\ntwo </facts>")];
/// assert_eq!(
///     render_facts(&facts)?.as_deref(),
///     Some("<facts>\n- plan: pro\n- motto: one\n  two &lt;/facts>\n</facts>"),
/// );
/// # Ok::<(), prompt_strata::StrataError>(())
/// ```
///
/// # Errors
///
/// [`ErrorCode::InvalidFactKey`] for a key that is blank or holds a line break.
pub fn render_facts(facts: &[Fact<'_>]) -> Result<Option<String>, StrataError> {
    check(facts, &Path::ROOT)?;
    Ok(render(facts.iter()))
}

/// Refuses facts whose key would not stay a key.
pub(crate) fn check(facts: &[Fact<'_>], path: &Path<'_>) -> Result<(), StrataError> {
    facts
        .iter()
        .enumerate()
        .try_for_each(|(index, fact)| fact.check(&path.index(index)))
}

pub(crate) fn render<'f, 'a: 'f>(facts: impl Iterator<Item = &'f Fact<'a>>) -> Option<String> {
    let mut text = String::with_capacity(256);
    text.push_str("<facts>\n");
    let opening = text.len();
    for fact in facts {
        text.push_str("- ");
        text.push_str(&escape(&fact.key));
        text.push_str(": ");
        text.push_str(&escape(&fact.value));
        text.push('\n');
    }
    (text.len() > opening).then(|| {
        text.push_str("</facts>");
        text
    })
}

/// What is to say about facts that stand at `path`, and how much more there is than a result holds.
///
/// `stated` holds the keys of those before, and `is_announced` says whether the prefix tells of dynamic ones.
pub(crate) fn diagnose<'f>(
    facts: impl Iterator<Item = (usize, &'f Fact<'f>)>,
    path: &Path<'_>,
    stated: &mut Seen<'f>,
    is_announced: bool,
) -> Told {
    let mut found = Vec::new();
    let mut more = 0;
    for (index, fact) in facts {
        let path = path.index(index);
        let mut say = |code, path: &Path<'_>, what: &str, why: &str| {
            if found.len() == MAX_DIAGNOSTICS {
                more += 1;
                return;
            }
            let message = format!("the {what} {} {why}", quote(&fact.key));
            found.push(Diagnostic::new(code, message, Some(path.to_string())));
        };
        if fact.volatility == Volatility::Dynamic && !is_announced {
            say(
                DiagnosticCode::UndeclaredDynamicFact,
                &path,
                "dynamic fact",
                "was not declared, so the prefix does not announce it",
            );
        }
        if !stated.add(&fact.key) {
            say(
                DiagnosticCode::DuplicateFactKey,
                &path.field("key"),
                "fact",
                "is stated more than once",
            );
        }
        if fact.is_escaped() {
            say(
                DiagnosticCode::FactEscaped,
                &path,
                "fact",
                "was escaped to stay on its line and in its block",
            );
        }
    }
    (found, more)
}

/// Keeps a key or value inside its line and its block (departure 6).
pub(crate) fn escape(text: &str) -> Cow<'_, str> {
    if !text.bytes().any(|it| matches!(it, b'\n' | b'\r' | b'<')) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::new();
    let mut changed = false;
    let mut rest = text;
    while let Some((plain, special)) = rest
        .find(['\n', '\r', '<'])
        .and_then(|at| rest.split_at_checked(at))
    {
        escaped.push_str(plain);
        let (replacement, consumed) = match special.as_bytes() {
            [b'\r', b'\n', ..] => ("\n  ", 2),
            [b'\r' | b'\n', ..] => ("\n  ", 1),
            _ if opens_facts(special) => ("&lt;", 1),
            _ => ("<", 1),
        };
        changed |= replacement != "<";
        escaped.push_str(replacement);
        rest = special.get(consumed..).unwrap_or_default();
    }
    if changed {
        escaped.push_str(rest);
        Cow::Owned(escaped)
    } else {
        Cow::Borrowed(text)
    }
}

/// Whether a text begins with `<facts` or `</facts`, in any case.
fn opens_facts(text: &str) -> bool {
    let name = text.strip_prefix('<').unwrap_or(text);
    let name = name.strip_prefix('/').unwrap_or(name);
    name.get(..5)
        .is_some_and(|name| name.eq_ignore_ascii_case("facts"))
}
