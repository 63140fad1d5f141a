use super::*;
use crate::search::Dice;

/// A graph, and agents on it that take one step at a time, by distances to their goals.
struct World {
    steps: Vec<Vec<usize>>,
    at: Vec<usize>,
    goals: Vec<usize>,
    far: Vec<Vec<usize>>,
    /// The moves of each agent in this turn.
    moves: Vec<Vec<usize>>,
    refused: Vec<(usize, usize)>,
    dice: Dice,
}

fn distances(steps: &[Vec<usize>], goal: usize) -> Vec<usize> {
    let mut far = vec![usize::MAX; steps.len()];
    let mut open = std::collections::VecDeque::from([goal]);
    far[goal] = 0;
    while let Some(at) = open.pop_front() {
        for &next in &steps[at] {
            if far[next] == usize::MAX {
                far[next] = far[at] + 1;
                open.push_back(next);
            }
        }
    }
    far
}

impl World {
    fn new(places: usize, edges: &[(usize, usize)], agents: &[(usize, usize)]) -> Self {
        let mut steps = vec![Vec::new(); places];
        for &(a, b) in edges {
            steps[a].push(b);
            steps[b].push(a);
        }
        let goals: Vec<usize> = agents.iter().map(|&(_, goal)| goal).collect();
        Self {
            far: goals.iter().map(|&goal| distances(&steps, goal)).collect(),
            at: agents.iter().map(|&(at, _)| at).collect(),
            moves: Vec::new(),
            refused: Vec::new(),
            dice: Dice::new(1),
            steps,
            goals,
        }
    }

    /// Plays a turn in which the agents choose in this order, and checks that they keep apart.
    fn turn(&mut self, order: &[usize]) {
        let mut room = RightOfWay::default();
        room.clear(self.steps.len() as u16, 1);
        self.moves = vec![Vec::new(); self.at.len()];
        let since = |who: usize| order.iter().position(|&next| next == who).unwrap_or(0) as u64;
        for (who, &at) in self.at.iter().enumerate() {
            let party = Party {
                group: (0, false),
                own: 1,
                hunts: 0,
            };
            let place = at as PlaceNumber;
            assert_eq!(
                room.add(party, 1, &[Stop { place, from: EVER }], since(who)),
                who
            );
            room.open(who);
        }
        room.settle(order, self);
        let next: Vec<usize> = (0..self.at.len())
            .map(|who| {
                room.choice(who)
                    .map_or(self.at[who], |choice| self.moves[who][choice])
            })
            .collect();
        for a in 0..next.len() {
            let from = self.at[a];
            assert!(next[a] == from || self.steps[from].contains(&next[a]));
            for b in 0..a {
                assert_ne!(next[a], next[b], "{a} and {b}: {:?} -> {next:?}", self.at);
                let exchange = (next[a], next[b]) == (self.at[b], from);
                assert!(!exchange, "{a} and {b}: {:?} -> {next:?}", self.at);
            }
        }
        self.at = next;
    }

    /// Plays until all have been at their goals, those first that have not been there for longest. Whoever stands for some
    /// turns lets the others go first. Returns the turns.
    fn play(&mut self, most: usize) -> Option<usize> {
        let mut waits = vec![0; self.at.len()];
        let mut been = vec![false; self.at.len()];
        let mut stood = vec![0; self.at.len()];
        for turn in 0..most {
            for who in 0..self.at.len() {
                if self.at[who] == self.goals[who] {
                    (waits[who], been[who]) = (0, true);
                } else {
                    waits[who] += 1;
                }
            }
            if been.iter().all(|&been| been) {
                return Some(turn);
            }
            let mut order: Vec<usize> = (0..self.at.len()).collect();
            order.sort_by_key(|&who| std::cmp::Reverse(waits[who]));
            let before = self.at.clone();
            self.turn(&order);
            for who in 0..before.len() {
                let stands = before[who] == self.at[who];
                stood[who] = if stands { stood[who] + 1 } else { 0 };
                if stood[who] >= 4 + self.dice.below(5) {
                    (waits[who], stood[who]) = (0, 0);
                }
            }
        }
        None
    }
}

impl MovePreferences for World {
    fn count(&mut self, who: usize, room: &RightOfWay) -> usize {
        if self.moves[who].is_empty() {
            let at = self.at[who];
            let mut moves = self.steps[at].clone();
            moves.push(at);
            let draws: Vec<usize> = moves.iter().map(|_| self.dice.below(1000)).collect();
            let rank = |to: usize, draw: usize| {
                (self.far[who][to], !room.is_free(to as PlaceNumber), draw)
            };
            let mut ranked: Vec<_> = moves
                .iter()
                .zip(draws)
                .map(|(&to, draw)| (rank(to, draw), to))
                .collect();
            ranked.sort_unstable();
            let moves = ranked.into_iter().map(|(_, to)| to).collect();
            self.moves[who] = moves;
        }
        self.moves[who].len()
    }

