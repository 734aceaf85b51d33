// An actuator: controls brakes, or the throttle or the ratio of powertrains.
#pragma once

#include "rt/model/elements/element.h"

#include <string>
#include <vector>

namespace tactus::rt {

enum class ControlQuantity { kBrake, kThrottle, kRatio };
template <>
struct ChoiceOf<ControlQuantity> {
  static constexpr int kCount = 3, kFirst = 1;
  static constexpr bool kHasDefault = false;
};

struct ControlSpec {
  std::vector<std::string> elements;
  ControlQuantity quantity = ControlQuantity::kBrake;

  static constexpr const char* kName = "control";
  static Fields fields();
  /// Each control names brakes, or powertrains.
  static void checkAll(const ModelSpec& spec, FindingList& out);
};

void build(const ControlSpec& spec, Actuator& actuator, const ModelBuilder& builder);
void connect(const ControlSpec& spec, int actuator, ModelBuilder& builder);

}  // namespace tactus::rt
