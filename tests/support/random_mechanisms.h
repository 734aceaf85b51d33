// Seeded random mechanisms with full inertia tensors, spinning bodies and consistent initial states.
#pragma once

#include "rt/model/model_spec.h"

#include <cstdint>

namespace tactus::tests {

enum class JointMix {
  kSpherical,  ///< spherical joints only
  kHinged,     ///< spherical and revolute joints
  kMixed,      ///< spherical, revolute, distance, dot1 and dot2 joints
};

/// A tree of n bodies that begins with a spherical joint on ground; each further body is joined to an earlier one.
/// Joints hold and velocities agree by construction from the root outwards; bodies turn at up to 3 rad/s.
rt::ModelSpec randomTree(int bodies, JointMix mix, std::uint64_t seed);

/// A forest of n bodies: each hangs on ground, on an earlier body, or on nothing, by a weld, a revolute, a universal or
/// a spherical joint, whose bodies are named either way. Velocities agree with the joints.
rt::ModelSpec randomForest(int bodies, std::uint64_t seed);

/// A chain of n spherical joints in space with bodies that spin at about `spin` rad/s.
rt::ModelSpec randomChain(int bodies, double spin, std::uint64_t seed);

/// A chain of n bodies with both ends on ground. `revolutes` of its n + 1 joints, spread out, are revolute with axes of
/// random directions, the others spherical; 3 n - 3 - 2 revolutes freedoms remain and must be at least one.
rt::ModelSpec randomLoop(int bodies, int revolutes, std::uint64_t seed);

/// A closed planar polygon of n >= 3 bodies and ground with n + 1 revolute joints about one direction in space: three
/// rows too many, n - 2 freedoms.
rt::ModelSpec planarLoop(int bodies, std::uint64_t seed);

/// A hub with `arms` bodies around it, joined to the hub by joints of the mix; the hub hangs on ground by a spherical
/// joint if `anchored`. Every second arm has a further body at its end.
rt::ModelSpec star(int arms, JointMix mix, bool anchored, std::uint64_t seed);

/// A hub on ground (spherical) that carries closed loops: hub, spherical joint, body, revolute joint, body, spherical
/// joint, hub. Each loop has one freedom.
rt::ModelSpec hubWithLoops(int loops, std::uint64_t seed);

}  // namespace tactus::tests
