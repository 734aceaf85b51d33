// A rope over several points: one compliant row over all bodies of the points, which pulls and never pushes.
#pragma once

#include "rt/model/elements/element.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tactus::rt {

/// A point that the rope ends at or runs over without friction.
struct RopePointSpec {
  std::string body;
  Vector3d point = Vector3d::Zero();  ///< on the body, m

  static Fields fields();
};

/// Tension = stiffness (length - free_length) + damping d(length)/dt where this sum and its elastic part are above
/// zero, else 0. The length is the sum of the distances from point to point: pulleys are points, small against the rope
/// and without mass or friction. Energy: stiffness (length - free_length)^2 / 2 where the rope is taut.
struct RopeSpec {
  std::vector<RopePointSpec> points;  ///< 2 to kMaxRopePoints
  double stiffness = 0;               ///< of the whole rope, N/m
  double damping = 0;                 ///< of the whole rope, N s/m
  std::optional<double> free_length;  ///< m; default: the length in the declared state

  static constexpr const char* kName = "rope";
  static constexpr const char* kTitle = "rope";
  static constexpr std::uint8_t kNumber = 25;
  static constexpr bool kHasForceValue = true;
  static Fields fields();
};

inline constexpr std::size_t kMaxRopePoints = 16;

void check(const RopeSpec& spec, const FindingPlace& at);
void build(const RopeSpec& spec, const ForceSpec& force, ModelBuilder& builder);

}  // namespace tactus::rt
