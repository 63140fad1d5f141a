//! Numbers the positions of the simultaneous game, and lists the moves between them.

use super::symmetry::symmetries;
use crate::game::{Rules, Speed};
use crate::graph::{BallSearch, Csr};
use crate::table::{Arena, Ranking, SolveError};
use std::sync::Arc;

/// The position numbers, the moves and the symmetries of a game.
///
/// A *configuration* is a multiset of places of interchangeable cops. The position with the robber on place r
/// and the cops in configuration q has the number r Q + q, where Q is the number of configurations.
#[derive(Debug)]
pub struct Positions {
    pub arena: Arc<Arena>,
    pub rules: Rules,
    ranking: Ranking,
    /// The places of the cops of each configuration, in ascending order.
    cops: Vec<u16>,
    /// For each place, the places that the robber reaches in a turn, in ascending order.
    pub robber_moves: Csr<u32>,
    /// For each place, the places that a cop reaches in a turn, in ascending order.
    cop_moves: Csr<u32>,
    /// For each configuration, the configurations to which its joint moves lead, in ascending order.
    joint: Csr<u32>,
    /// For each joint move, the place to which each cop of the configuration moves.
    goals: Vec<u16>,
    /// For each configuration, the index of its first joint move.
    starts: Vec<usize>,
    /// For each symmetry of the map, the image of each place.
    pub symmetries: Vec<Vec<u32>>,
    /// One position of each class of positions that are equal under the symmetries, in ascending order.
    pub distinct: Vec<u32>,
    /// For each position, the index of its representative in `distinct`.
    pub distinct_of: Vec<u32>,
}

/// The bytes of a position, in addition to the bytes of a distinct position.
const BYTES_OF_A_POSITION: u64 = 16;
/// The approximate number of bytes that the solver keeps for a distinct position.
const BYTES_OF_A_GAME: u64 = 456;
/// The bytes of a joint move, for each cop. Lists of moves take up to three times their length while they grow.
const BYTES_OF_A_MOVE: u64 = 6;
/// The bytes of a place that an agent reaches from another one. The list may take three times its length while it grows.
const BYTES_OF_A_REACH: u64 = 12;
/// The bytes that a thread keeps for a pair of moves in the matrix game of a turn: the payoffs, those of moves that are
/// not dominated, and the tableau of the simplex method.
const BYTES_OF_A_PAIR: u64 = 24;

/// The bytes of all positions; `None` if there are too many to number.
fn bytes_of_positions(places: usize, cops: u8) -> Option<u64> {
    let mut configurations = 1_u64;
    for cop in 0..u64::from(cops) {
        configurations = configurations.checked_mul(places as u64 + cop)? / (cop + 1);
    }
    let positions = configurations.checked_mul(places as u64)?;
    u32::try_from(positions).ok()?;
    positions.checked_mul(BYTES_OF_A_POSITION + BYTES_OF_A_GAME)
}

/// The bytes that fast agents take for each position in addition. Each pair of moves that both sides play is a
/// transition of 16 bytes, in lists that grow by doubling. Neither side plays many more moves than the other one has.
///
/// On a grid of 10 x 10, agents of speed 3 take 3 bytes for each pair of moves; where agents reach the whole map, they
/// play almost all moves, and take up to 24.
fn bytes_of_speed(rules: Rules, cop_moves: &Csr<u32>, robber_moves: &Csr<u32>) -> Option<u64> {
    if rules.cop_speed.steps().max(rules.robber_speed.steps()) == 1 {
        return Some(0);
    }
    let places = robber_moves.rows().max(1) as u64;
    let mean = |moves: &Csr<u32>| {
        let all: usize = (0..moves.rows()).map(|place| moves.row(place).len()).sum();
        (all as u64).div_ceil(places)
    };
    let joint = mean(cop_moves).saturating_pow(rules.cops.get().into());
    let fewer = joint.min(mean(robber_moves));
    let pairs = fewer.checked_mul(fewer)?;
    Some(pairs.checked_mul(8 * places + 16 * fewer)? / places)
}

