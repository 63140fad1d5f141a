//! The exact tables of the map, and their answers for the current move.

use super::board::Board;
use super::company::Company;
use super::guided_robbers::GuidedRobbers;
use super::mixed::MixedMoves;
use super::purse::{Purse, Share};
use super::pursuit::MovesBy;
use super::settings::PursuitClock;
use super::situation::Situation;
use super::state::Reason;
use super::{AgentId, AgentRecord, PursuitRecord};
use crate::game::{Outcome, Rules, Side, Speed, Turns, Value};
use crate::graph::{Graph, Vertex};
use crate::policy::{Decision, Merge, Source, SubsetGuide, SubsetPlayer, TablePlayer};
use crate::table_cache::{NoTable, TableCache, Wanted, WholeMap};
use std::num::NonZeroU8;

/// The most cops of a table that replaces a table of all cops. Larger tables fit only tiny maps.
const MOST_OF_FEWER: u8 = 3;
/// The fewest cops of such a table: a single cop captures a robber of its speed on hardly any map.
const LEAST_OF_FEWER: u8 = 2;

/// The cops of a guide for two, and of a table of pairs.
pub(super) const PAIR: NonZeroU8 = NonZeroU8::MIN.saturating_add(1);

/// The cops of a guide for teams that play by a table of pairs.
const TRIPLE: NonZeroU8 = PAIR.saturating_add(1);

/// The exact tables of the map, and their answer for the current move of one side.
#[derive(Debug)]
pub(super) struct Tables {
    pub(super) cache: TableCache,
    pub(super) guided: GuidedRobbers,
    pub(super) mixed: MixedMoves,
    /// Whether a table of mixed strategies decides for the side of the last look-up.
    is_mixed: bool,
    player: TablePlayer,
    pub(super) subset_player: SubsetPlayer,
    company: Company,
    situation: Situation,
    decisions: Vec<Decision>,
    /// The value of the position, or the reason why no table decides.
    answer: Result<Value, Reason>,
    /// If a table of fewer cops decides: the reason why no table of all cops does.
    why_fewer: Option<Reason>,
    /// The agents of `decisions`, in the same order.
    ids: Vec<AgentId>,
}

impl Tables {
    pub(super) fn new(cache: TableCache) -> Self {
        Self {
            cache,
            guided: GuidedRobbers::new(),
            mixed: MixedMoves::new(),
            is_mixed: false,
            player: TablePlayer::default(),
            subset_player: SubsetPlayer::new(Merge::Search),
            company: Company::default(),
            situation: Situation::default(),
            decisions: Vec::new(),
            answer: Err(Reason::NoTable),
            why_fewer: None,
            ids: Vec::new(),
        }
    }

    /// Returns whether a table decides for the side of the last look-up.
    pub(super) const fn decides(&self) -> bool {
        self.is_mixed || self.answer.is_ok()
    }

    /// If a table of fewer cops decides for the side of the last look-up: the reason why no table of all cops does.
    pub(super) const fn why_fewer(&self) -> Option<Reason> {
        self.why_fewer
    }

    /// The table's move for an agent of the side of the last look-up, with the value of the position; or the reason why
    /// there is none.
    pub(super) fn decision(&self, id: AgentId) -> Result<(&[Vertex], Value), Reason> {
        let value = self.answer?;
        let index = self.ids.iter().position(|&of| of == id);
        let decision = index.and_then(|index| self.decisions.get(index));
        decision.map_or(Err(Reason::NoTableForThis), |decision| {
            Ok((decision.way(), value))
        })
    }

    /// Looks up the joint move of the cops of a pursuit: either all of them move by a table, or none. Where both
    /// sides choose simultaneously, draws the moves of both from a table of mixed strategies, if there is one.
    /// The purse limits only what a table of fewer cops takes.
    pub(super) fn look_up_cops(&mut self, board: &mut Board, at: usize, purse: &mut Purse<'_>) {
        self.ids.clear();
        self.why_fewer = None;
        self.mixed.look_up(board, &mut self.cache, at, purse);
        self.is_mixed = self.mixed.moves_cops();
        self.answer = if self.is_mixed {
            // No exact table is in use, so that none is requested after an edit.
            board.members.pursuits_mut()[at].rules = None;
            Err(Reason::NoTableForThis)
        } else {
            self.find_for_cops(board, at, purse)
        };
        if self.answer == Err(Reason::NoTable) {
            self.request_guide(board, at, purse);
        }
        // Without a robber to chase the state is kept, for the next robber.
        if self.decides() || board.free_robbers(&board.members.pursuits()[at]) > 0 {
            let pursuit = &board.members.pursuits()[at];
            let moves_by = self.moves_by(board, &pursuit.cops);
            board.members.pursuits_mut()[at].cops_by = moves_by;
        }
    }

