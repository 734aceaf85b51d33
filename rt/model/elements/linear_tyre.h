// The linear law of the forces along the road, within a friction ellipse.
#pragma once

#include "rt/model/elements/element.h"

namespace tactus::rt {

struct NominalSlipStiffness;
struct SlipTyre;

/// Forces proportional to slip and camber, whatever the load, up to friction: what single-track models and first
/// estimates of a vehicle use.
struct LinearGrip {
  double longitudinal_stiffness = 0, cornering_stiffness = 0, camber_stiffness = 0;  ///< N, N/rad, N/rad
  double longitudinal_friction = 0, lateral_friction = 0;                            ///< coefficients
  double pneumatic_trail = 0;                                                        ///< m

  bool operator==(const LinearGrip&) const = default;

  template <typename Visit>
  void constants(Visit& visit) const {
    visit.numbers(longitudinal_stiffness, cornering_stiffness, camber_stiffness, longitudinal_friction,
                  lateral_friction, pneumatic_trail);
  }
};

struct LinearTyreSpec {
  double longitudinal_stiffness = 0;  ///< dFx / d(slip ratio), N
  double cornering_stiffness = 0;     ///< dFy / d(slip angle), N/rad
  double camber_stiffness = 0;        ///< lateral force per camber, to the side to which the wheel leans, N/rad
  double longitudinal_friction = 0;   ///< coefficient
  double lateral_friction = 0;        ///< coefficient
  double pneumatic_trail = 0;         ///< without slip, m

  static constexpr const char* kName = "linear";
  static constexpr const char* kTitle = "linear";
  using Grip = LinearGrip;
  static Fields fields();
};

/// @returns the slip stiffnesses, which are those at every load
NominalSlipStiffness build(const LinearTyreSpec& spec, SlipTyre& tyre);

}  // namespace tactus::rt
