// The mounts of a beam: what its nodes are held by and move with.
#pragma once

#include "rt/model/elements/beam.h"
#include "rt/model/elements/body.h"
#include "rt/model/expand.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tactus::rt {

inline constexpr int kMaxBeamElements = 2048;

/// The first mount that holds each node rigidly.
using RigidMounts = std::map<int, const BeamMountSpec*>;
RigidMounts rigidMounts(const BeamSpec& spec);

void checkMounts(const BeamSpec& spec, const FindingPlace& at);

/// What the nodes move with in the declared state: the body of the first rigid mount; else that of the first mount, at
/// its joint and without the spin that the joint leaves free.
struct BeamCarrier {
  std::string body;
  Expansion::Motion seen;  ///< uses the mount
};

/// @param nodes  of the beam, world, m
/// @returns none: no mount
std::optional<BeamCarrier> carrierOf(const BeamSpec& spec, const std::vector<Vector3d>& nodes);

}  // namespace tactus::rt
