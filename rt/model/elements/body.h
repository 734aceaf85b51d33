// A rigid body. The origin of its frame is its center of mass.
#pragma once

#include "rt/model/elements/element.h"
#include "rt/model/elements/visual.h"

#include <string>
#include <vector>

namespace tactus::rt {

struct BodySpec {
  std::string name;
  std::string description;
  double mass = 0;                               ///< kg
  Matrix3d inertia = Matrix3d::Zero();           ///< about the center of mass, body axes, kg m^2
  Vector3d position = Vector3d::Zero();          ///< center of mass, world, m
  Vector4d orientation = Vector4d(1, 0, 0, 0);   ///< unit quaternion, scalar first, body to world
  Vector3d velocity = Vector3d::Zero();          ///< of the center of mass, world, m/s
  Vector3d angular_velocity = Vector3d::Zero();  ///< body axes, rad/s
  std::vector<VisualSpec> visuals = {};          ///< for pictures only

  static Fields fields();
};

struct Body {
  double mass;       ///< kg
  Matrix3d inertia;  ///< about the center of mass, body axes, kg m^2

  template <typename Visit>
  void constants(Visit& visit) const {
    visit.numbers(mass, inertia);
  }
};

void check(const BodySpec& body, const FindingPlace& at);

}  // namespace tactus::rt
