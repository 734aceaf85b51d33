// A drive of the travel of a joint: one row.
#pragma once

#include "rt/model/elements/element.h"

#include <cstdint>
#include <string>

namespace tactus::rt {

struct DrivenTravelSpec {
  std::string joint;

  static constexpr const char* kName = "travel";
  static constexpr const char* kTitle = "driven travel";
  static constexpr std::uint8_t kNumber = 23;
  static Fields fields();
};

void build(const DrivenTravelSpec& spec, const DriveSpec& drive, ModelBuilder& builder);

}  // namespace tactus::rt
