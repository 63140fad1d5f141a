//! The target `snapshot_ron` for libFuzzer: `cargo fuzz run snapshot_ron`.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    pursuit_fuzz::targets::snapshot_ron(data);
});

#[cfg(not(fuzzing))]
fn main() {
    eprintln!(
        "run `cargo fuzz run snapshot_ron`, or `cargo run --release -- --target snapshot_ron`"
    );
}
