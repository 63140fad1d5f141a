//! Warns once of components that have no effect where they are.
//!
//! Observers note entities with a suspicious combination, and the next tick looks whether they still have it: within a frame
//! a game may exchange components one by one.

use crate::agent::{Cop, Robber, TicksPerStep};
use crate::load;
use crate::map::PursuitMap;
use crate::on_map::OnMap;
use crate::pursuit::{InPursuit, Pursuit};
use crate::sets::PursuitSystems;
use bevy::ecs::entity::EntityHashSet;
use bevy::ecs::intern::Interned;
use bevy::ecs::query::QueryData;
use bevy::ecs::schedule::ScheduleLabel;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use pursuit_engine::map::{BodySize, Moves};
use pursuit_engine::world::{Faction, PursuitClock, PursuitSettings};

/// The most entities that are noted between two ticks. Warnings about further ones come when they are inserted again.
const MOST_NOTED: usize = 1024;

/// What has no effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mistake {
    BothRoles,
    HuntsItself,
    FactionNumber,
    LargeOverHexagons,
    ClockOfAgent,
    StepsOnTurns,
}

/// Entities to look at, and what has been reported.
#[derive(Resource, Debug, Default)]
struct Misplaced {
    noted: EntityHashSet,
    told: Vec<Mistake>,
}

impl Misplaced {
    /// Returns whether this is the first mistake of its kind.
    fn is_first(&mut self, mistake: Mistake) -> bool {
        let is_first = !self.told.contains(&mistake);
        if is_first {
            self.told.push(mistake);
        }
        is_first
    }
}

pub(super) fn build(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    app.init_resource::<Misplaced>()
        .add_observer(note)
        .add_systems(
            schedule,
            report
                .in_set(PursuitSystems::Sync)
                .before(load::share_out)
                .run_if(|misplaced: Res<Misplaced>| !misplaced.noted.is_empty()),
        );
}

/// What an entity has.
#[derive(QueryData)]
struct Kinds {
    is_cop: Has<Cop>,
    is_robber: Has<Robber>,
    faction: Option<&'static Faction>,
    size: Option<&'static BodySize>,
    has_clock: Has<PursuitClock>,
    has_steps: Has<TicksPerStep>,
    is_pursuit: Has<Pursuit>,
    is_map: Has<PursuitMap>,
    of: Option<&'static InPursuit>,
    on: Option<&'static OnMap>,
}

/// The clocks of pursuits and of maps, and the maps.
#[derive(SystemParam)]
struct Clocks<'w, 's> {
    own: Query<'w, 's, &'static PursuitClock>,
    of_maps: Query<'w, 's, &'static PursuitClock, With<PursuitMap>>,
    maps: Query<'w, 's, &'static PursuitMap>,
    settings: Res<'w, PursuitSettings>,
}

impl Clocks<'_, '_> {
    /// Whether an agent is on a map of hexagons, its own or the only one.
    fn is_on_hexagons(&self, on: Option<&OnMap>) -> bool {
        let map = match on {
            Some(on) => self.maps.get(on.0).ok(),
            None => self.maps.single().ok(),
        };
        map.is_some_and(|map| matches!(map.moves, Moves::Hexagonal(_)))
    }

    /// Whether an agent may be on the clock that counts its steps. An agent that names no map is on any.
    fn may_run_free(&self, of: Option<&InPursuit>, on: Option<&OnMap>) -> bool {
        let is_free = |clock: &PursuitClock| *clock == PursuitClock::FreeRunning;
        let own = match (of, on) {
            (Some(of), _) => self.own.get(of.0).ok(),
            (None, Some(on)) => self.of_maps.get(on.0).ok(),
            (None, None) => self.of_maps.iter().find(|clock| is_free(clock)),
        };
        own.map_or_else(|| is_free(&self.settings.clock), is_free)
    }
}

impl KindsItem<'_, '_> {
    /// Whether it is on two sides. A faction decides by itself which one counts.
    const fn has_both_roles(&self) -> bool {
        self.is_cop && self.is_robber && self.faction.is_none()
    }

    /// Whether there may be something to report.
    fn is_suspicious(&self) -> bool {
        let is_agent = self.is_cop || self.is_robber;
        let has_more = self.faction.is_some() || self.is_large();
        self.has_both_roles() || is_agent && (self.has_clock || self.has_steps || has_more)
    }

    fn is_large(&self) -> bool {
        self.size.is_some_and(|size| !size.is_one())
    }

    /// Whether its faction is on the list of those that it hunts.
    fn hunts_itself(&self) -> bool {
        self.faction.is_some_and(|faction| {
            let own = 1_u32.checked_shl(faction.own.into());
            own.is_some_and(|own| faction.hunts & own != 0)
        })
    }

    /// What has no effect on it.
    fn mistakes(&self, clocks: &Clocks) -> impl Iterator<Item = Mistake> {
        let is_agent = self.is_cop || self.is_robber;
        let has_own = self.is_pursuit || self.is_map;
        let steps = is_agent && self.has_steps && !clocks.may_run_free(self.of, self.on);
        [
            (self.has_both_roles(), Mistake::BothRoles),
            (is_agent && self.hunts_itself(), Mistake::HuntsItself),
            (
                is_agent && self.faction.is_some_and(|of| of.own >= Faction::MOST),
                Mistake::FactionNumber,
            ),
            (
                is_agent && self.is_large() && clocks.is_on_hexagons(self.on),
                Mistake::LargeOverHexagons,
            ),
            (
                is_agent && self.has_clock && !has_own,
                Mistake::ClockOfAgent,
            ),
            (steps, Mistake::StepsOnTurns),
        ]
        .into_iter()
        .filter_map(|(is_made, mistake)| is_made.then_some(mistake))
    }
}

