//! The Markdown dialect: documents that people write by hand, read so that each item keeps its sense alone.
//!
//! Not a Markdown parser: only what changes where an item begins, and what it stands under, is recognised, and
//! only at the start of a line of its own. The names of the constructs are CommonMark's.

use std::borrow::Cow;

use super::Open;
use super::strict::HEADING;
use crate::text::search::split_once;
use crate::text::whitespace::lines;

const COMMENT_START: &str = "<!--";
const COMMENT_END: &str = "-->";

/// A tab reaches to the next multiple of this many columns (CommonMark 2.2).
const TAB_STOP: usize = 4;

/// The name of the heading that only says what the document is.
const DOCUMENT_HEADING: &str = "guardrails";

/// The heading paths grew larger than the caller's budget.
pub(super) struct Overflow;

/// Reads a document; at most `budget` bytes of heading paths are put before items, and taken off it.
pub(super) fn parse<'a>(text: &'a str, budget: &mut usize) -> Result<Vec<Cow<'a, str>>, Overflow> {
    let blocks = Blocks::of(text);
    let top = |block: &&Block<'_>| matches!(block, Block::Heading(heading) if heading.level == 1);
    let has_title =
        blocks.first().as_ref().is_some_and(top) && blocks.iter().filter(top).count() == 1;
    let mut scoping = Scoping {
        scopes: Vec::new(),
        items: Vec::with_capacity(blocks.len()),
        budget: *budget,
    };
    for (index, block) in blocks.into_iter().enumerate() {
        match block {
            Block::Item(item) => scoping.item(item)?,
            Block::Heading(heading) => {
                scoping.leave(heading.level)?;
                if heading.text.eq_ignore_ascii_case(DOCUMENT_HEADING) {
                    continue;
                }
                if index == 0 && has_title {
                    if !heading.text.is_empty() {
                        scoping.item(Cow::Borrowed(heading.text))?;
                    }
                } else {
                    scoping.enter(heading);
                }
            }
        }
    }
    scoping.leave(1)?;
    *budget = scoping.budget;
    Ok(scoping.items)
}

/// The first line that is a heading.
pub(super) fn first_heading(text: &str) -> Option<&str> {
    lines(text)
        .map(str::trim)
        .find(|line| heading(line).is_some())
}

struct Heading<'a> {
    level: usize,
    text: &'a str,
}

/// Reads `## Text ##:` without its marks and final colon. At least one space or nothing follows the marks.
fn heading(line: &str) -> Option<Heading<'_>> {
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    if !(1..=6).contains(&level) || !rest.is_empty() && !rest.starts_with([' ', '\t']) {
        return None;
    }
    let rest = rest.trim();
    let unclosed = rest.trim_end_matches('#');
    // "C#" ends in a letter of the name; closing marks stand apart.
    let text = if unclosed.is_empty() || unclosed.ends_with(char::is_whitespace) {
        unclosed.trim_end()
    } else {
        rest
    };
    let text = text.strip_suffix(':').unwrap_or(text).trim_end();
    Some(Heading { level, text })
}

/// The text after a bullet mark: `- `, `* `, `+ `, `1. ` or `1) `.
fn bullet(line: &str) -> Option<&str> {
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    if digits.len() < line.len() {
        return digits
            .strip_prefix(". ")
            .or_else(|| digits.strip_prefix(") "));
    }
    ["- ", "* ", "+ "]
        .into_iter()
        .find_map(|mark| line.strip_prefix(mark))
}

/// Three or more of one of `-`, `*`, `_`, also spaced.
fn is_thematic_break(line: &str) -> bool {
    let Some(mark) = line.chars().next().filter(|c| matches!(c, '-' | '*' | '_')) else {
        return false;
    };
    let mut marks = 0;
    for c in line.chars() {
        if c == mark {
            marks += 1;
        } else if !c.is_whitespace() {
            return false;
        }
    }
    marks >= 3
}

/// The run of backticks or tildes that opens a fenced code block.
fn fence(line: &str) -> Option<&str> {
    ['`', '~'].into_iter().find_map(|mark| {
        let rest = line.trim_start_matches(mark);
        let (run, info) = line.split_at_checked(line.len() - rest.len())?;
        // A backtick in the info string makes it a code span (CommonMark 4.5).
        let is_span = mark == '`' && info.contains('`');
        (run.len() >= 3 && !is_span).then_some(run)
    })
}

