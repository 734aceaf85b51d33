// Step size control for methods with an embedded solution.
#pragma once

#include "rt/offline/core/dynamic_system.h"
#include "rt/offline/core/option.h"

#include <vector>

namespace tactus::rt::offline {

struct Tolerances {
  double relative = 1e-4, absolute = 1e-4;
  bool adaptive = true;  ///< false: the requested step is taken
};

/// The error of a step whose iteration did not converge.
inline constexpr double kNoConvergence = 1e6;

/// Size of an error in free coordinates, their rates and the internal states, 1 where it just meets the tolerances: the
/// mean square over all of it, each coordinate against absolute + relative * size. Euler parameters count as of size 1,
/// the internal states as of size 0.
/// @param[in] N  basis of the free motions
/// @source [RN] Eqs. (13), (14)
double errorNorm(const DynamicSystem& system, const Tolerances& tolerances, const MatrixXd& N, const VectorXd& position,
                 const VectorXd& rate, const VectorXd& internal_states, const MotionPoint& before,
                 const MotionPoint& after);

/// The same of tangent vectors that are not restricted to the free motions, for methods on the index-3 equations: what
/// the constraints answer is taken from both, in the metric of the masses at the new point. Reactions are less accurate
/// than motions there, and their errors are not to choose the step.
/// @throws StepFailure if the constraints at the new point cannot be factored
double freeErrorNorm(const DynamicSystem& system, const Tolerances& tolerances, const VectorXd& position,
                     const VectorXd& rate, const VectorXd& internal_states, const MotionPoint& before,
                     const MotionPoint& after);

/// Controls the step of a run. Source: [RN] Eqs. (15), (16).
class StepControl {
 public:
  /// @param[in] order  order of the less accurate of the two solutions
  StepControl(const Tolerances& tolerances, int order) : tolerances_(tolerances), order_(order) {}

  /// The step to try, at most `limit`.
  double propose(double limit);

  /// @returns true if the proposed step is accepted; else propose again. @throws StepFailure if the step cannot shrink
  bool accept(double error);

 private:
  Tolerances tolerances_;
  int order_;
  double wanted_ = 0;  ///< 0 before the first step
  double proposed_ = 0, limit_ = 0;
};

/// Options of the control, and the tolerances that they set.
std::vector<Option> controlOptions(bool adaptive);
Tolerances tolerancesOf(const OptionValues& options);

}  // namespace tactus::rt::offline
