// An actuator: free length, free angle or preload of a spring, or a preload of a bushing.
#pragma once

#include "rt/model/elements/element.h"

#include <string>

namespace tactus::rt {

enum class SpringQuantity { kFreeLength, kPreload };
template <>
struct ChoiceOf<SpringQuantity> {
  static constexpr int kCount = 2, kFirst = 1;
  static constexpr bool kHasDefault = true;
};

struct SpringInputSpec {
  std::string spring;
  SpringQuantity quantity = SpringQuantity::kFreeLength;
  double scale = 1, offset = 0;  ///< what is set is offset + scale value
  int axis = 0;                  ///< of a bushing: 1 to 3 along an axis of its frame, 4 to 6 about one

  static constexpr const char* kName = "spring_input";
  static Fields fields();
  /// Each quantity of a spring has one actuator at most, and is not declared besides.
  static void checkAll(const ModelSpec& spec, FindingList& out);
};

void build(const SpringInputSpec& spec, Actuator& actuator, const ModelBuilder& builder);
void connect(const SpringInputSpec& spec, int actuator, ModelBuilder& builder);

}  // namespace tactus::rt
