//! Duties, leashes and patience: what an agent does while nobody is near, and how long it chases.

use crate::agent::IsAgent;
use crate::live_map::LiveMap;
use crate::members::member::{Home, Member};
use bevy::prelude::*;
use pursuit_engine::map::Cell;
use pursuit_engine::world::{self, GiveUp, PatrolOrder, PursuitWorld};

/// What an agent does while it knows of no opponent: a cop while there is no robber that it may chase, a robber while it
/// knows of no cop. (Give it [`Sight`](super::Sight): an agent without knows of everybody.) With
/// [`AgentControl::Duty`](super::AgentControl::Duty) it does nothing else.
///
/// The plugin triggers [`Arrived`](super::Arrived) when the agent comes to a post, and [`NoWay`](super::NoWay) when no path
/// leads to one: a patrol leaves that post out until a path opens. The duty outlasts chases, captures, saves, doors, and
/// changes of the role; removing the component ends it. A patrol whose posts the game changes goes on with the post of the
/// same number.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pursuit::prelude::*;
/// # use bevy_pursuit::{Duty, Leash};
/// fn spawn_guard(mut commands: Commands) {
///     let posts = [(2, 2), (9, 2), (9, 7)].map(IVec2::from);
///     let home = Leash { at: posts[0], steps: 12 };
///     commands.spawn((Cop, GridPosition(posts[0]), Sight(6), Duty::rounds(posts), home));
/// }
/// ```
#[derive(Component, Reflect, Debug, Clone, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
#[non_exhaustive]
pub enum Duty {
    /// It goes to a tile and stays there.
    Post(IVec2),
    /// It walks from post to post.
    Patrol {
        /// The tiles. Without any, it stays where it is.
        posts: Vec<IVec2>,
        /// Which post comes after which.
        order: PatrolOrder,
        /// The number of turns for which it stays at each post.
        wait: u16,
    },
    /// It follows another agent on its map, of whatever role. It does not step onto that agent's tile. While there is no such
    /// agent, it has no duty.
    Follow {
        /// The agent that goes ahead.
        #[entities]
        leader: Entity,
        /// It stops when it is at most so many steps away, counted without walls, and no wall is on the straight line between
        /// them; 0 counts as 1.
        apart: u8,
    },
}

impl Default for Duty {
    /// A patrol without posts.
    fn default() -> Self {
        Self::rounds([])
    }
}

impl Duty {
    /// A patrol that walks its rounds and stops nowhere.
    #[must_use]
    pub fn rounds(posts: impl Into<Vec<IVec2>>) -> Self {
        Self::Patrol {
            posts: posts.into(),
            order: PatrolOrder::Rounds,
            wait: 0,
        }
    }

    /// The duty as the world of a map knows it; `None` while the agent to follow is not there.
    fn in_world(&self, map: &LiveMap, leader: Option<Home>, home: Home) -> Option<world::Duty> {
        Some(match *self {
            Self::Post(at) => world::Duty::Post(map.cell_or_beside(at)),
            Self::Patrol {
                ref posts,
                order,
                wait,
            } => world::Duty::Patrol {
                posts: posts.iter().map(|&at| map.cell_or_beside(at)).collect(),
                order,
                wait,
            },
            Self::Follow { apart, .. } => world::Duty::Follow {
                leader: leader.filter(|leader| leader.map == home.map)?.id,
                apart,
            },
        })
    }

    /// The duty that a world knows, with tiles and entities.
    pub(super) fn of(duty: &world::Duty, map: &LiveMap, world: &PursuitWorld) -> Option<Self> {
        let tile = |&cell: &Cell| map.position_of_agent(cell);
        Some(match duty {
            world::Duty::Post(cell) => Self::Post(tile(cell)),
            world::Duty::Patrol { posts, order, wait } => Self::Patrol {
                posts: posts.iter().map(tile).collect(),
                order: *order,
                wait: *wait,
            },
            &world::Duty::Follow { leader, apart } => Self::Follow {
                leader: Entity::try_from_bits(world.agent(leader)?.setup().user)?,
                apart,
            },
            _ => return None,
        })
    }
}

/// How far a cop follows robbers: it goes nowhere that is more than `steps` steps from a tile, on the shortest path that it can
/// walk. It begins to chase a robber only while both are within. Where the path of a chase leads beyond, it gives up
/// ([`GaveUp`]), and goes back to its [`Duty`] or, without one, to the tile.
///
/// Its patrol may lead beyond. Pursuits with such a cop play without tables and proofs. The tiles within are found again
/// after each edit of the map, at some 10 ns for each of them.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
pub struct Leash {
    /// The tile that it is tied to. Off the map, it chases nobody.
    pub at: IVec2,
    /// The number of steps.
    pub steps: u8,
}

impl Default for Leash {
    /// 16 steps from the tile (0, 0).
    fn default() -> Self {
        Self {
            at: IVec2::ZERO,
            steps: 16,
        }
    }
}

/// The number of turns after which a cop gives up a robber that no path leads to, or that no cop of its pursuit sees
/// ([`GaveUp`]); 0 for never. Without it, a cop with a [`Duty`] or a [`Leash`] gives up after 16 turns, and any other never.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
pub struct Patience(pub u16);

/// Robbers with a [`Duty`]: one goes on with its duty until a cop that it knows of is within this number of tiles, and goes back
/// to it when the cops are two tiles farther away. With a duty to be at a tile, it flees there. Without this component, it leaves
/// its duty for any cop that it knows of.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[component(immutable)]
#[reflect(Component, Default, PartialEq)]
pub struct Nerve(pub u8);

impl Default for Patience {
    fn default() -> Self {
        Self(16)
    }
}

impl Patience {
    /// The patience of an agent. `returns`: whether it has a duty or a leash.
    pub(super) fn of(patience: Option<Self>, returns: bool) -> u16 {
        let usual = Self::default().0 * u16::from(returns);
        patience.map_or(usual, |patience| patience.0)
    }
}

/// A cop has given up the robber that it has chased. For 8 turns it does not chase this robber in any case; and after that only
/// when both are within its [`Leash`], a path leads to the robber, or a cop has seen the robber again. Triggered on the cop,
/// once each time.
#[derive(EntityEvent, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
pub struct GaveUp {
    /// The cop.
    #[event_target]
    pub cop: Entity,
    /// The robber; `None` if it has left the game, which the cop did not know.
    pub robber: Option<Entity>,
    /// The reason.
    pub because: GiveUp,
}

/// Carries duties into worlds, after agents have joined them. Those that have not changed are compared only for agents that
/// follow others, whose ids may have changed. `renumbered`: whether tiles may be other cells now.
pub(super) fn send_duties(
    maps: &mut Query<&mut LiveMap>,
    agents: &Query<(&Member, Ref<Duty>), IsAgent>,
    members: &Query<&Member, IsAgent>,
    renumbered: bool,
) {
    for (member, duty) in agents {
        let Some(home) = member.home else {
            continue;
        };
        let Ok(mut map) = maps.get_mut(home.map) else {
            continue;
        };
        let map = map.bypass_change_detection();
        let known = map.world().and_then(|world| world.agent(home.id)?.duty());
        let leader = match *duty {
            Duty::Follow { leader, .. } => members.get(leader).ok().and_then(|member| member.home),
            _ if known.is_some() && !duty.is_changed() && !renumbered => continue,
            _ => None,
        };
        let duty = duty.in_world(map, leader, home);
        if known != duty.as_ref()
            && let Some(world) = map.world_mut()
        {
            world.set_duty(home.id, duty);
        }
    }
}
