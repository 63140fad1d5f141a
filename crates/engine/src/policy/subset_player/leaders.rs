//! The cops that move together: a subset that can force the capture, and one further cop.

use super::subsets;
use crate::game::{Outcome, Turns};
use crate::graph::Vertex;
use crate::map::Cell;
use crate::policy::RetractGuide;
use crate::policy::table_player::OpenTable;
use crate::search::MoveEnds;
use crate::table::CaptureTimes;

/// Stands for an escape in a score: more turns than any table has.
const ESCAPE: u32 = 1 << 16;

/// The weight of a turn of a subset's value in a score, in steps of a cop. Chosen by measurement.
const STEPS_OF_A_TURN: u32 = 2;

/// The most values of a subset that are kept. Further values are looked up again, which happens only with fast cops,
/// because they have many moves.
const MOST_KEPT: usize = 1 << 16;

/// A place where a move ends.
#[derive(Debug, Clone, Copy)]
struct PlacedEnd {
    vertex: Vertex,
    place: usize,
    cell: Cell,
}

/// How good a joint move looks, lower is better: at the robber's best reply, then the sum of all replies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Score {
    worst: u32,
    sum: u64,
}

impl Score {
    fn add(&mut self, cost: u32) {
        self.worst = self.worst.max(cost);
        self.sum += u64::from(cost);
    }
}

/// The moves of the cops that move together, and the values of their subsets after them.
#[derive(Debug, Clone, Default)]
pub(super) struct Leaders {
    /// For each cop its moves: the first ends where it stands.
    moves: Vec<PlayerMoves>,
    cops: usize,
    /// Where the robber could go if there were no cops; its current place comes first.
    replies: Vec<PlacedEnd>,
    /// Sub-games: the subsets of as many cops as the table has, with the values that are known.
    games: Vec<SubGame>,
    count: usize,
    robber: MoveEnds,
    /// The moves of a further cop.
    other: PlayerMoves,
    places: Vec<usize>,
    subset: Vec<usize>,
    /// The values looked up since they were last taken: those of the table, and those of a guide.
    probes: u64,
    guided: u64,
    /// The reply that refuted the last joint move by a guide.
    refuting: usize,
}

#[derive(Debug, Clone, Default)]
struct PlayerMoves {
    moves: MoveEnds,
    ends: Vec<PlacedEnd>,
}

#[derive(Debug, Clone, Default)]
struct SubGame {
    cops: Vec<usize>,
    /// For each move of each cop and each reply, the value plus one; 0 if the value is not known.
    known: Vec<u32>,
}

impl Leaders {
    /// Lists the moves of the robber and of `cops`, and the subsets of as many cops as the table has.
    pub(super) fn begin<T: CaptureTimes + ?Sized>(
        &mut self,
        table: &OpenTable<'_, T>,
        robber: Vertex,
        cops: impl Iterator<Item = Vertex>,
    ) -> Option<()> {
        let rules = table.times.rules();
        (self.cops, self.refuting) = (0, 0);
        for cop in cops {
            if self.moves.len() == self.cops {
                self.moves.push(PlayerMoves::default());
            }
            self.moves[self.cops].list(table, cop)?;
            self.cops += 1;
        }
        let ends = self
            .robber
            .find(table.ground.robber, robber, rules.robber_speed, |_| false);
        list(table, robber, ends, &mut self.replies)?;
        let size = usize::from(rules.cops.get());
        subsets::first(size, &mut self.subset);
        self.count = 0;
        loop {
            if self.games.len() == self.count {
                self.games.push(SubGame::default());
            }
            let game = &mut self.games[self.count];
            game.cops.clone_from(&self.subset);
            let lengths = self.subset.iter().map(|&cop| self.moves[cop].ends.len());
            let values = lengths
                .chain([self.replies.len()])
                .try_fold(1_usize, usize::checked_mul);
            game.known.clear();
            let kept = values.filter(|&values| values <= MOST_KEPT);
            game.known.resize(kept.unwrap_or(0), 0);
            self.count += 1;
            if !subsets::advance(&mut self.subset, self.cops) {
                return Some(());
            }
        }
    }

    /// The values looked up since the last call.
    pub(super) const fn take_probes(&mut self) -> u64 {
        std::mem::replace(&mut self.probes, 0)
    }

    /// The most values that [`score`](Self::score) and [`is_in_time`](Self::is_in_time) look up for all joint
    /// moves.
    pub(super) fn most_probes(&self) -> u64 {
        let games = self.games[..self.count].iter();
        let values = games.map(|game| match game.known.len() {
            0 => u64::MAX, // none are kept
            known => known as u64,
        });
        values.fold(0, u64::saturating_add)
    }