    /// What the answer of the last look-up means for a side.
    fn moves_by(&self, board: &Board, side: &[AgentId]) -> MovesBy {
        if self.decides() {
            match self.why_fewer {
                None => MovesBy::Table,
                Some(_) => MovesBy::TableOfFewer,
            }
        } else if board.agents(side).any(|(_, agent)| agent.chooses()) {
            MovesBy::Other
        } else {
            MovesBy::Game
        }
    }

    /// Forgets the answers of the last look-ups, which were for another pursuit or another moment.
    pub(super) fn forget_answers(&mut self) {
        self.ids.clear();
        self.is_mixed = false;
        self.why_fewer = None;
        self.answer = Err(Reason::NoTableForThis);
        self.guided.forget_decision();
        self.mixed.forget_draws();
    }

    fn find_for_cops(
        &mut self,
        board: &mut Board,
        at: usize,
        purse: &mut Purse<'_>,
    ) -> Result<Value, Reason> {
        let pursuit = &board.members.pursuits()[at];
        // The table is one of the cops that the world moves. Others do no harm.
        let cops = board.agents(&pursuit.cops);
        let team = cops.filter(|(_, cop)| cop.chooses()).count();
        let may_play = team > 0 && !board.follows_paths(pursuit);
        if !may_play || !choose_together(board, pursuit) {
            return Err(Reason::NoTableForThis);
        }
        let robber = only_robber(board, pursuit).ok_or(Reason::NoTableForThis)?;
        if !can_all_move(board, &[robber]) {
            return Err(Reason::NoTableForThis);
        }
        self.company.assemble(board, pursuit);
        let situation = &mut self.situation;
        let is_known = situation.of_team(board, pursuit, &self.company, robber);
        let is_whole = situation.ids.len() == team;
        let is_alone = team == pursuit.cops.len();
        if !is_known || !is_whole || !situation.is_seen {
            return Err(Reason::NoTableForThis);
        }
        let state = situation.state(Side::Cops).ok_or(Reason::NoTableForThis)?;
        let rules = Rules::of(&state, board.graph.moves());
        board.members.pursuits_mut()[at].rules = rules;
        let rules = rules.ok_or(Reason::NoTableForThis)?;
        let Self { cache, player, .. } = self;
        let (graph, tick) = (&board.graph, board.tick);
        let Some(found) = cache.find(graph, &rules, tick) else {
            cache.want(graph, &rules, tick);
            let why = reason_of(cache.why_not(graph, &rules, tick));
            let is_in_turns = self.company.clock == PursuitClock::Turns;
            return if is_in_turns {
                self.find_for_fewer(board, at, rules, why, purse)
            } else {
                Err(why)
            };
        };
        let decisions = &mut self.decisions;
        let is_known = player.cops(found.times, found.arena, graph, &state, decisions);
        purse.spend(TablePlayer::PROBE_COST * player.probes());
        let value = decisions.first().and_then(|decision| decision.value);
        let value = value.filter(|_| is_known).ok_or(Reason::NoTable)?;
        if value == Value::Exact(Outcome::Escapes) {
            return Err(Reason::Escapes);
        }
        self.ids.extend_from_slice(&self.situation.ids);
        Ok(if is_alone { value } else { at_most(value) })
    }

    /// Requests a guide for two cops, which helps the [planner](super::planning) choose their joint moves. For larger
    /// teams, requests a retract for their pairs, which [proves captures](super::retract_proof).
    fn request_guide(&mut self, board: &mut Board, at: usize, purse: &mut Purse<'_>) {
        let rules = board.members.pursuits()[at].rules;
        let rules = rules.filter(|rules| rules.cops >= PAIR && self.cache.settings().solve);
        if self.company.clock == PursuitClock::Turns
            && let Some(rules) = rules
        {
            let pair = Rules {
                cops: PAIR,
                ..rules
            };
            let wanted = match board.members.pursuits()[at].cops.len() {
                2 => Wanted::ForPair,
                _ => Wanted::Retract,
            };
            // Where the table of pairs is there, no pair wins.
            if self.cache.find(&board.graph, &pair, board.tick).is_none() {
                request(board, &mut self.cache, pair, wanted, purse);
            }
        }
    }