/// The bytes of all moves, and of the largest matrix game on each thread; `None` if the number overflows.
fn bytes_of_moves(cops: u8, cop_moves: &Csr<u32>, robber_moves: &Csr<u32>) -> Option<u64> {
    let counts = |moves: &Csr<u32>| -> Vec<u64> {
        let rows = (0..moves.rows()).map(|place| moves.row(place).len() as u64);
        rows.collect()
    };
    let (of_cop, of_robber) = (counts(cop_moves), counts(robber_moves));
    // For each number of cops, the joint moves of all configurations on the places so far.
    let mut joint = vec![0_u64; usize::from(cops) + 1];
    joint[0] = 1;
    for &moves in &of_cop {
        for team in 1..joint.len() {
            joint[team] = joint[team].checked_add(joint[team - 1].checked_mul(moves)?)?;
        }
    }
    let joint = joint[usize::from(cops)].checked_mul(BYTES_OF_A_MOVE * (u64::from(cops) + 2))?;
    let most = |counts: &[u64]| counts.iter().copied().max().unwrap_or(0);
    let columns = most(&of_cop).checked_pow(cops.into())?;
    let pairs = columns.checked_mul(most(&of_robber))?;
    let reached = of_cop.iter().chain(&of_robber).sum::<u64>();
    pairs
        .checked_mul(BYTES_OF_A_PAIR * threads())?
        .checked_add(joint)?
        .checked_add(BYTES_OF_A_REACH * reached)
}

/// The number of threads that solve games.
fn threads() -> u64 {
    #[cfg(feature = "parallel")]
    {
        rayon::current_num_threads() as u64
    }
    #[cfg(not(feature = "parallel"))]
    1
}

impl Positions {
    /// Numbers the positions of a game.
    ///
    /// # Errors
    /// If the arena has other rules than those of cops and robber on one graph, if the positions and the data of a solver take more than `limit` bytes, or if there are too many
    /// positions to number.
    pub(super) fn new(arena: Arc<Arena>, rules: Rules, limit: u64) -> Result<Self, SolveError> {
        let places = arena.places();
        arena.expect_plain("simultaneous moves")?;
        if places > crate::table::MAX_VERTICES {
            return Err(SolveError::TooManyVertices { vertices: places });
        }
        let expect = |needed: Option<u64>| match needed {
            Some(needed) if needed <= limit => Ok(needed),
            _ => Err(SolveError::TooLarge {
                vertices: places,
                cops: rules.cops.get(),
                needed: needed.unwrap_or(u64::MAX),
                limit,
            }),
        };
        // Where the positions fit, there are few enough places to list what is within reach of each.
        let count = rules.cops.get();
        let of_positions = expect(bytes_of_positions(places, count))?;
        let cop_moves = balls(&arena, rules.cop_speed);
        let robber_moves = balls(&arena, rules.robber_speed);
        let of_moves = bytes_of_moves(count, &cop_moves, &robber_moves);
        let of_speed = bytes_of_speed(rules, &cop_moves, &robber_moves);
        let needed = of_moves.zip(of_speed).and_then(|(moves, speed)| {
            let positions = of_positions / (BYTES_OF_A_POSITION + BYTES_OF_A_GAME);
            let more = positions.checked_mul(speed)?.checked_add(moves)?;
            of_positions.checked_add(more)
        });
        expect(needed)?;
        let count = usize::from(rules.cops.get());
        let ranking = Ranking::new(places, count);
        let mut cops = vec![0; ranking.len(count) * count];
        let mut set = vec![0; count];
        for (number, kept) in cops.chunks_exact_mut(count).enumerate() {
            ranking.unrank(number, &mut set);
            kept.iter_mut()
                .zip(&set)
                .for_each(|(kept, &place)| *kept = place as u16);
        }
        let mut positions = Self {
            symmetries: symmetries(&arena),
            robber_moves,
            arena,
            rules,
            ranking,
            cops,
            cop_moves,
            joint: Csr::default(),
            goals: Vec::new(),
            starts: Vec::new(),
            distinct: Vec::new(),
            distinct_of: Vec::new(),
        };
        positions.find_joint_moves();
        positions.find_distinct();
        Ok(positions)
    }

