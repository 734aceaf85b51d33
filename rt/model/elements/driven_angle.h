// A drive of the angle of a joint: one row.
#pragma once

#include "rt/model/elements/element.h"

#include <cstdint>
#include <string>

namespace tactus::rt {

struct DrivenAngleSpec {
  std::string joint;

  static constexpr const char* kName = "angle";
  static constexpr const char* kTitle = "driven angle";
  static constexpr std::uint8_t kNumber = 21;
  static Fields fields();
};

void build(const DrivenAngleSpec& spec, const DriveSpec& drive, ModelBuilder& builder);

}  // namespace tactus::rt