    /// Requests a retract for a pair of cops in a pursuit that is not the game of a table, for instance because the game
    /// moves another cop.
    pub(super) fn request_retract(
        &mut self,
        board: &mut Board,
        pair: Rules,
        purse: &mut Purse<'_>,
    ) {
        let Self { cache, .. } = self;
        let (graph, tick) = (&board.graph, board.tick);
        let has_table = cache.find(graph, &pair, tick).is_some()
            || reason_of(cache.why_not(graph, &pair, tick)) == Reason::TableSoon;
        if cache.settings().solve && !has_table {
            request(board, cache, pair, Wanted::Retract, purse);
        }
    }

    /// Looks up the joint move of the cops in a table of fewer cops; `why` is the reason why there is no table of all
    /// cops.
    fn find_for_fewer(
        &mut self,
        board: &mut Board,
        at: usize,
        all: Rules,
        why: Reason,
        purse: &mut Purse<'_>,
    ) -> Result<Value, Reason> {
        let Self { cache, .. } = self;
        let tick = board.tick;
        let (rules, is_requested) = table_of_fewer(&board.graph, cache, (all, why), tick);
        let rules = rules.ok_or(if is_requested { Reason::TableSoon } else { why })?;
        board.members.pursuits_mut()[at].rules = Some(rules);
        let three = Rules {
            cops: TRIPLE,
            ..rules
        };
        let is_helped = !is_requested && rules.cops == PAIR && is_slow(rules) && !errs(board, at);
        if is_helped {
            request(board, cache, three, Wanted::Retract, purse);
        }
        let graph = &board.graph;
        let announced = board.announced(&self.situation.ids);
        let left = purse.left_in_one();
        let budget = left.saturating_sub(purse.share(Share::Plans));
        let budget = budget_for_fewer(graph, budget, announced).ok_or(Reason::Budget)?;
        let player = &mut self.subset_player;
        player.limit_work(budget);
        let keepers = &board.members.pursuits()[at].keepers;
        let keepers = keepers.iter().filter(|_| announced.is_some());
        let ids = &self.situation.ids;
        player.keep(keepers.filter_map(|keeper| ids.iter().position(|id| id == keeper)));
        let state = self.situation.state(Side::Cops);
        let state = state.ok_or(Reason::NoTableForThis)?;
        let found = cache.peek(graph, &rules).ok_or(why)?;
        let table = (found.times, found.arena.as_ref());
        let guide = cache.retract_guide(three, tick);
        let guide = guide
            .as_ref()
            .filter(|_| is_helped)
            .map(|retract| SubsetGuide { retract, announced });
        let decisions = &mut self.decisions;
        let is_known = player.guided_cops(table, graph, &state, guide, decisions);
        purse.spend(player.work());
        if !is_known {
            // No subset can force a capture, but all cops together may.
            return Err(why);
        }
        let value = decisions.first().and_then(|decision| decision.value);
        self.ids.extend_from_slice(&self.situation.ids);
        self.why_fewer = Some(why);
        let value = value.ok_or(why)?;
        Ok(self.note_keepers(&mut board.members.pursuits_mut()[at], value))
    }

    /// Notes the cops whose table proves the value of the last look-up in a table of fewer cops. Returns what the value
    /// says of the whole pursuit.
    fn note_keepers(&self, pursuit: &mut PursuitRecord, value: Value) -> Value {
        let keepers = self.subset_player.keepers();
        let keepers = keepers.filter_map(|cop| self.ids.get(cop)).copied();
        pursuit.keepers.clear();
        pursuit.keepers.extend(keepers);
        if self.ids.len() == pursuit.cops.len() {
            value
        } else {
            at_most(value)
        }
    }

