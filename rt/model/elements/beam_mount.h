// The mounts of a beam: what its nodes are held by and move with.
#pragma once

#include "rt/model/elements/beam.h"
#include "rt/model/elements/body.h"

#include <optional>
#include <vector>

namespace tactus::rt {

/// The first mount that holds a node rigidly; null: none does.
const BeamMountSpec* rigidMount(const BeamSpec& spec, int node);

void checkMounts(const BeamSpec& spec, const FindingPlace& at);

/// What the nodes move with in the declared state, as one body: that of the first rigid mount; else that of the first
/// one at its joint, without the spin that the joint leaves free. None: ground, or a part of a composite behind this
/// one.
/// @param nodes  of the beam, world, m
std::optional<BodySpec> carrierOf(const BeamSpec& spec, const std::vector<Vector3d>& nodes, const Expansion& expansion);

}  // namespace tactus::rt
