#include "rt/mechanics/row_derivatives.h"

#include "rt/mechanics/primitives/primitives.h"

namespace tactus::rt {

RowDerivatives differentiateRows(const Primitive& p, const BodyMotion* motions) noexcept {
  RowDerivatives d;
  withPrimitive(p.kind, [&](auto primitive) noexcept { d = primitive.derivatives(p, motions); });
  return d;
}

Matrix12d differentiateReaction(const Primitive& p, const BodyMotion* motions, const double* lambda) noexcept {
  Matrix12d derivative;
  withPrimitive(p.kind,
                [&](auto primitive) noexcept { derivative = primitive.reactionDerivative(p, motions, lambda); });
  return derivative;
}

}  // namespace tactus::rt
