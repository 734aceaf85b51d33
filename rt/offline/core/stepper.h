// Stepper: a method at work on one mechanism. Every method is a Stepper; integrate() in integrator.h drives it.
#pragma once

#include "rt/error.h"
#include "rt/offline/core/motion_point.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tactus::rt::offline {

/// What a method has done; each counts from the start of the run.
struct Statistics {
  std::int64_t steps = 0;              ///< accepted
  std::int64_t rejected = 0;           ///< tried again with a smaller step
  std::int64_t newton_iterations = 0;  ///< of implicit stages and of projections onto the constraints
  std::int64_t factorizations = 0;
  std::int64_t force_evaluations = 0;  ///< of the residual M ud - Q
  /// Largest stable step of the linearised motion that the run met, s, for a method that is stable only up to one and
  /// estimates it; 0 otherwise.
  double step_limit = 0;
  double omega = 0;             ///< rad/s, highest natural frequency at the last step, where the method estimates it
  double omega_max = 0;         ///< rad/s, the highest of the run
  std::int64_t partitions = 0;  ///< times that the coordinates were parted into free ones and others
  double condition = 0;         ///< the largest of a partition in use; 0 where there is none
  double error_estimate = 0;    ///< largest difference to the embedded solution, m (or m/s), where the method has one
};

/// Why a step could not be made. The method keeps the last good point.
class StepFailure : public Error {
 public:
  using Error::Error;
};

/// An iteration that a shorter step may save.
class NoConvergence : public StepFailure {
 public:
  using StepFailure::StepFailure;
};

class Stepper {
 public:
  virtual ~Stepper() = default;

  /// Moves on by `step` s, or by less if the method chooses its steps. @throws StepFailure
  virtual void advance(double step) = 0;

  /// Whether it does; a run then stops only where it must.
  virtual bool choosesSteps() const { return false; }

  /// Numbers of the method's own that belong to the last point, to be kept with it: their names, and their values.
  virtual std::vector<std::string> ownNames() const { return {}; }
  virtual std::vector<double> ownValues() const { return {}; }

  /// The last accepted point; its multipliers belong to it.
  virtual const MotionPoint& point() const = 0;
  const Statistics& statistics() const { return statistics_; }

 protected:
  Statistics statistics_;
};

}  // namespace tactus::rt::offline
