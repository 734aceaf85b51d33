// Viscous drag on one body: force -c v and torque -c_r omega, about the center of mass.
#pragma once

#include "rt/mechanics/elements/force_element.h"

namespace tactus::rt {

struct BodyDragElement : ForceElement {
  static constexpr auto kElements = &ElementLists::drags;
  static constexpr bool kAddsInertia = true;
  static constexpr bool kInChains = true;

  struct Evaluation {
    Vector3d v, omega_w;
  };

  /// @rt no allocation, no throw, fixed work
  static Evaluation evaluate(const BodyDrag& drag, const ElementContext& at) noexcept;

  /// @rt no allocation, no throw, fixed work
  static void addLoad(const BodyDrag& drag, const Evaluation& e, const ElementContext& at, Load* loads) noexcept;

  static ElementPower power(const BodyDrag& drag, const Evaluation& e) noexcept;

  /// (dt/2) c and (dt/2) c_r, the latter about every axis.
  template <class Add>
  static void addInertia(const BodyDrag& drag, double dt, Add&& add) noexcept {
    add(drag.body, 0.5 * dt * drag.linear, 0.5 * dt * drag.angular);
  }

  static void differentiate(const BodyDrag& drag, const ElementContext& at, std::vector<BodyLoadDerivative>& all);
};

}  // namespace tactus::rt
