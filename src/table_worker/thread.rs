//! The thread that solves tables, at low priority.

use super::bench::Bench;
use super::job::{TableJob, WORKER_SLICE};
use crossbeam_channel::{Receiver, TryRecvError};

/// Starts a thread that works on jobs until the other end of the channel is dropped. `false` where no
/// thread is possible.
pub(super) fn spawn(jobs: Receiver<TableJob>) -> bool {
    let thread = std::thread::Builder::new().name("pursuit tables".into());
    thread.spawn(move || work(&jobs)).is_ok()
}

fn work(jobs: &Receiver<TableJob>) {
    lower_priority();
    let mut bench = Bench::default();
    #[cfg(feature = "parallel")]
    let mut pool = Pool::default();
    loop {
        // Without work the thread sleeps.
        if bench.threads().is_none() {
            match jobs.recv() {
                Ok(job) => bench.push(job),
                Err(_) => return,
            }
        }
        loop {
            match jobs.try_recv() {
                Ok(job) => bench.push(job),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => return,
            }
        }
        #[cfg(feature = "parallel")]
        pool.run(bench.threads().unwrap_or(1), || bench.advance(WORKER_SLICE));
        #[cfg(not(feature = "parallel"))]
        bench.advance(WORKER_SLICE);
    }
}

/// Sets about nice 10 on Linux: when all cores are busy, a tenth of the share of a game thread. At the
/// lowest priority it would be a hundredth, and no table would ever be finished.
///
/// Only on systems where a thread may lower its priority without administrator rights. Elsewhere only
/// the number of threads keeps the game from being starved.
fn lower_priority() {
    #[cfg(any(
        target_os = "linux",
        target_os = "android",
        target_os = "macos",
        target_os = "ios",
        windows
    ))]
    {
        use thread_priority::{ThreadPriority, ThreadPriorityValue, set_current_thread_priority};
        const QUARTER: u8 = 24;
        if let Ok(low) = ThreadPriorityValue::try_from(QUARTER) {
            let _ = set_current_thread_priority(ThreadPriority::Crossplatform(low));
        }
    }
}

/// Its own thread pool, so that the game's pool is left alone.
#[cfg(feature = "parallel")]
#[derive(Default)]
struct Pool(Option<(usize, rayon::ThreadPool)>);

#[cfg(feature = "parallel")]
impl Pool {
    fn run(&mut self, threads: usize, work: impl FnOnce() + Send) {
        if self.0.as_ref().is_none_or(|(of, _)| *of != threads) {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .thread_name(|index| format!("pursuit tables {index}"))
                .start_handler(|_| lower_priority());
            self.0 = pool.build().ok().map(|pool| (threads, pool));
        }
        match &self.0 {
            Some((_, pool)) => pool.install(work),
            None => work(),
        }
    }
}
