// Coordinates around a reference configuration, in which a rule for vector spaces can be applied to rotations.
//
// Translations count from the reference. The coordinates of a rotation are the Cayley-Gibbs-Rodrigues parameters
// g = 2 tan(phi/2) n of the rotation from the reference, in world axes:
//
//   omega_w = G(g) gd,   G = 4/(4 + g.g) (I + skew(g)/2),   G^-1 = I - skew(g)/2 + g g^T/4
//
// At g = 0: gd = omega_w and gdd = alpha_w. Valid for rotations below pi, hence for any step that resolves the motion.
// Source: [MSE] section 3.1 names the parameters; formulas derived, signs held by tests.
#pragma once

#include "rt/offline/core/dynamic_system.h"

namespace tactus::rt::offline {

Matrix3d rateMatrix(const Vector3d& g);                                        ///< G(g)
Vector3d parameterRate(const Vector3d& g, const Vector3d& omega_w);            ///< G(g)^-1 omega_w
Matrix3d rateMatrixDerivative(const Vector3d& g, const Vector3d& w);           ///< derivative of G(g) w by g
Matrix3d parameterRateDerivative(const Vector3d& g, const Vector3d& omega_w);  ///< derivative of G(g)^-1 omega_w by g
Vector3d parametersOf(const Vector4d& p, const Vector4d& reference);
Vector4d turnedByParameters(const Vector4d& reference, const Vector3d& g);

/// A motion in the coordinates of a chart; all as long as a tangent vector.
struct ChartPoint {
  VectorXd y, yd, ydd;
};

class Chart {
 public:
  /// The system must outlive this.
  Chart(const DynamicSystem& system, const MotionPoint& reference);

  ChartPoint coordinatesOf(const MotionPoint& point) const;

  /// The motion with given coordinates; time and multipliers are those of the reference.
  MotionPoint motionOf(const ChartPoint& c) const;

  /// Only the positions of motionOf(); rates are those of the reference.
  MotionPoint placeAt(const VectorXd& y) const;

  /// The effect of y on u and ud at the reference: du = dyd + L1 dy, dud = dydd + L2 dy. Both are zero for
  /// translations.
  Sparse velocityByPosition(const MotionPoint& at) const;      ///< L1 = -skew(omega_w) / 2
  Sparse accelerationByPosition(const MotionPoint& at) const;  ///< L2 = -(skew(alpha_w) + omega_w omega_w^T) / 2

 private:
  const DynamicSystem& system_;
  MotionPoint reference_;
};

}  // namespace tactus::rt::offline
