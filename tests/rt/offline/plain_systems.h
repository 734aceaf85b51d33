// Small systems in vector spaces, given by formulas, on which the methods of rt/offline can be judged exactly.
#pragma once

#include "rt/offline/core/dynamic_system.h"

namespace tactus::tests {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using rt::offline::MotionPoint;
using rt::offline::Sparse;

/// A system without rotations whose mass is the identity.
class PlainSystem : public rt::offline::DynamicSystem {
 public:
  double length() const override { return 1; }
  const std::vector<int>& rotations() const override { return none_; }
  Sparse mass(const MotionPoint&) const override;

 private:
  std::vector<int> none_;
};

/// xdd + 2 xi omega xd + omega^2 x = 0.
class Oscillator final : public PlainSystem {
 public:
  explicit Oscillator(double omega, double damping = 0) : omega_(omega), damping_(damping) {}

  int size() const override { return 1; }
  int rows() const override { return 0; }
  VectorXd constraints(const MotionPoint&) const override { return VectorXd(0); }
  Sparse jacobian(const MotionPoint&) const override { return Sparse(0, 1); }
  VectorXd gamma(const MotionPoint&) const override { return VectorXd(0); }
  VectorXd residual(const MotionPoint& at) const override;
  rt::offline::ResidualDerivatives residualDerivatives(const MotionPoint&) const override;
  rt::offline::RowRateDerivatives rowRateDerivatives(const MotionPoint&) const override;

  /// A point with the acceleration that belongs to it.
  MotionPoint pointAt(double x, double v) const;

 private:
  double omega_, damping_;
};

/// The free Duffing-like oscillator xdd = -x - x^3 - 0.2 xd: nonlinear, smooth, without constraints.
class NonlinearOscillator final : public PlainSystem {
 public:
  int size() const override { return 1; }
  int rows() const override { return 0; }
  VectorXd constraints(const MotionPoint&) const override { return VectorXd(0); }
  Sparse jacobian(const MotionPoint&) const override { return Sparse(0, 1); }
  VectorXd gamma(const MotionPoint&) const override { return VectorXd(0); }
  VectorXd residual(const MotionPoint& at) const override;
  rt::offline::ResidualDerivatives residualDerivatives(const MotionPoint& at) const override;
  rt::offline::RowRateDerivatives rowRateDerivatives(const MotionPoint&) const override;

  MotionPoint pointAt(double x, double v) const;
};

/// A point mass of 1 kg on a massless bar of 1 m in a plane, x to the right and y up, with a torque T0 sin(0.1 t) about
/// the pivot. One row, (x^2 + y^2 - 1) / 2, which may be repeated.
class PointPendulum final : public PlainSystem {
 public:
  explicit PointPendulum(double gravity, double torque = 0, int copies = 1)
      : gravity_(gravity), torque_(torque), copies_(copies) {}

  int size() const override { return 2; }
  int rows() const override { return copies_; }
  VectorXd constraints(const MotionPoint& at) const override;
  Sparse jacobian(const MotionPoint& at) const override;
  VectorXd gamma(const MotionPoint& at) const override;
  VectorXd residual(const MotionPoint& at) const override;
  rt::offline::ResidualDerivatives residualDerivatives(const MotionPoint& at) const override;
  rt::offline::RowRateDerivatives rowRateDerivatives(const MotionPoint& at) const override;

  /// At an angle from the downward vertical, with its rate.
  MotionPoint pointAt(double angle, double rate) const;
  double angleOf(const MotionPoint& at) const;
  double accelerationAt(double t, double angle) const;

 private:
  double gravity_, torque_;
  int copies_;
};

/// The stiff pendulum of [TAN] section 3.3 in its coordinates (x, y, theta): a point mass of 1 kg at the end of a bar
/// of 1 m without inertia, with a torque T0 sin(0.1 t) on theta. Two rows; the mass matrix diag(1, 1, 0) is singular.
class BarPendulum final : public PlainSystem {
 public:
  BarPendulum(double gravity, double torque) : gravity_(gravity), torque_(torque) {}

  int size() const override { return 3; }
  int rows() const override { return 2; }
  Sparse mass(const MotionPoint&) const override;
  VectorXd constraints(const MotionPoint& at) const override;
  Sparse jacobian(const MotionPoint& at) const override;
  VectorXd gamma(const MotionPoint& at) const override;
  VectorXd residual(const MotionPoint& at) const override;
  rt::offline::ResidualDerivatives residualDerivatives(const MotionPoint& at) const override;
  rt::offline::RowRateDerivatives rowRateDerivatives(const MotionPoint& at) const override;

  /// At rest, hanging down.
  MotionPoint rest() const;

 private:
  double gravity_, torque_;
};

}  // namespace tactus::tests
