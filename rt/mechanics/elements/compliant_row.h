// The concept of a compliant row: a force element that the step keeps in its linear system. The multipliers of its rows
// follow from their elongation and rate by a law,
//
//   lambda = preload + K (phi - rest) + C d(phi)/dt,
//
// with K, C, rest and preload that may change with the motion.
//
// A kind is a struct of static functions; elements.h lists the kinds. Every kind has
//
//   owns()                        whether a law of the Model is of this kind
//   lawAt()                       the linear law that holds at a motion
//   dampingForce()                what the dampers add to the force at a rate
//   storedEnergy(), power()       energy that it stores; power that it dissipates and brings in
//
// and, where it overrides kFollowsRoad, addDerivatives(): what the load depends on beside elongation and rate.
#pragma once

#include "rt/mechanics/elements/force_element.h"
#include "rt/mechanics/row_derivatives.h"

namespace tactus::rt {

/// The law of a joint at one motion.
struct RowContext {
  const Model& model;
  const CompliantLaw& law;
  const BodyMotion* motions;
  const double* input;  ///< value of each actuator
};

struct CompliantRow {
  static constexpr bool kFollowsRoad = false;
};

/// Maximum number of rows of one joint.
inline constexpr int kMaxJointRows = 6;

/// y = m x over the leading `rows` rows and columns. Each sum goes from the first column to the last.
/// @rt no allocation, no throw, fixed work
inline void timesLeading(const Matrix6d& m, int rows, const double* x, double* y) noexcept {
  if (rows == kMaxJointRows) {
    Six sum = Six::zero();
    for (int c = 0; c < kMaxJointRows; ++c) sum += x[c] * Six::load(m.col(c).data());
    return sum.store(y);
  }
  for (int r = 0; r < rows; ++r) {
    double sum = 0;
    for (int c = 0; c < rows; ++c) sum += m(r, c) * x[c];
    y[r] = sum;
  }
}

/// C rate, for law.rows rows.
/// @rt no allocation, no throw, fixed work
inline void linearDamping(const CompliantLaw& law, const double* rate, double* force) noexcept {
  timesLeading(law.C, law.rows, rate, force);
}

}  // namespace tactus::rt
