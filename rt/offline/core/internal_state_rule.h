// The internal states of elements under an implicit rule: m = m_c + b g(t, q, u, m) follows from the motion, so that an
// iteration needs to look for the motion alone.
#pragma once

#include "rt/offline/core/dynamic_system.h"

namespace tactus::rt::offline {

struct InternalStateRule {
  double b = 0;
  VectorXd m_c;
};

/// Sets the internal states of a point, and its rates, to what the rule asks for where the point is; from what they
/// are.
/// @throws NoConvergence
void followInternalStates(const DynamicSystem& system, const InternalStateRule& rule, MotionPoint& point);

/// Derivatives of the residual with the internal states that follows: C and K take dm/du and dm/dq in.
ResidualDerivatives followingDerivatives(const DynamicSystem& system, const MotionPoint& at, double b);

}  // namespace tactus::rt::offline
