// A Model as a DynamicSystem: every term comes from rt/mechanics, here they are only put into matrices.
#pragma once

#include "rt/mechanics/kinematics.h"
#include "rt/model/model.h"
#include "rt/offline/dynamic_system.h"
#include "rt/state/state.h"

#include <functional>
#include <span>

namespace tactus::rt::offline {

/// Values of the actuators (N, N m) at a time, s; `values` has one element for each actuator.
using InputSignal = std::function<void(double t, std::span<double> values)>;

/// The input that holds every actuator at the value that the model declares.
InputSignal declaredInput(const Model& model);

class EquationsOfMotion final : public DynamicSystem {
 public:
  /// The model must outlive this.
  EquationsOfMotion(const Model& model, InputSignal input);

  const Model& model() const { return model_; }
  std::vector<double> inputAt(double t) const;

  int size() const override { return 6 * model_.bodyCount(); }
  int rows() const override { return model_.rows; }
  double length() const override { return model_.length; }
  const std::vector<int>& rotations() const override { return rotations_; }
  VectorXd constraints(const MotionPoint& at) const override;
  Sparse jacobian(const MotionPoint& at) const override;
  VectorXd gamma(const MotionPoint& at) const override;
  VectorXd residual(const MotionPoint& at) const override;
  Sparse mass(const MotionPoint& at) const override;
  ResidualDerivatives residualDerivatives(const MotionPoint& at) const override;
  RowRateDerivatives rowRateDerivatives(const MotionPoint& at) const override;

 private:
  std::vector<BodyMotion> motionsOf(const MotionPoint& at) const;

  const Model& model_;
  InputSignal input_;
  std::vector<int> rotations_;
};

/// The motion of a State at a time.
MotionPoint motionPointOf(const State& state, double t);

/// Writes a motion into r, p, v, omega, a, alpha and lambda of a State; the rest is left.
void writeMotion(const MotionPoint& point, State& state);

}  // namespace tactus::rt::offline
