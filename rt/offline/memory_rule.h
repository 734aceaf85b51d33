// The memory of elements under an implicit rule: m = m_c + b g(t, q, u, m) follows from the motion, so that an
// iteration needs to look for the motion alone.
#pragma once

#include "rt/offline/dynamic_system.h"

namespace tactus::rt::offline {

struct MemoryRule {
  double b = 0;
  VectorXd m_c;
};

/// Sets the memory of a point, and its rates, to what the rule asks for where the point is; from what they are.
/// @throws NoConvergence
void followMemory(const DynamicSystem& system, const MemoryRule& rule, MotionPoint& point);

/// Derivatives of the residual with the memory that follows: C and K take dm/du and dm/dq in.
ResidualDerivatives followingDerivatives(const DynamicSystem& system, const MotionPoint& at, double b);

}  // namespace tactus::rt::offline
