// The concept of a constraint primitive, and what primitives have in common.
//
// A primitive is a struct of static functions over the constants of Primitive; primitives.h lists them. Each has
//
//   kKind, kRows            its kind and its number of rows
//   rows()                  values and Jacobian
//   gamma()                 right side at acceleration level: H (a, alpha_w) = gamma
//   addStiffness()          rotational geometric stiffness of its bodies
//   derivatives()           derivatives of the rows at velocity and acceleration level
//   reactionDerivative()    derivative of H^T lambda by position
//
// and, where it counts turns, by the constants of PrimitiveRows that it overrides,
//
//   kAngles                 number of angles: angles(), continueRow(); each in (-pi, pi]
//   kStartsTurns            startAngles(): turns that it has made in the declared state
//   kInLanes                the same terms four at a time, in row_lanes.cpp
//
// Every header numbers the equations of its primitive, and its source cites them. World axes throughout: x_i a point,
// s_i its arm from the center of mass, d = x_2 - x_1; a_i a direction that is fixed in body i; c_i = omega_i x (omega_i
// x s_i). K(a, l) is rotationalStiffness() of body_fixed.h.
#pragma once

#include "rt/mechanics/body_fixed.h"
#include "rt/mechanics/kinematics.h"
#include "rt/mechanics/primitives/row.h"
#include "rt/mechanics/row_derivatives.h"
#include "rt/model/primitive.h"

#include <Eigen/Geometry>

namespace tactus::rt {

/// A primitive has none of these properties unless it overrides the constant.
struct PrimitiveRows {
  static constexpr int kRows = 1;
  static constexpr int kAngles = 0;
  static constexpr bool kStartsTurns = false;
  static constexpr bool kInLanes = false;
};

/// d = x_2 - x_1 of the points at the arms s_i, for any scalar: double, or Lanes.
template <class T>
TACTUS_INLINE Eigen::Matrix<T, 3, 1> distanceOfPoints(const Eigen::Matrix<T, 3, 1>& r_1,
                                                      const Eigen::Matrix<T, 3, 1>& s_1,
                                                      const Eigen::Matrix<T, 3, 1>& r_2,
                                                      const Eigen::Matrix<T, 3, 1>& s_2) noexcept {
  return r_2 + s_2 - r_1 - s_1;
}

/// c_2 - c_1, for any scalar.
template <class T>
TACTUS_INLINE Eigen::Matrix<T, 3, 1> centripetalDifference(const Eigen::Matrix<T, 3, 1>& omega_1,
                                                           const Eigen::Matrix<T, 3, 1>& s_1,
                                                           const Eigen::Matrix<T, 3, 1>& omega_2,
                                                           const Eigen::Matrix<T, 3, 1>& s_2) noexcept {
  return centripetal<T>(omega_2, s_2) - centripetal<T>(omega_1, s_1);
}

/// d' at constant arms, for any scalar: the velocity of point 2 against point 1.
template <class T>
TACTUS_INLINE Eigen::Matrix<T, 3, 1> rateOfPoints(const Eigen::Matrix<T, 3, 1>& v_1,
                                                  const Eigen::Matrix<T, 3, 1>& omega_1,
                                                  const Eigen::Matrix<T, 3, 1>& s_1, const Eigen::Matrix<T, 3, 1>& v_2,
                                                  const Eigen::Matrix<T, 3, 1>& omega_2,
                                                  const Eigen::Matrix<T, 3, 1>& s_2) noexcept {
  return v_2 + omega_2.cross(s_2) - v_1 - omega_1.cross(s_1);
}

/// The bodies of a primitive.
struct EndBodies {
  const BodyMotion& b1;
  const BodyMotion& b2;

  EndBodies(const Primitive& p, const BodyMotion* motions) noexcept
      : b1(motionOf(motions, p.body_1)), b2(motionOf(motions, p.body_2)) {}

  /// Rate of body 2 against body 1 about an axis that turns with body 1, at acceleration level: a' . (omega_2 -
  /// omega_1).
  double axisRate(const Vector3d& a_1) const noexcept { return b1.omega_w.cross(a_1).dot(b2.omega_w - b1.omega_w); }
};

/// The points of a primitive.
struct PointEnds : EndBodies {
  Vector3d s_1, s_2;  ///< arms from the centers of mass
  Vector3d d;         ///< from point 1 to point 2

  PointEnds(const Primitive& p, const BodyMotion* motions) noexcept
      : EndBodies(p, motions),
        s_1(rotate(b1.R, p.s_1)),
        s_2(rotate(b2.R, p.s_2)),
        d(distanceOfPoints<double>(b1.r, s_1, b2.r, s_2)) {}

  /// d' at constant arms
  Vector3d rate() const noexcept { return rateOfPoints<double>(b1.v, b1.omega_w, s_1, b2.v, b2.omega_w, s_2); }

  /// c_2 - c_1
  Vector3d centripetalDifference() const noexcept {
    return rt::centripetalDifference<double>(b1.omega_w, s_1, b2.omega_w, s_2);
  }
};

/// The directions of a primitive.
struct DirectionEnds : EndBodies {
  Vector3d a_1, a_2;

  DirectionEnds(const Primitive& p, const BodyMotion* motions) noexcept
      : EndBodies(p, motions), a_1(rotate(b1.R, p.a_1)), a_2(rotate(b2.R, p.a_2)) {}
};

/// Writes one side of a row; ground has zeros.
inline void setRow(RowJacobian& row, int side, bool ground, const Vector3d& translation,
                   const Vector3d& rotation) noexcept {
  (ground ? Six::zero() : Six::of(translation, rotation)).store(row.h[side]);
}

inline void setRow(RowJacobian& row, int side, bool ground, const SideOfRow<double>& of_row) noexcept {
  setRow(row, side, ground, of_row.translation, of_row.rotation);
}

/// Adds a stiffness to a body that is not ground.
inline void addToBody(int body, const Matrix3d& k, Matrix3d* stiffness) noexcept {
  if (body != kGround) stiffness[body] += k;
}

}  // namespace tactus::rt
