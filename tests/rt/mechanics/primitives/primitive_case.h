// One primitive between two bodies in general position and motion, and what every primitive must satisfy.
#pragma once

#include "rt/mechanics/joint_constraints.h"

#include <random>
#include <vector>

namespace tactus::tests {

/// A primitive between two bodies, or between ground and the second one.
struct PrimitiveCase {
  rt::Primitive primitive;
  std::vector<rt::Vector4d> p;
  std::vector<rt::BodyMotion> motions;
};

/// Angles and gears are aligned as their joints keep them: the value and its first derivatives hold there.
PrimitiveCase randomCase(rt::PrimitiveKind kind, bool ground, std::mt19937& random);

/// The Jacobian against central differences; the side of ground is zero.
void checkJacobian(rt::PrimitiveKind kind);

/// gamma against the second time derivative of the rows at constant velocities.
void checkGamma(rt::PrimitiveKind kind);

/// The geometric stiffness against the symmetric part of the derivative of H_phi^T lambda.
void checkStiffness(rt::PrimitiveKind kind);

/// The derivative of H^T lambda against central differences.
void checkReactionDerivative(rt::PrimitiveKind kind);

/// Derivatives of the rows at velocity and acceleration level against central differences.
void checkRowDerivatives(rt::PrimitiveKind kind);

/// All of the above.
void checkPrimitive(rt::PrimitiveKind kind);

/// That the row of a primitive with counted angles goes on by full turns.
/// @param weights  what one radian of each angle adds to the row
void checkTurns(rt::PrimitiveKind kind, const std::vector<double>& weights);

}  // namespace tactus::tests
