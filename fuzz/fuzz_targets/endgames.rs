//! The target `endgames` for libFuzzer: `cargo fuzz run endgames`.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    pursuit_fuzz::targets::endgames(data);
});

#[cfg(not(fuzzing))]
fn main() {
    eprintln!("run `cargo fuzz run endgames`, or `cargo run --release -- --target endgames`");
}
