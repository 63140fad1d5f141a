//! Captures that a retract proves: two cops keep to a bound while they follow their plans.

use crate::game::{Rules, State, Turns};
use crate::graph::{Graph, Vertex};
use crate::policy::RetractGuide;
use crate::table_cache::{NoTable, Wanted};
use crate::world::claims::number_to_announce;
use crate::world::ladder::finding::{KeptBound, ProofKind, ProvenMoves, SideMoves};
use crate::world::ladder::means::Means;
use crate::world::purse::Purse;
use crate::world::together::{PAIR, is_in_time};
use crate::world::view::{ProofGame, View};

/// The cost of the check of a joint move, in expansions: a bound for each reply takes 0.1 to 0.2 µs.
const EXPANSIONS_OF_A_MOVE: u64 = 20;

/// The cost of the bound of a pair, in expansions, for each two cops in either order.
const EXPANSIONS_OF_A_PAIR: u64 = 1;

/// The least remaining budget, in expansions, for a first proof: it may check all joint moves of a pair.
const LEAST_BUDGET: u64 = 82 * EXPANSIONS_OF_A_MOVE;

/// The cops of a larger team whose pairs are tried.
const MOST_CANDIDATES: usize = 6;

/// The proof for the current move of two cops, by the solution of a retract of the map: the number of turns within
/// which they capture the robber, and the moves by which they keep to that number. In a larger team, the proof is for
/// the pair with the least bound, and the moves of the other cops do not matter.
///
/// The cops announce somewhat more turns than the guide proves: see [`Slack`](crate::policy::Slack). In most turns, the
/// moves of their plans keep to the announced number. In the other turns, the cops make a move of the guide.
///
/// Holds only reused memory.
#[derive(Debug, Default)]
pub(super) struct RetractProof {
    /// Where the moves of the plans end.
    ends: Vec<Vertex>,
    /// The vertices to which the robber, or a cop, may go.
    replies: Vec<Vertex>,
    options: [Vec<Vertex>; 2],
    /// The cops of a larger team whose pairs are tried, by their numbers.
    candidates: Vec<usize>,
}

impl RetractProof {
    /// The proof for cops that have planned. Requests the retract if nobody has done so. The purse limits how many
    /// pursuits begin to announce captures in a tick; cops that have announced a capture keep their announcement in any case.
    pub(super) fn prove_for_plans(
        &mut self,
        view: &View<'_>,
        means: &mut Means<'_, '_>,
    ) -> Option<ProvenMoves> {
        let facts = view.facts;
        let team = view.team.filter(|_| view.pursuit.cops.len() > 1)?;
        let promised = team.promised(facts);
        if promised.is_none() && means.purse.left_in_one() < LEAST_BUDGET {
            return None;
        }
        let state = team.state;
        let rules = Rules {
            cops: PAIR,
            ..Rules::of(&state, facts.graph.moves())?
        };
        let is_requested = means.cache.mark_retract_used(rules, facts.tick);
        let guide = means.cache.retract_guide(rules, facts.tick);
        let proof = guide.and_then(|guide| self.prove(view, team, &guide, promised, means.purse));
        if !is_requested && state.cops.len() > 1 {
            request_retract(view, means, rules);
        }
        proof
    }

    /// The proof by a guide for the cops of a team, which have announced a capture before within `promised` turns.
    fn prove(
        &mut self,
        view: &View<'_>,
        team: ProofGame<'_>,
        guide: &RetractGuide,
        promised: Option<Turns>,
        purse: &mut Purse<'_>,
    ) -> Option<ProvenMoves> {
        let (facts, graph) = (view.facts, &view.facts.graph);
        let state = team.state;
        self.list_candidates(view, team, &state);
        let many = self.candidates.len();
        purse.spend(EXPANSIONS_OF_A_PAIR * (many * many) as u64);
        let (bound, pair) = best_pair(guide, graph, &state, &self.candidates)?;
        let within = number_to_announce(bound, promised, facts.slack)?;
        let most = Turns(within.0 - 1);
        team.ends_of_plans(facts, &mut self.ends);
        list_ends(graph, state.robber.at, &mut self.replies);
        let planned = pair.map(|cop| self.ends[cop]);
        let mut checked = 1;
        let have_plans = pair.iter().all(|&cop| team.has_plan(facts, cop));
        let by_plans = worst(guide, graph, &state, &self.replies, planned);
        let by_plans = by_plans.filter(|&bound| have_plans && bound <= most);
        let ends = if by_plans.is_some() {
            Some(planned)
        } else {
            for (options, cop) in self.options.iter_mut().zip(pair) {
                list_ends(graph, state.cops[cop].at, options);
            }
            checked += self.options[0].len() * self.options[1].len();
            let best = best_joint_move(guide, graph, &state, &self.replies, &self.options);
            let best = best.filter(|&(bound, _)| bound <= most);
            best.map(|(_, ends)| ends)
        };
        purse.spend(EXPANSIONS_OF_A_MOVE * checked as u64);
        let [one, other] = ends?;
        let [first, second] = pair.map(|cop| team.ids()[cop]);
        let kept = KeptBound {
            within,
            ends: [(first, one), (second, other)],
            robber: state.robber.at,
        };
        let mut moves = SideMoves::of_value(Some(kept.value()));
        if by_plans.is_none() {
            for ((id, end), cop) in kept.ends.into_iter().zip(pair) {
                let way = [end];
                moves.add(id, if end == state.cops[cop].at { &[] } else { &way });
            }
        }
        let kind = ProofKind::Kept(kept);
        Some(ProvenMoves { moves, kind })
    }

    /// Lists the cops whose pairs are tried: those that have announced a capture with their last move, and the nearest
    /// ones.
    fn list_candidates(&mut self, view: &View<'_>, team: ProofGame<'_>, state: &State<'_>) {
        let View { facts, pursuit, .. } = *view;
        let graph = &facts.graph;
        let robber = graph.cell(state.robber.at);
        let key = |&cop: &usize| {
            let agent = facts.agent(team.ids()[cop]);
            let has_promised = agent.is_some_and(|cop| cop.state.captured_within().is_some());
            let far = graph.cell(state.cops[cop].at).max_norm(robber);
            (!has_promised, far, cop)
        };
        // A cop in a wall has not come out yet, and one that is under way does not move with this turn.
        let stands = |&cop: &usize| {
            let agent = facts.agent(team.ids()[cop]);
            let agent = agent.filter(|agent| is_in_time(facts, pursuit, agent));
            let at = agent.and_then(|agent| graph.vertex(agent.setup.cell));
            at == Some(state.cops[cop].at)
        };
        let candidates = &mut self.candidates;
        candidates.clear();
        candidates.extend((0..team.ids().len()).filter(stands));
        candidates.sort_unstable_by_key(key);
        candidates.truncate(MOST_CANDIDATES);
    }
}

/// Requests a retract for a pair of cops in a pursuit that is not the game of a table, for instance because the game
/// moves another cop.
fn request_retract(view: &View<'_>, means: &mut Means<'_, '_>, pair: Rules) {
    let (graph, tick) = (&view.facts.graph, view.facts.tick);
    let has_table = means.cache.find(graph, &pair, tick).is_some()
        || matches!(
            means.cache.reason_for_none(graph, &pair, tick),
            Some(NoTable::Solving { .. })
        );
    if means.cache.settings().solve && !has_table {
        means.request_guide(view.facts, pair, Wanted::Retract);
    }
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
