//! Captures that a retract proves: two cops keep to a bound while they follow their plans.

use super::AgentId;
use super::board::Board;
use super::purse::Purse;
use super::tables::{PAIR, is_in_time};
use super::team_position::TeamPosition;
use crate::game::{Outcome, Rules, State, Turns, Value};
use crate::graph::{Graph, Vertex};
use crate::policy::{RetractGuide, Slack};
use crate::table_cache::TableCache;

/// The cost of the check of a joint move, in expansions: a bound for each reply takes 0.1 to 0.2 µs.
const COST_OF_A_MOVE: u64 = 20;

/// The cost of the bound of a pair, in expansions, for each two cops in either order.
const COST_OF_A_PAIR: u64 = 1;

/// The least remaining budget, in expansions, for a first proof: it may check all joint moves of a pair.
const LEAST_BUDGET: u64 = 82 * COST_OF_A_MOVE;

/// The cops of a larger team whose pairs are tried.
const MOST_CANDIDATES: usize = 6;

/// The proof for the current move of two cops, by the solution of a retract of the map: the number of turns within
/// which they capture the robber, and the moves by which they keep to that number. In a larger team, the proof is for
/// the pair with the least bound, and the moves of the other cops do not matter.
///
/// The cops announce somewhat more turns than the guide proves: see [`Slack`]. In most turns, the moves of their plans
/// keep to the announced number. In the other turns, the cops make a move of the guide.
#[derive(Debug, Default)]
pub(super) struct RetractProof {
    team: TeamPosition,
    /// Where the moves of the plans end.
    ends: Vec<Vertex>,
    /// The vertices to which the robber, or a cop, may go.
    replies: Vec<Vertex>,
    options: [Vec<Vertex>; 2],
    /// The cops of a larger team whose pairs are tried, by their numbers.
    candidates: Vec<usize>,
    found: Option<Found>,
    /// The rules of a retract that was looked for and is not there.
    missing: Option<Rules>,
}

#[derive(Debug, Clone, Copy)]
struct Found {
    /// The number of turns within which the cops capture, with this move.
    within: Turns,
    /// Where the moves end.
    ends: [(AgentId, Vertex); 2],
    /// Whether these are the moves of the plans.
    is_by_plans: bool,
}

impl RetractProof {
    /// Forgets the answers of the last look-up, which was for another pursuit or another moment.
    pub(super) const fn forget_answers(&mut self) {
        self.found = None;
        self.missing = None;
    }

    /// Looks up a proof for the cops of a pursuit, which have planned. Returns whether they follow it. `is_decided`: a
    /// table already decides for these cops. `other` is the bound of another proof: the cops follow that one, unless
    /// they have announced fewer turns before. The purse limits how many pursuits begin to announce captures in a tick;
    /// cops that have announced one keep to it in any case.
    pub(super) fn look_up(
        &mut self,
        board: &mut Board,
        cache: &mut TableCache,
        at: usize,
        is_decided: bool,
        other: Option<Turns>,
        purse: &mut Purse<'_>,
    ) -> bool {
        self.forget_answers();
        let pursuit = &board.members.pursuits()[at];
        let is_turn = board.tick == pursuit.began;
        if is_decided || pursuit.cops.len() < 2 || !is_turn || !self.team.assemble_now(board, at) {
            return false;
        }
        let promised = self.team.promised(board);
        let is_kept = |other| promised.is_none_or(|promised| other < promised);
        if other.is_some_and(is_kept) {
            return false;
        }
        if promised.is_none() && purse.left_in_one() < LEAST_BUDGET {
            return false;
        }
        self.found = self.prove(board, cache, at, promised, purse);
        self.found.is_some()
    }

    /// The proof for the cops of the team, which have announced a capture before within `promised` turns.
    fn prove(
        &mut self,
        board: &mut Board,
        cache: &mut TableCache,
        at: usize,
        promised: Option<Turns>,
        purse: &mut Purse<'_>,
    ) -> Option<Found> {
        let Self {
            team,
            ends,
            replies,
            options,
            candidates,
            missing,
            ..
        } = self;
        let state = team.state()?;
        let rules = Rules {
            cops: PAIR,
            ..Rules::of(&state, board.graph.moves())?
        };
        let is_requested = cache.touch_retract(rules, board.tick);
        *missing = Some(rules).filter(|_| !is_requested && state.cops.len() > 1);
        let (graph, tick) = (&board.graph, board.tick);
        let guide = &cache.retract_guide(rules, tick)?;
        list_candidates(board, (team, at), &state, candidates);
        purse.spend(COST_OF_A_PAIR * (candidates.len() * candidates.len()) as u64);
        let (bound, pair) = best_pair(guide, graph, &state, candidates)?;
        let within = number_to_announce(bound, promised, board.slack)?;
        let most = Turns(within.0 - 1);
        team.ends_of_plans(board, ends);
        list_ends(graph, state.robber.at, replies);
        let planned = pair.map(|cop| ends[cop]);
        let mut checked = 1;
        let have_plans = pair.iter().all(|&cop| team.has_plan(board, cop));
        let by_plans = worst(guide, graph, &state, replies, planned).filter(|_| have_plans);
        let moves = if by_plans.is_some_and(|bound| bound <= most) {
            Some((planned, true))
        } else {
            for (options, cop) in options.iter_mut().zip(pair) {
                list_ends(graph, state.cops[cop].at, options);
            }
            checked += options[0].len() * options[1].len();
            let best = best_joint_move(guide, graph, &state, replies, options);
            let best = best.filter(|&(bound, _)| bound <= most);
            best.map(|(_, ends)| (ends, false))
        };
        purse.spend(COST_OF_A_MOVE * checked as u64);
        let ([one, other], is_by_plans) = moves?;
        let [first, second] = pair.map(|cop| team.ids()[cop]);
        Some(Found {
            within,
            ends: [(first, one), (second, other)],
            is_by_plans,
        })
    }

