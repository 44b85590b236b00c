//! The files of a layer, as maps: this crate never touches a filesystem.

use crate::block_name::BlockName;
use crate::content::LayerContent;
use crate::diagnostic::{Diagnostic, DiagnosticCode, at_most};
use crate::edit::{get_block, set_block};
use crate::error::{ErrorCode, StrataError, quote};
use crate::guardrails::markdown_in_strict;
use crate::input::Path;
use crate::limits::MAX_DIAGNOSTICS;
use crate::whitespace::{strip_bom, trim};

/// The files, in the order they are written.
const FILES: [(&str, BlockName); 4] = [
    ("identity.md", BlockName::Identity),
    ("operating-rules.md", BlockName::OperatingRules),
    ("guardrails.md", BlockName::Guardrails),
    ("surface-note.md", BlockName::SurfaceNote),
];

/// Where prompts are kept below a project's root.
const PROMPTS: &str = ".vak/prompts";

const PROMPTS_ON_WINDOWS: &str = ".vak\\prompts";

/// Whether a path ends with what separates folders, on Windows or elsewhere.
fn ends_with_separator(path: &str) -> bool {
    matches!(path.as_bytes(), [.., b'/' | b'\\'])
}

/// The longest name of a sub-layer, in bytes.
const MAX_NAME_BYTES: usize = 64;

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

/// What kind of layer lives in a directory of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubLayer {
    /// The layer of one surface.
    Surface,
    /// The layer of one agent role.
    Agents,
}

impl SubLayer {
    /// The name of the directory that holds the layers of this kind.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Surface => "surface",
            Self::Agents => "agents",
        }
    }
}

/// The directory of a sub-layer's files, or `None` where the name is none.
///
/// A name is trimmed and has 1–64 bytes of ASCII letters, digits, `-` and `_`, so that it cannot leave the
/// directory. Nor is it one that Windows keeps for devices, such as `CON` (departure 12). `root` is the folder that
/// holds `.vak/prompts`, or that folder itself, and is kept as given but for separators at its end; without one the path
/// is relative.
///
/// ```
/// use prompt_strata::{SubLayer, sub_layer_path};
/// let path = sub_layer_path(SubLayer::Agents, " reviewer ", None);
/// assert_eq!(path.as_deref(), Some(".vak/prompts/agents/reviewer"));
/// assert_eq!(sub_layer_path(SubLayer::Agents, "../x", None), None);
/// ```
#[must_use]
pub fn sub_layer_path(kind: SubLayer, name: &str, root: Option<&str>) -> Option<String> {
    let name = trim(name);
    let is_name = (1..=MAX_NAME_BYTES).contains(&name.len())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    let root = root.unwrap_or_default();
    let mut path = root.to_owned();
    while ends_with_separator(&path) {
        path.pop();
    }
    let is_prompts = path
        .strip_suffix(PROMPTS)
        .or_else(|| path.strip_suffix(PROMPTS_ON_WINDOWS));
    if !is_prompts.is_some_and(|parent| parent.is_empty() || ends_with_separator(parent)) {
        if !root.is_empty() {
            path.push('/');
        }
        path.push_str(PROMPTS);
    }
    let is_name = is_name && !is_device(name);
    is_name.then(|| format!("{path}/{}/{name}", kind.as_str()))
}

/// Whether Windows keeps a name for a device, in any case.
fn is_device(name: &str) -> bool {
    let numbered = name
        .len()
        .checked_sub(1)
        .and_then(|at| name.split_at_checked(at));
    ["con", "prn", "aux", "nul"]
        .iter()
        .any(|device| name.eq_ignore_ascii_case(device))
        || numbered.is_some_and(|(port, number)| {
            let is_port = ["com", "lpt"]
                .iter()
                .any(|it| port.eq_ignore_ascii_case(it));
            is_port && number.bytes().all(|byte| byte.is_ascii_digit())
        })
}
