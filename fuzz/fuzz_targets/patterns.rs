//! The target `patterns` for libFuzzer: `cargo fuzz run patterns`.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    pursuit_fuzz::targets::patterns(data);
});

#[cfg(not(fuzzing))]
fn main() {
    eprintln!("run `cargo fuzz run patterns`, or `cargo run --release -- --target patterns`");
}
