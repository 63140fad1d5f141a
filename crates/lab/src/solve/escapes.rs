//! Which joint moves of two cops leave the robber no path on which it survives a number of turns.

use pursuit_engine::solve::{Rated, ReachableGraph, Sets, Spot};

/// The places within each number of turns of a place, as bits.
type Balls = Vec<u64>;

/// Rates joint moves of two cops by `TrailMax`, as sets of places.
///
/// Let the robber be to move. It survives more than `m` turns on a fixed path if and only if it can reach, within `m`
/// turns, a place that no cop reaches within `m` turns. If its speed is 1, no cop can cut such a path short. The joint
/// move is therefore refuted if some place within `m` turns of the robber is not within `m` turns of a cop. The sets of
/// places within a number of turns are computed once for each place, when they are first needed.
#[derive(Debug)]
pub(super) struct Escapes {
    words: usize,
    /// The greatest number of turns for which there are sets.
    most: u16,
    cops: Vec<Balls>,
    /// Empty if all agents have the same speed: then the sets of `cops` are used.
    robbers: Vec<Balls>,
    bytes: u64,
    /// For each move of a cop, the places that it leaves to the robber.
    first: Vec<u64>,
    second: Vec<u64>,
    /// The words of places that not all moves cover, and their places.
    open: Vec<(usize, u64)>,
    /// The joint moves that are considered, as indices of the moves of both cops, with their ratings.
    joint: Vec<Rated>,
}

/// The greatest numbers of turns that sets are computed for, as memory allows.
const MOST: [u16; 4] = [64, 48, 32, 24];

/// By how many turns the best moves may be faster than was asked, in the order in which this is tried.
const FEWER: [u16; 8] = [1, 2, 3, 4, 6, 9, 13, 18];

/// The numbers of turns after which the robber's territory is measured.
const TERRITORY: [u16; 8] = [1, 2, 3, 5, 7, 10, 14, 20];

impl Escapes {
    /// Prepares the sets within `memory` bytes; `None` if these do not suffice, or if the game is not one of two cops
    /// against a robber of speed 1.
    pub(super) fn new(reachable: &ReachableGraph, memory: u64) -> Option<Self> {
        let (cop_speed, robber_speed) = reachable.speeds();
        if reachable.cops != 2 || robber_speed != 1 {
            return None;
        }
        let words = reachable.places().div_ceil(64);
        let kinds = if cop_speed == 1 { 1 } else { 2 };
        let lists = reachable.places() * size_of::<Balls>() * kinds;
        let needed = |most: u16| {
            (lists + reachable.places() * kinds * words * (usize::from(most) + 1) * 8) as u64
        };
        let most = MOST.into_iter().find(|&most| needed(most) <= memory)?;
        let robbers = if kinds == 1 { 0 } else { reachable.places() };
        Some(Self {
            words,
            most,
            cops: vec![Balls::new(); reachable.places()],
            robbers: vec![Balls::new(); robbers],
            bytes: lists as u64,
            first: Vec::new(),
            second: Vec::new(),
            open: Vec::new(),
            joint: Vec::new(),
        })
    }

    /// Computes the sets of all places that a position needs.
    fn prepare(&mut self, reachable: &ReachableGraph, spot: Spot) {
        let (cop_speed, robber_speed) = reachable.speeds();
        for cop in [spot.cops[0], spot.cops[1]] {
            for &place in reachable.cop_moves(cop) {
                self.fill(reachable, place as u16, cop_speed, true);
            }
        }
        self.fill(
            reachable,
            spot.robber,
            robber_speed,
            self.robbers.is_empty(),
        );
    }

    fn fill(&mut self, reachable: &ReachableGraph, place: u16, speed: u8, is_cop: bool) {
        let list = if is_cop {
            &mut self.cops
        } else {
            &mut self.robbers
        };
        let balls = &mut list[usize::from(place)];
        if !balls.is_empty() {
            return;
        }
        let (words, most) = (self.words, usize::from(self.most));
        *balls = vec![0; words * (most + 1)];
        for (place, turns) in reachable.turns_from(place, speed).into_iter().enumerate() {
            let turns = usize::from(turns);
            if turns <= most {
                balls[turns * words + place / 64] |= 1 << (place % 64);
            }
        }
        for word in words..balls.len() {
            balls[word] |= balls[word - words];
        }
        self.bytes += size_of_val(balls.as_slice()) as u64;
    }

