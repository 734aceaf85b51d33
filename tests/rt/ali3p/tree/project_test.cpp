// The projections against their definition, with dense matrices.
#include "rt/ali3p/tree/project.h"

#include "rt/ali3p/tree/residual.h"
#include "rt/ali3p/tree/solve.h"
#include "tests/rt/ali3p/tree/tree_problem.h"
#include "tests/support/bushing_chain.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random_mechanisms.h"

#include <catch2/catch.hpp>

using namespace tactus;
using namespace tactus::tests;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// Velocities or accelerations of all bodies, six numbers each.
VectorXd stacked(const TreeProblem& problem, bool accelerations) {
  VectorXd x(6 * problem.model.bodyCount());
  for (int i = 0; i < problem.model.bodyCount(); ++i) {
    const rt::BodyMotion& m = problem.ws.iterate.motions[static_cast<std::size_t>(i)];
    x.segment<3>(6 * i) = accelerations ? m.a : m.v;
    x.segment<3>(6 * i + 3) = accelerations ? m.alpha_w : m.omega_w;
  }
  return x;
}

/// Factored at the predictor, with velocities that violate the rows.
TreeProblem disturbed(const rt::ModelSpec& spec) {
  TreeProblem problem(spec, kDt);
  problem.formTangent(settingsWith(1e-9));
  REQUIRE(problem.factor());
  for (std::size_t i = 0; i < problem.ws.iterate.motions.size(); ++i) {
    rt::BodyMotion& m = problem.ws.iterate.motions[i];
    const auto k = static_cast<double>(i);
    m.v += rt::Vector3d(std::sin(k), std::cos(k), 0.3);
    m.omega_w += rt::Vector3d(0.2, std::sin(2 * k), std::cos(3 * k));
    problem.ws.iterate.rotations[i].omega = m.R.transpose() * m.omega_w;
  }
  return problem;
}

double velocityViolationOf(TreeProblem& p) {
  return rt::velocityViolation(p.model, p.ws.iterate, p.ws.conditions, p.ws.rows);
}

}  // namespace

TEST_CASE("projected velocities satisfy the rows and change by W H^T sigma only", "[rt][ali3p]") {
  for (const rt::ModelSpec& spec : {doublePendulum(), randomTree(6, JointMix::kMixed, 3), randomLoop(5, 0, 4)}) {
    CAPTURE(spec.name);
    TreeProblem problem = disturbed(spec);
    const VectorXd before = stacked(problem, false);
    const double violated = velocityViolationOf(problem);
    REQUIRE(violated > 0.1);  // m/s: far above what is left behind
    rt::velocityRightSide(problem.model, problem.ws.conditions, problem.ws.rows, problem.ws.unknowns);
    problem.solve(rt::RightSide::kRowsOnly);
    const double change = rt::applyVelocity(problem.model, problem.ws.unknowns, problem.ws.iterate);
    // The regularization leaves eps_rel = 1e-9 of it, more where rows are nearly dependent.
    CHECK(velocityViolationOf(problem) < 1e-7 * violated);
    CHECK(change > 0);
    const VectorXd dv = stacked(problem, false) - before;
    const MatrixXd K = problem.matrix();
    const Eigen::Index n = 6 * problem.model.bodyCount();
    // W^-1 dv = -H^T sigma: the change has no part that the rows do not push.
    const VectorXd pushed = K.topLeftCorner(n, n) * dv;
    const MatrixXd transposed_H = K.topRightCorner(n, problem.model.rows);
    const VectorXd sigma = transposed_H.colPivHouseholderQr().solve(pushed);
    CHECK((pushed - transposed_H * sigma).norm() < 1e-8 * pushed.norm());  // round-off over the condition of H
    // Rates in body axes follow those in world axes.
    for (std::size_t i = 0; i < problem.ws.iterate.motions.size(); ++i) {
      const rt::BodyMotion& m = problem.ws.iterate.motions[i];
      CHECK((problem.ws.iterate.rotations[i].omega - m.R.transpose() * m.omega_w).norm() < 1e-12);  // round-off
    }
  }
}

TEST_CASE("the filter takes the third power of the elastic share of what a rate differs from its mean in the step",
          "[rt][ali3p]") {
  // A free body on a bushing at its center of mass: three modes of one row each.
  rt::ModelSpec spec = freeBody(0);
  const double mass = spec.bodies[0].mass;
  const rt::Vector3d k(2e3, 5e4, 8e6), c(3, 4e3, 0);
  rt::ForceSpec force;
  force.name = "bushing";
  rt::BushingSpec bushing;
  bushing.body_1 = "ground";
  bushing.body_2 = spec.bodies[0].name;
  bushing.stiffness = k.asDiagonal();
  bushing.damping = c.asDiagonal();
  force.kind = bushing;
  spec.forces.push_back(force);
  TreeProblem problem = disturbed(spec);
  const VectorXd before = stacked(problem, false);
  velocityViolationOf(problem);
  const rt::Vector3d mean(0.7, -0.4, 2);  // m/s, of the rows in the step
  for (std::size_t i = 0; i < 3; ++i)
    problem.ws.conditions.start_phi[i] = problem.ws.rows.phi[i] - kDt * mean[static_cast<int>(i)];
  const rt::Vector3d end(Eigen::Map<const rt::Vector3d>(problem.ws.rows.rates.data()));
  rt::TreeUnknowns& unknowns = problem.ws.unknowns;
  rt::beginFilter(problem.model, kDt, problem.ws.conditions, problem.ws.rows, problem.ws.tangent, unknowns);
  problem.solve(rt::RightSide::kRowsOnly);
  rt::continueFilter(problem.model, problem.ws.rows, problem.ws.tangent, unknowns);
  problem.solve(rt::RightSide::kRowsOnly);
  rt::endFilter(problem.model, problem.ws.conditions, problem.ws.rows, problem.ws.tangent, unknowns);
  problem.solve(rt::RightSide::kRowsOnly);
  rt::applyVelocity(problem.model, unknowns, problem.ws.iterate);
  const VectorXd dv = stacked(problem, false) - before;
  for (int i = 0; i < 3; ++i) {
    const double x = kDt * kDt / 4 * k[i] / mass, d = kDt / 2 * c[i] / mass;
    const double deviation = before[i] / end[i] * (end[i] - mean[i]);  // of the body; a row may count the other way
    CHECK(dv[i] == Approx(-std::pow(x / (1 + x + d), 3) * deviation).epsilon(1e-9));  // round-off of three solves
  }
}

