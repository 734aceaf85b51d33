#include "rt/offline/core/tangent_point.h"

#include "rt/offline/core/chart.h"
#include "rt/offline/core/internal_state_rule.h"

namespace tactus::rt::offline {

TangentPoint linearize(const DynamicSystem& system, const MotionPoint& at, const MatrixXd& T,
                       const std::function<MatrixXd(const MatrixXd&)>& answer, double b) {
  const Sparse H = system.jacobian(at);
  const Chart chart(system, at);
  const Sparse L1 = chart.velocityByPosition(at), L2 = chart.accelerationByPosition(at);

  // Rows in the chart: H y = -phi,  H yd = nu - A y,  H ydd = gamma - B y - D (yd - u).
  const RowRateDerivatives rates = system.rowRateDerivatives(at);
  const Sparse A = rates.rate_by_position + H * L1;
  const Sparse& D = rates.second_rate_by_velocity;
  const Sparse B = rates.second_rate_by_position + D * L1 + H * L2;
  TangentPoint p;
  p.T = T;
  p.y_p = answer(-system.constraints(at));
  p.yd_p = answer(system.rowRates(at.t) - A * p.y_p);
  p.ydd_p = answer(system.gamma(at) - B * p.y_p - D * (p.yd_p - at.velocity));
  p.U = answer(-(A * T));
  p.W = answer(-(D * T));
  p.V = answer(-(D * p.U) - B * T);

  // The residual in the chart, restricted to the free motions.
  const ResidualDerivatives d = followingDerivatives(system, at, b);
  const Sparse K = d.K + d.C * L1 + d.M * L2;
  const VectorXd moved =
      system.residual(at) + K * p.y_p + d.C * (p.yd_p - at.velocity) + d.M * (p.ydd_p - at.acceleration);
  p.reduced_residual = T.transpose() * moved;
  p.reduced.M = T.transpose() * (d.M * T);
  p.reduced.C = T.transpose() * (d.C * T + d.M * p.W);
  p.reduced.K = T.transpose() * (K * T + d.C * p.U + d.M * p.V);
  if (system.internalStateCount() == 0) return p;
  const InternalStateDerivatives& m = d.internal_states;
  p.residual_by_internal = T.transpose() * MatrixXd(m.residual_by_internal);
  p.rate_by_position = (m.rate_by_position + Sparse(m.rate_by_velocity * L1)) * T + m.rate_by_velocity * p.U;
  p.rate_by_velocity = m.rate_by_velocity * T;
  p.rate_by_internal = MatrixXd(m.rate_by_internal);
  return p;
}

TangentPoint linearize(const DynamicSystem& system, MotionPoint& at, const RankRule& rule, double b) {
  const TangentSpace space(MatrixXd(system.jacobian(at)), rule);
  at.lambda = space.smallestMultipliers(-system.residual(at));
  return linearize(
      system, at, space.freeMotions(), [&](const MatrixXd& x) { return space.smallestSolution(x); }, b);
}

}  // namespace tactus::rt::offline
