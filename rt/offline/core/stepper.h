// Stepper: a method that integrates one mechanism. integrate() in integrator.h drives it.
#pragma once

#include "rt/error.h"
#include "rt/offline/core/motion_point.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tactus::rt::offline {

/// Work of a method since the start of the run.
struct Statistics {
  std::int64_t steps = 0;              ///< accepted steps
  std::int64_t rejected = 0;           ///< steps repeated with a smaller size
  std::int64_t newton_iterations = 0;  ///< in implicit stages and in projections onto the constraints
  std::int64_t factorizations = 0;
  std::int64_t force_evaluations = 0;  ///< evaluations of the residual M ud - Q
  /// Minimum over the run of the largest stable step of the linearized motion, s; 0 if the method has no such limit or
  /// does not estimate it.
  double step_limit = 0;
  double omega = 0;             ///< highest natural frequency at the last step, rad/s, if the method estimates it
  double omega_max = 0;         ///< maximum of omega over the run, rad/s
  std::int64_t partitions = 0;  ///< how often free coordinates were selected
  double condition = 0;         ///< maximum condition of a partition in use; 0 without one
  double error_estimate = 0;    ///< maximum difference from the embedded solution, m or m/s; 0 without one
};

/// A step failed. The method keeps the last good point.
class StepFailure : public Error {
 public:
  using Error::Error;
};

/// An iteration did not converge; a shorter step may help.
class NoConvergence : public StepFailure {
 public:
  using StepFailure::StepFailure;
};

class Stepper {
 public:
  virtual ~Stepper() = default;

  /// Advances by `step` s, or by less if the method chooses its steps. @throws StepFailure
  virtual void advance(double step) = 0;

  /// Whether the method chooses its steps.
  virtual bool choosesSteps() const { return false; }

  /// Names and values of figures that the method adds to the last point.
  virtual std::vector<std::string> ownNames() const { return {}; }
  virtual std::vector<double> ownValues() const { return {}; }

  /// The last accepted point, with its multipliers.
  virtual const MotionPoint& point() const = 0;
  const Statistics& statistics() const { return statistics_; }

 protected:
  Statistics statistics_;
};

}  // namespace tactus::rt::offline
