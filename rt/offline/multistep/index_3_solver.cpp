#include "rt/offline/multistep/index_3_solver.h"

#include "rt/math/lu.h"
#include "rt/offline/core/newton_monitor.h"

#include <utility>

namespace tactus::rt::offline {

namespace {

/// The parameters with g = g_c + b G(g)^-1 omega, by Newton's method; a few passes reach round-off.
Vector3d solveParameters(const Vector3d& g_c, double b, const Vector3d& omega) {
  Vector3d g = g_c + b * omega;
  for (int pass = 0; pass < 20; ++pass) {
    const Vector3d residual = g - g_c - b * parameterRate(g, omega);
    const Matrix3d slope = Matrix3d::Identity() - b * parameterRateDerivative(g, omega);
    const Vector3d change = luSolve3(slope, residual);
    g -= change;
    if (!(change.norm() > 1e-15)) break;
  }
  return g;
}

}  // namespace

Index3Solver::Index3Solver(const DynamicSystem& system, const Settings& settings, Statistics& statistics)
    : system_(system), settings_(settings), statistics_(statistics) {}

MotionPoint Index3Solver::place(const Chart& chart, const FirstOrderRelation& r, const VectorXd& acceleration) const {
  const VectorXd u = r.u_c + r.b * acceleration;
  VectorXd y = r.y_c + r.b * u;
  for (const int k : system_.rotations()) y.segment<3>(k) = solveParameters(r.y_c.segment<3>(k), r.b, u.segment<3>(k));
  MotionPoint point = chart.placeAt(y);
  point.t = r.t;
  point.velocity = u;
  point.acceleration = acceleration;
  followInternalStates(system_, {r.b, r.m_c}, point);
  return point;
}

Sparse Index3Solver::positionByVelocity(const MotionPoint& reference, const MotionPoint& at, double b) const {
  Sparse P(system_.size(), system_.size());
  P.setIdentity();
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < at.orientation.size(); ++i) {
    const int k = system_.rotations()[i];
    const Vector3d g = parametersOf(at.orientation[i], reference.orientation[i]), omega = at.velocity.segment<3>(k);
    const Matrix3d G = rateMatrix(g);
    const Matrix3d slope = Matrix3d::Identity() - b * parameterRateDerivative(g, omega);
    // P already contains the identity.
    const Matrix3d block = G * luSolve3(slope, Matrix3d(G.inverse())) - Matrix3d::Identity();
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) entries.emplace_back(k + r, k + c, block(r, c));
  }
  Sparse turning(system_.size(), system_.size());
  turning.setFromTriplets(entries.begin(), entries.end());
  return P + turning;
}

MotionPoint Index3Solver::solve(const MotionPoint& reference, const FirstOrderRelation& relation, VectorXd acceleration,
                                VectorXd lambda) {
  const Chart chart(system_, reference);
  const int n = system_.size(), m = system_.rows();
  const double b = relation.b, b_2 = b * b;
  NewtonMonitor monitor(settings_.tolerance, system_.length(), settings_.iterations);
  while (!monitor.converged()) {
    MotionPoint p = place(chart, relation, acceleration);
    p.lambda = lambda;
    const Sparse H = system_.jacobian(p), P = positionByVelocity(reference, p, b);
    const ResidualDerivatives d = followingDerivatives(system_, p, b);
    const VectorXd compliances = rowCompliances(H, d.M, settings_.relative_compliance);
    const Sparse A = d.M + b * d.C + b_2 * Sparse(d.K * P);
    linear_.factor(A, H, H * P, compliances);
    VectorXd right(n + m);
    right << -b_2 * (system_.residual(p) + H.transpose() * lambda),
        -system_.constraints(p) + b_2 * compliances.cwiseProduct(lambda);
    const VectorXd solution = linear_.solve(right);
    ++statistics_.factorizations;
    ++statistics_.force_evaluations;
    ++statistics_.newton_iterations;
    monitor.take(solution.head(n).norm());
    acceleration += solution.head(n) / b_2;
    lambda += solution.tail(m) / b_2;
  }
  MotionPoint point = place(chart, relation, acceleration);
  point.lambda = std::move(lambda);
  return point;
}

std::vector<Option> index3Options() {
  return {number("tolerance", "1e-11", 1e-14, 1e-4, "maximum last increment, relative to the size of the mechanism"),
          integer("iterations", 30, 1, 100, "maximum Newton iterations of a point"), relativeCompliance()};
}

Index3Solver::Settings index3Settings(const OptionValues& options) {
  return {options.number("tolerance"), options.integer("iterations"), options.number("relative_compliance")};
}

}  // namespace tactus::rt::offline