/// Notes an entity that may have something without effect.
fn note(
    insert: On<Insert, (Cop, Robber, Faction, BodySize, PursuitClock, TicksPerStep)>,
    kinds: Query<Kinds>,
    mut misplaced: ResMut<Misplaced>,
) {
    let entity = insert.entity;
    if misplaced.noted.len() < MOST_NOTED
        && kinds.get(entity).is_ok_and(|kinds| kinds.is_suspicious())
    {
        misplaced.noted.insert(entity);
    }
}

/// Reports the first entity with each mistake.
fn report(mut misplaced: ResMut<Misplaced>, kinds: Query<Kinds>, clocks: Clocks) {
    let mut noted: Vec<Entity> = misplaced.noted.drain().collect();
    noted.sort_unstable();
    for entity in noted {
        let Ok(kinds) = kinds.get(entity) else {
            continue;
        };
        for mistake in kinds.mistakes(&clocks) {
            if misplaced.is_first(mistake) {
                warn!("{entity} {}", mistake.text());
            }
        }
    }
}

impl Mistake {
    /// What is wrong with an entity.
    const fn text(self) -> &'static str {
        match self {
            Self::BothRoles => "is a `Cop` and a `Robber`: it plays as a robber",
            Self::HuntsItself => {
                "hunts its own faction, which has no effect: members of a faction do not hunt each other. Where everybody hunts \
                 everybody, each agent needs a faction of its own"
            }
            Self::FactionNumber => {
                "has a faction of a number above 31: it belongs to the faction of the lowest five bits of the number"
            }
            Self::LargeOverHexagons => {
                "covers several tiles on a map of hexagons, where only agents of one tile fit: it stays where it is"
            }
            Self::ClockOfAgent => {
                "is an agent with `PursuitClock`, which has no effect there: put the clock on the entity of the pursuit or \
                 of the map"
            }
            Self::StepsOnTurns => {
                "has `TicksPerStep`, but its pursuit is on a clock with turns, where only `PursuitSpeed` counts. On \
                 `PursuitClock::FreeRunning` it has an effect"
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PursuitPlugin;
    use pursuit_engine::map::HexLayout;

    /// The mistakes that are reported of an entity that a game spawns.
    fn told(spawn: impl FnOnce(&mut World)) -> Vec<Mistake> {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, PursuitPlugin::default().in_schedule(Update)));
        spawn(app.world_mut());
        app.update();
        app.update();
        app.world().resource::<Misplaced>().told.clone()
    }

    #[test]
    fn misplaced_settings_of_pursuits_are_reported_once_a_kind() {
        let told = told(|world| {
            for _ in 0..3 {
                world.spawn((Cop, PursuitClock::FreeRunning));
            }
        });
        assert_eq!(told, [Mistake::ClockOfAgent]);
    }

    #[test]
    fn misplaced_roles_are_reported_unless_one_replaces_the_other() {
        let both = told(|world| {
            world.spawn((Cop, Robber));
        });
        assert_eq!(both, [Mistake::BothRoles]);
        let swapped = told(|world| {
            world.spawn(Cop).insert(Robber).remove::<Cop>();
        });
        assert_eq!(swapped, []);
    }

    #[test]
    fn steps_are_reported_only_on_clocks_with_turns() {
        let on_turns = told(|world| {
            world.spawn((Cop, TicksPerStep(4)));
        });
        assert_eq!(on_turns, [Mistake::StepsOnTurns]);
        let of_pursuit = told(|world| {
            let pursuit = world.spawn((Pursuit::default(), PursuitClock::FreeRunning));
            let pursuit = pursuit.id();
            world.spawn((Cop, TicksPerStep(4), InPursuit(pursuit)));
        });
        assert_eq!(of_pursuit, []);
        let of_game = told(|world| {
            world.resource_mut::<PursuitSettings>().clock = PursuitClock::FreeRunning;
            world.spawn((Robber, TicksPerStep(4)));
        });
        assert_eq!(of_game, []);
    }

    #[test]
    fn factions_that_hunt_themselves_or_have_no_number_are_reported() {
        let of = |faction: Faction| {
            told(|world| {
                world.spawn(faction);
            })
        };
        assert_eq!(of(Faction::new(3, [3, 4])), [Mistake::HuntsItself]);
        let far = Faction {
            own: 32,
            ..Faction::default()
        };
        assert_eq!(of(far), [Mistake::FactionNumber]);
        assert_eq!(of(Faction::new(31, [0, 30])), []);
    }

    #[test]
    fn large_agents_are_reported_over_hexagons_only() {
        let over = |moves: Moves| {
            told(|world| {
                world.spawn(PursuitMap::of_layer(moves));
                world.spawn((Cop, BodySize::TWO));
                world.spawn((Cop, BodySize::ONE));
            })
        };
        assert_eq!(over(Moves::Octile), []);
        let hexagons = Moves::Hexagonal(HexLayout::RowOdd);
        assert_eq!(over(hexagons), [Mistake::LargeOverHexagons]);
    }

    #[test]
    fn settings_on_a_pursuit_or_a_map_are_not_misplaced() {
        let told = told(|world| {
            world.spawn((Pursuit::default(), PursuitClock::FreeRunning));
            world.spawn((PursuitMap::default(), PursuitClock::FreeRunning));
        });
        assert_eq!(told, []);
    }
}
