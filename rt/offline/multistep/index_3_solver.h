// One implicit point of a first-order rule on the index-3 equations: positions from velocities and velocities from
// accelerations by the same rule, positions held to their constraints.
//
//   y = y_c + b yd,   u = u_c + b ud,   m = m_c + b m',   M ud - Q + H^T lambda = 0,   Phi = 0
//
// y and yd are coordinates of a chart; u is the velocity in world axes. The unknowns of Newton's method are b^2 ud and
// b^2 lambda, increments of the positions, so that all entries of the matrix keep their size as the step goes to zero.
// The internal states m of elements follows from the motion in each iteration.
//
// Source: [MSE] Eqs. (8), (21). The scaling differs: the paper divides the constraint rows by b only.
#pragma once

#include "rt/offline/core/chart.h"
#include "rt/offline/core/internal_state_rule.h"
#include "rt/offline/core/option.h"
#include "rt/offline/core/saddle_point.h"
#include "rt/offline/core/stepper.h"

namespace tactus::rt::offline {

struct FirstOrderRelation {
  double t = 0, b = 0;
  VectorXd y_c, u_c, m_c;
};

class Index3Solver {
 public:
  struct Settings {
    double tolerance = 1e-11;           ///< maximum last increment, relative to the size of the mechanism
    int iterations = 30;                ///< maximum
    double relative_compliance = 1e-9;  ///< compliance of a row divided by that of its bodies
  };
  /// The system and the statistics must outlive this.
  Index3Solver(const DynamicSystem& system, const Settings& settings, Statistics& statistics);

  /// Solves from a prediction of the accelerations and multipliers. @throws StepFailure
  MotionPoint solve(const MotionPoint& reference, const FirstOrderRelation& relation, VectorXd acceleration,
                    VectorXd lambda);

 private:
  /// The point with given accelerations.
  MotionPoint place(const Chart& chart, const FirstOrderRelation& relation, const VectorXd& acceleration) const;
  /// Derivative of the positions by the velocities at a point, divided by b: the identity for translations.
  Sparse positionByVelocity(const MotionPoint& reference, const MotionPoint& at, double b) const;

  const DynamicSystem& system_;
  Settings settings_;
  Statistics& statistics_;
  SaddlePoint linear_;
};

/// Options of the solver, and the settings that they choose.
std::vector<Option> index3Options();
Index3Solver::Settings index3Settings(const OptionValues& options);

}  // namespace tactus::rt::offline
