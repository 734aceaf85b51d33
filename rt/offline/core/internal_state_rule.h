// Internal states of elements under an implicit rule: m = m_c + b g(t, q, u, m) follows from the motion, so that only
// the motion has to be iterated.
#pragma once

#include "rt/offline/core/dynamic_system.h"

namespace tactus::rt::offline {

struct InternalStateRule {
  double b = 0;
  VectorXd m_c;
};

/// Solves the rule for the internal states of a point and their rates, beginning with the present values.
/// @throws NoConvergence
void followInternalStates(const DynamicSystem& system, const InternalStateRule& rule, MotionPoint& point);

/// Derivatives of the residual with internal states that follow the motion: C and K include dm/du and dm/dq.
ResidualDerivatives followingDerivatives(const DynamicSystem& system, const MotionPoint& at, double b);

}  // namespace tactus::rt::offline
