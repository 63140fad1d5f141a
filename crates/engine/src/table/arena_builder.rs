//! Builds arenas with the rules of real games.

use super::arena::Arena;
use super::arena_rules::ArenaRules;
use super::bits::PlaceSet;
use crate::game::{Judged, Side, Variant};
use crate::graph::{BallSearch, Csr, Digraph, Fingerprint, Graph, Vertex};
use thiserror::Error;

/// Where agents of one side go: a map, or a graph given by its edges.
#[derive(Debug, Clone, Copy)]
pub enum ArenaGround<'a> {
    /// The cells of a map, and the steps between them. Cells that the map does not have are off the
    /// ground.
    Map(&'a Graph),
    /// The steps between the vertices of the base, which have the same numbers.
    Digraph(&'a Digraph),
}

impl<'a> From<&'a Graph> for ArenaGround<'a> {
    fn from(graph: &'a Graph) -> Self {
        Self::Map(graph)
    }
}

impl<'a> From<&'a Digraph> for ArenaGround<'a> {
    fn from(graph: &'a Digraph) -> Self {
        Self::Digraph(graph)
    }
}

/// Builds an [`Arena`] with different grounds for the two sides, exits, and other rules of capture.
///
/// The *base* is a map or graph with all vertices that anybody goes to; it numbers them. Without a
/// ground of its own, a side goes where the base leads. An arena that is built without any of these
/// rules equals the arena of its base. With some of them it has another fingerprint, so everything
/// that does not know the rules declines its tables as those of another map.
///
/// # The rules
///
/// - **Ground.** Agents take the steps of their ground and stay on it. A position in which somebody
///   is off their ground, or in which two cops share a place and may not, is *illegal*: it has no
///   value, and no statistics count it.
/// - **Exits.** A robber that steps onto an exit ends its move there. If no cop captures it on that
///   step, it has won: [`Outcome::Away`](crate::game::Outcome::Away). A cop that captures on an exit
///   guards it.
/// - **Capture**: see [`Variant`] and [`captures`](Self::captures).
///
/// ```
/// # use pursuit_engine::{game::{Outcome, Rules, Turns}, graph::Digraph};
/// # use pursuit_engine::table::{Arena, Solver};
/// // A path of four vertices with an exit at one end, and a cop at the other end.
/// let path = Digraph::undirected(4, &[(0, 1), (1, 2), (2, 3)])?;
/// let at = |number| path.vertex(number).unwrap();
/// let arena = Arena::builder(&path).exits(&[at(3)]).build()?;
/// let mut solver = Solver::new(arena.into(), Rules::default(), 1 << 30)?;
/// while !solver.advance(1_000).done {}
/// let solution = solver.finish().expect("done");
/// assert_eq!(solution.value(at(1), &[at(0)]), Some(Outcome::Caught(Turns(1))));
/// assert_eq!(solution.value(at(2), &[at(0)]), Some(Outcome::Away(Turns(1))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct ArenaBuilder<'a> {
    base: ArenaGround<'a>,
    cops: SideGround<'a>,
    robber: SideGround<'a>,
    exits: Vec<Vertex>,
    captures: Option<Vec<(Vertex, Vertex)>>,
    variant: Variant,
}

/// The ground of a side as it is given.
#[derive(Debug, Clone, Default)]
struct SideGround<'a> {
    ground: Option<ArenaGround<'a>>,
    barred: Vec<Vertex>,
}

/// The ground of a side by places.
#[derive(Debug)]
struct SideSteps {
    stands: PlaceSet,
    /// For each place, where a step leads, without the place itself.
    next: Vec<Vec<u32>>,
}

/// Why an arena cannot be built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ArenaError {
    /// The ground of a side has another number of vertices than the base.
    #[error("the ground of the {} has {found} vertices: expected {expected}, as the base", name(*.side))]
    GroundSize {
        /// The side.
        side: Side,
        /// The number of vertices of the base; of a map, with those that are walls now.
        expected: usize,
        /// The number of vertices of the ground.
        found: usize,
    },
    /// The ground of a side is a map, and the base is none.
    #[error("the ground of the {} is a map: expected a graph, as the base", name(*.side))]
    GroundIsMap {
        /// The side.
        side: Side,
    },
    /// The ground of a side has a cell that the base does not have.
    #[error("the ground of the {} has the cell ({x}, {y}), which is none of the base", name(*.side))]
    GroundBeyondBase {
        /// The side.
        side: Side,
        /// The column of the cell.
        x: u16,
        /// The row of the cell.
        y: u16,
    },
    /// The agents of a side are of different kinds, and the cops of a table are interchangeable.
    #[error("agents of one side with different kinds: expected the same kinds")]
    MixedKinds,
    /// An agent covers more than one cell.
    #[error(
        "agents larger than one cell: expected agents of one cell, because no table knows others"
    )]
    LargeAgents,
    /// A side has no place to stand on.
    #[error("the ground of the {} is empty", name(*.side))]
    EmptyGround {
        /// The side.
        side: Side,
    },
    /// A list names a vertex that the base does not have.
    #[error("{list} name vertex {vertex}, which is none of the base")]
    NoVertex {
        /// The list.
        list: &'static str,
        /// The number of the vertex.
        vertex: usize,
    },
    /// A robber cannot stand on an exit.
    #[error("the exit at vertex {vertex} is off the robber's ground")]
    ExitOffGround {
        /// The number of the exit's vertex.
        vertex: usize,
    },
}

