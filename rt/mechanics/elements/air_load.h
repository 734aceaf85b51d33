// Air on a body: drag along the relative wind, lift along an axis of the body, and a side force across it.
//
//   u = v + omega x s - wind,   f = |u| (c_lift |u| up - c_drag u - c_side (across . u) across)
//
// at the point with the arm s. The coefficients hold half the density times the area.
#pragma once

#include "rt/mechanics/elements/force_element.h"

namespace tactus::rt {

struct AirLoadElement : ForceElement {
  static constexpr auto kElements = &ElementLists::air_loads;

  /// World axes.
  struct Evaluation {
    Vector3d arm, up, across;
    Vector3d u;          ///< velocity of the point against the air, m/s
    double speed, slip;  ///< |u|; its part across, m/s
    Vector3d force;      ///< N
  };

  /// @rt no allocation, no throw, fixed work
  static Evaluation evaluate(const AirLoad& air, const ElementContext& at) noexcept;

  /// @rt no allocation, no throw, fixed work
  static void addLoad(const AirLoad& air, const Evaluation& e, const ElementContext& at, Load* loads) noexcept;

  /// Dissipated against the way of the body through the air; brought in by the wind.
  static ElementPower power(const AirLoad& air, const Evaluation& e) noexcept;

  /// @source derived: product rule on f; the arm and the directions turn with the body
  static void differentiate(const AirLoad& air, const ElementContext& at, std::vector<BodyLoadDerivative>& all);
};

}  // namespace tactus::rt