    /// The number of cops.
    pub(super) fn team(&self) -> usize {
        usize::from(self.rules.cops.get())
    }

    /// The number of configurations.
    pub(super) fn configurations(&self) -> usize {
        self.cops.len() / self.team()
    }

    /// The number of positions.
    pub(super) fn len(&self) -> usize {
        self.distinct_of.len()
    }

    /// The robber's place and the configuration of a position.
    #[doc(hidden)]
    pub fn split(&self, position: usize) -> (usize, usize) {
        (
            position / self.configurations(),
            position % self.configurations(),
        )
    }

    /// The places of the cops of a configuration, in ascending order.
    #[doc(hidden)]
    pub fn cops(&self, configuration: usize) -> &[u16] {
        &self.cops[configuration * self.team()..][..self.team()]
    }

    /// Returns whether the robber is captured.
    pub(super) fn is_captured(&self, position: usize) -> bool {
        let (robber, configuration) = self.split(position);
        self.cops(configuration)
            .iter()
            .any(|&cop| usize::from(cop) == robber)
    }

    /// The number of a position. Sorts the cops. `None` if a place does not exist or the number of cops is wrong.
    pub(super) fn number(&self, robber: usize, cops: &mut [usize]) -> Option<usize> {
        let places = self.arena.places();
        if robber >= places || cops.len() != self.team() || cops.iter().any(|&cop| cop >= places) {
            return None;
        }
        cops.sort_unstable();
        Some(robber * self.configurations() + self.ranking.rank(cops))
    }

    /// The configurations to which the joint moves from a configuration lead, in ascending order. Several joint
    /// moves may lead to the same configuration if they differ in which cop moves where.
    pub(super) fn joint(&self, configuration: usize) -> &[u32] {
        self.joint.row(configuration)
    }

    /// The place to which each cop moves in a joint move.
    pub(super) fn goals(&self, configuration: usize, joint: usize) -> &[u16] {
        &self.goals[(self.starts[configuration] + joint) * self.team()..][..self.team()]
    }

    /// Returns whether steps lead from one place to the other and back.
    pub(super) fn is_joined(&self, a: usize, b: usize) -> bool {
        let leads = |a: usize, b: usize| self.arena.steps(a).contains(&(b as u32));
        a != b && leads(a, b) && leads(b, a)
    }

    /// A symmetry that maps the places of `image` to the places of `position`. `image` is an image of `position`.
    pub(super) fn symmetry_back(&self, position: usize, image: usize) -> impl Fn(u16) -> u16 {
        let leads_back = |symmetry: &&Vec<u32>| self.image_of(image, symmetry) == position;
        let symmetry = self
            .symmetries
            .iter()
            .find(leads_back)
            .filter(|_| position != image);
        let symmetry = symmetry.cloned();
        move |place| {
            symmetry
                .as_ref()
                .map_or(place, |image| image[usize::from(place)] as u16)
        }
    }

    fn image_of(&self, position: usize, symmetry: &[u32]) -> usize {
        let (robber, configuration) = self.split(position);
        let cops = self.cops(configuration).iter();
        let mut set: Vec<usize> = cops
            .map(|&cop| symmetry[usize::from(cop)] as usize)
            .collect();
        set.sort_unstable();
        symmetry[robber] as usize * self.configurations() + self.ranking.rank(&set)
    }