const fn name(side: Side) -> &'static str {
    match side {
        Side::Cops => "cops",
        Side::Robber => "robber",
    }
}

/// The kinds of rules in a fingerprint.
mod kind {
    /// An arc that the cops have and the base does not, or the other way round.
    pub const COP_ARC: u8 = 1;
    /// The same for the robber.
    pub const ROBBER_ARC: u8 = 2;
    /// A place off the cops' ground.
    pub const COPS_BARRED: u8 = 3;
    /// A place off the robber's ground.
    pub const ROBBER_BARRED: u8 = 4;
    pub const EXIT: u8 = 5;
    /// A place of the robber, and another place from which a cop captures it.
    pub const CAPTURE: u8 = 6;
    pub const DISTINCT: u8 = 7;
    pub const AFTER_ROBBER: u8 = 8;
}

impl<'a> ArenaBuilder<'a> {
    pub(super) const fn new(base: ArenaGround<'a>) -> Self {
        const NONE: SideGround<'_> = SideGround {
            ground: None,
            barred: Vec::new(),
        };
        Self {
            base,
            cops: NONE,
            robber: NONE,
            exits: Vec::new(),
            captures: None,
            variant: Variant {
                reach: 0,
                distinct: false,
                judged: Judged::EachMove,
            },
        }
    }

    /// The ground of the cops. A map as ground may allow other kinds of steps than the base.
    pub fn cops(mut self, ground: impl Into<ArenaGround<'a>>) -> Self {
        self.cops.ground = Some(ground.into());
        self
    }

    /// The ground of the robber.
    pub fn robber(mut self, ground: impl Into<ArenaGround<'a>>) -> Self {
        self.robber.ground = Some(ground.into());
        self
    }

    /// Takes vertices from the ground of the cops.
    pub fn bar_cops(mut self, vertices: &[Vertex]) -> Self {
        self.cops.barred.extend_from_slice(vertices);
        self
    }

    /// Takes vertices from the ground of the robber.
    pub fn bar_robber(mut self, vertices: &[Vertex]) -> Self {
        self.robber.barred.extend_from_slice(vertices);
        self
    }

    /// Adds exits: vertices that the robber wants to reach.
    pub fn exits(mut self, vertices: &[Vertex]) -> Self {
        self.exits.extend_from_slice(vertices);
        self
    }

    /// The distance of a capture, whether cops may share a place, and when positions are examined.
    pub const fn variant(mut self, variant: Variant) -> Self {
        self.variant = variant;
        self
    }

    /// All pairs of a cop's vertex and a robber's vertex such that the cop captures the robber from
    /// there, instead of those within [`Variant::reach`]. Callers filter them by sight, for instance.
    /// A cop always captures on its own vertex. Pairs off the ground have no effect.
    pub fn captures(mut self, pairs: Vec<(Vertex, Vertex)>) -> Self {
        self.captures = Some(pairs);
        self
    }

    /// Builds the arena. Time: that of the arena of the base, and one search of the reach from each
    /// place.
    ///
    /// # Errors
    /// An [`ArenaError`] if a ground does not fit the base or is empty, or if a list names a vertex
    /// that does not exist or an exit off the robber's ground.
    pub fn build(self) -> Result<Arena, ArenaError> {
        let mut arena = match self.base {
            ArenaGround::Map(graph) => Arena::of_map(graph),
            ArenaGround::Digraph(graph) => Arena::of_digraph(graph),
        };
        let base: Vec<Vec<u32>> = (0..arena.places())
            .map(|place| arena.steps(place)[1..].to_vec())
            .collect();
        let cops = self.side(&arena, &base, Side::Cops)?;
        let mut robber = self.side(&arena, &base, Side::Robber)?;
        let exits = self.exit_places(&arena, &robber)?;
        let zones = self.zones(&arena, &cops, &robber)?;
        let mut fingerprint = arena.fingerprint();
        toggle_ground(
            &mut fingerprint,
            &base,
            &cops,
            kind::COP_ARC,
            kind::COPS_BARRED,
        );
        toggle_ground(
            &mut fingerprint,
            &base,
            &robber,
            kind::ROBBER_ARC,
            kind::ROBBER_BARRED,
        );
        self.toggle_rules(&mut fingerprint, &exits, zones.as_ref());
        if fingerprint == arena.fingerprint() {
            return Ok(arena);
        }
        for exit in exits.iter() {
            robber.next[exit].clear();
        }
        let is_shared = cops.next == robber.next;
        let rules = ArenaRules {
            variant: self.variant,
            is_two_way_for_cops: is_two_way(&cops.next),
            cop_steps: (!is_shared).then(|| closed(&cops.next)),
            cop_ground: cops.stands,
            robber_ground: robber.stands,
            zones,
            exits,
        };
        let is_two_way = is_two_way(&robber.next);
        arena.set_rules(rules, closed(&robber.next), is_two_way, fingerprint);
        Ok(arena)
    }

    /// The ground of a side by places.
    fn side(&self, arena: &Arena, base: &[Vec<u32>], side: Side) -> Result<SideSteps, ArenaError> {
        let (given, list) = match side {
            Side::Cops => (&self.cops, "the vertices barred to the cops"),
            Side::Robber => (&self.robber, "the vertices barred to the robber"),
        };
        let mut steps = match given.ground {
            None => SideSteps::of_base(base),
            Some(ArenaGround::Digraph(graph)) => self.on_digraph(arena, graph, side)?,
            Some(ArenaGround::Map(graph)) => self.on_map(arena, graph, side)?,
        };
        for &vertex in &given.barred {
            steps.stands.remove(place_of(arena, vertex, list)?);
        }
        if steps.stands.len() == 0 {
            return Err(ArenaError::EmptyGround { side });
        }
        let SideSteps { stands, next } = &mut steps;
        for (place, next) in next.iter_mut().enumerate() {
            next.retain(|&to| stands.contains(place) && stands.contains(to as usize));
        }
        Ok(steps)
    }

    /// The ground of a side that is given by its edges.
    fn on_digraph(
        &self,
        arena: &Arena,
        graph: &Digraph,
        side: Side,
    ) -> Result<SideSteps, ArenaError> {
        let (expected, found) = (self.base.slots(), graph.vertices());
        if expected != found {
            return Err(ArenaError::GroundSize {
                side,
                expected,
                found,
            });
        }
        let next = (0..arena.places()).map(|place| {
            let heads = graph.successors(arena.vertex(place)).iter();
            let heads = heads.filter_map(|&head| arena.place(head));
            heads.map(|place| place as u32).collect()
        });
        Ok(SideSteps::of_base(&next.collect::<Vec<_>>()))
    }

    /// The ground of a side that is given as a map.
    fn on_map(&self, arena: &Arena, graph: &Graph, side: Side) -> Result<SideSteps, ArenaError> {
        let ArenaGround::Map(base) = self.base else {
            return Err(ArenaError::GroundIsMap { side });
        };
        let place = |vertex: Vertex| {
            let cell = graph.cell(vertex);
            let vertex = base.vertex(cell);
            let beyond = ArenaError::GroundBeyondBase {
                side,
                x: cell.x,
                y: cell.y,
            };
            vertex.and_then(|vertex| arena.place(vertex)).ok_or(beyond)
        };
        let mut steps = SideSteps {
            stands: PlaceSet::new(arena.places()),
            next: vec![Vec::new(); arena.places()],
        };
        for vertex in graph.iter() {
            let from = place(vertex)?;
            steps.stands.insert(from);
            for &to in graph.neighbours(vertex) {
                steps.next[from].push(place(to)? as u32);
            }
        }
        Ok(steps)
    }

    fn exit_places(&self, arena: &Arena, robber: &SideSteps) -> Result<PlaceSet, ArenaError> {
        let mut exits = PlaceSet::new(arena.places());
        for &vertex in &self.exits {
            let place = place_of(arena, vertex, "the exits")?;
            if !robber.stands.contains(place) {
                let vertex = vertex.index();
                return Err(ArenaError::ExitOffGround { vertex });
            }
            exits.insert(place);
        }
        Ok(exits)
    }

    /// For each place of the robber, the places from which a cop captures it, in order. `None` if
    /// they are the place itself.
    fn zones(
        &self,
        arena: &Arena,
        cops: &SideSteps,
        robber: &SideSteps,
    ) -> Result<Option<Csr<u32>>, ArenaError> {
        let places = arena.places();
        let mut zones: Vec<Vec<u32>> = (0..places as u32).map(|place| vec![place]).collect();
        let mut add = |cop: usize, place: usize| {
            if cops.stands.contains(cop) && robber.stands.contains(place) {
                zones[place].push(cop as u32);
            }
        };
        if let Some(pairs) = &self.captures {
            for &(cop, robber) in pairs {
                let place = |vertex| place_of(arena, vertex, "the pairs of captures");
                add(place(cop)?, place(robber)?);
            }
        } else if self.variant.reach > 0 {
            let steps = closed(&cops.next);
            let mut walk = BallSearch::new(places);
            for cop in 0..places {
                let reached = walk.within(&steps, cop, self.variant.reach, |_| false);
                for &place in reached {
                    add(cop, place as usize);
                }
            }
        }
        for zone in &mut zones {
            zone.sort_unstable();
            zone.dedup();
        }
        let is_wider = zones.iter().any(|zone| zone.len() > 1);
        Ok(is_wider.then(|| Csr::from_rows(zones.into_iter())))
    }

    /// Adds the rules that both sides share to the fingerprint. Equal games have equal fingerprints,
    /// however they are given.
    fn toggle_rules(
        &self,
        fingerprint: &mut Fingerprint,
        exits: &PlaceSet,
        zones: Option<&Csr<u32>>,
    ) {
        for exit in exits.iter() {
            fingerprint.toggle_rule(kind::EXIT, exit as u32, 0);
        }
        for robber in 0..zones.map_or(0, Csr::rows) as u32 {
            let zone = zones.map_or(&[][..], |zones| zones.row(robber as usize));
            for &cop in zone.iter().filter(|&&cop| cop != robber) {
                fingerprint.toggle_rule(kind::CAPTURE, robber, cop);
            }
        }
        if self.variant.distinct {
            fingerprint.toggle_rule(kind::DISTINCT, 0, 0);
        }
        if self.variant.judged == Judged::AfterRobber {
            fingerprint.toggle_rule(kind::AFTER_ROBBER, 0, 0);
        }
    }
}

