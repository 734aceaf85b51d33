// A mechanism as one dense index-1 system: an oracle that shares no formula with rt/mechanics.
//
// Rows are written once, as scalar functions of points and directions; the Jacobian is obtained by giving each body
// unit velocities, gamma by setting all accelerations to zero. Redundant rows get the multipliers of least norm.
#pragma once

#include "rt/model/model_spec.h"

#include <Eigen/Dense>

#include <string>
#include <vector>

namespace tactus::tests {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::Vector4d;
using Eigen::VectorXd;

/// Rotation matrix, body to world, of unit Euler parameters (scalar first).
Matrix3d rotationOf(const Vector4d& p);

/// Positions and velocities of all bodies.
struct MotionState {
  std::vector<Vector3d> r;      ///< center of mass, world, m
  std::vector<Vector4d> p;      ///< unit, scalar first
  std::vector<Vector3d> v;      ///< world, m/s
  std::vector<Vector3d> omega;  ///< body axes, rad/s
};

/// Accelerations of all bodies, 6 each: (a, alpha), world axes; and the multipliers, in the order of our rows.
struct DenseAcceleration {
  VectorXd a;
  VectorXd lambda;
};

/// Force on body 2 of a joint and torque about the joint's point there, world axes.
struct JointReaction {
  Vector3d force, torque;
};

class DenseMechanism {
 public:
  /// Reads bodies, joints and gravity; actuators are at zero.
  explicit DenseMechanism(const rt::ModelSpec& spec);

  int bodies() const { return static_cast<int>(masses_.size()); }
  int rows() const { return static_cast<int>(rows_.size()); }
  int joints() const { return static_cast<int>(points_2_.size()); }

  /// The state that the description declares.
  const MotionState& declared() const { return declared_; }

  VectorXd position(const MotionState& m) const;  ///< Phi
  MatrixXd jacobian(const MotionState& m) const;  ///< H: rows x 6 bodies; columns (v, omega_w) of each body
  VectorXd gamma(const MotionState& m) const;     ///< H (a, alpha_w) = gamma

  /// Accelerations and multipliers: M a + H^T lambda = Q, H a = gamma.
  DenseAcceleration accelerations(const MotionState& m) const;

  /// Moves m to the nearest state that satisfies Phi = 0 and H v = 0, in the metric of the masses.
  void project(MotionState& m) const;

  /// Changes only the velocities, to the nearest that satisfy H v = 0.
  void projectVelocity(MotionState& m) const;

  JointReaction reaction(int joint, const MotionState& m, const VectorXd& lambda) const;
  double energy(const MotionState& m) const;  ///< kinetic + potential, J

 private:
  enum class RowKind { kPoint, kDistance, kDot1, kDot2 };

  struct Row {
    RowKind kind;
    int joint, component;
    int body[2];  ///< -1 for ground
    Vector3d s[2], axis[2];
    double length;
  };

  /// Position and its first two derivatives, of a body frame: x' = R s + r.
  struct FrameMotion {
    Vector3d r, v, a, omega, alpha;  ///< world axes
    Matrix3d R;
  };

  /// A scalar and its first two derivatives.
  struct Jet {
    double value, rate, acceleration;
  };

  static Jet evaluate(const Row& row, const FrameMotion& f_1, const FrameMotion& f_2);
  FrameMotion frame(const MotionState& m, int body) const;
  void addJoint(const rt::JointSpec& spec, int body_1, int body_2);
  VectorXd velocity(const MotionState& m) const;
  MatrixXd inverseMass(const MotionState& m) const;
  /// dx of least mass-norm with H dx = rhs.
  VectorXd leastMove(const MotionState& m, const VectorXd& rhs) const;

  std::vector<double> masses_;
  std::vector<Matrix3d> inertias_;
  std::vector<Row> rows_;
  std::vector<int> bodies_2_;
  std::vector<Vector3d> points_2_;
  Vector3d gravity_;
  MotionState declared_;
};

}  // namespace tactus::tests
