//! The part of a graph that the agents of a position can reach, renumbered as places, and the moves of all agents.

use super::error::PositionError;
use super::spot::{MAX_COPS, MAX_PLACES, Spot};
use crate::game::{Agent, Side, State};
use crate::graph::{BallSearch, Csr, Network, Vertex, steps_from};

/// The distance of a place that cannot be reached; it is greater than all others.
pub const UNREACHABLE: u16 = u16::MAX;

/// The part of a graph that the agents of a position can reach: its vertices, renumbered as *places*, and the moves
/// between them.
#[derive(Debug)]
pub struct ReachableGraph {
    vertex_of: Vec<Vertex>,
    /// The number of cops.
    pub cops: usize,
    /// The places that a cop reaches in a turn, its own place first, then in order of distance.
    cop_moves: Csr<u32>,
    cop_origins: Csr<u32>,
    /// The robber's single steps, without waiting.
    steps: Csr<u32>,
    back_steps: Csr<u32>,
    /// The single steps as a [`Network`], for searches that work on any graph.
    network: Csr<Vertex>,
    robber_speed: u8,
    cop_speed: u8,
    /// The position with which the search begins.
    pub start: Spot,
}

impl ReachableGraph {
    /// Collects what the agents of `state` can reach. The cops are to move.
    ///
    /// # Errors
    /// If `state` is not a position that a solver takes, or if the graph takes more than `limit` bytes.
    pub fn new(
        network: &impl Network,
        state: &State<'_>,
        limit: u64,
    ) -> Result<Self, PositionError> {
        let (vertex_of, place_of) = within_reach(network, state)?;
        let cops = state.cops.len();
        if vertex_of.len() > MAX_PLACES[cops - 1] {
            let vertices = vertex_of.len();
            return Err(PositionError::TooManyVertices { vertices, cops });
        }
        let of = place_of.as_slice();
        let steps = Csr::from_rows(vertex_of.iter().map(|&vertex| {
            let next = network.neighbours(vertex).iter();
            let others = next.filter(move |&&next| next != vertex);
            others.map(move |next| of[next.index()])
        }));
        let places = vertex_of.len();
        let cop_speed = state.cops[0].speed.steps();
        let cop_moves = balls(&steps, cop_speed, limit)?;
        let place = |agent: &Agent| place_of[agent.at.index()] as u16;
        let on: Vec<u16> = state.cops.iter().map(place).collect();
        Ok(Self {
            cops,
            cop_origins: cop_moves.transposed(places),
            cop_moves,
            back_steps: steps.transposed(places),
            network: Csr::from_rows((0..places).map(|place| {
                let next = steps.row(place).iter();
                next.map(|&next| Vertex::from_index(next as usize))
            })),
            steps,
            robber_speed: state.robber.speed.steps(),
            cop_speed,
            start: Spot::new(place(&state.robber), &on),
            vertex_of,
        })
    }

    /// Makes `state` the start.
    ///
    /// # Errors
    /// If `state` has another number of cops or other speeds than the start before, if the robber is to move, or if an
    /// agent is not on a place of the graph.
    pub fn move_on(&mut self, state: &State<'_>) -> Result<(), PositionError> {
        let place = |agent: &Agent| {
            let place = self.vertex_of.binary_search(&agent.at);
            let vertex = agent.at.index();
            let place = place.map(|place| place as u16);
            place.map_err(|_| PositionError::OutOfReach { vertex })
        };
        if state.to_move == Side::Robber {
            return Err(PositionError::RobberToMove);
        }
        let cops = state.cops.len();
        if cops != self.cops {
            return Err(PositionError::Cops { cops });
        }
        let first = self.cop_speed;
        let mut others = state.cops.iter().map(|cop| (cop.speed.steps(), first));
        let robber = (state.robber.speed.steps(), self.robber_speed);
        let differs = |&(other, first): &(u8, u8)| other != first;
        if let Some((other, first)) = others.find(differs).or(Some(robber).filter(differs)) {
            return Err(PositionError::DifferentSpeeds { first, other });
        }
        let on: Vec<u16> = state.cops.iter().map(place).collect::<Result<_, _>>()?;
        self.start = Spot::new(place(&state.robber)?, &on);
        Ok(())
    }

