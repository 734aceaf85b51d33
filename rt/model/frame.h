// The frame in which a direction is given.
#pragma once

#include "rt/model/field.h"

namespace tactus::rt {

enum class Frame { kWorld, kBody };

template <>
struct ChoiceOf<Frame> {
  static constexpr int kCount = 2, kFirst = 1;
  static constexpr bool kHasDefault = true;
};

}  // namespace tactus::rt