impl ArenaGround<'_> {
    /// The number of vertices, with those of a map that are walls now.
    fn slots(self) -> usize {
        match self {
            Self::Map(graph) => graph.slots(),
            Self::Digraph(graph) => graph.vertices(),
        }
    }
}

impl SideSteps {
    /// A ground on which an agent may stand everywhere.
    fn of_base(next: &[Vec<u32>]) -> Self {
        let mut stands = PlaceSet::new(next.len());
        (0..next.len()).for_each(|place| stands.insert(place));
        Self {
            stands,
            next: next.to_vec(),
        }
    }
}

/// Adds what distinguishes the ground of a side from the base to the fingerprint.
fn toggle_ground(
    fingerprint: &mut Fingerprint,
    base: &[Vec<u32>],
    side: &SideSteps,
    arc: u8,
    barred: u8,
) {
    for (place, (base, next)) in base.iter().zip(&side.next).enumerate() {
        if !side.stands.contains(place) {
            fingerprint.toggle_rule(barred, place as u32, 0);
        }
        let only = |these: &[u32], others: &[u32]| -> Vec<u32> {
            let only = these.iter().filter(|to| !others.contains(to));
            only.copied().collect()
        };
        for to in only(base, next).into_iter().chain(only(next, base)) {
            fingerprint.toggle_rule(arc, place as u32, to);
        }
    }
}

fn place_of(arena: &Arena, vertex: Vertex, list: &'static str) -> Result<usize, ArenaError> {
    let unknown = |vertex: Vertex| ArenaError::NoVertex {
        list,
        vertex: vertex.index(),
    };
    arena.place(vertex).ok_or_else(|| unknown(vertex))
}

/// Each place and where a step leads.
fn closed(next: &[Vec<u32>]) -> Csr<u32> {
    let rows = (0..next.len() as u32).zip(next);
    Csr::from_rows(rows.map(|(place, next)| std::iter::once(place).chain(next.iter().copied())))
}

/// Returns whether every step has its reverse. The lists are short.
fn is_two_way(next: &[Vec<u32>]) -> bool {
    let mut rows = next.iter().enumerate();
    rows.all(|(place, row)| {
        let back = |&to: &u32| next[to as usize].contains(&(place as u32));
        row.iter().all(back)
    })
}
