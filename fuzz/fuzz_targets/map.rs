//! The target `map` for libFuzzer: `cargo fuzz run map`.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    pursuit_fuzz::targets::map(data);
});

#[cfg(not(fuzzing))]
fn main() {
    eprintln!("run `cargo fuzz run map`, or `cargo run --release -- --target map`");
}
