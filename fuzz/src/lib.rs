//! Fuzz targets: one function for each kind of input that the crate and its tool read.
//!
//! Each function in [`targets`] takes bytes, reads them, uses what was accepted, and returns whether it was
//! accepted. It panics if something is wrong:
//!
//! - reading takes more memory than a multiple of the input's length, plus a constant ([`memory::bounded`]);
//! - what was accepted is written and reads back as something else;
//! - using what was accepted panics.
//!
//! Two drivers call them.
//!
//! - `cargo run --release` in this folder: inputs from a seeded generator ([`mutate`]) on a stable toolchain.
//!   The same seed gives the same inputs. `-- --inputs 1000000 --target map` for a long run, `-- FILE` with
//!   `--target` to run one input again.
//! - `cargo fuzz run map`: inputs from libFuzzer, guided by coverage, with the address sanitizer of nightly.
//!   `cargo run --release -- --corpus corpus` writes the seeds as a first corpus.
//!
//! libFuzzer without a sanitizer works on stable, too:
//!
//! ```text
//! RUSTFLAGS="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4
//!   -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table
//!   -Cllvm-args=-sanitizer-coverage-trace-compares" \
//!   cargo build --release --target x86_64-unknown-linux-gnu --target-dir target/coverage --bin map
//! target/coverage/x86_64-unknown-linux-gnu/release/map -runs=1000000 -max_len=20000 corpus/map
//! ```

pub mod memory;
pub mod mutate;
pub mod seeds;
pub mod targets;

// `positions.rs` belongs to the tool and names these modules of it.
mod failure;
#[allow(dead_code, reason = "the tool uses all of it")]
#[path = "../../crates/tool/src/ground.rs"]
mod ground;
mod input;
#[path = "../../crates/tool/src/positions.rs"]
#[allow(dead_code, reason = "the tool uses all of it")]
mod positions;

/// A kind of input.
pub struct Target {
    /// The name of the function, and of the binary for libFuzzer.
    pub name: &'static str,
    /// Reads and uses an input; returns whether it was accepted.
    pub run: fn(&[u8]) -> bool,
    /// Inputs that are accepted.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Words of the format that mutations insert.
    pub words: &'static [&'static str],
}

/// All of them.
pub const TARGETS: [Target; 12] = [
    Target {
        name: "map",
        run: targets::map,
        seeds: seeds::maps,
        words: &[
            "type octile\n",
            "height ",
            "width ",
            "map\n",
            ".",
            "@",
            "T",
            "\r\n",
            "\u{feff}",
            "é",
        ],
    },
    Target {
        name: "level",
        run: targets::level,
        seeds: seeds::levels,
        words: &[
            "name",
            "moves",
            "Octile",
            "Orthogonal",
            "Hexagonal(RowOdd)",
            "Hexagonal(ColumnEven)",
            "legend",
            "rows",
            "Door(",
            "Cop(",
            "Robber(",
            "Spawn",
            "speed: ",
            "open: ",
            "true",
            "'\\''",
            "'\\\\'",
            "'é'",
            "\\u{e9}",
            "\\n",
            "r#\"",
            "\"#",
            "\"",
            ",",
            "(",
            ")",
            "[",
            "]",
            "{",
            "}",
            "//",
            "/*",
            "Some(",
            "None",
            "\u{feff}",
        ],
    },
    Target {
        name: "table",
        run: targets::table,
        seeds: seeds::tables,
        words: &["PTAB", "CELL", "TURN", "DICT", "SLAB", "BLCK"],
    },
    Target {
        name: "endgames",
        run: targets::endgames,
        seeds: seeds::endgames,
        words: &["PEND", "PTAB", "CELL", "TURN", "DICT", "SLAB", "BLCK"],
    },
    Target {
        name: "snapshot_ron",
        run: targets::snapshot_ron,
        seeds: seeds::snapshots_ron,
        words: &[
            "Some(",
            "None",
            "true",
            "false",
            "(",
            ")",
            "[",
            "]",
            ",",
            "Cops",
            "Robber",
            "Policy",
            "WalkTo((1,1))",
            "Steer(dx:-128,dy:127)",
            "External",
            "Turns",
            "FreeRunning",
            "Octile",
            "Orthogonal",
            "Hexagonal(Row)",
        ],
    },
    Target {
        name: "snapshot_postcard",
        run: targets::snapshot_postcard,
        seeds: seeds::snapshots_postcard,
        words: &["\u{0}", "\u{1}", "\u{7f}"],
    },
    Target {
        name: "settings",
        run: targets::settings,
        seeds: seeds::settings,
        words: &[
            "ticks_per_turn",
            "budget",
            "Expansions(",
            "Micros(",
            "budgets_per_frame",
            "clock",
            "Turns",
            "FreeRunning",
            "stagger",
            "true",
            "false",
            "tactics",
            "Intercept",
            "Chase",
            "planner",
            "Auto",
            "TrailMax",
            "DaTrailMax",
            "plan_steps",
            "near_turns",
            "keep_turns",
            "tables",
            "solve",
            "memory",
            "max_bytes",
            "max_milliseconds",
            "timing",
            "Scheduled(",
            "Lockstep(",
            "WhenReady",
            "ticks",
            "times",
            "ticks_per_second",
            "Some(",
            "None",
            "threads",
            "seed",
            "(",
            ")",
            ":",
            ",",
            "//",
            "/*",
            "*/",
        ],
    },
    Target {
        name: "positions",
        run: targets::positions,
        seeds: seeds::positions,
        words: &[
            "robber_x", "robber_y", "cop1_x", "cop1_y", "cop2_x", "cop2_y", "cop0_x", "cop256_x",
            "turns", ",", "\"", "\"\"", "\n", "\r\n", "\u{feff}", " ", "é", "-1", "+1", "0x1",
        ],
    },
    Target {
        name: "graph6",
        run: targets::graph6,
        seeds: seeds::graphs,
        words: &[">>graph6<<", "~", "~~", "?", "\n", "\r\n", "é"],
    },
    Target {
        name: "edge_list",
        run: targets::edge_list,
        seeds: seeds::edge_lists,
        words: &["#", ">", " ", "\n", "\r\n", "\u{feff}", "é", "-1"],
    },
    Target {
        name: "patterns",
        run: targets::patterns,
        seeds: seeds::patterns,
        words: &["PPAT"],
    },
    Target {
        name: "mixed_table",
        run: targets::mixed_table,
        seeds: seeds::mixed_tables,
        words: &["PMIX", "CELL", "VALU", "STRT", "MIXD"],
    },
];