    /// About how many values [`join`](Self::join) looks up.
    pub(super) fn probes_to_join(&self, others: usize) -> u64 {
        let games = subsets::count(self.cops, others, usize::MAX) as u64;
        let moves = self.moves[..self.cops].iter().map(|moves| moves.ends.len());
        let moves = moves.max().unwrap_or(1).saturating_mul(self.replies.len());
        games.saturating_mul(moves as u64)
    }

    /// The number of moves of a cop.
    pub(super) fn moves_of(&self, cop: usize) -> usize {
        self.moves[cop].ends.len()
    }

    /// The number of a cop's move that ends at a vertex.
    pub(super) fn move_to(&self, cop: usize, vertex: Vertex) -> Option<usize> {
        let ends = &self.moves.get(cop)?.ends;
        ends.iter().position(|end| end.vertex == vertex)
    }

    /// Where a move of a cop ends.
    pub(super) fn end(&self, cop: usize, number: usize) -> Vertex {
        self.moves[cop].ends[number].vertex
    }

    /// Where the cops end a joint move.
    pub(super) fn ends(&self, joint: &[usize]) -> impl Iterator<Item = Vertex> {
        let ends = self.moves.iter().zip(joint);
        ends.map(|(moves, &number)| moves.ends[number].vertex)
    }

    /// Writes the path of a cop's move.
    pub(super) fn path_to(&self, cop: usize, number: usize, path: &mut Vec<Vertex>) {
        self.moves[cop].path_to(number, path);
    }

    /// How good a joint move looks: a number of a move for each cop.
    ///
    /// For each reply of the robber, the score adds the values of all sub-games and the distances of the cops from the
    /// robber in a straight line: a nearer cop leaves the robber less room.
    pub(super) fn score<T: CaptureTimes + ?Sized>(
        &mut self,
        table: &OpenTable<'_, T>,
        joint: &[usize],
    ) -> Option<Score> {
        let mut score = Score::default();
        for reply in 0..self.replies.len() {
            let at = self.replies[reply];
            let ends = self.moves.iter().zip(joint);
            let mut ends = ends.map(|(moves, &number)| moves.ends[number]);
            let far = ends.try_fold(0, |far, end| {
                (end.place != at.place).then(|| far + end.cell.max_norm(at.cell))
            });
            // A robber that steps onto a cop costs nothing.
            let Some(mut cost) = far else {
                continue;
            };
            for game in 0..self.count {
                cost += STEPS_OF_A_TURN * self.value(table, game, joint, reply)?;
            }
            score.add(cost);
        }
        Some(score)
    }

    /// Returns whether, after a joint move, each reply leaves a sub-game whose value is less than `value`.
    pub(super) fn is_in_time<T: CaptureTimes + ?Sized>(
        &mut self,
        table: &OpenTable<'_, T>,
        joint: &[usize],
        value: Outcome,
    ) -> Option<bool> {
        let value = turns(value);
        for reply in 0..self.replies.len() {
            let mut least = u32::MAX;
            for game in 0..self.count {
                if least >= value {
                    least = self.value(table, game, joint, reply)?;
                }
            }
            if least >= value {
                return Some(false);
            }
        }
        Some(true)
    }

    /// The values of a guide that were looked up since they were last taken.
    pub(super) const fn guided(&self) -> u64 {
        self.guided
    }

    /// The values of a guide that were looked up since the last call.
    pub(super) const fn take_guided(&mut self) -> u64 {
        std::mem::replace(&mut self.guided, 0)
    }

    /// What a joint move is worth by the solution of a retract: its value after the robber's best reply. `None` if that
    /// is more than `limit`.
    pub(super) fn value_by_guide(
        &mut self,
        guide: &RetractGuide,
        joint: &[usize],
        limit: Option<Outcome>,
    ) -> Option<Outcome> {
        let all = self.replies.len();
        let mut worst = Outcome::Caught(Turns(0));
        // The reply that refuted the last joint move comes first.
        for index in 0..all {
            let index = (self.refuting + index) % all;
            let reply = self.replies[index];
            let ends = self
                .moves
                .iter()
                .zip(joint)
                .map(|(moves, &number)| moves.ends[number]);
            if ends.clone().any(|end| end.place == reply.place) {
                continue;
            }
            self.places.clear();
            for end in ends {
                self.places.push(guide.place(end.vertex)?);
            }
            self.guided += 1;
            worst = worst.max(guide.outcome(guide.place(reply.vertex)?, &mut self.places)?);
            if limit.is_some_and(|limit| worst > limit) {
                self.refuting = index;
                return None;
            }
        }
        Some(worst)
    }