    fn cop_ball(&self, place: u32, turns: u16) -> &[u64] {
        let start = usize::from(turns) * self.words;
        &self.cops[place as usize][start..start + self.words]
    }

    fn robber_ball(&self, place: u16, turns: u16) -> &[u64] {
        let list = if self.robbers.is_empty() {
            &self.cops
        } else {
            &self.robbers
        };
        let start = usize::from(turns) * self.words;
        &list[usize::from(place)][start..start + self.words]
    }

    /// Lists the places within `turns` turns of the robber that some move of either cop does not cover, and
    /// what each move leaves of them.
    fn open(&mut self, reachable: &ReachableGraph, spot: Spot, turns: u16) {
        let [firsts, seconds] = [spot.cops[0], spot.cops[1]].map(|cop| reachable.cop_moves(cop));
        let mut open = std::mem::take(&mut self.open);
        let [mut first, mut second] = [&mut self.first, &mut self.second].map(std::mem::take);
        open.clear();
        for (word, &reached) in self.robber_ball(spot.robber, turns).iter().enumerate() {
            if reached == 0 {
                continue;
            }
            let left_by = |moves: &[u32]| {
                let all = moves.iter();
                all.fold(u64::MAX, |all, &to| all & self.cop_ball(to, turns)[word])
            };
            let left = reached & !left_by(firsts);
            if left == 0 {
                continue;
            }
            let left = left & !left_by(seconds);
            if left != 0 {
                open.push((word, left));
            }
        }
        for (moves, left) in [(firsts, &mut first), (seconds, &mut second)] {
            left.clear();
            for &to in moves {
                let ball = self.cop_ball(to, turns);
                left.extend(open.iter().map(|&(word, places)| places & !ball[word]));
            }
        }
        (self.open, self.first, self.second) = (open, first, second);
    }

    /// Returns whether a joint move leaves the robber none of the places that [`Escapes::open`] has listed.
    fn is_closed(&self, first: usize, second: usize) -> bool {
        let count = self.open.len();
        let first = &self.first[first * count..(first + 1) * count];
        let second = &self.second[second * count..(second + 1) * count];
        first
            .iter()
            .zip(second)
            .all(|(first, second)| first & second == 0)
    }

    /// Lists the joint moves after which no path lets the robber survive more than `turns` turns. The cops are to move.
    fn closing(&mut self, reachable: &ReachableGraph, spot: Spot, turns: u16) -> &[Rated] {
        self.prepare(reachable, spot);
        let [firsts, seconds] = [spot.cops[0], spot.cops[1]].map(|cop| reachable.cop_moves(cop));
        let mut joint = std::mem::take(&mut self.joint);
        joint.clear();
        self.open(reachable, spot, turns);
        for (first, &a) in firsts.iter().enumerate() {
            for (second, &b) in seconds.iter().enumerate() {
                if self.is_closed(first, second) {
                    joint.push(Rated {
                        moves: [first as u16, second as u16],
                        cops: [a as u16, b as u16],
                        within: turns,
                        lower: 0,
                        covered: 0,
                    });
                }
            }
        }
        self.joint = joint;
        &self.joint
    }

    /// The number of places, about, that the robber reaches first.
    fn territory(&self, robber: u16, cops: [u16; 2], most: u16) -> u32 {
        let mut count = 0;
        for word in 0..self.words {
            let mut places = 0;
            for turns in TERRITORY.into_iter().take_while(|&turns| turns <= most) {
                let at = usize::from(turns) * self.words + word;
                let reached = self.robber_ball(robber, turns)[word];
                let [a, b] = cops.map(|cop| self.cops[usize::from(cop)][at]);
                places |= reached & !a & !b;
            }
            count += places.count_ones();
        }
        count
    }
}

impl Sets for Escapes {
    const ANSWERS_SOON: bool = true;