    /// Looks up the move of a robber, in answer to the cops: in a table, or in a guide if no table will be made.
    /// Expects that its cops were looked up before. The purse limits only the work of a guide.
    pub(super) fn look_up_robber(
        &mut self,
        board: &mut Board,
        at: usize,
        id: AgentId,
        purse: &mut Purse<'_>,
    ) {
        self.ids.clear();
        self.guided.forget_decision();
        self.why_fewer = None;
        self.answer = Err(Reason::NoTableForThis);
        self.is_mixed = self.mixed.moves_robber(id);
        let robber = board.agent(id).filter(|robber| robber.caught.is_none());
        let Some(chooses) = robber.map(AgentRecord::chooses) else {
            return; // without a free robber the state is kept, for the next robber
        };
        if chooses && !self.is_mixed {
            self.answer = self.find_for_robber(board, at, id, purse);
            if let Err(Reason::NoTable | Reason::NoTableForThis) = self.answer {
                let Self { guided, cache, .. } = self;
                guided.look_up(board, cache, (at, id), purse);
            }
        }
        if self.answer.is_ok() {
            self.ids.push(id);
        }
        let moves_by = self.moves_by(board, &[id]);
        board.members.pursuits_mut()[at].robber_by = moves_by;
    }

    fn find_for_robber(
        &mut self,
        board: &Board,
        at: usize,
        id: AgentId,
        purse: &mut Purse<'_>,
    ) -> Result<Value, Reason> {
        let pursuit = &board.members.pursuits()[at];
        if only_robber(board, pursuit) != Some(id) || !is_joint_move(board, pursuit) {
            return Err(Reason::NoTableForThis);
        }
        self.company.assemble(board, pursuit);
        let situation = &mut self.situation;
        let is_known = situation.of_robber(board, pursuit, &self.company, id, true);
        let is_whole = situation.ids.len() == pursuit.cops.len() && !situation.is_shut_in;
        // No table is for a cop that cannot move.
        let is_whole = is_whole && can_all_move(board, &pursuit.cops);
        if !is_known || !is_whole || !situation.is_seen {
            return Err(Reason::NoTableForThis);
        }
        let state = situation
            .state(Side::Robber)
            .ok_or(Reason::NoTableForThis)?;
        let rules = Rules::of(&state, board.graph.moves()).ok_or(Reason::NoTableForThis)?;
        let Self { cache, player, .. } = self;
        let (graph, tick) = (&board.graph, board.tick);
        let Some(found) = cache.find(graph, &rules, tick) else {
            cache.want(graph, &rules, tick);
            return Err(reason_of(cache.why_not(graph, &rules, tick)));
        };
        if self.decisions.is_empty() {
            self.decisions.push(Decision::wait(Source::Greedy));
        }
        let Some(decision) = self.decisions.first_mut() else {
            return Err(Reason::NoTable);
        };
        let is_known = player.robber(found.times, found.arena, graph, &state, decision);
        purse.spend(TablePlayer::PROBE_COST * player.probes());
        let value = decision.value.filter(|_| is_known);
        value.ok_or(Reason::NoTable)
    }

    /// Requests tables for the changed map at once, for pursuits that played by a table.
    pub(super) fn request_again(&mut self, board: &Board) {
        let (graph, tick) = (&board.graph, board.tick);
        let mut last = None;
        let pursuits = board.members.pursuits().iter();
        for pursuit in pursuits.filter(|pursuit| pursuit.has_cops_by_table()) {
            // Neighbouring pursuits mostly play by the same rules.
            if let Some(rules) = pursuit.rules.filter(|_| pursuit.rules != last) {
                self.cache.want(graph, &rules, tick);
                last = pursuit.rules;
            }
        }
    }
}

/// The largest table of fewer cops that is there, and whether a larger one is on its way. If no table of all cops will be
/// made, requests the largest table of fewer cops that the settings allow; `why` is the reason why there is none of all
/// cops.
fn table_of_fewer(
    graph: &Graph,
    cache: &mut TableCache,
    (all, why): (Rules, Reason),
    tick: u64,
) -> (Option<Rules>, bool) {
    let most = MOST_OF_FEWER.min(all.cops.get() - 1);
    let sizes = (LEAST_OF_FEWER..=most).rev().filter_map(NonZeroU8::new);
    let mut is_requested = why == Reason::TableSoon;
    for rules in sizes.map(|cops| Rules { cops, ..all }) {
        if cache.find(graph, &rules, tick).is_some() {
            return (Some(rules), is_requested);
        }
        if is_requested {
            continue;
        }
        // Only a table that can be made is asked for, so that no others are reported as refused.
        let why_not = cache.why_not(graph, &rules, tick);
        if why_not == Some(NoTable::NotAsked) {
            cache.want(graph, &rules, tick);
        }
        is_requested = matches!(
            why_not,
            Some(NoTable::NotAsked | NoTable::Solving { .. } | NoTable::Busy)
        );
    }
    (None, is_requested)
}

