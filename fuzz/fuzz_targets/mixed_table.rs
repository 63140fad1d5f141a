//! The target `mixed_table` for libFuzzer: `cargo fuzz run mixed_table`.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    pursuit_fuzz::targets::mixed_table(data);
});

#[cfg(not(fuzzing))]
fn main() {
    eprintln!("run `cargo fuzz run mixed_table`, or `cargo run --release -- --target mixed_table`");
}
