// Bodies on compliant rows, such as those of beams, condensed to a flexible body in Craig-Bampton form. For set-up, not
// for a tick.
#pragma once

#include "rt/math/modal_parts.h"

#include <Eigen/Core>

#include <optional>
#include <vector>

namespace tactus::rt {

struct Model;

/// Stiffness and damping of the compliant rows between bodies, and masses, in the declared state: six coordinates a
/// body, the displacement of its center of mass and its rotation vector, world axes.
struct LinearBodies {
  Eigen::MatrixXd stiffness, damping, mass;
  std::vector<int> joints;  ///< whose rows these are

  /// Damping divided by stiffness, s; none if the damping is not proportional to the stiffness.
  std::optional<double> dampingTime() const;
};

/// @param bodies  indices, in the order of the coordinates. Rows that join them to other bodies or to ground are left
///                out; so is the effect of loads on the stiffness
/// @throws Error if a rigid row joins two of the bodies, or a law between them is not linear
LinearBodies linearBodies(const Model& model, const std::vector<int>& bodies);

struct CondensedBodies {
  Eigen::Vector3d origin;                 ///< of the frame, world: the center of mass; its axes are those of the world
  CraigBampton body;                      ///< its interfaces lie at centers of mass
  std::vector<InterfaceMass> interfaces;  ///< half of the mass and inertia of each interface body
  std::optional<double> damping_time;     ///< of LinearBodies
  std::vector<int> joints;                ///< of LinearBodies
};

/// Static condensation to the interfaces, and the modes with fixed interfaces of the lowest frequencies.
///
/// @param interfaces  some of `bodies`
/// @param modes       number of modes; at most six for each body that is no interface
/// @throws Error as linearBodies(), or if an index is not as it must be, or bodies do not hang together
CondensedBodies condense(const Model& model, const std::vector<int>& bodies, const std::vector<int>& interfaces,
                         int modes);

}  // namespace tactus::rt
