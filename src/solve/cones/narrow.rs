//! The places of the cops that a proof of a capture seldom leaves.

use crate::solve::field::{Field, NO_WAY};
use crate::solve::spot::Spot;

/// For each cop, whether a place lies near a shortest path from its start to the robber's territory.
///
/// The territory consists of the places that the robber reaches no later than every cop. An analysis in which
/// the cops keep to these places proves captures only: where it finds none, cops that go elsewhere may succeed.
#[derive(Debug)]
pub(in crate::solve) struct Narrow {
    is_near: [Vec<bool>; 2],
}

/// By how many turns the way over a place may be longer than a shortest path. Of 14 positions that take an
/// analysis, 8 get their value with 0 turns, 11 with 2 and 12 with 4. Each step adds a fifth to the work.
const DETOUR: usize = 4;

impl Narrow {
    /// Of a game of at most `limit` turns. Cost: linear in the places and in the moves of the cops.
    pub(in crate::solve) fn new(field: &Field, start: Spot, limit: u16) -> Self {
        let (cop_speed, robber_speed) = field.speeds();
        let robber = field.turns_from(start.robber, robber_speed);
        let cops = [0, 1].map(|cop| field.turns_from(start.cops[cop], cop_speed));
        let is_free = |place: &usize| {
            let turns = robber[*place];
            turns <= limit && turns <= cops[0][*place].min(cops[1][*place])
        };
        let territory: Vec<usize> = (0..field.places()).filter(is_free).collect();
        let is_near = cops.map(|turns| near_paths(field, &turns, &territory));
        Self { is_near }
    }

    pub(super) fn allows(&self, cop: usize, place: u16) -> bool {
        self.is_near[cop][usize::from(place)]
    }
}

/// For each place, whether the way of a cop over it to some goal is at most [`DETOUR`] turns longer than the
/// shortest one. `turns` are those from the start of the cop.
fn near_paths(field: &Field, turns: &[u16], goals: &[usize]) -> Vec<bool> {
    let goals = goals.iter().copied();
    let goals = goals.filter(|&goal| turns[goal] != NO_WAY);
    let longest = goals.clone().map(|goal| turns[goal]).max();
    let longest = usize::from(longest.unwrap_or_default());
    // From a place of rim `n`, some goal is within `n + turns[goal] - longest` turns.
    let mut rims: Vec<Vec<u16>> = vec![Vec::new(); longest + DETOUR + 1];
    for goal in goals {
        rims[longest - usize::from(turns[goal])].push(goal as u16);
    }
    let mut is_near = vec![false; field.places()];
    let mut is_done = vec![false; field.places()];
    for rim in 0..rims.len() {
        for place in std::mem::take(&mut rims[rim]) {
            let at = usize::from(place);
            if std::mem::replace(&mut is_done[at], true) {
                continue;
            }
            is_near[at] = rim + usize::from(turns[at]) <= longest + DETOUR;
            if let Some(next) = rims.get_mut(rim + 1) {
                let origins = field.cop_origins(place).iter();
                next.extend(origins.map(|&origin| origin as u16));
            }
        }
    }
    is_near
}
