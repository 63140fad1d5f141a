//! The places that a proof seldom leaves.

use pursuit_engine::solve::Spot;
use pursuit_engine::solve::{ReachableGraph, UNREACHABLE};

/// For each cop, the places near a shortest path from its start to the robber's territory; for the robber, the
/// places that no cop reaches long before it.
///
/// The territory consists of the places that the robber reaches no later than every cop. An analysis that confines the
/// cops to their places, and lets the robber escape where it leaves its own, proves captures only. If it finds none,
/// other moves of the cops may still succeed.
#[derive(Debug)]
pub(in crate::solve) struct Narrow {
    pub(super) cops: [Vec<bool>; 2],
    pub(super) robber: Vec<bool>,
}

/// By how many turns a path through a place may be longer than a shortest path. Of 14 positions that take an
/// analysis, 8 get their value with 0 turns, 11 with 2 and 12 with 4. Each step adds a fifth to the work.
const DETOUR: usize = 4;

/// By how many turns a cop may be at a place of the robber before it. Of the same positions, none loses its value
/// with 12 turns, one with 8 and five with 4. 12 turns save a tenth of the time. For a confined robber,
/// 12 turns are as good: 4 turns make an analysis faster, but it has to be repeated more often.
const LATE: u16 = 12;

/// The same for a robber that needs to stay free only for a time. With 2 turns, an analysis takes about half of the
/// time of one with 12; 4 turns settle no further position.
const TIGHT: u16 = 2;

impl Narrow {
    /// Of a game of at most `limit` turns. Cost: linear in the places and in the moves of the cops.
    pub(in crate::solve) fn new(graph: &ReachableGraph, start: Spot, limit: u16) -> Self {
        let (cop_speed, robber_speed) = graph.speeds();
        let robber = graph.turns_from(start.robber, robber_speed);
        let cops = [0, 1].map(|cop| graph.turns_from(start.cops[cop], cop_speed));
        let first = |place: usize| cops[0][place].min(cops[1][place]);
        let is_free = |place: &usize| robber[*place] <= limit.min(first(*place));
        let territory: Vec<usize> = (0..graph.places()).filter(is_free).collect();
        Self {
            cops: [0, 1].map(|cop| near_paths(graph, &cops[cop], &territory)),
            robber: not_long_before(&robber, &cops, LATE),
        }
    }
}

/// The places that a robber seldom needs to leave to stay free for as long as possible.
///
/// An analysis that confines the robber to these places proves only a lower bound: elsewhere the robber
/// may stay free for longer.
#[derive(Debug)]
pub(in crate::solve) struct Confined {
    pub(super) robber: Vec<bool>,
}

impl Confined {
    /// For a robber that is to stay free for as long as possible. Cost: linear in the places and in the moves.
    pub(in crate::solve) fn new(graph: &ReachableGraph, start: Spot) -> Self {
        Self::within(graph, start, LATE)
    }

    /// Fewer places, for a robber that is to stay free for some turns less. The cost is the same.
    pub(in crate::solve) fn tight(graph: &ReachableGraph, start: Spot) -> Self {
        Self::within(graph, start, TIGHT)
    }

    fn within(graph: &ReachableGraph, start: Spot, late: u16) -> Self {
        let (cop_speed, robber_speed) = graph.speeds();
        let robber = graph.turns_from(start.robber, robber_speed);
        let cops = [0, 1].map(|cop| graph.turns_from(start.cops[cop], cop_speed));
        Self {
            robber: not_long_before(&robber, &cops, late),
        }
    }
}

/// For each place, whether no cop is there more than `late` turns before the robber.
fn not_long_before(robber: &[u16], cops: &[Vec<u16>; 2], late: u16) -> Vec<bool> {
    let first = cops[0].iter().zip(&cops[1]);
    let first = first.map(|(&cop, &other)| cop.min(other));
    let both = robber.iter().zip(first);
    both.map(|(&robber, first)| robber <= first.saturating_add(late))
        .collect()
}

/// For each place, whether some path of a cop through it to a goal is at most [`DETOUR`] turns longer than the
/// shortest one. `turns` are those from the start of the cop.
fn near_paths(graph: &ReachableGraph, turns: &[u16], goals: &[usize]) -> Vec<bool> {
    let goals = goals.iter().copied();
    let goals = goals.filter(|&goal| turns[goal] != UNREACHABLE);
    let longest = goals.clone().map(|goal| turns[goal]).max();
    let longest = usize::from(longest.unwrap_or_default());
    // From a place of rim `n`, some goal is within `n + turns[goal] - longest` turns.
    let mut rims: Vec<Vec<u16>> = vec![Vec::new(); longest + DETOUR + 1];
    for goal in goals {
        rims[longest - usize::from(turns[goal])].push(goal as u16);
    }
    // A cop without a goal stays where it is.
    let mut is_near: Vec<bool> = turns.iter().map(|&turns| turns == 0).collect();
    let mut is_done = vec![false; graph.places()];
    for rim in 0..rims.len() {
        for place in std::mem::take(&mut rims[rim]) {
            let at = usize::from(place);
            if std::mem::replace(&mut is_done[at], true) {
                continue;
            }
            is_near[at] |= rim + usize::from(turns[at]) <= longest + DETOUR;
            if let Some(next) = rims.get_mut(rim + 1) {
                let origins = graph.cop_origins(place).iter();
                next.extend(origins.map(|&origin| origin as u16));
            }
        }
    }
    is_near
}
