//! Exact tables as assets, and the thread that solves those that are missing.

use super::{PursuitDiagnostics, PursuitMap};
use crate::table::{Solution, SolveError, Table, TableError};
use crate::table_cache::{TableKey, TableRequest, TableWork};
use bevy::asset::io::Reader;
use bevy::asset::{AssetLoader, LoadContext};
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::query::Allow;
use bevy::prelude::*;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TryRecvError};
use std::collections::VecDeque;
use std::time::Duration;
use thiserror::Error;

/// Words of positions that the worker solves before it looks whether it is still wanted.
const WORKER_SLICE: usize = 1 << 16;
/// Words that a tick solves where there is no thread: about a tenth of a millisecond.
const TICK_SLICE: usize = 1 << 9;

/// An exact table: a `.ptab` file, as the tool `pursuit solve` makes it.
#[derive(Asset, TypePath, Debug, Clone)]
pub struct PursuitTable(pub Table);

/// The exact tables of a map, on the entity of its [`PursuitMap`]: several, for door states and numbers
/// of cops. Each is used while its fingerprint is that of the map and its rules are those of a pursuit.
/// A file that changes is loaded again if the app watches its assets.
#[derive(Component, Debug, Clone, Default)]
#[require(CachedAssets)]
pub struct PursuitTables(pub Vec<Handle<PursuitTable>>);

/// Which tables a map has taken.
#[derive(Component, Debug, Default)]
pub(super) struct CachedAssets(Vec<(AssetId<PursuitTable>, TableKey)>);

/// Why a file is not taken for a table.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TableFileError {
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// What it says is no table.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// Loads `.ptab` files.
#[derive(Debug, Default, TypePath)]
pub(super) struct TableLoader;

impl AssetLoader for TableLoader {
    type Asset = PursuitTable;
    type Settings = ();
    type Error = TableFileError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        _context: &mut LoadContext<'_>,
    ) -> Result<PursuitTable, TableFileError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        Ok(PursuitTable(Table::from_bytes(bytes.into())?))
    }

    fn extensions(&self) -> &[&str] {
        &["ptab"]
    }
}

/// Puts tables that have been loaded on the table caches of their maps, and takes those back that have
/// changed or gone.
pub(super) fn cache_tables(
    mut maps: Query<(Ref<PursuitTables>, &mut CachedAssets, &mut PursuitMap)>,
    mut without: Query<(&mut CachedAssets, &mut PursuitMap), Without<PursuitTables>>,
    assets: Res<Assets<PursuitTable>>,
    mut events: MessageReader<AssetEvent<PursuitTable>>,
    mut diagnostics: ResMut<PursuitDiagnostics>,
    mut fresh: Local<Vec<AssetId<PursuitTable>>>,
) {
    diagnostics.time(|_| {
        fresh.clear();
        let mut any = false;
        for event in events.read() {
            any = true;
            if let AssetEvent::Modified { id } = event {
                fresh.push(*id);
            }
        }
        for (tables, mut cached, mut map) in &mut maps {
            let is_new = map.wants_assets();
            if !any && !tables.is_changed() && !is_new {
                continue;
            }
            let Some(world) = map.bypass_change_detection().world_mut() else {
                continue;
            };
            let cache = world.table_cache_mut();
            let is_kept = |id: AssetId<PursuitTable>| {
                tables.0.iter().any(|handle| handle.id() == id)
                    && assets.contains(id)
                    && !fresh.contains(&id)
            };
            cached.0.retain(|(id, key)| {
                let kept = is_kept(*id) && !is_new;
                if !kept {
                    cache.remove_asset(key);
                }
                kept
            });
            for handle in &tables.0 {
                let id = handle.id();
                let is_there = cached.0.iter().any(|(there, _)| *there == id);
                let Some(table) = assets.get(id).filter(|_| !is_there) else {
                    continue;
                };
                match cache.add_asset(table.0.clone()) {
                    Ok(key) => cached.0.push((id, key)),
                    Err(error) => warn!("a table is not used: {error}"),
                }
            }
            map.bypass_change_detection().note_assets();
        }
        for (mut cached, mut map) in &mut without {
            let taken = cached.bypass_change_detection().0.drain(..);
            if let Some(world) = map.bypass_change_detection().world_mut() {
                taken.for_each(|(_, key)| {
                    world.table_cache_mut().remove_asset(&key);
                });
            }
        }
    });
}

type Answer = (Entity, TableKey, Result<Solution, SolveError>);

/// Solves tables beside the game: in a thread, or in slices where there can be none.
#[derive(Resource)]
pub(super) struct Worker {
    requests: Sender<(Entity, TableRequest)>,
    answers: Receiver<Answer>,
    /// Is a table being solved? One at a time is asked for, so that it is one that is still wanted.
    is_busy: bool,
    /// What there is no thread for.
    slices: Option<Slices>,
}

struct Slices {
    requests: Receiver<(Entity, TableRequest)>,
    answers: Sender<Answer>,
    current: Option<(Entity, TableKey, Box<TableWork>)>,
}

