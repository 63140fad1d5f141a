//! The state of an agent of the core as a component.
//!
//! Both are the same struct. The trait is implemented by hand, since the core does not depend on Bevy.

use crate::world::PursuitState;
use bevy::ecs::component::{Component, ComponentCloneBehavior, Mutable, StorageType};

impl Component for PursuitState {
    const STORAGE_TYPE: StorageType = StorageType::Table;
    type Mutability = Mutable;

    fn clone_behavior() -> ComponentCloneBehavior {
        ComponentCloneBehavior::clone::<Self>()
    }
}
