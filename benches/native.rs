//! The native core, for the benchmarks: assembles from JSON text, and does nothing else.
//!
//! Without arguments, a process to ask, so that runs interleave with JavaScript's (`benches/core.js`). It reads lines
//! `load LENGTH` followed by that many bytes of JSON, and `run COUNT`, which answers with the nanoseconds that COUNT
//! assemblies from that JSON took.
//!
//! With the arguments `FILE COUNT HASH`, a process whose instructions are counted (`benches/instructions.js`): COUNT
//! assemblies from that file, with digests computed where HASH is `hash`.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::hint::black_box;
use std::io::{BufRead, Read, Write};
use std::time::Instant;

use prompt_strata::{AssembleInput, Assembler, Assembly, Hasher, HexDigest, Sha2, Turn, assemble};

fn main() {
    // Cargo adds --bench.
    let arguments: Vec<String> = std::env::args().filter(|it| it != "--bench").collect();
    match arguments.get(1..) {
        Some([file, count, hash]) => {
            let json = std::fs::read_to_string(file).unwrap();
            for _ in 0..count.parse().unwrap() {
                black_box(assemble_with(black_box(&json), hash == "hash"));
            }
        }
        _ => answer(),
    }
}

/// Costs nothing, so that what it leaves of an assembly is the rest.
struct NoHash;

impl Hasher for NoHash {
    fn sha256(&self, _: &str) -> HexDigest {
        HexDigest::new()
    }
}

fn assemble_with(json: &str, is_hashed: bool) -> Assembly {
    let hasher: Box<dyn Hasher> = if is_hashed {
        Box::new(Sha2)
    } else {
        Box::new(NoHash)
    };
    let input = AssembleInput::from_json(json).unwrap();
    let assembler = Assembler::with_hasher(input, hasher).unwrap();
    assembler.assemble(Turn::default()).unwrap()
}

fn answer() {
    let mut requests = std::io::stdin().lock();
    let mut answers = std::io::stdout().lock();
    let mut json = String::new();
    let mut line = String::new();
    while requests.read_line(&mut line).unwrap() > 0 {
        let (request, number) = line.trim().split_once(' ').unwrap();
        let number: usize = number.parse().unwrap();
        match request {
            "load" => {
                let mut bytes = vec![0; number];
                requests.read_exact(&mut bytes).unwrap();
                json = String::from_utf8(bytes).unwrap();
                let prefix = assemble(AssembleInput::from_json(&json).unwrap())
                    .unwrap()
                    .prefix;
                writeln!(answers, "{}", prompt_strata::digest(&prefix)).unwrap();
            }
            "run" => {
                let start = Instant::now();
                for _ in 0..number {
                    let input = AssembleInput::from_json(black_box(&json)).unwrap();
                    black_box(assemble(input).unwrap());
                }
                writeln!(answers, "{}", start.elapsed().as_nanos()).unwrap();
            }
            other => panic!("unknown request {other}"),
        }
        answers.flush().unwrap();
        line.clear();
    }
}
