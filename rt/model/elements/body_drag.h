// Viscous resistance to the motion of one body: a load.
#pragma once

#include "rt/model/elements/element.h"

#include <string>

namespace tactus::rt {

/// Force -linear v on the center of mass, torque -angular omega.
struct BodyDragSpec {
  std::string body;
  double linear = 0;   ///< N s/m
  double angular = 0;  ///< N m s/rad

  static constexpr const char* kName = "body_drag";
  static constexpr const char* kTitle = "body drag";
  static Fields fields();
};

struct BodyDrag {
  int body;
  double linear, angular;  ///< N s/m, N m s/rad

  template <typename Visit>
  void constants(Visit& visit) const {
    visit.structure(body);
    visit.numbers(linear, angular);
  }
};

void build(const BodyDragSpec& spec, const ForceSpec& force, ModelBuilder& builder);

}  // namespace tactus::rt
