//! A pursuit: cops and robbers that notice each other, and their turns.

use super::agent_id::AgentId;
use super::lookout::Lookout;
use super::settings::PursuitClock;
use super::sightings::{Sighting, Sightings};
use super::tactics::Tactics;
use crate::belief::{Belief, PossibleCells};
use crate::game::{Rules, Side};
use crate::graph::Graph;
use crate::map::Cell;
use serde::{Deserialize, Serialize};

/// The settings of one pursuit. `None` takes the value from the settings of the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PursuitSetup {
    /// When its agents move.
    pub clock: Option<PursuitClock>,
    /// How its cops move.
    pub tactics: Option<Tactics>,
}

/// Where the cops believe a robber to be that they do not see.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tracked {
    pub(super) belief: Belief,
    /// All cells where the robber can be; `None` if that is anywhere out of sight.
    pub(super) places: Option<PossibleCells>,
    /// The tick of the last step of the guesses.
    pub(super) tick: u64,
}

/// What the moves of a side come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) enum MovesBy {
    /// Another source than a table.
    #[default]
    Other,
    /// A table, for all agents of the side that the world moves.
    Table,
    /// A table of fewer cops.
    TableOfFewer,
    /// Guides, for all robbers.
    Guides,
    /// The game: the world moves none of these agents.
    Game,
}

/// What the game has changed in a pursuit since announcements were last taken back.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct GameChanges {
    /// The game has placed, changed or ordered a cop, or added one, so that robbers may not be free for as long as they
    /// have announced.
    pub(super) has_new_cops: bool,
    /// The game has changed something that announcements of captures, and of how long a robber stays free, rest on.
    pub(super) is_other_game: bool,
}

/// What a pursuit is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct PursuitNumber {
    /// The [faction](super::Faction) that is hunted in it; `None` for cops and robbers. The pursuits of factions are the
    /// last ones.
    pub(super) faction: Option<u8>,
    /// The number that the game has given it. Members name their pursuit by it.
    pub(super) number: u32,
}

impl PursuitNumber {
    /// The pursuit of cops and robbers with a number of the game.
    pub(super) const fn new(number: u32) -> Self {
        Self {
            faction: None,
            number,
        }
    }
}

/// The place of a pursuit in the list of all pursuits, which is sorted by number. It changes when other pursuits are
/// created or removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PursuitIndex(pub(super) usize);

/// Cops and robbers that notice each other, and their turns.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PursuitRecord {
    pub(super) number: PursuitNumber,
    pub(super) setup: PursuitSetup,
    pub(super) cops: Vec<AgentId>,
    pub(super) robbers: Vec<AgentId>,
    /// The number of turns that have begun.
    pub(super) turn: u64,
    /// The ticks at which the turn began and at which the next one begins.
    pub(super) began: u64,
    pub(super) ends: u64,
    /// The next tick at which a member arrives or chooses, which may be before the turn ends.
    pub(super) next_due: u64,
    /// What made the last decision of the cops, and of the robber.
    pub(super) cops_by: MovesBy,
    pub(super) robber_by: MovesBy,
    /// The last reported state of "a table decides for all".
    pub(super) reported_exact: bool,
    /// The rules of the last table by which the cops moved. It may be one of fewer cops.
    pub(super) rules: Option<Rules>,
    /// The cops whose table of fewer cops proves what the cops have announced with their last move.
    pub(super) keepers: Vec<AgentId>,
    /// Whether no member wants a plan until something happens.
    pub(super) is_settled: bool,
    /// Whether the game has placed or changed a member, so that a robber may stand on a cop's cell.
    pub(super) needs_capture_check: bool,
    /// What announcements rest on and the game has changed. Snapshots have no such changes ahead of them.
    #[serde(skip)]
    pub(super) changes: GameChanges,
    /// The cops' sightings of robbers, and each robber's sightings of cops: sorted by robber.
    pub(super) cops_know: Sightings,
    pub(super) robbers_know: Vec<(AgentId, Lookout)>,
    /// Where the cops believe robbers out of sight to be: sorted by robber.
    pub(super) beliefs: Vec<(AgentId, Tracked)>,
}

