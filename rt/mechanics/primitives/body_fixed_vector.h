// Vectors in world axes that are fixed in one or two bodies, with their rates and the derivatives of both: from
// products of two such vectors follow the derivatives of most rows.
#pragma once

#include "rt/mechanics/kinematics.h"
#include "rt/mechanics/row_derivatives.h"

namespace tactus::rt {

using Matrix3x12 = Eigen::Matrix<double, 3, 12>;

/// A sum of vectors fixed in two bodies. The derivatives of the rate by velocity and of the second rate by acceleration
/// equal the derivative of the vector by position.
struct BodyFixedVector {
  Vector3d value = Vector3d::Zero(), rate = Vector3d::Zero(), second_rate = Vector3d::Zero();
  Matrix3x12 by_position = Matrix3x12::Zero();
  Matrix3x12 rate_by_position = Matrix3x12::Zero();
  Matrix3x12 second_rate_by_position = Matrix3x12::Zero();
  Matrix3x12 second_rate_by_velocity = Matrix3x12::Zero();
  Vector3d arm[2] = {Vector3d::Zero(), Vector3d::Zero()};  ///< its parts fixed in each body, with sign
};

/// From point 1 to point 2 of a primitive.
BodyFixedVector distanceOf(const Primitive& p, const BodyMotion* motions) noexcept;

/// The direction `a_b` fixed in the first (side 0) or second body of a primitive.
BodyFixedVector directionOf(const Primitive& p, const BodyMotion* motions, int side, const Vector3d& a_b) noexcept;

/// v^T m
Row12d times(const Vector3d& v, const Matrix3x12& m) noexcept;

/// Adds the derivatives of a row `scale` x . y: the product rule on x'.y + x.y' and on x''.y + 2 x'.y' + x.y''.
void addProduct(const BodyFixedVector& x, const BodyFixedVector& y, double scale, RowDerivatives& d) noexcept;

/// Adds `weight` times all derivatives of one row to those of another.
void addWeighted(const RowDerivatives& row, double weight, RowDerivatives& sum) noexcept;

/// Adds the derivative of X^T F by position: the loads that a force F along a vector puts on the bodies.
void addLoadDerivative(const BodyFixedVector& x, const Vector3d& force, const Matrix3x12& force_by_position,
                       Matrix12d& sum) noexcept;

/// Adds the derivative of H^T lambda of a row x . y, tension = lambda times the scale of the row.
void addProductReaction(const BodyFixedVector& x, const BodyFixedVector& y, double tension, Matrix12d& sum) noexcept;

}  // namespace tactus::rt
