// A wheel that does not spin, on a road: one row along the normal of the road.
#pragma once

#include "rt/model/elements/element.h"

#include <cstdint>
#include <string>

namespace tactus::rt {

/// Load normal to the road: stiffness and damping of the depth by which a disc of `radius` is pressed into the profile
/// of the road, never below zero.
struct VerticalTyreSpec {
  std::string road;
  std::string body;
  Vector3d center = Vector3d::Zero();  ///< of the wheel, body axes, m
  double radius = 0;                   ///< m
  double stiffness = 0;                ///< N/m
  double damping = 0;                  ///< N s/m

  static constexpr const char* kName = "vertical_tyre";
  static constexpr const char* kTitle = "vertical tyre";
  static constexpr std::uint8_t kNumber = 20;
  static constexpr bool kHasForceValue = true;
  static Fields fields();
  /// The profiles that all tyres make of the heights of roads have a limited size.
  static void checkAll(const ModelSpec& spec, FindingList& out);
};

/// A wheel with a load normal to its road; its row measures the height of its center above the plane.
struct Tyre {
  int road, body;
  Vector3d center;  ///< body axes, m
  double radius, stiffness, damping;
  int envelope = -1;  ///< into Model::envelopes: of a road with heights

  template <typename Visit>
  void constants(Visit& visit) const {
    visit.structure(road, body);
    visit.numbers(center, radius, stiffness, damping);
  }
};

void build(const VerticalTyreSpec& spec, const ForceSpec& force, ModelBuilder& builder);

}  // namespace tactus::rt