impl PursuitRecord {
    pub(super) fn new(number: PursuitNumber, first_turn: u64) -> Self {
        Self {
            number,
            setup: PursuitSetup::default(),
            cops: Vec::new(),
            robbers: Vec::new(),
            turn: 0,
            began: first_turn,
            ends: first_turn,
            next_due: first_turn,
            cops_by: MovesBy::Other,
            robber_by: MovesBy::Other,
            reported_exact: false,
            rules: None,
            keepers: Vec::new(),
            is_settled: false,
            needs_capture_check: true,
            changes: GameChanges::default(),
            cops_know: Sightings::default(),
            robbers_know: Vec::new(),
            beliefs: Vec::new(),
        }
    }

    /// Its number. The pursuits of all factions of a pursuit have the same one.
    #[must_use]
    pub const fn number(&self) -> u32 {
        self.number.number
    }

    /// The [faction](super::Faction) that is hunted in it; `None` for a pursuit of cops and robbers.
    #[must_use]
    pub const fn faction(&self) -> Option<u8> {
        self.number.faction
    }

    /// Its own settings.
    #[must_use]
    pub const fn setup(&self) -> &PursuitSetup {
        &self.setup
    }

    /// The number of turns that have begun.
    #[must_use]
    pub const fn turn(&self) -> u64 {
        self.turn
    }

    /// The ticks at which the turn began and at which the next one begins.
    #[must_use]
    pub const fn turn_ticks(&self) -> (u64, u64) {
        (self.began, self.ends)
    }

    /// Its cops, sorted by id. Agents that leave are removed from the list in the next tick.
    #[must_use]
    pub fn cops(&self) -> &[AgentId] {
        &self.cops
    }

    /// Its robbers, including captured ones. As with [`cops`](Self::cops), agents that leave stay on
    /// the list until the next tick. Also on the list is, under an id of its own, each robber that has left and for which
    /// cops of limited sight still search: [`PursuitWorld::agent`](super::PursuitWorld::agent) does not know it.
    #[must_use]
    pub fn robbers(&self) -> &[AgentId] {
        &self.robbers
    }

    /// Returns whether a table decides for all members that the world moves: an exact table; on the free-running clock,
    /// a table that serves as a guide; and where both sides choose simultaneously, a table of mixed strategies.
    #[must_use]
    pub const fn is_exact(&self) -> bool {
        matches!(
            (self.cops_by, self.robber_by),
            (MovesBy::Table, MovesBy::Table | MovesBy::Game) | (MovesBy::Game, MovesBy::Table)
        )
    }

    /// Returns whether a table made the last decision of the cops.
    pub(super) const fn has_cops_by_table(&self) -> bool {
        matches!(self.cops_by, MovesBy::Table | MovesBy::TableOfFewer)
    }

    /// Returns whether a table made the last decision of the robber, or guides those of all robbers.
    pub(super) const fn has_robbers_without_plans(&self) -> bool {
        matches!(self.robber_by, MovesBy::Table | MovesBy::Guides)
    }

    /// What a robber knows about cops.
    pub(super) fn known_by(&self, robber: AgentId) -> Option<&Sightings> {
        let known = &self.robbers_know;
        let index = known.binary_search_by_key(&robber, |&(who, _)| who).ok()?;
        known.get(index).map(|(_, known)| &known.sightings)
    }

