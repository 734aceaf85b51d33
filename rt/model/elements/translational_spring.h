// A spring and damper along the line between two points: one row of finite compliance.
#pragma once

#include "rt/model/elements/element.h"
#include "rt/model/elements/spring_law.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tactus::rt {

/// tension = preload + stiffness (length - free_length) + damping d(length)/dt.
struct TranslationalSpringSpec {
  std::string body_1, body_2;
  Vector3d point_1 = Vector3d::Zero(), point_2 = Vector3d::Zero();
  double stiffness = 0;               ///< N/m
  double damping = 0;                 ///< N s/m
  std::optional<double> free_length;  ///< m; default: the distance in the declared state
  double preload = 0;                 ///< N, tension
  SpringLawSpec law = {};

  static constexpr const char* kName = "translational_spring";
  static constexpr const char* kTitle = "translational spring";
  static constexpr std::uint8_t kNumber = 17;
  static constexpr bool kHasForceValue = true;
  static Fields fields();
};

void check(const TranslationalSpringSpec& spec, const FindingPlace& at);
void build(const TranslationalSpringSpec& spec, const ForceSpec& force, ModelBuilder& builder);

}  // namespace tactus::rt