    /// The rules of the retract that the last proof lacks, if nobody has requested it.
    pub(super) const fn missing(&self) -> Option<Rules> {
        self.missing
    }

    /// The end of the guide's move for a cop of the pursuit of the last look-up, if the cop does not follow its plan.
    pub(super) fn decision(&self, id: AgentId) -> Option<(Vertex, Value)> {
        let found = self.found.filter(|found| !found.is_by_plans)?;
        let (_, end) = found.ends.into_iter().find(|&(cop, _)| cop == id)?;
        Some((end, found.value()))
    }

    /// The value of the position, for a cop of the pursuit of the last look-up whose plan leads to `end`, or which captures the
    /// robber there.
    pub(super) fn value(&self, id: AgentId, end: Vertex) -> Option<Value> {
        let captures = self
            .team
            .state()
            .is_some_and(|state| state.robber.at == end);
        let keeps = |found: &Found| captures || found.ends.contains(&(id, end));
        Some(self.found.filter(keeps)?.value())
    }
}

/// The number of turns within which two cops announce to capture, where a retract proves `bound` and they have announced
/// `promised` turns with their last move. `None` if nothing is left to announce.
pub(super) fn number_to_announce(
    bound: Turns,
    promised: Option<Turns>,
    slack: Slack,
) -> Option<Turns> {
    match promised {
        _ if bound.0 == 0 => None,
        // A tighter one, where the bound has fallen faster, would cost turns: the cops could follow fewer plans.
        Some(promised) if bound < promised => Some(Turns(promised.0 - 1)),
        // The game has changed something, and what was announced cannot be kept. The cops announce another number in
        // their next turn.
        Some(_) => None,
        None => Some(slack.within(bound)),
    }
}

impl Found {
    const fn value(&self) -> Value {
        Value::AtMost(Outcome::Caught(self.within))
    }
}

/// Lists the cops whose pairs are tried: those that have announced a capture with their last move, and the nearest ones.
fn list_candidates(
    board: &Board,
    (team, at): (&TeamPosition, usize),
    state: &State<'_>,
    candidates: &mut Vec<usize>,
) {
    let pursuit = &board.members.pursuits()[at];
    let graph = &board.graph;
    let robber = graph.cell(state.robber.at);
    let key = |&cop: &usize| {
        let agent = board.agent(team.ids()[cop]);
        let has_promised = agent.is_some_and(|cop| cop.state.captured_within().is_some());
        let far = graph.cell(state.cops[cop].at).max_norm(robber);
        (!has_promised, far, cop)
    };
    candidates.clear();
    // A cop in a wall has not come out yet, and one that is under way does not move with this turn.
    let stands = |&cop: &usize| {
        let agent = board.agent(team.ids()[cop]);
        let agent = agent.filter(|agent| is_in_time(board, pursuit, agent));
        let at = agent.and_then(|agent| graph.vertex(agent.setup.cell));
        at == Some(state.cops[cop].at)
    };
    candidates.extend((0..team.ids().len()).filter(stands));
    candidates.sort_unstable_by_key(key);
    candidates.truncate(MOST_CANDIDATES);
}

/// The pair of cops with the least bound, and that bound.
fn best_pair(
    guide: &RetractGuide,
    graph: &Graph,
    state: &State<'_>,
    candidates: &[usize],
) -> Option<(Turns, [usize; 2])> {
    let pairs = candidates.iter().enumerate().flat_map(|(place, &first)| {
        let others = &candidates[place + 1..];
        others.iter().map(move |&second| [first, second])
    });
    let bounds = pairs.filter_map(|pair| {
        let cops = pair.map(|cop| state.cops[cop].at);
        Some((guide.bound(graph, state.robber.at, &cops)?, pair))
    });
    bounds.min_by_key(|&(bound, _)| bound)
}

/// Lists where an agent of speed 1 may be after its move.
fn list_ends(graph: &Graph, at: Vertex, ends: &mut Vec<Vertex>) {
    ends.clear();
    ends.push(at);
    ends.extend_from_slice(graph.neighbours(at));
}

/// The greatest bound after a joint move, over all replies; 0 if the move captures, `None` if nothing is proven after
/// some reply.
fn worst(
    guide: &RetractGuide,
    graph: &Graph,
    state: &State<'_>,
    replies: &[Vertex],
    ends: [Vertex; 2],
) -> Option<Turns> {
    if ends.contains(&state.robber.at) {
        return Some(Turns(0));
    }
    let open = replies.iter().filter(|reply| !ends.contains(reply));
    open.map(|&reply| guide.bound(graph, reply, &ends))
        .try_fold(Turns(0), |most, bound| Some(most.max(bound?)))
}

/// The joint move with the least bound, the first one if several have it; `options` are where either cop may go.
fn best_joint_move(
    guide: &RetractGuide,
    graph: &Graph,
    state: &State<'_>,
    replies: &[Vertex],
    options: &[Vec<Vertex>; 2],
) -> Option<(Turns, [Vertex; 2])> {
    let [rows, columns] = options;
    let joint = rows
        .iter()
        .flat_map(|&row| columns.iter().map(move |&other| [row, other]));
    let bounds = joint.filter_map(|ends| Some((worst(guide, graph, state, replies, ends)?, ends)));
    bounds.min_by_key(|&(bound, _)| bound)
}