/// Whether a line closes the code block that `opening` began.
fn closes(line: &str, opening: &str) -> bool {
    let line = line.trim_end();
    line.len() >= opening.len()
        && line.starts_with(opening)
        && line.chars().all(|c| opening.starts_with(c))
}

/// The column at which a line's text begins.
fn indentation(line: &str) -> usize {
    let blank = line.len() - line.trim_start().len();
    line.char_indices()
        .take_while(|(at, _)| *at < blank)
        .fold(0, |column, (_, c)| match c {
            '\t' => column + TAB_STOP - column % TAB_STOP,
            _ => column + 1,
        })
}

/// A piece of a document: what scopes, or what is scoped.
enum Block<'a> {
    Heading(Heading<'a>),
    Item(Cow<'a, str>),
}

/// What kind of item is open, and so what may continue it.
#[derive(Clone, Copy)]
enum Kind {
    Paragraph,
    /// A bullet, with the columns at which its mark and its text begin.
    Bullet {
        mark: usize,
        text: usize,
    },
}

/// Gathers lines into blocks.
struct Blocks<'a> {
    lines: Vec<&'a str>,
    blocks: Vec<Block<'a>>,
    open: Option<(Kind, Open<'a>)>,
    /// Whether a blank line follows the open item.
    paused: bool,
    /// Whether a comment may still end somewhere below; without it, looking for ends is quadratic.
    may_end_comments: bool,
}

impl<'a> Blocks<'a> {
    fn of(text: &'a str) -> Vec<Block<'a>> {
        let mut gathered = Self {
            lines: lines(text).collect(),
            blocks: Vec::new(),
            open: None,
            paused: false,
            may_end_comments: true,
        };
        let mut next = 0;
        while let Some(&line) = gathered.lines.get(next) {
            next = gathered.line(next, line);
        }
        gathered.close();
        gathered.blocks
    }

    /// Takes in the line at `at`, and what belongs to it; gives the line to go on with.
    fn line(&mut self, at: usize, line: &'a str) -> usize {
        let column = indentation(line);
        let text = line.trim();
        if text.is_empty() {
            self.paused = true;
            return at + 1;
        }
        if let Some((after, rest)) = self.after_comments(at, text) {
            if !rest.is_empty() {
                self.text(column, rest);
            }
            return after;
        }
        if let Some(opening) = fence(text) {
            return self.code(at, column, text, opening);
        }
        let nested = self.bullet_above(column).is_some();
        // The bullet comes before the break where "- - -" is how the item "- -" is written.
        let is_break = is_thematic_break(text);
        let is_starred_break = is_break && text.starts_with('*');
        if let Some(first) =
            bullet(line.trim_start()).filter(|_| !is_starred_break && !self.wraps(text))
        {
            if nested {
                self.text(column, text);
            } else {
                let width = line.trim_start().len() - first.len();
                let kind = Kind::Bullet {
                    mark: column,
                    text: column + width,
                };
                self.begin(kind, first.trim());
            }
        } else if is_break {
            if nested {
                self.paused = true;
            } else {
                self.close();
            }
        } else if let Some(heading) = heading(text).filter(|_| !self.is_in_bullet(column)) {
            self.close();
            self.blocks.push(Block::Heading(heading));
        } else if nested {
            self.text(column, text);
        } else if (self.open.is_none() || self.paused)
            && let Some(rest) = text.strip_prefix(HEADING)
        {
            self.close();
            if !rest.is_empty() {
                self.begin(Kind::Paragraph, rest.trim_start());
            }
        } else {
            self.text(column, text);
        }
        at + 1
    }

    /// Whether a line that looks like an ordered bullet is wrapped prose: in a paragraph, only 1 begins a list, or
    /// "in\n2024. That" would lose the year (CommonMark 5.2).
    fn wraps(&self, text: &str) -> bool {
        let in_paragraph = matches!(self.open, Some((Kind::Paragraph, _))) && !self.paused;
        let is_first = text.starts_with("1.") || text.starts_with("1)");
        in_paragraph && text.starts_with(|c: char| c.is_ascii_digit()) && !is_first
    }

    /// The column of the open bullet, where it is above a line at `column`.
    fn bullet_above(&self, column: usize) -> Option<usize> {
        match self.open {
            Some((Kind::Bullet { mark, .. }, _)) if column > mark => Some(mark),
            _ => None,
        }
    }

    /// Whether a line at `column` is below the text of the open bullet. Left of it, a heading is the document's, and
    /// what follows stands under it (CommonMark 5.2).
    fn is_in_bullet(&self, column: usize) -> bool {
        matches!(self.open, Some((Kind::Bullet { text, .. }, _)) if column >= text)
    }

    /// The line after the comments that `text` begins with, and the text that follows them on their last line.
    ///
    /// `None` where there is no comment, or one that never ends: then it is text, or all the rest would be lost.
    fn after_comments(&mut self, at: usize, text: &'a str) -> Option<(usize, &'a str)> {
        let mut found = self.after_comment(at, text)?;
        while let Some(next) = self.after_comment(found.0, found.1) {
            found = next;
        }
        Some((found.0 + 1, found.1))
    }

    /// The line on which the comment ends that `text` begins with, and the text that follows it there.
    fn after_comment(&mut self, mut at: usize, text: &'a str) -> Option<(usize, &'a str)> {
        if !text.starts_with(COMMENT_START) {
            return None;
        }
        // "<!-->" is a whole comment: its end may share the dashes of its start.
        let (_, mut inside) = text.split_at_checked(2)?;
        loop {
            if let Some((_, rest)) = split_once(inside, COMMENT_END) {
                return Some((at, rest.trim()));
            }
            if !self.may_end_comments {
                return None;
            }
            at += 1;
            let Some(line) = self.lines.get(at) else {
                self.may_end_comments = false;
                return None;
            };
            inside = line;
        }
    }

    /// Takes in a fenced code block, whole, as part of the open item.
    fn code(&mut self, at: usize, column: usize, text: &'a str, opening: &str) -> usize {
        let container = self.bullet_above(column);
        self.text(column, text);
        let mut next = at + 1;
        while let Some(&line) = self.lines.get(next) {
            let text = line.trim();
            // A line that leaves the bullet ends the code in it (CommonMark 4.5), else one lost fence swallows all.
            let leaves = container.is_some_and(|mark| indentation(line) <= mark);
            let is_end = closes(text, opening);
            if !text.is_empty() && leaves && !is_end {
                break;
            }
            next += 1;
            if let Some((_, open)) = &mut self.open {
                open.push(text);
            }
            if is_end {
                break;
            }
        }
        self.paused = false;
        next
    }

    /// Takes in a line of text: it continues the open item, or begins a paragraph.
    fn text(&mut self, column: usize, text: &'a str) {
        let nested = self.bullet_above(column).is_some();
        match &mut self.open {
            Some((_, open)) if nested || !self.paused => open.push(text),
            _ => self.begin(Kind::Paragraph, text),
        }
        self.paused = false;
    }

    fn begin(&mut self, kind: Kind, first: &'a str) {
        self.close();
        self.open = Some((kind, Open::new(first)));
    }

    fn close(&mut self) {
        let item = self.open.take().and_then(|(_, open)| open.finish());
        self.blocks.extend(item.map(Block::Item));
        self.paused = false;
    }
}

/// A heading in force, and whether anything stands under it.
struct Scope<'a> {
    level: usize,
    text: &'a str,
    used: bool,
}

/// Gives each item the path of headings it stands under.
struct Scoping<'a> {
    scopes: Vec<Scope<'a>>,
    items: Vec<Cow<'a, str>>,
    /// How many more bytes of heading paths may be written.
    budget: usize,
}

impl<'a> Scoping<'a> {
    /// Ends the scopes of `level` and deeper. A heading with nothing under it is an item itself.
    fn leave(&mut self, level: usize) -> Result<(), Overflow> {
        while let Some(scope) = self.scopes.pop_if(|scope| scope.level >= level) {
            if !scope.used && !scope.text.is_empty() {
                self.item(Cow::Borrowed(scope.text))?;
            }
        }
        Ok(())
    }

    fn enter(&mut self, heading: Heading<'a>) {
        self.scopes.push(Scope {
            level: heading.level,
            text: heading.text,
            used: false,
        });
    }

    fn item(&mut self, item: Cow<'a, str>) -> Result<(), Overflow> {
        let mut path = String::new();
        for scope in &mut self.scopes {
            scope.used = true;
            if !scope.text.is_empty() {
                let added = scope.text.len() + 2;
                self.budget = self.budget.checked_sub(added).ok_or(Overflow)?;
                path.push_str(scope.text);
                path.push_str(": ");
            }
        }
        self.items.push(if path.is_empty() {
            item
        } else {
            path.push_str(&item);
            Cow::Owned(path)
        });
        Ok(())
    }
}