    fn find_joint_moves(&mut self) {
        let team = self.team();
        let mut found: Vec<(u32, Vec<u16>)> = Vec::new();
        let mut rows = Csr::with_capacity(self.configurations(), 0);
        let mut row = Vec::new();
        let mut choices = crate::game::JointMoves::default();
        let mut set = vec![0; team];
        for configuration in 0..self.configurations() {
            found.clear();
            let cops = self.cops(configuration);
            let moves = |cop: u16| self.cop_moves.row(usize::from(cop));
            let counts = cops.iter().map(|&cop| moves(cop).len());
            choices.start(crate::game::JointOrder::LastFastest, counts);
            while let Some(choices) = choices.advance() {
                let chosen = cops.iter().zip(choices);
                let goals: Vec<u16> = chosen
                    .map(|(&cop, &choice)| moves(cop)[choice] as u16)
                    .collect();
                set.iter_mut()
                    .zip(&goals)
                    .for_each(|(place, &goal)| *place = usize::from(goal));
                set.sort_unstable();
                found.push((self.ranking.rank(&set) as u32, goals));
            }
            found.sort_unstable();
            found.dedup();
            row.clear();
            row.extend(found.iter().map(|(to, _)| *to));
            rows.push(&row);
            self.starts.push(self.goals.len() / team);
            self.goals.extend(found.iter().flat_map(|(_, goals)| goals));
        }
        self.joint = rows;
    }

    fn find_distinct(&mut self) {
        let configurations = self.configurations();
        let symmetries = self.symmetries.iter();
        let images: Vec<Vec<u32>> = symmetries.map(|image| self.images(image)).collect();
        let mut of_position = vec![0; self.arena.places() * configurations];
        for position in 0..of_position.len() {
            let (robber, configuration) = (position / configurations, position % configurations);
            let all = self
                .symmetries
                .iter()
                .zip(&images)
                .map(|(of_robber, of_cops)| {
                    of_robber[robber] as usize * configurations + of_cops[configuration] as usize
                });
            let first = all.min().unwrap_or(position);
            of_position[position] = if first < position {
                of_position[first]
            } else {
                self.distinct.push(position as u32);
                self.distinct.len() as u32 - 1
            };
        }
        self.distinct_of = of_position;
    }

    /// For each configuration, its image under a symmetry.
    fn images(&self, symmetry: &[u32]) -> Vec<u32> {
        let mut set = vec![0; self.team()];
        let image = |configuration| {
            let cops = self.cops(configuration);
            for (place, &cop) in set.iter_mut().zip(cops) {
                *place = symmetry[usize::from(cop)] as usize;
            }
            set.sort_unstable();
            self.ranking.rank(&set) as u32
        };
        (0..self.configurations()).map(image).collect()
    }
}

/// The exchanges of places that capture the robber in a position.
pub(super) struct Exchanges<'a> {
    robber: usize,
    cops: &'a [u16],
    joined: Vec<bool>,
}

impl<'a> Exchanges<'a> {
    /// The exchanges that are possible with the robber and the cops of a configuration.
    pub(super) fn new(positions: &'a Positions, robber: usize, configuration: usize) -> Self {
        let cops = positions.cops(configuration);
        let joined = cops
            .iter()
            .map(|&cop| positions.is_joined(robber, cop.into()))
            .collect();
        Self {
            robber,
            cops,
            joined,
        }
    }

    /// Returns whether a cop exchanges its place with a robber that moves to `row`.
    pub(super) fn captures(&self, row: u32, goals: &[u16]) -> bool {
        let cops = self.cops.iter().zip(goals).zip(&self.joined);
        let mut cops = cops.filter(|&(_, &joined)| joined);
        cops.any(|((&cop, &goal), _)| u32::from(cop) == row && usize::from(goal) == self.robber)
    }
}

/// For each place, the places that an agent of this speed reaches in a turn, in ascending order and including
/// the place itself.
fn balls(arena: &Arena, speed: Speed) -> Csr<u32> {
    let mut search = BallSearch::new(arena.places());
    let mut rows = Csr::with_capacity(arena.places(), 0);
    let mut ball: Vec<u32> = Vec::new();
    for place in 0..arena.places() {
        ball.clear();
        ball.extend(search.within(arena.all_steps(), place, speed.steps(), |_| false));
        ball.sort_unstable();
        rows.push(&ball);
    }
    rows
}
