#include "rt/offline/newmark/central_difference.h"

#include "rt/offline/core/dense_solvers.h"
#include "rt/offline/core/internal_state_rule.h"
#include "rt/offline/core/minimal_coordinates.h"
#include "rt/offline/core/newton_monitor.h"

namespace tactus::rt::offline {

namespace {

constexpr double kNewtonClosed = 1e-12;
constexpr int kMaxNewtonPasses = 30;

/// The free part of x in the metric of the masses: N (N^T M N)^-1 N^T M x.
VectorXd freePart(const Sparse& M, const MatrixXd& N, const VectorXd& x) {
  const MatrixXd reduced = N.transpose() * (M * N);
  return N * choleskySolve(reduced, N.transpose() * (M * x));
}

/// The projection of velocities onto H x = nu in the metric of the masses.
VectorXd allowedPart(const DynamicSystem& system, const TangentSpace& space, const MotionPoint& at, const VectorXd& x) {
  const VectorXd asked = space.smallestSolution(system.rowRates(at.t));
  return asked + freePart(system.mass(at), space.freeMotions(), x - asked);
}

}  // namespace

CentralDifference::CentralDifference(const DynamicSystem& system, const MotionPoint& start)
    : system_(system), point_(start), rule_(TangentSpace(MatrixXd(system.jacobian(start))).ruleAfter({})) {}

TangentSpace CentralDifference::close(MotionPoint& point) {
  NewtonMonitor monitor(kNewtonClosed, system_.length(), kMaxNewtonPasses);
  for (;;) {
    const bool closed = monitor.converged() || system_.rows() == 0;
    const MatrixXd H(system_.jacobian(point));
    ++statistics_.factorizations;
    if (closed) {
      const TangentSpace there(H, {0, {}, rule_.threshold});
      rule_ = there.ruleAfter(rule_);
      return there;
    }
    const TangentSpace space(H, rule_);
    // The smallest correction, and from it the one that is smallest in the metric of the masses.
    const VectorXd x = space.smallestSolution(-system_.constraints(point));
    const VectorXd correction = x - freePart(system_.mass(point), space.freeMotions(), x);
    monitor.take(correction.norm());
    ++statistics_.newton_iterations;
    const MotionPoint at = point;
    point = Chart(system_, at).placeAt(correction);
  }
}

void CentralDifference::advance(double h) {
  // Positions from constant acceleration; the velocity of a first-order predictor is good enough for the forces.
  const ChartPoint moved{h * point_.velocity + 0.5 * h * h * point_.acceleration,
                         point_.velocity + h * point_.acceleration, point_.acceleration};
  MotionPoint next = Chart(system_, point_).motionOf(moved);
  next.t = point_.t + h;
  const TangentSpace space = close(next);
  next.velocity = allowedPart(system_, space, next, next.velocity);
  const InternalStateRule trapezoidal{0.5 * h, point_.internal_states + 0.5 * h * point_.internal_rate};
  followInternalStates(system_, trapezoidal, next);
  solveAccelerations(system_, space, next);

  // The old point in coordinates at the new one, where the rule's velocity is a mean of accelerations.
  const ChartPoint old = Chart(system_, next).coordinatesOf(point_);
  next.velocity = allowedPart(system_, space, next, old.yd + 0.5 * h * (old.ydd + next.acceleration));
  followInternalStates(system_, trapezoidal, next);
  solveAccelerations(system_, space, next);
  statistics_.force_evaluations += 4;
  point_ = next;
  ++statistics_.steps;
}

}  // namespace tactus::rt::offline