TEST_CASE("the filter of a line of bushings is that of dense matrices, without the bodies' part of its first solves",
          "[rt][ali3p]") {
  TreeProblem problem = disturbed(cantileverOfBushings(7));
  rt::TreeWorkspace& ws = problem.ws;
  velocityViolationOf(problem);
  const auto rows = static_cast<std::size_t>(problem.model.rows);
  VectorXd c(problem.model.rows);  // ali3p (29), with the sign of a correction
  for (std::size_t r = 0; r < rows; ++r) {
    const double mean = std::sin(static_cast<double>(r));
    ws.conditions.start_phi[r] = ws.rows.phi[r] - kDt * mean;
    c[static_cast<Eigen::Index>(r)] = mean - ws.rows.rates[r];
  }
  rt::beginFilter(problem.model, kDt, ws.conditions, ws.rows, ws.tangent, ws.unknowns);
  const auto solve = [&](rt::Solution solution) {
    rt::substituteForward(problem.plan, rt::RightSide::kRowsOnly, ws.tangent, ws.fronts, ws.unknowns);
    rt::substituteBack(problem.plan, ws.tangent, ws.fronts, ws.unknowns, solution);
  };
  solve(rt::Solution::kRowsOnly);
  rt::continueFilter(problem.model, ws.rows, ws.tangent, ws.unknowns);
  solve(rt::Solution::kRowsOnly);
  rt::endFilter(problem.model, ws.conditions, ws.rows, ws.tangent, ws.unknowns);
  solve(rt::Solution::kBodiesAndRows);

  const MatrixXd K = problem.matrix();
  const Eigen::Index n = 6 * problem.model.bodyCount();
  const MatrixXd H = K.bottomLeftCorner(problem.model.rows, n);
  VectorXd w;
  for (int k = 0; k < 3; ++k) {
    VectorXd rhs = VectorXd::Zero(K.rows());
    for (const rt::Joint& joint : problem.model.joints)
      rhs.segment<6>(n + joint.first_row) =
          ws.tangent.elastic_share[static_cast<std::size_t>(joint.law_index)] * c.segment<6>(joint.first_row);
    w = K.fullPivLu().solve(rhs).head(n);
    c = H * w;
  }
  const Eigen::Map<const VectorXd> found(ws.unknowns.values.data(), n);
  CHECK((found - w).norm() < 1e-8 * w.norm());  // round-off of three dense solves in double precision
}

TEST_CASE("projected accelerations satisfy the rows and the equations of motion", "[rt][ali3p]") {
  for (const rt::ModelSpec& spec : {doublePendulum(), randomTree(6, JointMix::kMixed, 3)}) {
    CAPTURE(spec.name);
    TreeProblem problem(spec, kDt);
    problem.formTangent(settingsWith(1e-9));
    REQUIRE(problem.factor());
    velocityViolationOf(problem);
    // Several times: the metric holds part of the geometric stiffness, so that one solve leaves a residual of bodies.
    for (int pass = 0; pass < 3; ++pass) {
      rt::evaluateGamma(problem.model, problem.ws.iterate, problem.ws.rows);
      rt::evaluateLoads(problem.model, problem.ws.iterate.motions.data(), problem.ws.conditions, problem.ws.loads);
      rt::accelerationRightSide(problem.model, problem.scale(), problem.ws.iterate, problem.ws.conditions,
                                problem.ws.rows, problem.ws.loads, problem.ws.tangent, problem.ws.unknowns);
      problem.solve(rt::RightSide::kBodiesAndRows);
      rt::applyAcceleration(problem.model, problem.scale(), problem.ws.tangent, problem.ws.unknowns,
                            problem.ws.iterate);
    }
    const double scale_of_a = 1 + stacked(problem, true).norm();
    // The regularization leaves eps_rel of a change, and three passes shrink what the metric leaves.
    CHECK(rt::accelerationViolation(problem.model, problem.ws.iterate, problem.ws.conditions, problem.ws.rows) <
          1e-6 * scale_of_a);
    rt::bodyRightSide(problem.model, problem.ws.iterate, problem.ws.rows, problem.ws.loads, problem.ws.unknowns);
    const Eigen::Map<const VectorXd> residual(problem.ws.unknowns.values.data(), 6 * problem.model.bodyCount());
    CHECK(residual.norm() < 1e-6 * scale_of_a);  // as above
  }
}
