//! The block of facts, and what there is to say about them.

use std::borrow::Cow;

use crate::model::diagnostic::{Diagnostic, DiagnosticCode, Told};
use crate::model::error::{StrataError, quote};
use crate::model::fact::{self, Fact, Volatility};
use crate::model::limits::MAX_DIAGNOSTICS;
use crate::model::path::Path;
use crate::text::fact_escape::escape;
use crate::text::hash_table::Seen;

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
/// [`ErrorCode::InvalidFactKey`](crate::ErrorCode::InvalidFactKey) for a key that is blank or holds a line break.
pub fn render_facts(facts: &[Fact<'_>]) -> Result<Option<String>, StrataError> {
    fact::check(facts, &Path::ROOT)?;
    Ok(render(facts.iter()))
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
        if is_escaped(fact) {
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

fn is_escaped(fact: &Fact<'_>) -> bool {
    let escaped = |text| matches!(escape(text), Cow::Owned(_));
    escaped(&fact.key) || escaped(&fact.value)
}
