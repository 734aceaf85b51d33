// The mounts of a beam: what its nodes are held by and move with.
#pragma once

#include "rt/model/elements/beam.h"
#include "rt/model/elements/body.h"

namespace tactus::rt {

/// The first mount that holds a node rigidly; null: none does.
const BeamMountSpec* rigidMount(const BeamSpec& spec, int node);

void checkMounts(const BeamSpec& spec, const FindingPlace& at);

/// The body that the nodes move with in the declared state: that of the first rigid mount, else of the first one. Null:
/// ground, or a part of a composite behind this one.
const BodySpec* carrierOf(const BeamSpec& spec, const Expansion& expansion);

}  // namespace tactus::rt