impl Default for Worker {
    fn default() -> Self {
        let (requests, inbox) = crossbeam_channel::unbounded();
        let (outbox, answers) = crossbeam_channel::unbounded();
        let (thread_inbox, thread_outbox) = (inbox.clone(), outbox.clone());
        let thread = std::thread::Builder::new()
            .name("pursuit tables".into())
            .spawn(move || work(&thread_inbox, &thread_outbox));
        // The thread ends when the app drops its end of the channel.
        let slices = thread.is_err().then(|| Slices {
            requests: inbox,
            answers: outbox,
            current: None,
        });
        Self {
            requests,
            answers,
            is_busy: false,
            slices,
        }
    }
}

/// The thread: one table after another.
fn work(requests: &Receiver<(Entity, TableRequest)>, answers: &Sender<Answer>) {
    let mut waiting = VecDeque::new();
    while let Some((map, request)) = waiting.pop_front().or_else(|| requests.recv().ok()) {
        let key = request.key;
        let answer = match TableWork::new(request) {
            Err(error) => Err(error),
            Ok(mut work) => {
                // The app may have ended meanwhile.
                work.run(WORKER_SLICE, |_| !is_closed(requests, &mut waiting));
                match work.finish() {
                    Some((_, solution)) => Ok(solution),
                    None => return,
                }
            }
        };
        if answers.send((map, key, answer)).is_err() {
            return;
        }
    }
}

/// Has nobody any more requests, nor anybody to answer to? Takes those that there are.
fn is_closed(
    requests: &Receiver<(Entity, TableRequest)>,
    waiting: &mut VecDeque<(Entity, TableRequest)>,
) -> bool {
    loop {
        match requests.try_recv() {
            Ok(request) => waiting.push_back(request),
            Err(TryRecvError::Empty) => return false,
            Err(TryRecvError::Disconnected) => return true,
        }
    }
}

impl Worker {
    /// Works for about a tenth of a millisecond where there is no thread.
    fn advance(&mut self) {
        let Some(slices) = &mut self.slices else {
            return;
        };
        if slices.current.is_none()
            && let Ok((map, request)) = slices.requests.try_recv()
        {
            let key = request.key;
            match TableWork::new(request) {
                Ok(work) => slices.current = Some((map, key, Box::new(work))),
                Err(error) => {
                    let _ = slices.answers.send((map, key, Err(error)));
                }
            }
        }
        let is_done = slices
            .current
            .as_mut()
            .is_some_and(|(.., work)| work.advance(TICK_SLICE).done);
        if is_done && let Some((map, key, work)) = slices.current.take() {
            let solution = work.finish().map(|(_, solution)| solution);
            if let Some(solution) = solution {
                let _ = slices.answers.send((map, key, Ok(solution)));
            }
        }
    }
}

/// As soon as the maps have changed: tables that are solved reach them. What a repeatable run cannot go on without
/// is waited for.
pub(super) fn deliver_tables(
    mut maps: Query<(Entity, &mut PursuitMap), Allow<Disabled>>,
    mut worker: ResMut<Worker>,
    mut diagnostics: ResMut<PursuitDiagnostics>,
) {
    diagnostics.time(|_| {
        loop {
            while let Ok(answer) = worker.answers.try_recv() {
                worker.is_busy = false;
                deliver(&mut maps, answer);
            }
            let overdue = maps.iter().any(|(_, map)| {
                let world = map.world();
                world.is_some_and(|world| world.overdue().is_some())
            });
            if !overdue {
                return;
            }
            // Those of a game that was just loaded have not been asked for yet.
            request(&mut maps, &mut worker);
            worker.advance();
            let wait = Duration::from_millis(u64::from(worker.slices.is_none()));
            match worker.answers.recv_timeout(wait) {
                Ok(answer) => {
                    worker.is_busy = false;
                    deliver(&mut maps, answer);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    });
}

fn deliver(
    maps: &mut Query<(Entity, &mut PursuitMap), Allow<Disabled>>,
    (map, key, answer): Answer,
) {
    if let Ok((_, mut map)) = maps.get_mut(map)
        && let Some(world) = map.bypass_change_detection().world_mut()
    {
        world.deliver(&key, answer);
    }
}

/// After a tick: what is wanted goes to the thread.
pub(super) fn request_tables(
    mut maps: Query<(Entity, &mut PursuitMap), Allow<Disabled>>,
    mut worker: ResMut<Worker>,
    mut diagnostics: ResMut<PursuitDiagnostics>,
) {
    diagnostics.time(|_| {
        request(&mut maps, &mut worker);
        worker.advance();
    });
}

fn request(maps: &mut Query<(Entity, &mut PursuitMap), Allow<Disabled>>, worker: &mut Worker) {
    for (entity, mut map) in maps {
        if worker.is_busy {
            return;
        }
        let Some(world) = map.bypass_change_detection().world_mut() else {
            continue;
        };
        if let Some(request) = world.next_request() {
            worker.is_busy = worker.requests.send((entity, request)).is_ok();
        }
    }
}
