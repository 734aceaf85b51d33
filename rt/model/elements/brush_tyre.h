// The brush model of the forces along the road.
#pragma once

#include "rt/model/elements/element.h"

namespace tactus::rt {

struct NominalSlipStiffness;
struct SlipTyre;

struct BrushGrip {
  double longitudinal_stiffness = 0, cornering_stiffness = 0, friction = 0, load_exponent = 0, contact_half_length = 0;

  bool operator==(const BrushGrip&) const = default;

  template <typename Visit>
  void constants(Visit& visit) const {
    visit.numbers(longitudinal_stiffness, cornering_stiffness, friction, load_exponent, contact_half_length);
  }
};

/// Bristles on a parabolic pressure, sliding from the rear of the contact.
struct BrushTyreSpec {
  double longitudinal_stiffness = 0;  ///< dFx / d(slip ratio) at the nominal load, N
  double cornering_stiffness = 0;     ///< dFy / d(slip angle) at the nominal load, N/rad
  double friction = 0;                ///< coefficient
  double load_exponent = 1;           ///< stiffnesses go with (load / nominal load)^this
  double contact_half_length = 0;     ///< m; gives the aligning moment

  static constexpr const char* kName = "brush";
  static constexpr const char* kTitle = "brush";
  using Grip = BrushGrip;
  static Fields fields();
};

/// @returns the slip stiffnesses at the nominal load
NominalSlipStiffness build(const BrushTyreSpec& spec, SlipTyre& tyre);

}  // namespace tactus::rt
