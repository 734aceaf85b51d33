#include "rt/ali3p/tree/residual.h"
#include "rt/model/model.h"

#include "rt/ali3p/compile_plan.h"
#include "rt/ali3p/tree/project.h"
#include "rt/math/euler_parameters.h"
#include "rt/mechanics/compliant_rows.h"
#include "rt/mechanics/initial_state.h"
#include "tests/rt/ali3p/tree/tree_problem.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random_mechanisms.h"

#include <catch2/catch.hpp>

#include <Eigen/Geometry>

using namespace tactus;
using namespace tactus::tests;
using Eigen::VectorXd;
using rt::Vector3d;

namespace {

Eigen::Map<const VectorXd> bodiesOf(const TreeProblem& problem) {
  return {problem.ws.unknowns.values.data(), 6 * problem.model.bodyCount()};
}
Eigen::Map<const VectorXd> rowsOf(const TreeProblem& problem) {
  return {problem.ws.unknowns.rows(problem.model.bodyCount()), problem.model.rows};
}

VectorXd bodyRightSideOf(TreeProblem& problem) {
  rt::bodyRightSide(problem.model, problem.ws.iterate, problem.ws.rows, problem.ws.loads, problem.ws.unknowns);
  return bodiesOf(problem);
}

void positionRightSideOf(TreeProblem& problem, double leak) {
  rt::evaluateDampedRates(problem.model, problem.ws.iterate, problem.ws.rows);
  rt::positionRightSide(problem.model, leak, problem.ws.iterate, problem.ws.conditions, problem.ws.rows,
                        problem.ws.loads, problem.ws.tangent, problem.ws.unknowns);
}

/// Two bodies in free flight on a bushing that is strained.
rt::ModelSpec freePairOnBushing() {
  rt::ModelSpec spec;
  spec.gravity = Vector3d::Zero();
  spec.bodies.push_back(makeBody("a", Vector3d::Zero()));
  spec.bodies.push_back(makeBody("b", Vector3d(1, 0, 0)));
  rt::BushingSpec bushing;
  bushing.body_1 = spec.bodies[0].name;
  bushing.body_2 = spec.bodies[1].name;
  bushing.point_1 = Vector3d(0.5, 0, 0);
  bushing.point_2 = Vector3d(-0.5, 0.01, 0.02);
  bushing.stiffness = 1e4 * Eigen::MatrixXd::Identity(3, 3);
  bushing.damping = 10 * Eigen::MatrixXd::Identity(3, 3);
  spec.forces.push_back({"bushing", "", bushing});
  return spec;
}

}  // namespace

TEST_CASE("a free body without loads misses what its acceleration asks for", "[rt][ali3p]") {
  rt::ModelSpec spec = freeBody(5);
  TreeProblem problem(spec, kDt);
  const rt::Body& body = problem.model.bodies[0];
  rt::BodyMotion& motion = problem.ws.iterate.motions[0];
  motion.a = problem.model.gravity + Vector3d(1, 2, 3);
  const VectorXd rhs = bodyRightSideOf(problem);
  CHECK((rhs.head<3>() + body.mass * Vector3d(1, 2, 3)).norm() < 1e-13);  // round-off of one product
  const rt::RotationIterate& q = problem.ws.iterate.rotations[0];
  const Vector3d torque = motion.R * (body.inertia * q.alpha + q.omega.cross(body.inertia * q.omega));
  CHECK((rhs.tail<3>() + torque).norm() < 1e-12 * (1 + torque.norm()));  // round-off of three products
}

TEST_CASE("multipliers load the bodies with the transposed Jacobian of their rows", "[rt][ali3p]") {
  for (const rt::ModelSpec& spec : {randomTree(6, JointMix::kMixed, 2), hubWithLoops(3, 5)}) {
    TreeProblem problem(spec, kDt);
    problem.formTangent(settingsWith(1e-8));
    const VectorXd before = bodyRightSideOf(problem);
    VectorXd change(problem.model.rows);
    for (int row = 0; row < problem.model.rows; ++row) {
      change[row] = std::sin(1.0 + row);
      problem.ws.iterate.lambda[static_cast<std::size_t>(row)] += change[row];
    }
    const Eigen::MatrixXd H = problem.matrix().bottomLeftCorner(problem.model.rows, 6 * problem.model.bodyCount());
    const VectorXd after = bodyRightSideOf(problem);
    CHECK((before - after - H.transpose() * change).norm() < 1e-11 * (1 + after.norm()));  // round-off of the sums
  }
}

