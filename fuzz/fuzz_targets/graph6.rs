//! The target `graph6` for libFuzzer: `cargo fuzz run graph6`.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    pursuit_fuzz::targets::graph6(data);
});

#[cfg(not(fuzzing))]
fn main() {
    eprintln!("run `cargo fuzz run graph6`, or `cargo run --release -- --target graph6`");
}
