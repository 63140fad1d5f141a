//! The target `snapshot_postcard` for libFuzzer: `cargo fuzz run snapshot_postcard`.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    pursuit_fuzz::targets::snapshot_postcard(data);
});

#[cfg(not(fuzzing))]
fn main() {
    eprintln!(
        "run `cargo fuzz run snapshot_postcard`, or `cargo run --release -- --target snapshot_postcard`"
    );
}