TEST_CASE("rigid rows ask for their gap back, and forget a share of their multipliers", "[rt][ali3p]") {
  TreeProblem problem(randomTree(6, JointMix::kMixed, 2), kDt);
  problem.formTangent(settingsWith(1e-8));
  for (std::size_t row = 0; row < problem.ws.iterate.lambda.size(); ++row)
    problem.ws.iterate.lambda[row] = 10.0 - static_cast<double>(row);
  for (const double leak : {0.0, 0.1}) {
    positionRightSideOf(problem, leak);
    double squares = 0;
    for (int row = 0; row < problem.model.rows; ++row) {
      const auto r = static_cast<std::size_t>(row);
      CHECK(rowsOf(problem)[row] ==
            leak * problem.ws.tangent.epsilon[r] * problem.ws.iterate.lambda[r] - problem.ws.rows.phi[r]);
      squares += problem.ws.rows.phi[r] * problem.ws.rows.phi[r];
    }
    CHECK(rt::positionViolation(problem.ws.rows) == Approx(std::sqrt(squares)));
  }
}

TEST_CASE("compliant rows are at rest when their multipliers follow their law", "[rt][ali3p]") {
  TreeProblem problem(freePairOnBushing(), kDt);
  problem.formTangent(settingsWith(1e-8));
  REQUIRE(problem.model.rows == 3);
  CHECK(rt::positionViolation(problem.ws.rows) == 0);  // compliant rows need not vanish
  positionRightSideOf(problem, 0);
  const VectorXd missing = rowsOf(problem);
  CHECK(missing.norm() > 0);
  // E (lambda - law) = missing, so lambda - E^-1 missing is the law.
  const Eigen::Matrix3d E = problem.ws.tangent.compliance[0].topLeftCorner<3, 3>();
  const Vector3d excess = E.inverse() * missing;
  for (int k = 0; k < 3; ++k) problem.ws.iterate.lambda[static_cast<std::size_t>(k)] -= excess[k];
  positionRightSideOf(problem, 0);
  CHECK(rowsOf(problem).norm() < 1e-12 * missing.norm());  // round-off of the inverse
}

TEST_CASE("a step takes drives, input and internal states as they are at its beginning and end", "[rt][ali3p]") {
  const rt::Model model = rt::buildModel(rollingRig());
  rt::TreeConditions conditions(model);
  rt::State from = rt::initialState(model).state;
  for (int i = 0; i < model.internal_states; ++i) from.internalStates()[i] = 0.5 + i;
  const std::vector<double> input(model.actuators.size(), 2.5);
  rt::beginStep(model, kDt, 7 * kDt, input, from, conditions);
  CHECK(conditions.input == input);
  CHECK(conditions.internal_dt == kDt);
  for (int i = 0; i < model.internal_states; ++i)
    CHECK(conditions.internal_states[static_cast<std::size_t>(i)] == 0.5 + i);
}

TEST_CASE("a step takes the values of compliant rows at its beginning from State alone", "[rt][ali3p]") {
  const rt::Model model = rt::buildModel(freePairOnBushing());
  rt::State from = rt::initialState(model).state;
  for (int i = 0; i < model.bodyCount(); ++i) {
    const double k = i;
    from.r(i) += Vector3d(0.01 * k, 0.02, -0.03 * k);
    from.p(i) = rt::normalized(rt::Vector4d(1, 0.1 + k, 0.2, -0.3));
    from.v(i) = Vector3d(1, -2 * k, 3);
    from.omega(i) = Vector3d(0.5, k, -1);
  }
  std::vector<rt::BodyMotion> motions;
  for (int i = 0; i < model.bodyCount(); ++i) motions.push_back(rt::bodyMotion(from.view(), i));
  rt::JointRows expected;
  rt::evaluateJointRows(model, model.joints[0], motions.data(), from.jointDisplacements(), expected);
  rt::TreeWorkspace ws(model, rt::compilePlan(model));
  rt::recordStart(model, from, ws.iterate, ws.rows, ws.conditions);
  for (std::size_t row = 0; row < 3; ++row) {
    CHECK(ws.conditions.start_phi[row] == Approx(expected.phi[row]).epsilon(1e-13));  // four lanes or one: round-off
    CHECK(std::abs(expected.phi[row]) > 1e-3);                                        // m: strained along each axis
  }
}
