// Two points keep their distance: 1 row.
#pragma once

#include "rt/model/elements/element.h"

#include <cstdint>

namespace tactus::rt {

struct DistanceSpec {
  Vector3d point_1 = Vector3d::Zero(), point_2 = Vector3d::Zero();
  std::optional<double> length;  ///< m; default: the distance in the declared state

  static constexpr const char* kName = "distance";
  static constexpr const char* kTitle = "distance";
  static constexpr std::uint8_t kNumber = 2;
  static Fields fields();
};

void check(const DistanceSpec& spec, const JointSpec& joint, const FindingPlace& at);
void build(const DistanceSpec& spec, JointBuilder& joint);

}  // namespace tactus::rt
