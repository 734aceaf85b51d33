// A coupler: one row over the bodies of two or three other joints.
#pragma once

#include "rt/model/elements/element.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tactus::rt {

struct CoupledCoordinateSpec {
  std::string joint;        ///< declared before the coupler
  double ratio = 0;         ///< of the sum for each rad or m
  bool along_axis = false;  ///< the travel of the joint, not its angle

  static Fields fields();
};

/// The sum of ratio times displacement over two or three joints keeps its declared value.
struct CouplerSpec {
  std::vector<CoupledCoordinateSpec> coordinates;

  static constexpr const char* kName = "coupler";
  static constexpr const char* kTitle = "coupler";
  static constexpr std::uint8_t kNumber = 16;
  static constexpr bool kNamesBodies = false;  ///< its bodies are those of its joints
  static Fields fields();
};

void check(const CouplerSpec& spec, const JointSpec& joint, const FindingPlace& at);
void build(const CouplerSpec& spec, const JointSpec& joint, ModelBuilder& builder);

}  // namespace tactus::rt
