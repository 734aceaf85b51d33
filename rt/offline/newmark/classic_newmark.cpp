#include "rt/offline/newmark/classic_newmark.h"

#include "rt/offline/core/internal_state_rule.h"
#include "rt/offline/core/newton_monitor.h"

namespace tactus::rt::offline {

ClassicNewmark::ClassicNewmark(const DynamicSystem& system, const MotionPoint& start, const Settings& settings)
    : system_(system), settings_(settings), point_(start) {
  if (settings.rule.beta <= 0) throw Error("newmark-classic: beta must be above 0; beta = 0 is central-difference");
}

void ClassicNewmark::advance(double h) {
  const double b_1 = settings_.rule.alpha * h, b_2 = settings_.rule.beta * h * h;
  const Chart chart(system_, point_);
  const VectorXd y_c = h * point_.velocity + (0.5 * h * h - b_2) * point_.acceleration;
  const VectorXd yd_c = point_.velocity + (h - b_1) * point_.acceleration;
  const VectorXd m_c = point_.internal_states + (h - b_1) * point_.internal_rate;
  VectorXd ydd = point_.acceleration, lambda = point_.lambda;
  const int n = system_.size(), m = system_.rows();
  NewtonMonitor monitor(settings_.tolerance, system_.length(), settings_.iterations);

  MotionPoint p;
  const auto place = [&] {
    p = chart.motionOf({y_c + b_2 * ydd, yd_c + b_1 * ydd, ydd});
    p.t = point_.t + h;
    p.lambda = lambda;
    followInternalStates(system_, {b_1, m_c}, p);
  };
  do {
    place();
    const Sparse H = system_.jacobian(p);
    const ResidualDerivatives d = followingDerivatives(system_, p, b_1);
    const VectorXd compliances = rowCompliances(H, d.M, settings_.relative_compliance);
    // An increment x of the positions goes with (b_1/b_2) x + L1 x in the velocities and x/b_2 in the accelerations.
    const Sparse A = d.M + b_1 * d.C + b_2 * (d.K + d.C * chart.velocityByPosition(p));
    solver_.factor(A, H, H, compliances);
    VectorXd right(n + m);
    right << -b_2 * (system_.residual(p) + H.transpose() * lambda),
        -system_.constraints(p) + b_2 * compliances.cwiseProduct(lambda);
    const VectorXd solution = solver_.solve(right);
    VectorXd x = solution.head(n);
    ++statistics_.factorizations;
    ++statistics_.force_evaluations;
    ++statistics_.newton_iterations;
    monitor.take(x.norm());
    for (std::size_t i = 0; i < p.orientation.size(); ++i) {
      const int k = system_.rotations()[i];
      x.segment<3>(k) = parameterRate(parametersOf(p.orientation[i], point_.orientation[i]), Vector3d(x.segment<3>(k)));
    }
    ydd += x / b_2;
    lambda += solution.tail(m) / b_2;
  } while (!monitor.converged());
  place();
  point_ = p;
  ++statistics_.steps;
}

}  // namespace tactus::rt::offline
