// Newmark's rule in the tangent space of the constraints: positions, velocities and accelerations satisfy their
// constraints together, and the rule keeps the stability that it has without constraints.
//
// In each iteration the rows at all three levels are linearised around the current estimate of the new point, in the
// coordinates y of a chart there. With N an orthonormal basis of H y = 0, everything that satisfies them is
//
//   y = y_p + N s,   yd = yd_p + N sd + U s,   ydd = ydd_p + N sdd + 2 U sd + V s
//
// with smallest particular solutions, so that s = N^T y, sd = N^T yd, sdd = N^T ydd also for the old point. Newmark's
// rule is applied to s, and N^T (M ud - Q) = 0 linearised likewise gives sdd.
//
// Source: [TAN] Eqs. (32)-(58). Where the rotations are, its coordinates are those of the chart.
#pragma once

#include "rt/offline/chart.h"
#include "rt/offline/option.h"
#include "rt/offline/stepper.h"
#include "rt/offline/tangent_space.h"

#include <functional>

namespace tactus::rt::offline {

/// x_1 = x_0 + h v_0 + h^2 ((1/2 - beta) a_0 + beta a_1),   v_1 = v_0 + h ((1 - alpha) a_0 + alpha a_1)
struct NewmarkRule {
  double alpha = 0.5;  ///< weight in the velocity
  double beta = 0.25;  ///< weight in the position
};

/// The largest stable h of the rule at a natural frequency, s; infinite if there is none.
double newmarkStepLimit(const NewmarkRule& rule, double omega);

/// Equations reduced to the free motions around a point: M sdd + C sd + K s is the linearised residual.
struct ReducedEquations {
  MatrixXd M, C, K;
};

/// The tangent space at a point with the linearised rows of all levels and the reduced equations.
struct TangentPoint {
  MatrixXd T;                 ///< motions with H T = 0, one column a free coordinate
  VectorXd y_p, yd_p, ydd_p;  ///< particular solutions
  MatrixXd U, W, V;           ///< of s in yd; of sd and s in ydd
  VectorXd reduced_residual;  ///< T^T (residual), with the particular solutions taken in
  ReducedEquations reduced;
  /// Of the reduced residual by the internal states m; of the internal states's rates g by s, sd and m. Empty where
  /// nothing remembers.
  MatrixXd residual_by_internal, rate_by_position, rate_by_velocity, rate_by_internal;
};

/// Linearises around a point whose multipliers go with its accelerations, in any coordinates of its motions.
/// @param[in] T       motions with H T = 0
/// @param[in] answer  x with H x = b that changes no free coordinate
/// @param[in] b       of the rule by which the internal states follows the motion, s; 0: it is held
TangentPoint linearise(const DynamicSystem& system, const MotionPoint& at, const MatrixXd& T,
                       const std::function<MatrixXd(const MatrixXd&)>& answer, double b = 0);

/// The same with T orthonormal and smallest particular solutions; sets the multipliers of the point.
/// @source [TAN] Eqs. (34)-(52), in the chart at the point
TangentPoint linearise(const DynamicSystem& system, MotionPoint& at, const RankRule& rule = {}, double b = 0);

class TangentNewmark final : public Stepper {
 public:
  struct Settings {
    NewmarkRule rule;
    double tolerance = 1e-10;  ///< largest last increment, relative to the size of the mechanism
    int iterations = 30;       ///< at most
    bool frequencies = true;   ///< estimate omega_max and the stable step along the run
    /// Begin without acceleration along the free motions: that of a transient far shorter than the step would throw the
    /// first one.
    bool begin_unaccelerated = false;
  };
  TangentNewmark(const DynamicSystem& system, const MotionPoint& start, const Settings& settings);

  void advance(double step) override;
  const MotionPoint& point() const override { return point_; }
  /// omega, rad/s, and stable_step, s (0 where every step is stable), of the last step, where they are estimated.
  std::vector<std::string> ownNames() const override;
  std::vector<double> ownValues() const override;

 private:
  const DynamicSystem& system_;
  Settings settings_;
  MotionPoint point_;
  RankRule rule_;  ///< of the accepted points
};

/// Options shared by all methods with Newmark's rule, and the rule they choose.
std::vector<Option> newmarkOptions();
NewmarkRule newmarkRule(const OptionValues& options);

}  // namespace tactus::rt::offline
