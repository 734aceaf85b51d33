// A spring and damper about the axis of a joint: one row of finite compliance.
#pragma once

#include "rt/model/elements/element.h"
#include "rt/model/elements/spring_law.h"

#include <cstdint>
#include <string>

namespace tactus::rt {

/// torque on body 2 = -(preload + stiffness (angle - free_angle) + damping rate), about the axis of a joint that has an
/// angle.
struct RotationalSpringSpec {
  std::string joint;
  double stiffness = 0;   ///< N m/rad
  double damping = 0;     ///< N m s/rad
  double free_angle = 0;  ///< rad
  double preload = 0;     ///< N m
  SpringLawSpec law = {};

  static constexpr const char* kName = "rotational_spring";
  static constexpr const char* kTitle = "rotational spring";
  static constexpr std::uint8_t kNumber = 18;
  static constexpr bool kHasForceValue = true;
  static Fields fields();
};

void check(const RotationalSpringSpec& spec, const FindingPlace& at);
void build(const RotationalSpringSpec& spec, const ForceSpec& force, ModelBuilder& builder);

}  // namespace tactus::rt
