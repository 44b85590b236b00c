//! Guardrail text: how it is read, written and compared.
//!
//! Surface notes are read and written the same way.

pub(crate) mod duplicate;
mod markdown;
mod strict;

use std::borrow::Cow;
use std::fmt::Display;

use crate::model::error::{ErrorCode, StrataError, quote};
use crate::model::limits::MAX_TEXT_BYTES;
use crate::model::options::Dialect;
use crate::text::whitespace::{fold_line_breaks, is_blank, strip_bom, trim, trim_cow};

/// Reads guardrail text into its items, none of them empty or untrimmed.
///
/// No text is lost in either dialect, other than bullet marks, the `Guardrails` heading and, in Markdown,
/// comments and thematic breaks. A leading byte order mark is ignored.
///
/// ```
/// use prompt_strata::{Dialect, parse_guardrails};
/// let text = "Guardrails:\n- never push\n  to main\n\nAsk first.";
/// assert_eq!(parse_guardrails(text, Dialect::Strict)?, ["never push to main", "Ask first."]);
///
/// let document = "## Forbidden\n1. delete files\n## Allowed\n1. read files";
/// assert_eq!(
///     parse_guardrails(document, Dialect::Markdown)?,
///     ["Forbidden: delete files", "Allowed: read files"],
/// );
/// # Ok::<(), prompt_strata::StrataError>(())
/// ```
///
/// # Errors
///
/// [`ErrorCode::TooLarge`] where the headings of a Markdown document, put before each of the items under them,
/// come to more than [`MAX_TEXT_BYTES`]. Strict text never fails.
pub fn parse_guardrails(text: &str, dialect: Dialect) -> Result<Vec<Cow<'_, str>>, StrataError> {
    parse_within(text, dialect, &mut { MAX_TEXT_BYTES }, &"")
}

/// [`parse_guardrails`] within what is left of a call's budget for heading paths.
pub(crate) fn parse_within<'a>(
    text: &'a str,
    dialect: Dialect,
    budget: &mut usize,
    path: &dyn Display,
) -> Result<Vec<Cow<'a, str>>, StrataError> {
    let text = strip_bom(text);
    match dialect {
        Dialect::Strict => Ok(strict::parse(text)),
        Dialect::Markdown => markdown::parse(text, budget).map_err(|markdown::Overflow| {
            StrataError::at(
                ErrorCode::TooLarge,
                path,
                format_args!("more than {MAX_TEXT_BYTES} bytes of headings before items"),
                "",
            )
        }),
    }
}

/// Writes items as bullets, one a line; a line break inside an item becomes a space (departure 4).
///
/// Reading them again gives the same items, in both dialects, as long as each is a trimmed line of its own.
///
/// ```
/// use prompt_strata::render_guardrails;
/// assert_eq!(render_guardrails(["never push", " ask first "]), "- never push\n- ask first\n");
/// ```
#[must_use]
pub fn render_guardrails<T: AsRef<str>>(rules: impl IntoIterator<Item = T>) -> String {
    let mut text = String::new();
    for rule in rules {
        let rule = fold_line_breaks(rule.as_ref());
        if !is_blank(&rule) {
            push_bullet(&mut text, trim(&rule));
        }
    }
    text
}

/// How many bytes a bullet is longer than its item.
pub(crate) const BULLET_BYTES: usize = 3;

/// Appends one trimmed item as a bullet.
pub(crate) fn push_bullet(text: &mut String, item: &str) {
    text.push_str("- ");
    text.push_str(item);
    text.push('\n');
}

/// Says that text read in the strict dialect has a Markdown heading, which scopes nothing there.
pub(crate) fn markdown_in_strict(text: &str) -> Option<String> {
    let heading = markdown::first_heading(strip_bom(text))?;
    Some(format!(
        "the Markdown heading {} is read as text in the strict dialect",
        quote(heading)
    ))
}

/// The text of one guardrail while its lines are gathered; it is only copied once it has a second line.
struct Open<'a> {
    text: Cow<'a, str>,
}

impl<'a> Open<'a> {
    fn new(line: &'a str) -> Self {
        Self {
            text: Cow::Borrowed(line),
        }
    }

    /// Adds a line, joined by one space.
    fn push(&mut self, line: &'a str) {
        if self.text.is_empty() {
            self.text = Cow::Borrowed(line);
        } else if !line.is_empty() {
            let text = self.text.to_mut();
            text.push(' ');
            text.push_str(line);
        }
    }

    /// The trimmed text, unless there is none.
    fn finish(self) -> Option<Cow<'a, str>> {
        let text = trim_cow(self.text);
        (!text.is_empty()).then_some(text)
    }
}