    fn most(&self) -> u16 {
        self.most
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn count(&mut self, reachable: &ReachableGraph, spot: Spot, turns: u16) -> u32 {
        self.prepare(reachable, spot);
        self.open(reachable, spot, turns);
        let [firsts, seconds] =
            [spot.cops[0], spot.cops[1]].map(|cop| reachable.cop_moves(cop).len());
        let mut count = 0;
        for first in 0..firsts {
            for second in 0..seconds {
                count += u32::from(self.is_closed(first, second));
            }
        }
        count
    }

    fn rate(&mut self, reachable: &ReachableGraph, spot: Spot, turns: u16) -> &[Rated] {
        self.closing(reachable, spot, turns);
        let mut joint = std::mem::take(&mut self.joint);
        let mut last = turns;
        for fewer in FEWER {
            let within = turns.saturating_sub(fewer);
            if within == 0 || joint.is_empty() {
                break;
            }
            self.open(reachable, spot, within);
            let mut is_any = false;
            for rated in joint.iter_mut().filter(|rated| rated.within == last) {
                let [first, second] = rated.moves.map(usize::from);
                if self.is_closed(first, second) {
                    rated.within = within;
                    is_any = true;
                } else {
                    rated.lower = within + 1;
                }
            }
            if !is_any {
                break;
            }
            last = within;
        }
        for rated in joint.iter_mut().filter(|rated| rated.within == last) {
            rated.covered = self.territory(spot.robber, rated.cops, turns);
        }
        self.joint = joint;
        &self.joint
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pursuit_engine::game::{Agent, Side, Speed, State};
    use pursuit_engine::graph::{Graph, Vertex};
    use pursuit_engine::map::{Moves, Terrain, TileMap};
    use pursuit_engine::search::Dice;
    use pursuit_engine::solve::Trails;
    use std::collections::BTreeMap;

    const MEMORY: u64 = 1 << 24;

    /// Checks the ratings of a position against a race after each joint move. Returns the number of joint moves that
    /// leave no path, and of those that leave one.
    fn check(reachable: &ReachableGraph, spot: Spot, turns: u16) -> [usize; 2] {
        let mut escapes = Escapes::new(reachable, MEMORY).expect("two cops");
        let count = escapes.count(reachable, spot, turns);
        let rated = escapes.rate(reachable, spot, turns);
        let rated: BTreeMap<_, _> = rated.iter().map(|rated| (rated.cops, rated)).collect();
        assert_eq!(count as usize, rated.len());
        let [mut closed, mut open] = [0; 2];
        for &a in reachable.cop_moves(spot.cops[0]) {
            for &b in reachable.cop_moves(spot.cops[1]) {
                let cops = [a as u16, b as u16];
                let after = Spot::new(spot.robber, &cops);
                let lasts = if after.is_capture() {
                    0
                } else {
                    Trails::default().turns(reachable, after, u16::MAX)
                };
                let Some(rated) = rated.get(&cops) else {
                    assert!(lasts > turns, "{cops:?} leaves {lasts} turns, not {turns}");
                    open += 1;
                    continue;
                };
                assert!(
                    rated.lower <= lasts && lasts <= rated.within,
                    "{rated:?}, {lasts} turns"
                );
                assert!(rated.within <= turns);
                closed += 1;
            }
        }
        [closed, open]
    }

    #[test]
    fn ratings_are_those_of_a_race_after_each_joint_move() {
        let dice = &mut Dice::new(6);
        let mut seen = [0; 2];
        for round in 0..120 {
            let mut map = TileMap::filled(13, 10, Terrain::Floor).expect("some cells");
            for cell in map.cells() {
                if dice.below(100) < 25 {
                    map.set(cell, Terrain::Wall);
                }
            }
            let graph = Graph::new(&map, [Moves::Octile, Moves::Orthogonal][round % 2]);
            let vertices: Vec<Vertex> = graph.iter().collect();
            let mut agent = |speed| Agent {
                at: dice.pick(&vertices).expect("a vertex"),
                speed: Speed::new(speed).expect("above 0"),
            };
            let cop_speed = 1 + (round / 2 % 2) as u8;
            let state = State {
                robber: agent(1),
                cops: &[agent(cop_speed), agent(cop_speed)],
                to_move: Side::Cops,
            };
            let reachable = ReachableGraph::new(&graph, &state, MEMORY).expect("a position");
            if state.is_capture() {
                continue;
            }
            let turns = [1, 3, 6, 12, 20][round % 5];
            let [closed, open] = check(&reachable, reachable.start, turns);
            seen = [seen[0] + closed, seen[1] + open];
        }
        assert!(seen.iter().all(|&moves| moves > 1000), "{seen:?}");
    }
}
