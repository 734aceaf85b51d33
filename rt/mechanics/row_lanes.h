// Rows of a whole mechanism, side by side: primitives of one kind go through the same arithmetic four at a time, each
// in a lane of a vector. The terms are those of joint_constraints.h, and so are the numbers, to round-off.
#pragma once

#include "rt/math/lanes.h"
#include "rt/mechanics/joint_constraints.h"

#include <array>
#include <vector>

namespace tactus::rt {

/// Four primitives of one kind with kInLanes, between any bodies.
struct PrimitiveLanes {
  using Scalar = Lanes<4>;
  using Vector = Eigen::Matrix<Scalar, 3, 1>;

  PrimitiveKind kind;
  int count;                               ///< of primitives; the lanes beyond repeat the first one
  bool any_compliant;                      ///< a row of them belongs to a compliant joint
  std::array<int, 4> body_1, body_2, row;  ///< as of Primitive
  Vector s_1, s_2;                         ///< points, fixed in body axes, m
  Vector a_1, a_2, b_1, b_2;               ///< directions, fixed in body axes
  Scalar moves_1, moves_2;                 ///< 1, or 0 of ground
};

class RowLanes {
 public:
  RowLanes() = default;
  explicit RowLanes(const Model& model);

  /// evaluateAllRows()
  /// @rt no allocation, no throw, fixed work
  void evaluate(const Model& model, const BodyMotion* motions, const double* displacements, double* phi,
                RowJacobian* jacobian) const noexcept;

  /// The same for the rows of compliant joints; of the other rows some are written, others stay.
  /// @rt no allocation, no throw, fixed work
  void evaluateCompliant(const Model& model, const BodyMotion* motions, const double* displacements, double* phi,
                         RowJacobian* jacobian) const noexcept;

  /// evaluateGamma() of every primitive and couplerGamma() of every coupler: one value a row.
  /// @rt no allocation, no throw, fixed work
  void evaluateGamma(const Model& model, const BodyMotion* motions, double* gamma) const noexcept;

  /// addGeometricStiffness() of every primitive and every term of a coupler.
  /// @param lambda     of all rows
  /// @param stiffness  one a body; added to
  /// @rt no allocation, no throw, fixed work
  void addGeometricStiffness(const Model& model, const BodyMotion* motions, const double* lambda,
                             Matrix3d* stiffness) const noexcept;

 private:
  std::vector<PrimitiveLanes> groups_;
  std::vector<int> alone_;            ///< primitives of other kinds
  std::vector<int> alone_compliant_;  ///< those of compliant joints
};

}  // namespace tactus::rt
