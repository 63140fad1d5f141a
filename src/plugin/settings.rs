//! The settings of the core as a resource and an asset.
//!
//! Both are the same struct. The traits are implemented by hand, since the core does not depend on
//! Bevy.

use crate::world::PursuitSettings;
use bevy::asset::{Asset, UntypedAssetId, VisitAssetDependencies};
use bevy::ecs::component::{
    Component, ComponentCloneBehavior, ComponentId, Mutable, RequiredComponentsRegistrator,
    StorageType,
};
use bevy::ecs::resource::{IsResource, Resource};

/// As `derive(Resource)` generates it.
impl Component for PursuitSettings {
    const STORAGE_TYPE: StorageType = StorageType::SparseSet;
    type Mutability = Mutable;

    fn register_required_components(
        _: ComponentId,
        required: &mut RequiredComponentsRegistrator<'_, '_>,
    ) {
        let registrator = required.components_registrator();
        // Requested first, so that registration does not recurse endlessly.
        let known = registrator.component_id::<Self>();
        let id = known.unwrap_or_else(|| registrator.register_component::<Self>());
        required.register_required::<IsResource>(move || IsResource::new(id));
    }

    fn clone_behavior() -> ComponentCloneBehavior {
        ComponentCloneBehavior::clone::<Self>()
    }
}

impl Resource for PursuitSettings {}

impl Asset for PursuitSettings {}

impl VisitAssetDependencies for PursuitSettings {
    fn visit_dependencies(&self, _: &mut impl FnMut(UntypedAssetId)) {}
}
