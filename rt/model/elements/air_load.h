// Aerodynamic load on a body.
#pragma once

#include "rt/model/elements/element.h"

#include <string>

namespace tactus::rt {

/// Force = density area / 2 (-drag |u| u - side |u| (u . across) across + lift |u|^2 up) at a point that moves at u
/// against the wind.
struct AirLoadSpec {
  std::string body;
  Vector3d point = Vector3d::Zero();   ///< body axes, m
  double area = 0;                     ///< m^2
  double density = 1.225;              ///< kg/m^3
  double drag = 0, lift = 0;           ///< coefficients
  Vector3d up = Vector3d::Zero();      ///< of the lift, body axes
  Vector3d wind = Vector3d::Zero();    ///< world, m/s
  double side = 0;                     ///< coefficient
  Vector3d across = Vector3d::Zero();  ///< of the side force, body axes

  static constexpr const char* kName = "air_load";
  static constexpr const char* kTitle = "air load";
  static Fields fields();
};

struct AirLoad {
  int body;
  Vector3d point, up;                  ///< body axes; a unit vector, or zero
  Vector3d wind;                       ///< world, m/s
  double drag, lift;                   ///< density area coefficient / 2, N s^2/m^2
  double side = 0;                     ///< the same, along `across`
  Vector3d across = Vector3d::Zero();  ///< body axes, a unit vector or zero

  template <typename Visit>
  void constants(Visit& visit) const {
    visit.structure(body);
    visit.numbers(point, up, wind, drag, lift, side, across);
  }
};

void check(const AirLoadSpec& spec, const FindingPlace& at);
void build(const AirLoadSpec& spec, const ForceSpec& force, ModelBuilder& builder);

}  // namespace tactus::rt
