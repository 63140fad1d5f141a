//! The state of an agent of the core as a component. It is one and the same struct: the trait is
//! implemented by hand, since the core names no Bevy.

use crate::world::PursuitState;
use bevy::ecs::component::{Component, ComponentCloneBehavior, Mutable, StorageType};

impl Component for PursuitState {
    const STORAGE_TYPE: StorageType = StorageType::Table;
    type Mutability = Mutable;

    fn clone_behavior() -> ComponentCloneBehavior {
        ComponentCloneBehavior::clone::<Self>()
    }
}
