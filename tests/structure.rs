//! The way of the data: no folder of `src` uses one further along, and no files use each other in a circle.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The folders in the order of the way; `DESIGN.md` says what each is for.
const WAY: [&str; 11] = [
    "text",
    "model",
    "guardrails",
    "read",
    "prepare",
    "resolve",
    "compose",
    "record",
    "assembler",
    "files",
    "wasm",
];

/// The Rust files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|it| it == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Which files each file uses, both named by their path below `src`; `lib.rs` names them all.
fn uses() -> BTreeMap<String, Vec<String>> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut uses = BTreeMap::new();
    for file in files(&src) {
        let name = file.strip_prefix(&src).unwrap();
        let name = name.to_str().unwrap().replace('\\', "/");
        let text = fs::read_to_string(&file).unwrap();
        let code = text.lines().filter(|it| !it.trim_start().starts_with("//"));
        let code = code.collect::<Vec<_>>().join("\n");
        let folder = name.split_once('/').map_or("", |(folder, _)| folder);
        // Only a child says `super` here, and only of its own folder.
        let code = code.replace("super::", &format!("crate::{folder}::"));
        let used = code.split("crate::").skip(1).filter_map(|path| {
            let is_end = |c: char| !(c.is_ascii_lowercase() || c == '_' || c == ':');
            let path = path.split(is_end).next().unwrap_or_default();
            let mut steps = path.split("::");
            let (folder, file) = (steps.next()?, steps.next().unwrap_or_default());
            let choices = [format!("{folder}/{file}.rs"), format!("{folder}/mod.rs")];
            choices.into_iter().find(|it| src.join(it).is_file())
        });
        let mut used: Vec<String> = used.filter(|it| *it != name).collect();
        used.sort();
        used.dedup();
        if name != "lib.rs" {
            uses.insert(name, used);
        }
    }
    uses
}

fn place(file: &str) -> usize {
    let folder = file.split('/').next().unwrap();
    let place = WAY.iter().position(|it| *it == folder);
    place.unwrap_or_else(|| panic!("src/{folder} has no place on the way: add it to WAY"))
}

#[test]
fn no_arrow_turns_back() {
    let mut turned = Vec::new();
    for (file, used) in uses() {
        let back = used.iter().filter(|it| place(it) > place(&file));
        turned.extend(back.map(|it| format!("src/{file} uses src/{it}, which is further along")));
    }
    assert!(turned.is_empty(), "{}", turned.join("\n"));
}

#[test]
fn no_files_use_each_other_in_a_circle() {
    let mut left = uses();
    assert!(left.len() > 40 && left.values().map(Vec::len).sum::<usize>() > 100);
    loop {
        // What uses nothing that is left, or is used by nothing that is, is in no circle.
        let is_used = |file: &String| left.values().any(|used| used.contains(file));
        let is_free = |(file, used): &(&String, &Vec<String>)| {
            !used.iter().any(|it| left.contains_key(it)) || !is_used(file)
        };
        let free: Vec<String> = left
            .iter()
            .filter(is_free)
            .map(|(file, _)| file.clone())
            .collect();
        if free.is_empty() {
            break;
        }
        free.iter().for_each(|it| drop(left.remove(it)));
    }
    assert!(
        left.is_empty(),
        "these use each other in a circle: {left:#?}"
    );
}
