//! Times the native core on request, for `benches/bench.js`: one process, so that runs interleave with JavaScript's.
//!
//! Reads lines `load LENGTH` followed by that many bytes of JSON, and `run COUNT`, which answers with the nanoseconds
//! that COUNT assemblies from that JSON took.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::hint::black_box;
use std::io::{BufRead, Read, Write};
use std::time::Instant;

use prompt_strata::{AssembleInput, assemble};

fn main() {
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