/// Returns whether all agents take one step a turn.
fn is_slow(rules: Rules) -> bool {
    rules.cop_speed == Speed::ONE && rules.robber_speed == Speed::ONE
}

/// Returns whether a cop of a pursuit makes mistakes. Cops that err announce nothing, so they keep to no promise.
fn errs(board: &Board, at: usize) -> bool {
    let pursuit = &board.members.pursuits()[at];
    board
        .agents(&pursuit.cops)
        .any(|(_, cop)| cop.setup.mistakes > 0)
}

/// Requests a guide for these rules, unless it is there or on its way, and notes that it is used.
fn request(
    board: &Board,
    cache: &mut TableCache,
    rules: Rules,
    wanted: Wanted,
    purse: &mut Purse<'_>,
) {
    if let Some(hierarchy) = board.maintenance.up_to_date(&board.graph) {
        let graph = &board.graph;
        let map = WholeMap { graph, hierarchy };
        purse.spend(cache.want_guide(map, rules, wanted, board.tick));
    }
}

/// The only free robber of a pursuit; `None` if there are more or none.
pub(super) fn only_robber(board: &Board, pursuit: &PursuitRecord) -> Option<AgentId> {
    let is_free = |&(_, robber): &(AgentId, &AgentRecord)| {
        robber.caught.is_none() && board.graph.is_on_map(robber.setup.cell)
    };
    let mut free = board.agents(&pursuit.robbers).filter(is_free);
    let (first, _) = free.next()?;
    free.next().is_none().then_some(first)
}

pub(super) fn can_all_move(board: &Board, agents: &[AgentId]) -> bool {
    let mut agents = board.agents(agents);
    agents.all(|(_, agent)| !agent.setup.is_immobile)
}

/// The expansions that a decision by a table of fewer cops may take, of those that are left; `None` if they do not suffice.
/// What has been announced is kept, whatever else the tick has to do.
fn budget_for_fewer(graph: &Graph, left: u64, announced: Option<Turns>) -> Option<u64> {
    let least = SubsetPlayer::least_cost(graph);
    let budget = if announced.is_some() {
        left.max(least)
    } else {
        left
    };
    (budget >= least).then_some(budget)
}

/// The value of a game in which further cops may capture the robber earlier.
const fn at_most(value: Value) -> Value {
    match value {
        Value::Exact(outcome @ Outcome::Caught(_)) => Value::AtMost(outcome),
        value => value,
    }
}

/// Returns whether this is a game that a table covers. On the free-running clock, a table is only a guide. On clocks
/// with turns, cops that set out in the middle of a turn play another game.
pub(super) fn is_joint_move(board: &Board, pursuit: &PursuitRecord) -> bool {
    let is_in_time = |(_, cop): (AgentId, &AgentRecord)| is_in_time(board, pursuit, cop);
    !board.clock(pursuit).is_in_turns()
        || board.tick == pursuit.began && board.agents(&pursuit.cops).all(is_in_time)
}

/// Returns whether the cops of a pursuit choose a joint move now, for a game that a table covers: those whose moves the
/// world chooses. A cop that the game has sent along a path in this turn has no choice.
pub(super) fn choose_together(board: &Board, pursuit: &PursuitRecord) -> bool {
    let stands = |(_, cop): (AgentId, &AgentRecord)| cop.arrives <= board.tick;
    let mut team = board.agents(&pursuit.cops).filter(|(_, cop)| cop.chooses());
    !board.clock(pursuit).is_in_turns() || board.tick == pursuit.began && team.all(stands)
}

/// Returns whether an agent moves with this turn of its pursuit: it stands, or has set out now.
pub(super) const fn is_in_time(
    board: &Board,
    pursuit: &PursuitRecord,
    agent: &AgentRecord,
) -> bool {
    let sets_out_now = agent.departs == board.tick && agent.arrives == pursuit.ends;
    agent.arrives <= board.tick || sets_out_now
}

const fn reason_of(no_table: Option<NoTable>) -> Reason {
    match no_table {
        Some(NoTable::Solving { .. }) => Reason::TableSoon,
        _ => Reason::NoTable,
    }
}
