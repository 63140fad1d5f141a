//! Runs all targets on inputs from a seeded generator and reports what was found.

use pursuit_engine::search::{Dice, seed_of};
use pursuit_fuzz::memory::take_most;
use pursuit_fuzz::mutate::mutate;
use pursuit_fuzz::{TARGETS, Target};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use std::{env, fs, panic};

const HELP: &str = "\
usage: fuzz [--inputs N] [--seed N] [--target NAME] [--artifacts FOLDER] [--corpus FOLDER] [FILE ..]

--inputs     inputs for each target (default 10000)
--seed       another seed, other inputs (default 1)
--target     one target instead of all
--artifacts  where inputs are written that fail (default artifacts)
--corpus     writes the seeds of each target to FOLDER/NAME, and ends
FILE         runs these inputs of --target, and ends";

/// Accepted inputs that are kept to be changed further.
const KEPT: usize = 256;
/// Failures with the same place and message are one; no more than this are kept for each target.
const FAILURES: usize = 20;

struct Options {
    inputs: u64,
    seed: u64,
    target: Option<String>,
    artifacts: PathBuf,
    corpus: Option<PathBuf>,
    files: Vec<PathBuf>,
}

/// Where the last panic was, and what it said.
static PANIC: Mutex<String> = Mutex::new(String::new());

fn main() -> ExitCode {
    let Some(options) = options() else {
        eprintln!("{HELP}");
        return ExitCode::from(2);
    };
    let is_wanted = |target: &&Target| {
        options
            .target
            .as_ref()
            .is_none_or(|name| name == target.name)
    };
    let targets: Vec<&Target> = TARGETS.iter().filter(is_wanted).collect();
    if targets.is_empty() {
        eprintln!("no such target");
        return ExitCode::from(2);
    }
    if let Some(folder) = &options.corpus {
        targets
            .iter()
            .for_each(|target| write_corpus(target, folder));
        return ExitCode::SUCCESS;
    }
    if !options.files.is_empty() {
        for file in &options.files {
            let data = fs::read(file).expect("a readable file");
            println!("{}: accepted: {}", file.display(), (targets[0].run)(&data));
        }
        return ExitCode::SUCCESS;
    }
    panic::set_hook(Box::new(|info| {
        *PANIC.lock().expect("no panic while it is written") = info.to_string();
    }));
    println!(
        "{:<18} {:>9} {:>9} {:>9} {:>10} {:>22} failures",
        "target", "inputs", "accepted", "a second", "slowest ms", "most memory"
    );
    let failures: usize = targets.iter().map(|target| run(target, &options)).sum();
    if failures == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn options() -> Option<Options> {
    let mut options = Options {
        inputs: 10_000,
        seed: 1,
        target: None,
        artifacts: "artifacts".into(),
        corpus: None,
        files: Vec::new(),
    };
    let mut words = env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--inputs" => options.inputs = words.next()?.parse().ok()?,
            "--seed" => options.seed = words.next()?.parse().ok()?,
            "--target" => options.target = Some(words.next()?),
            "--artifacts" => options.artifacts = words.next()?.into(),
            "--corpus" => options.corpus = Some(words.next()?.into()),
            _ if word.starts_with('-') => return None,
            _ => options.files.push(word.into()),
        }
    }
    (options.files.is_empty() || options.target.is_some()).then_some(options)
}

fn write_corpus(target: &Target, folder: &Path) {
    let folder = folder.join(target.name);
    fs::create_dir_all(&folder).expect("a new folder");
    for (number, seed) in (target.seeds)().iter().enumerate() {
        fs::write(folder.join(format!("seed-{number:02}")), seed).expect("a new file");
    }
}

/// The inputs from which new ones are made: the seeds, and inputs that were accepted.
struct Pool {
    seeds: Vec<Vec<u8>>,
    kept: Vec<Vec<u8>>,
    /// The greatest length of an input that is kept, in bytes.
    longest: usize,
}

impl Pool {
    fn new(seeds: Vec<Vec<u8>>) -> Self {
        Self {
            longest: 2 * seeds.iter().map(Vec::len).max().unwrap_or(0),
            kept: Vec::new(),
            seeds,
        }
    }

    fn any(&self, dice: &mut Dice) -> &[u8] {
        let index = dice.below(self.seeds.len() + self.kept.len());
        let seed = self.seeds.get(index);
        seed.unwrap_or_else(|| &self.kept[index - self.seeds.len()])
    }

    /// Keeps an input for chains of changes, unless it has only grown.
    fn keep(&mut self, input: Vec<u8>, dice: &mut Dice) {
        if input.len() > self.longest {
            return;
        }
        if self.kept.len() < KEPT {
            self.kept.push(input);
        } else {
            self.kept[dice.below(KEPT)] = input;
        }
    }
}

/// Runs a target and returns the number of different failures.
fn run(target: &Target, options: &Options) -> usize {
    let name = target.name.bytes().map(u64::from);
    let dice = &mut Dice::new(seed_of(name.chain([options.seed])));
    let mut pool = Pool::new((target.seeds)());
    for (number, seed) in pool.seeds.iter().enumerate() {
        let is_accepted = (target.run)(seed);
        assert!(is_accepted, "seed {number} of {} is refused", target.name);
    }
    take_most();
    let mut failures = BTreeMap::new();
    let (mut accepted, mut slowest) = (0_u64, Duration::ZERO);
    let start = Instant::now();
    for _ in 0..options.inputs {
        let mut input = pool.any(dice).to_vec();
        mutate(&mut input, pool.any(dice), target.words, dice);
        let begun = Instant::now();
        match catch_unwind(AssertUnwindSafe(|| (target.run)(&input))) {
            Ok(false) => {}
            Ok(true) => {
                accepted += 1;
                pool.keep(input, dice);
            }
            Err(_) => {
                let said = PANIC.lock().expect("no panic while it is written").clone();
                if failures.len() < FAILURES {
                    failures.entry(place(&said)).or_insert((said, input));
                }
            }
        }
        slowest = slowest.max(begun.elapsed());
    }
    let seconds = start.elapsed().as_secs_f64();
    let (most, length) = take_most();
    println!(
        "{:<18} {:>9} {:>8.1}% {:>9.0} {:>10.1} {:>22} {}",
        target.name,
        options.inputs,
        100.0 * accepted as f64 / options.inputs as f64,
        options.inputs as f64 / seconds,
        1000.0 * slowest.as_secs_f64(),
        format!("{most} B for {length} B"),
        failures.len(),
    );
    write_failures(target, options, &failures);
    failures.len()
}

/// Writes the inputs that failed, by the place in the code, and what each panic said.
fn write_failures(
    target: &Target,
    options: &Options,
    failures: &BTreeMap<String, (String, Vec<u8>)>,
) {
    for (number, (said, input)) in failures.values().enumerate() {
        let folder = options.artifacts.join(target.name);
        fs::create_dir_all(&folder).expect("a new folder");
        let file = folder.join(format!("{}-{number}", options.seed));
        fs::write(&file, input).expect("a new file");
        let said: String = said.chars().take(1000).collect();
        println!("  {}: {said}", file.display());
    }
}

/// The place in the code: the first line of what a panic says.
fn place(said: &str) -> String {
    said.lines().next().unwrap_or_default().to_owned()
}