    /// The number of places.
    #[must_use]
    pub const fn places(&self) -> usize {
        self.vertex_of.len()
    }

    /// The vertex of a place.
    #[must_use]
    pub fn vertex(&self, place: u16) -> Vertex {
        self.vertex_of[usize::from(place)]
    }

    /// The vertices of the cops, in the order of the position.
    #[must_use]
    pub fn cop_vertices(&self, spot: Spot) -> Vec<Vertex> {
        let cops = spot.cops[..self.cops].iter();
        cops.map(|&cop| self.vertex(cop)).collect()
    }

    /// The speeds of the cops and of the robber, in steps a turn.
    #[must_use]
    pub const fn speeds(&self) -> (u8, u8) {
        (self.cop_speed, self.robber_speed)
    }

    /// The approximate number of bytes in use.
    pub(crate) fn bytes(&self) -> u64 {
        let moves = self.cop_moves.item_count() + self.steps.item_count() + 3 * self.places();
        moves as u64 * 2 * BYTES_OF_A_MOVE
    }

    /// The robber's single steps, without waiting.
    #[must_use]
    pub fn steps(&self, place: u16) -> &[u32] {
        self.steps.row(place.into())
    }

    /// The places that a cop reaches in a turn, its own place first, then in order of distance.
    #[must_use]
    pub fn cop_moves(&self, place: u16) -> &[u32] {
        self.cop_moves.row(place.into())
    }

    /// The places from which a cop reaches this place in a turn.
    #[must_use]
    pub fn cop_origins(&self, place: u16) -> &[u32] {
        self.cop_origins.row(place.into())
    }

    /// Calls `found` with the state after each joint move of the cops, until it returns `false`. The cops keep
    /// their order.
    pub fn for_each_joint_move(&self, spot: Spot, mut found: impl FnMut(Spot) -> bool) {
        let [a, b, c] = spot.cops.map(|cop| self.cop_moves(cop));
        // The places beyond the last cop are copies of its place.
        let b = if self.cops > 1 { b } else { &b[..1] };
        let c = if self.cops > 2 { c } else { &c[..1] };
        for &first in a {
            for &second in b {
                for &third in c {
                    let cops = [first as u16, second as u16, third as u16];
                    if !found(Spot::new(spot.robber, &cops[..self.cops])) {
                        return;
                    }
                }
            }
        }
    }

    /// The state after the first joint move that captures the robber; if none does, after the first one that is
    /// `good`.
    pub fn find_joint_move(&self, spot: Spot, mut good: impl FnMut(Spot) -> bool) -> Option<Spot> {
        let mut best = None;
        self.for_each_joint_move(spot, |after| {
            if after.is_capture() {
                best = Some(after);
                return false;
            }
            if best.is_none() && good(after) {
                best = Some(after);
            }
            true
        });
        best
    }

    /// Lists the places of the robber after its move, its own place first. No cop stands on the robber before
    /// the move. Places with a cop are left out: the robber may step onto a cop, but no move is worse.
    pub fn robber_moves(&self, spot: Spot, ends: &mut Vec<u16>) {
        self.walk(&self.steps, spot, ends);
    }

    /// Lists the places from which a move of the robber leads to its present place.
    pub(crate) fn robber_origins(&self, spot: Spot, ends: &mut Vec<u16>) {
        self.walk(&self.back_steps, spot, ends);
    }

    /// Lists the places within one move of the robber, along paths without a cop.
    fn walk(&self, steps: &Csr<u32>, spot: Spot, ends: &mut Vec<u16>) {
        ends.clear();
        ends.push(spot.robber);
        let mut rim = 0;
        for _ in 0..self.robber_speed {
            let end = ends.len();
            if rim == end {
                break;
            }
            for index in rim..end {
                for &next in steps.row(ends[index].into()) {
                    let next = next as u16;
                    // The first step reaches each place only once.
                    let is_known = end > 1 && ends.contains(&next);
                    if !is_known && !spot.cops.contains(&next) {
                        ends.push(next);
                    }
                }
            }
            rim = end;
        }
    }