    /// The value of a sub-game after a joint move and a reply.
    fn value<T: CaptureTimes + ?Sized>(
        &mut self,
        table: &OpenTable<'_, T>,
        game: usize,
        joint: &[usize],
        reply: usize,
    ) -> Option<u32> {
        let game = &mut self.games[game];
        let numbers = game.cops.iter().map(|&cop| (cop, joint[cop]));
        let key = numbers.clone().fold(0, |key, (cop, number)| {
            key * self.moves[cop].ends.len() + number
        });
        let key = key * self.replies.len() + reply;
        if let Some(known) = game.known.get(key).filter(|&&known| known > 0) {
            return Some(known - 1);
        }
        self.places.clear();
        self.places
            .extend(numbers.map(|(cop, number)| self.moves[cop].ends[number].place));
        self.probes += 1;
        let value = turns(
            table
                .times
                .value_at(self.replies[reply].place, &mut self.places)?,
        );
        if let Some(known) = game.known.get_mut(key) {
            *known = value + 1;
        }
        Some(value)
    }

    /// Finds the move of a further cop while the others make the moves of `joint`, by the sub-games in which it plays
    /// with them. Writes its path.
    pub(super) fn join<T: CaptureTimes + ?Sized>(
        &mut self,
        table: &OpenTable<'_, T>,
        joint: &[usize],
        from: Vertex,
        path: &mut Vec<Vertex>,
    ) -> Option<()> {
        self.other.list(table, from)?;
        let mut best: Option<(Score, usize)> = None;
        for number in 0..self.other.ends.len() {
            let score = self.score_of_another(table, joint, self.other.ends[number])?;
            if best.is_none_or(|(least, _)| score < least) {
                best = Some((score, number));
            }
        }
        self.other.path_to(best?.1, path);
        Some(())
    }

    fn score_of_another<T: CaptureTimes + ?Sized>(
        &mut self,
        table: &OpenTable<'_, T>,
        joint: &[usize],
        end: PlacedEnd,
    ) -> Option<Score> {
        let mut score = Score::default();
        let others = usize::from(table.times.rules().cops.get()) - 1;
        for at in self.replies.iter().filter(|at| at.place != end.place) {
            let mut cost = end.cell.max_norm(at.cell);
            subsets::first(others, &mut self.subset);
            loop {
                self.places.clear();
                let ends = self.subset.iter();
                let ends = ends.map(|&cop| self.moves[cop].ends[joint[cop]]);
                self.places.extend(ends.map(|end| end.place));
                self.places.push(end.place);
                self.probes += 1;
                let value = table.times.value_at(at.place, &mut self.places)?;
                cost += STEPS_OF_A_TURN * turns(value);
                if !subsets::advance(&mut self.subset, self.cops) {
                    break;
                }
            }
            score.add(cost);
        }
        Some(score)
    }
}

impl PlayerMoves {
    fn list<T: CaptureTimes + ?Sized>(
        &mut self,
        table: &OpenTable<'_, T>,
        from: Vertex,
    ) -> Option<()> {
        let speed = table.times.rules().cop_speed;
        self.moves.find(table.ground.robber, from, speed, |_| false);
        list(table, from, self.moves.ends(), &mut self.ends)
    }

    fn path_to(&self, number: usize, path: &mut Vec<Vertex>) {
        path.clear();
        if number > 0 {
            self.moves.way_to(self.ends[number].vertex, path);
        }
    }
}

/// Lists the ends of the moves from a vertex; the vertex itself comes first.
fn list<T: CaptureTimes + ?Sized>(
    table: &OpenTable<'_, T>,
    from: Vertex,
    ends: &[Vertex],
    all: &mut Vec<PlacedEnd>,
) -> Option<()> {
    all.clear();
    for &vertex in [&from].into_iter().chain(ends) {
        all.push(PlacedEnd {
            vertex,
            place: table.place_of_cop(vertex)?,
            cell: table.ground.robber.cell(vertex),
        });
    }
    Some(())
}

/// The turns of a value in a score.
pub(super) fn turns(outcome: Outcome) -> u32 {
    match outcome {
        Outcome::Caught(turns) => turns.0.into(),
        Outcome::Escapes | Outcome::Away(_) => ESCAPE,
    }
}