    fn write(&mut self, who: usize, choice: usize, stops: &mut Vec<Stop>) {
        let to = self.moves[who][choice];
        if to != self.at[who] {
            let place = to as PlaceNumber;
            stops.push(Stop { place, from: 100 });
        }
    }

    fn allows(&mut self, who: usize, choice: usize) -> bool {
        !self.refused.contains(&(who, self.moves[who][choice]))
    }
}

fn line(places: usize) -> Vec<(usize, usize)> {
    (1..places).map(|at| (at - 1, at)).collect()
}

#[test]
fn a_queue_moves_as_one() {
    // The last one chooses first: all in front of it make way at once.
    let agents = [(0, 6), (1, 7), (2, 8), (3, 9)];
    let mut world = World::new(10, &line(10), &agents);
    world.turn(&[0, 1, 2, 3]);
    assert_eq!(world.at, [1, 2, 3, 4]);
}

#[test]
fn a_ring_turns_as_one() {
    let edges = [(0, 1), (1, 2), (2, 0)];
    let mut world = World::new(3, &edges, &[(0, 1), (1, 2), (2, 0)]);
    world.turn(&[0, 1, 2]);
    assert_eq!(world.at, [1, 2, 0]);
}

#[test]
fn two_pass_at_a_side_pocket() {
    // 0 1 2 3 4 in a corridor, a pocket 5 beside 2.
    let mut edges = line(5);
    edges.push((2, 5));
    for (a, b) in [(1, 3), (2, 3), (1, 2), (0, 4)] {
        let mut world = World::new(6, &edges, &[(a, 4), (b, 0)]);
        assert!(world.play(1000).is_some(), "{a} {b}: {:?}", world.at);
    }
}

#[test]
fn who_stands_in_a_dead_end_is_let_out_or_stays() {
    // Nobody can pass. Both stay on the line, and nothing is shared.
    let mut world = World::new(4, &line(4), &[(0, 3), (3, 0)]);
    assert_eq!(world.play(60), None);
}

#[test]
fn a_refused_step_is_replaced_in_the_same_turn() {
    let edges = [(0, 1), (1, 3), (0, 2), (2, 3)];
    let mut world = World::new(4, &edges, &[(0, 3)]);
    world.refused.push((0, 1));
    world.turn(&[0]);
    assert_eq!(world.at, [2]);
}

#[test]
fn a_slower_one_is_not_run_into() {
    // The one in front leaves place 1 at moment 100. The one behind may come at 100, not at 50.
    for (comes, fits) in [(50, false), (100, true), (200, true)] {
        let mut room = RightOfWay::default();
        room.clear(4, 1);
        let party = Party {
            group: (0, false),
            own: 1,
            hunts: 0,
        };
        let stop = |place, from| Stop { place, from };
        room.add(party, 1, &[stop(1, EVER), stop(2, 100)], 0);
        let behind = room.add(party, 1, &[stop(0, EVER), stop(1, comes)], 0);
        assert_eq!(room.first_clash(behind).is_none(), fits, "{comes}");
        if !fits {
            room.cut(behind, 1);
            assert_eq!(room.first_clash(behind), None);
        }
    }
}

/// On graphs in which each edge is on a circle, everybody gets to its goal (Okumura et al., theorem 1).
#[test]
fn everybody_gets_there_where_all_edges_are_on_circles() {
    for seed in 0..600 {
        let mut dice = Dice::new(seed);
        let (width, height) = (2 + dice.below(5), 2 + dice.below(5));
        let number = |x: usize, y: usize| y * width + x;
        let mut edges = Vec::new();
        for y in 0..height {
            for x in 0..width {
                if x + 1 < width {
                    edges.push((number(x, y), number(x + 1, y)));
                }
                if y + 1 < height {
                    edges.push((number(x, y), number(x, y + 1)));
                }
            }
        }
        let places = width * height;
        let mut starts: Vec<usize> = (0..places).collect();
        let mut goals = starts.clone();
        for list in [&mut starts, &mut goals] {
            for last in (1..places).rev() {
                list.swap(last, dice.below(last + 1));
            }
        }
        let count = 1 + dice.below(places - 1);
        let agents: Vec<(usize, usize)> = starts.into_iter().zip(goals).take(count).collect();
        let mut world = World::new(places, &edges, &agents);
        let turns = world.play(40 * places + 40);
        assert!(
            turns.is_some(),
            "seed {seed}: {count} on {width} x {height}"
        );
    }
}
