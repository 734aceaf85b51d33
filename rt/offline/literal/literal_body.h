// One rigid body in seven coordinates q = (r, p), as printed in [DCA3] section 2. The oracle has its own formulas.
#pragma once

#include <Eigen/Dense>

namespace tactus::rt::offline {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::Vector4d;
using Vector7d = Eigen::Matrix<double, 7, 1>;
using Matrix7d = Eigen::Matrix<double, 7, 7>;
using Matrix34d = Eigen::Matrix<double, 3, 4>;
using Matrix37d = Eigen::Matrix<double, 3, 7>;

/// How A(p) s is differentiated. They agree for unit p along the unit sphere and differ along p.
enum class PointDerivative {
  kPrinted,      ///< of (2 e0^2 - 1) I + ...: couples normalization and joints
  kHomogeneous,  ///< of (e0^2 - e.e) I + 2 e e^T + 2 e0 e~
  kAngular,      ///< -2 A s~ G(p): blind to changes along p
};

/// G(p) = [-e, -e~ + e0 I]; omega' = 2 G p'.
Matrix34d matrixG(const Vector4d& p);

/// A(p) s, and its derivative by p.
Vector3d rotate(const Vector4d& p, const Vector3d& s, PointDerivative form);
Matrix34d rotateDerivative(const Vector4d& p, const Vector3d& s, PointDerivative form);

/// The part of (A(p) s)'' that is left with p'' = 0.
Vector3d rotateBias(const Vector4d& p, const Vector4d& pd, const Vector3d& s, PointDerivative form);

/// Mass properties and the two joint points, both in body axes.
struct LiteralBody {
  double mass;
  Matrix3d inertia;
  Vector3d left, right;
};

/// M = diag(m I, 4 G^T J' G), singular along p: Eq. (7).
Matrix7d massMatrix(const LiteralBody& body, const Vector7d& q);

/// Q = (m g, -8 G'^T J' G p'): Eq. (8) without applied torques.
Vector7d forces(const LiteralBody& body, const Vector7d& q, const Vector7d& qd, const Vector3d& gravity);

/// dQ/dq and dQ/dq'.
Matrix7d forcesByPosition(const LiteralBody& body, const Vector7d& qd);
Matrix7d forcesByVelocity(const LiteralBody& body, const Vector7d& q, const Vector7d& qd);

}  // namespace tactus::rt::offline
