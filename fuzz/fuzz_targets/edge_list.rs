//! The target `edge_list` for libFuzzer: `cargo fuzz run edge_list`.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    pursuit_fuzz::targets::edge_list(data);
});

#[cfg(not(fuzzing))]
fn main() {
    eprintln!("run `cargo fuzz run edge_list`, or `cargo run --release -- --target edge_list`");
}