    /// The cops that a robber remembers, in the order of [`cops`](Self::cops), and where it
    /// [expects](Lookout::expected) them.
    pub(super) fn cops_known_by(
        &self,
        robber: AgentId,
    ) -> impl Iterator<Item = (AgentId, Sighting)> + '_ {
        let known = &self.robbers_know;
        let index = known.binary_search_by_key(&robber, |&(who, _)| who);
        let known = index.ok().and_then(|index| known.get(index));
        known
            .into_iter()
            .flat_map(|(_, lookout)| lookout.expected())
            .filter_map(|(key, sighting)| {
                let index = self.cops.binary_search_by_key(&key, |id| id.key()).ok()?;
                Some((self.cops[index], sighting))
            })
    }

    /// Sorts what robbers know, which may come from a save of an older release.
    pub(super) fn sort_knowledge(&mut self) {
        self.robbers_know
            .sort_unstable_by_key(|&(robber, _)| robber);
    }

    /// Forgets sightings of agents that are not members any more. Adds the robbers to `lost` that cops saw last.
    pub(super) fn forget_non_members(&mut self, lost: &mut Vec<AgentId>) {
        let Self {
            cops,
            robbers,
            cops_know,
            robbers_know,
            beliefs,
            ..
        } = self;
        let is_in =
            |list: &[AgentId], key: u64| list.binary_search_by_key(&key, |id| id.key()).is_ok();
        let seen = cops_know.iter().filter(|(_, last)| last.sees_now);
        let gone = seen.filter(|&(key, _)| !is_in(robbers, key));
        lost.extend(gone.map(|(key, _)| AgentId::of_key(key)));
        cops_know.retain(|key| is_in(robbers, key));
        robbers_know.retain(|&(robber, _)| is_in(robbers, robber.key()));
        beliefs.retain(|&(robber, _)| is_in(robbers, robber.key()));
        for (_, known) in robbers_know {
            known.sightings.retain(|key| is_in(cops, key));
        }
    }

    /// Forgets a robber that is no member any more as if nobody had seen it.
    pub(super) fn forget_robber(&mut self, id: AgentId) {
        self.cops_know.forget(id.key());
    }

    /// Moves what its members believe about each other to another map of the same size.
    pub(super) fn follow_map(&mut self, graph: &Graph) {
        for (_, tracked) in &mut self.beliefs {
            if let Some(places) = &mut tracked.places {
                places.follow_map(graph);
            }
        }
        for (_, lookout) in &mut self.robbers_know {
            lookout.places.follow_map(graph);
        }
    }

    /// Goes on with what the cops know about a robber under another id.
    pub(super) fn rename_robber(&mut self, old: AgentId, new: AgentId) {
        self.cops_know.rename(old.key(), new.key());
        let place = |beliefs: &[(AgentId, Tracked)], id| {
            beliefs.binary_search_by_key(&id, |&(robber, _)| robber)
        };
        if let Ok(at) = place(&self.beliefs, old) {
            let (_, tracked) = self.beliefs.remove(at);
            if let Err(at) = place(&self.beliefs, new) {
                self.beliefs.insert(at, (new, tracked));
            }
        }
    }

    /// Counts turns from 0 again, from a tick on. Members stay, and go on from what they have seen.
    pub(super) const fn restart(&mut self, first_turn: u64) {
        self.turn = 0;
        (self.began, self.ends, self.next_due) = (first_turn, first_turn, first_turn);
        self.ask_for_plans();
    }

    /// Notes that the game has changed, so that its table has to be looked up again.
    pub(super) const fn forget_table(&mut self) {
        (self.cops_by, self.robber_by) = (MovesBy::Other, MovesBy::Other);
    }

    /// Cops, then robbers.
    pub(super) fn members(&self) -> impl Iterator<Item = AgentId> + Clone + '_ {
        self.cops.iter().chain(&self.robbers).copied()
    }

    /// Forgets where enemies were seen that are out of sight. For those in sight, the next update says whether they still
    /// are: sightings begin and end alternately.
    pub(super) fn forget_hidden(&mut self) {
        self.cops_know.forget_hidden();
        for (_, known) in &mut self.robbers_know {
            known.sightings.forget_hidden();
        }
        self.beliefs.clear();
    }

    /// Gives the cell of a member, where its opponents see it, its number on another map.
    pub(super) fn renumber_sightings(&mut self, id: AgentId, cell: Cell) {
        self.cops_know.renumber(id.key(), cell);
        for (_, known) in &mut self.robbers_know {
            known.sightings.renumber(id.key(), cell);
        }
    }

    /// Notes that a member may want a plan, or may be captured on its cell without moving.
    pub(super) const fn ask_for_plans(&mut self) {
        (self.is_settled, self.needs_capture_check) = (false, true);
    }

    /// Notes that a member has something to do at this tick.
    pub(super) fn wake_at(&mut self, tick: u64) {
        self.next_due = self.next_due.min(tick);
    }

    pub(super) fn members_of(&self, side: Side) -> &[AgentId] {
        match side {
            Side::Cops => &self.cops,
            Side::Robber => &self.robbers,
        }
    }

    pub(super) fn members_mut(&mut self, side: Side) -> &mut Vec<AgentId> {
        match side {
            Side::Cops => &mut self.cops,
            Side::Robber => &mut self.robbers,
        }
    }
}