    /// For each place, the turns that an agent needs from `start`; [`UNREACHABLE`] if it cannot get there.
    #[must_use]
    pub fn turns_from(&self, start: u16, speed: u8) -> Vec<u16> {
        distances(&self.steps, start, speed)
    }

    /// For each place, the turns that a cop needs from there to `end`.
    pub(crate) fn cop_turns_to(&self, end: u16) -> Vec<u16> {
        distances(&self.back_steps, end, self.cop_speed)
    }
}

/// The places are the vertices, and the robber's single steps the edges.
impl Network for ReachableGraph {
    fn slots(&self) -> usize {
        self.places()
    }

    fn neighbours(&self, vertex: Vertex) -> &[Vertex] {
        self.network.row(vertex.index())
    }
}

/// The bytes of a move in a list.
const BYTES_OF_A_MOVE: u64 = 4;

/// The vertices that at least one agent can reach, in order, and the number of each vertex among them.
fn within_reach(
    network: &impl Network,
    state: &State<'_>,
) -> Result<(Vec<Vertex>, Vec<u32>), PositionError> {
    expect_position(network, state)?;
    let mut is_reached = vec![false; network.slots()];
    let agents = state.cops.iter().chain([&state.robber]);
    let mut reached: Vec<Vertex> = Vec::new();
    for agent in agents {
        if !std::mem::replace(&mut is_reached[agent.at.index()], true) {
            reached.push(agent.at);
        }
    }
    let mut next = 0;
    while let Some(&vertex) = reached.get(next) {
        next += 1;
        for &step in network.neighbours(vertex) {
            if !std::mem::replace(&mut is_reached[step.index()], true) {
                reached.push(step);
            }
        }
    }
    reached.sort_unstable();
    let mut place_of = vec![0; network.slots()];
    for (place, vertex) in (0..).zip(&reached) {
        place_of[vertex.index()] = place;
    }
    Ok((reached, place_of))
}

fn expect_position(network: &impl Network, state: &State<'_>) -> Result<(), PositionError> {
    let cops = state.cops.len();
    if cops == 0 || cops > MAX_COPS {
        return Err(PositionError::Cops { cops });
    }
    let first = state.cops[0].speed;
    if let Some(cop) = state.cops.iter().find(|cop| cop.speed != first) {
        let (first, other) = (first.steps(), cop.speed.steps());
        return Err(PositionError::DifferentSpeeds { first, other });
    }
    if state.to_move == Side::Robber {
        return Err(PositionError::RobberToMove);
    }
    let vertices = network.slots();
    let mut agents = state.cops.iter().chain([&state.robber]);
    match agents.find(|agent| agent.at.index() >= vertices) {
        None => Ok(()),
        Some(agent) => Err(PositionError::NoSuchVertex {
            vertex: agent.at.index(),
            vertices,
        }),
    }
}

/// For each place, the places that an agent reaches within a number of steps, its own place first.
fn balls(steps: &Csr<u32>, speed: u8, limit: u64) -> Result<Csr<u32>, PositionError> {
    let places = steps.rows();
    let mut balls = Csr::with_capacity(places, steps.item_count() + places);
    let mut search = BallSearch::new(places);
    for place in 0..places {
        balls.push(search.within(steps, place, speed, |_| false));
        // The reverse moves take the same space.
        let needed = balls.item_count() as u64 * 2 * BYTES_OF_A_MOVE;
        // A list has at most `u32::MAX` items.
        let limit = limit.min(u64::from(u32::MAX) * 2 * BYTES_OF_A_MOVE);
        if needed > limit {
            return Err(PositionError::TooLarge { needed, limit });
        }
    }
    Ok(balls)
}

/// Breadth-first distances in turns.
fn distances(steps: &Csr<u32>, start: u16, speed: u8) -> Vec<u16> {
    let next = |place| steps.row(place).iter().map(|&next| next as usize);
    let all = steps_from(steps.rows(), [start.into()], next).into_iter();
    // The number of turns is at most the number of places.
    let turns = |steps: u32| steps.div_ceil(speed.into()) as u16;
    all.map(|steps| {
        if steps == u32::MAX {
            UNREACHABLE
        } else {
            turns(steps)
        }
    })
    .collect()
}
