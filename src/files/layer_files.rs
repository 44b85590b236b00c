//! The files of a layer, as maps: this crate never touches a filesystem.

use crate::files::block_name::BlockName;
use crate::files::edit::{get_block, set_block};
use crate::guardrails::markdown_in_strict;
use crate::model::content::LayerContent;
use crate::model::diagnostic::{Diagnostic, DiagnosticCode, at_most};
use crate::model::error::{ErrorCode, StrataError, quote};
use crate::model::limits::MAX_DIAGNOSTICS;
use crate::model::path::Path;
use crate::text::whitespace::{strip_bom, trim};

/// The files, in the order they are written.
const FILES: [(&str, BlockName); 4] = [
    ("identity.md", BlockName::Identity),
    ("operating-rules.md", BlockName::OperatingRules),
    ("guardrails.md", BlockName::Guardrails),
    ("surface-note.md", BlockName::SurfaceNote),
];

/// Reads a layer from the texts of its files, by name.
///
/// A file that is not there inherits, an empty text file empties its block, and any other file is a diagnostic.
///
/// ```
/// use prompt_strata::layer_from_files;
/// let (content, diagnostics) = layer_from_files([
///     ("identity.md", "You are Ada.\n"),
///     ("notes.md", "buy milk"),
/// ]);
/// assert_eq!(content.identity.as_deref(), Some("You are Ada."));
/// assert_eq!(diagnostics[0].code.as_str(), "unknown-file");
/// ```
pub fn layer_from_files<'a>(
    files: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> (LayerContent<'a>, Vec<Diagnostic>) {
    let mut content = LayerContent::default();
    let mut diagnostics = Vec::new();
    for (name, text) in files {
        let path = || Some(Path::ROOT.field(name).to_string());
        let Some((_, block)) = FILES.iter().find(|(file, _)| *file == name) else {
            let message = format!("the file {} is unknown and not used", quote(name));
            diagnostics.push(Diagnostic::new(
                DiagnosticCode::UnknownFile,
                message,
                path(),
            ));
            continue;
        };
        let is_list = matches!(block, BlockName::Guardrails | BlockName::SurfaceNote);
        if is_list && let Some(message) = markdown_in_strict(text) {
            let code = DiagnosticCode::MarkdownInStrict;
            diagnostics.push(Diagnostic::new(code, message, path()));
        }
        content = set_block(content, *block, Some(strip_bom(text)));
    }
    (content, at_most(diagnostics, MAX_DIAGNOSTICS, 0))
}

/// Writes a layer's content as files: texts end in one newline, lists are bullets, what inherits has no file.
///
/// ```
/// use prompt_strata::{LayerContent, layer_to_files};
/// let content = LayerContent { identity: Some(" You are Ada.".into()), ..LayerContent::default() };
/// assert_eq!(layer_to_files(&content)?, [("identity.md", "You are Ada.\n".to_owned())]);
/// # Ok::<(), prompt_strata::StrataError>(())
/// ```
///
/// # Errors
///
/// [`ErrorCode::NoFileForField`] for content with instructions, which would be lost: they have no file.
pub fn layer_to_files(
    content: &LayerContent<'_>,
) -> Result<Vec<(&'static str, String)>, StrataError> {
    if content.instructions.is_some() {
        return Err(StrataError::at(
            ErrorCode::NoFileForField,
            &"instructions",
            format_args!("no file for {}", quote("instructions")),
            "a layer's files hold only the editable blocks",
        ));
    }
    let files = FILES.into_iter().filter_map(|(file, block)| {
        let text = get_block(content, block)?;
        let text = match block {
            BlockName::Identity | BlockName::OperatingRules => format!("{}\n", trim(&text)),
            BlockName::Guardrails | BlockName::SurfaceNote => text,
        };
        Some((file, text))
    });
    Ok(files.collect())
}
