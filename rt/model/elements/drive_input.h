// An actuator: value, rate or acceleration of a drive whose function is an input.
#pragma once

#include "rt/model/elements/element.h"

#include <string>

namespace tactus::rt {

enum class DriveQuantity { kValue, kRate, kAcceleration };
template <>
struct ChoiceOf<DriveQuantity> {
  static constexpr int kCount = 3, kFirst = 1;
  static constexpr bool kHasDefault = true;
};

struct DriveInputSpec {
  std::string drive;
  DriveQuantity quantity = DriveQuantity::kValue;

  static constexpr const char* kName = "drive_input";
  static Fields fields();
  /// Each drive with an input has one actuator for its value, and one at most for each other quantity.
  static void checkAll(const ModelSpec& spec, FindingList& out);
};

void build(const DriveInputSpec& spec, Actuator& actuator, const ModelBuilder& builder);
void connect(const DriveInputSpec& spec, int actuator, ModelBuilder& builder);

}  // namespace tactus::rt
