// A drive of the distance between two points: one row.
#pragma once

#include "rt/model/elements/element.h"

#include <cstdint>
#include <string>

namespace tactus::rt {

struct DrivenDistanceSpec {
  std::string body_1, body_2;
  Vector3d point_1 = Vector3d::Zero(), point_2 = Vector3d::Zero();

  static constexpr const char* kName = "distance";
  static constexpr const char* kTitle = "driven distance";
  static constexpr std::uint8_t kNumber = 22;
  static Fields fields();
};

void check(const DrivenDistanceSpec& spec, const FindingPlace& at);
void build(const DrivenDistanceSpec& spec, const DriveSpec& drive, ModelBuilder& builder);

}  // namespace tactus::rt
