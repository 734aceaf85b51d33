// A Model as a DynamicSystem. All terms come from rt/mechanics; this file only assembles them into matrices.
//
// Compliant rows are forces here, part of Q. The rows of the system are those of rigid and driven joints. A State keeps
// the multipliers of all rows; pointOf() and writeMotion() convert.
#pragma once

#include "rt/mechanics/drives.h"
#include "rt/mechanics/kinematics.h"
#include "rt/mechanics/row_derivatives.h"
#include "rt/model/joint.h"
#include "rt/offline/core/dynamic_system.h"
#include "rt/offline/core/input_signal.h"
#include "rt/state/state.h"

#include <atomic>
#include <exception>

namespace tactus::rt {
class ElementStates;
}  // namespace tactus::rt

namespace tactus::rt::offline {

/// Ends a run from within a step. No Error: no method may take it for a failure and try again.
class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

class EquationsOfMotion final : public DynamicSystem {
 public:
  /// The model must outlive this.
  /// @param[in] interrupt  if set, true makes jacobian() and residual() throw Interrupted, so that a step of seconds
  ///                       ends at once
  EquationsOfMotion(const Model& model, InputSignal input, const std::atomic<bool>* interrupt = nullptr);

  const Model& model() const { return model_; }
  std::vector<double> inputAt(double t) const;

  int size() const override;
  int rows() const override { return rows_; }
  double length() const override;
  const std::vector<int>& rotations() const override { return rotations_; }
  VectorXd constraints(const MotionPoint& at) const override;
  Sparse jacobian(const MotionPoint& at) const override;
  VectorXd gamma(const MotionPoint& at) const override;
  VectorXd residual(const MotionPoint& at) const override;
  Sparse mass(const MotionPoint& at) const override;
  ResidualDerivatives residualDerivatives(const MotionPoint& at) const override;
  RowRateDerivatives rowRateDerivatives(const MotionPoint& at) const override;
  int internalStateCount() const override { return static_cast<int>(integrated_states_.size()); }
  VectorXd internalStateRates(const MotionPoint& at) const override;
  bool driven() const override;
  VectorXd rowRates(double t) const override;
  void continueAngles(MotionPoint& at) const override;

  /// The motion of every body at a point.
  std::vector<BodyMotion> motionsOf(const MotionPoint& at) const;

  /// The prescribed values of all drives at a time.
  std::vector<DriveValue> drivesAt(double t) const;

  /// The motion of a State at a time.
  MotionPoint pointOf(const State& state, double t) const;

  /// Writes a motion into r, p, v, omega, a, alpha, lambda, the angles and the internal states of a State, and the
  /// powers of inputs and losses at that time; the rest is left.
  void writeMotion(const MotionPoint& point, State& state) const;

 private:
  /// A primitive of a rigid or driven joint.
  struct Constraint {
    const Primitive* primitive;
    int row;    ///< in this system
    int drive;  ///< of the model, or -1
  };

  void requireNoInterrupt() const;
  /// As State has it; what follows from the rest is left zero.
  std::vector<double> internalStatesOf(const MotionPoint& at) const;
  ElementStates elementsAt(const MotionPoint& at, const BodyMotion* motions, std::span<const double> internal_states,
                           std::span<const double> input) const;
  InternalStateDerivatives addElements(const MotionPoint& at, const BodyMotion* motions, std::span<const double> input,
                                       std::vector<Eigen::Triplet<double>>& C,
                                       std::vector<Eigen::Triplet<double>>& K) const;
  /// Adds rows of a primitive whose twelve columns belong to its two bodies.
  static void addRows(const Constraint& c, const RowDerivatives::Rows& m, std::vector<Eigen::Triplet<double>>& entries);

  const Model& model_;
  InputSignal input_;
  const std::atomic<bool>* interrupt_;
  std::vector<int> rotations_;
  std::vector<Constraint> constraints_;
  std::vector<const Joint*> compliant_;
  std::vector<int> integrated_states_;
  int rows_ = 0;
};

/// The mechanism behind a system, for methods that need its Model.
/// @throws Error if the system is not given as a Model
const EquationsOfMotion& mechanismOf(const DynamicSystem& system);

}  // namespace tactus::rt::offline
