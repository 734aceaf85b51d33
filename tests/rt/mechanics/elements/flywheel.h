// A flywheel on a carrier: where friction, brakes and powertrains act.
#pragma once

#include "tests/support/mechanisms.h"

namespace tactus::tests {

/// A flywheel of 1 kg m^2 on a carrier of 5 kg m^2, which turns about the same axis, along z, on ground.
inline rt::ModelSpec flywheel() {
  rt::ModelSpec spec;
  spec.name = "flywheel";
  spec.gravity = rt::Vector3d::Zero();
  rt::BodySpec carrier = makeBody("carrier", {0, 0, 0}), wheel = makeBody("wheel", {0.5, 0, 0});
  carrier.inertia = 5 * rt::Matrix3d::Identity();
  spec.bodies = {carrier, wheel};
  rt::RevoluteSpec base, hub;
  base.axis_1 = base.axis_2 = hub.axis_1 = hub.axis_2 = {0, 0, 1};
  hub.point_1 = {0.5, 0, 0};
  spec.joints = {makeJoint("base", "ground", "carrier", base), makeJoint("hub", "carrier", "wheel", hub)};
  return spec;
}

/// A control of brakes, throttles or ratios.
inline rt::ActuatorSpec control(const std::string& name, const std::vector<std::string>& elements,
                                rt::ControlQuantity quantity, double initial) {
  rt::ActuatorSpec a;
  a.name = name;
  a.initial = initial;
  if (quantity == rt::ControlQuantity::kBrake) a.minimum = 0;
  a.kind = rt::ControlSpec{elements, quantity};
  return a;
}

}  // namespace tactus::tests
