// The list of all constraint primitives, and the one place that tells their kinds apart.
#pragma once

#include "rt/mechanics/primitives/angle.h"
#include "rt/mechanics/primitives/distance.h"
#include "rt/mechanics/primitives/dot_1.h"
#include "rt/mechanics/primitives/dot_2.h"
#include "rt/mechanics/primitives/gear.h"
#include "rt/mechanics/primitives/length.h"
#include "rt/mechanics/primitives/point.h"
#include "rt/mechanics/primitives/rolling.h"
#include "rt/mechanics/primitives/section.h"
#include "rt/mechanics/primitives/twist.h"

#include <tuple>

namespace tactus::rt {

using Primitives = std::tuple<PointPrimitive, DistancePrimitive, Dot1Primitive, Dot2Primitive, LengthPrimitive,
                              AnglePrimitive, TwistPrimitive, RollingPrimitive, GearPrimitive, SectionPrimitive>;

/// f(primitive) for every kind, in order; primitives are empty structs.
template <class F>
constexpr void forEachPrimitive(F&& f) {
  std::apply([&](auto... primitive) { (f(primitive), ...); }, Primitives{});
}

/// f(primitive) with the primitive of a kind.
template <class F>
void withPrimitive(PrimitiveKind kind, F&& f) {
  std::apply(
      [&](auto... primitive) {
        static_assert(((primitive.kRows == rowsOf(primitive.kKind)) && ...));
        (void)((kind == primitive.kKind && (f(primitive), true)) || ...);
      },
      Primitives{});
}

}  // namespace tactus::rt
