// The tangent: derivatives, limits, what its gyroscopic part gains, and what rows are regularized with.
// Covers: rt/mechanics/gyroscopic.cpp, rt/ali3p/stiffness_limit.cpp, rt/ali3p/tree/residual.cpp
#include "rt/ali3p/tree/tangent.h"
#include "rt/ali3p/compile_plan.h"
#include "rt/ali3p/workspace.h"
#include "rt/model/model.h"

#include "rt/ali3p/step.h"
#include "rt/ali3p/stiffness_limit.h"
#include "rt/ali3p/tree/residual.h"
#include "rt/mechanics/gyroscopic.h"
#include "rt/mechanics/initial_state.h"
#include "tests/rt/ali3p/tree/spinning_body.h"
#include "tests/rt/ali3p/tree/tree_problem.h"
#include "tests/support/random_mechanisms.h"
#include "tests/support/simulation.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace tactus;
using namespace tactus::tests;
using rt::Matrix3d;
using rt::Vector3d;

namespace {

/// Ratio of the last two increments of a step.
double lastContraction(const rt::ModelSpec& spec, double dt, int iterations, bool gyroscopic) {
  const rt::Model model = rt::buildModel(spec);
  const rt::Plan plan = rt::compilePlan(model);
  rt::Settings settings = settingsFor(dt, iterations);
  settings.gyroscopic_tangent = gyroscopic;
  settings.gyroscopic_above = rt::kNeverGyroscopic;
  settings.refactor_above = 1e6;
  rt::Workspace ws(model, plan);
  rt::State state = rt::initialState(model).state;
  const rt::StepReport report = rt::step(model, plan, settings, {}, state, ws);
  REQUIRE(report.status == rt::TickStatus::kOk);
  return report.contraction;
}

}  // namespace

TEST_CASE("the tangent of a spinning body is the derivative of its residual", "[rt][ali3p]") {
  rt::ModelSpec hung = spinningBody({0.3, 0.7, 0.5}, {40, -25, 60});
  hung.joints.push_back(makeJoint("pivot", "ground", "top", rt::SphericalSpec{{0.1, 0.2, -0.3}, {0.1, 0.2, -0.3}}));
  hung.bodies.back().velocity = -Vector3d(40, -25, 60).cross(Vector3d(0.1, 0.2, -0.3));
  for (const rt::ModelSpec& spec : {spinningBody({0.3, 0.7, 0.5}, {40, -25, 60}), hung}) {
    CAPTURE(spec.joints.size());
    TreeProblem problem(spec, kDt);
    turn({0.02, -0.03, 0.01}, problem);
    std::vector<double>& lambda = problem.ws.iterate.lambda;
    for (std::size_t row = 0; row < lambda.size(); ++row) lambda[row] = 300.0 - 450.0 * static_cast<double>(row);
    problem.evaluate();
    rt::Settings settings = settingsFor(kDt);
    settings.gyroscopic_tangent = true;
    CHECK(problem.formTangent(settings) == 0);
    REQUIRE(problem.ws.tangent.unsymmetric);
    const Matrix3d difference = differenceQuotient(problem, 1e-5, [&](TreeProblem& p) -> Vector3d {
      p.ws.iterate.lambda = lambda;
      p.evaluate();
      rt::bodyRightSide(p.model, p.ws.iterate, p.ws.rows, p.ws.loads, p.ws.unknowns);
      const std::vector<double>& g = p.ws.unknowns.values;
      return -Vector3d(g[3], g[4], g[5]);
    });
    const rt::BodyTangent& tangent = problem.ws.tangent.bodies[0];
    const Matrix3d exact = tangent.turning / (0.25 * kDt * kDt);
    CHECK((exact - difference).norm() < 1e-7 * exact.norm());  // central differences with h = 1e-5
    // The symmetric tangent is not the derivative: what it leaves out is 5 % at this spin, or more.
    CHECK((tangent.J_hat / (0.25 * kDt * kDt) - difference).norm() > 0.05 * exact.norm());
  }
}

TEST_CASE("what an iteration without the gyroscopic part leaves is known beforehand", "[rt][ali3p]") {
  // A symmetric top, C about its axis: (dt/2) omega |C - A| / A.
  const rt::Model top = rt::buildModel(spinningBody({0.5, 0.5, 0.8}, {0, 0, 50}));
  CHECK(rt::gyroscopicContraction(top.bodies[0], {0, 0, 50}, kDt) == Approx(0.5 * kDt * 50 * 0.3 / 0.5));
  CHECK(rt::gyroscopicContraction(top.bodies[0], {0, 0, 0}, kDt) == 0);
  const rt::Model ball = rt::buildModel(spinningBody({0.5, 0.5, 0.5}, {30, 20, 50}));
  CHECK(rt::gyroscopicContraction(ball.bodies[0], {30, 20, 50}, kDt) < 1e-9);  // round-off; zero for a sphere
  CHECK(rt::largestGyroscopicContraction(top, kDt) == Approx(0.15));
  // And found in a step of a wobbling top: the ratio of two increments is a contraction to some 30 %.
  const rt::ModelSpec wobbling = spinningBody({0.5, 0.5, 0.8}, {3, 1, 50});
  CHECK(lastContraction(wobbling, kDt, 5, false) == Approx(0.15).epsilon(0.3));
  // With the part only the change of the tangent since the predictor is left.
  CHECK(lastContraction(wobbling, kDt, 2, true) < 0.01);
}

TEST_CASE("both tangents lead to the same positions", "[rt][ali3p]") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed)
    for (const rt::ModelSpec& spec :
         {randomChain(4, 40, seed), randomLoop(5, 2, seed), star(6, JointMix::kMixed, true, seed)}) {
      CAPTURE(spec.name, seed);
      const rt::Model model = rt::buildModel(spec);
      const rt::Plan plan = rt::compilePlan(model);
      rt::Workspace ws(model, plan);
      rt::State found[2];
      for (const bool gyroscopic : {false, true}) {
        rt::Settings settings = settingsFor(1e-3, 12);
        settings.gyroscopic_tangent = gyroscopic;
        settings.gyroscopic_above = rt::kNeverGyroscopic;
        found[gyroscopic] = rt::initialState(model).state;
        REQUIRE(rt::step(model, plan, settings, {}, found[gyroscopic], ws).status == rt::TickStatus::kOk);
      }
      for (int i = 0; i < model.bodyCount(); ++i) {
        // Twelve iterations leave round-off of the positions.
        CHECK((found[0].r(i) - found[1].r(i)).norm() < 1e-12);
        CHECK((found[0].p(i) - found[1].p(i)).norm() < 1e-12);
        // Projections are in the metric of the tangent: they differ by a share of what they take away.
        CHECK((found[0].v(i) - found[1].v(i)).norm() < 1e-4);
      }
    }
}

TEST_CASE("rows are regularized in proportion to the compliance of the bodies they join", "[rt][ali3p]") {
  const rt::Model model = rt::buildModel(randomTree(5, JointMix::kMixed, 3));
  TreeProblem problem(model, rt::layOutPlan(model, rt::HubRule::kNone), kDt);
  const rt::Settings settings = settingsWith(1e-7);
  problem.formTangent(settings);
  const Eigen::MatrixXd K = problem.matrix();
  const int n = 6 * problem.model.bodyCount();
  const Eigen::MatrixXd H = K.bottomLeftCorner(problem.model.rows, n);
  const Eigen::MatrixXd Y = H * K.topLeftCorner(n, n).inverse() * H.transpose();
  for (const rt::Primitive& p : problem.model.primitives) {
    const int count = rt::rowsOf(p.kind);
    const double mean = Y.diagonal().segment(p.row, count).mean();
    for (int row = p.row; row < p.row + count; ++row) {
      const auto r = static_cast<std::size_t>(row);
      // Round-off of the dense product.
      CHECK(problem.ws.tangent.compliance_scale[r] == Approx(mean).epsilon(1e-12));
      CHECK(problem.ws.tangent.epsilon[r] == Approx(1e-7 * mean).epsilon(1e-12));
    }
  }
  rt::Settings absolute = settings;
  absolute.absolute_alpha = 1e9;
  problem.formTangent(absolute);
  for (const double epsilon : problem.ws.tangent.epsilon) CHECK(epsilon == 1 / 1e9);
}

TEST_CASE("rows that are eliminated by freedoms have no compliance", "[rt][ali3p]") {
  const rt::Model model = rt::buildModel(randomTree(5, JointMix::kHinged, 3));
  TreeProblem problem(model,
                      rt::layOutPlan(model, rt::HubRule::kNone, rt::findForest(model, rt::ForestRule::kTrees, 3)), kDt);
  problem.formTangent(settingsWith(1e-7));
  int rigid = 0;
  for (const rt::PlanNode& node : problem.plan.nodes)
    for (int k = 0; k < node.rows; ++k, ++rigid)
      CHECK(problem.ws.tangent.epsilon[static_cast<std::size_t>(node.row_unknown - 6 * model.bodyCount() + k)] == 0);
  CHECK(rigid > 0);
}

TEST_CASE("a geometric stiffness below the limit is raised to it, and counted", "[rt][ali3p]") {
  rt::ModelSpec hung = spinningBody({0.3, 0.7, 0.5}, {0, 0, 0});
  hung.joints.push_back(makeJoint("pivot", "ground", "top", rt::SphericalSpec{{0, 0, 0.5}, {0, 0, 0.5}}));
  TreeProblem problem(hung, kDt);
  std::fill(problem.ws.iterate.lambda.begin(), problem.ws.iterate.lambda.end(), 1e5);  // N: far beyond the limit
  CHECK(problem.formTangent(settingsWith(1e-8)) == 1);
  const Eigen::LLT<Matrix3d> llt(problem.ws.tangent.bodies[0].J_hat);
  CHECK(llt.info() == Eigen::Success);
  std::fill(problem.ws.iterate.lambda.begin(), problem.ws.iterate.lambda.end(), 10.0);
  CHECK(problem.formTangent(settingsWith(1e-8)) == 0);
}

TEST_CASE("the gyroscopic part is that of the bodies that spin fast at the start of the step", "[rt][ali3p]") {
  rt::ModelSpec spec = spinningBody({0.5, 0.5, 0.8}, {3, 1, 50});
  spec.bodies.push_back(spec.bodies.front());
  spec.bodies.back().name = "slow";
  spec.bodies.back().angular_velocity = Vector3d(0, 0.1, 5);
  TreeProblem problem(spec, kDt);
  const rt::State from = rt::initialState(problem.model).state;
  rt::Settings settings = settingsFor(kDt);
  settings.gyroscopic_above = 0.05;
  const auto form = [&] {
    rt::findFastSpins(problem.model, kDt, settings, from, problem.ws.conditions);
    problem.formTangent(settings);
  };
  form();
  CHECK(problem.ws.conditions.spins_fast == std::vector<unsigned char>{1, 0});
  CHECK(problem.ws.tangent.unsymmetric);
  const std::vector<rt::BodyTangent> of_one = problem.ws.tangent.bodies;
  CHECK(of_one[0].turning != of_one[0].J_hat);
  CHECK(of_one[1].turning == of_one[1].J_hat);
  settings.gyroscopic_tangent = true;
  form();
  CHECK(problem.ws.tangent.bodies[0].turning == of_one[0].turning);
  CHECK(problem.ws.tangent.bodies[1].turning != problem.ws.tangent.bodies[1].J_hat);
  settings.gyroscopic_tangent = false;
  settings.gyroscopic_above = rt::kNeverGyroscopic;
  form();
  CHECK_FALSE(problem.ws.tangent.unsymmetric);
}

TEST_CASE("a body that is spun up gets the gyroscopic part from the step on that needs it, whatever came before",
          "[rt][ali3p]") {
  rt::ModelSpec spec = spinningBody({0.5, 0.5, 0.8}, {1, 0.5, 10});
  rt::ActuatorSpec spin;
  spin.name = "spin";
  spin.kind = rt::BodyTorqueSpec{"top", {0, 0, 1}, rt::Frame::kBody};
  spec.actuators.push_back(spin);
  const rt::Model model = rt::buildModel(spec);
  const rt::Plan plan = rt::compilePlan(model);
  rt::Workspace ws(model, plan);
  rt::Settings by_spin = settingsFor(1e-3);
  by_spin.gyroscopic_above = 0.05;
  rt::Settings always = by_spin, never = by_spin;
  always.gyroscopic_tangent = true;
  never.gyroscopic_above = rt::kNeverGyroscopic;
  const double torque[] = {400.0};
  rt::State state = rt::initialState(model).state;
  int slow = 0, fast = 0;
  while (state.tick < 500) {
    const Vector3d omega = state.omega(0);
    const bool is_fast = rt::gyroscopicContraction(model.bodies[0], omega, 1e-3) > by_spin.gyroscopic_above;
    (is_fast ? fast : slow) += 1;
    rt::State expected = state;
    rt::step(model, plan, is_fast ? always : never, torque, expected, ws);
    REQUIRE(rt::step(model, plan, by_spin, torque, state, ws).status == rt::TickStatus::kOk);
    // A function of the state alone: the same bits as with the tangent that the state calls for.
    REQUIRE(rt::hashState(state) == rt::hashState(expected));
  }
  CHECK(slow > 100);
  CHECK(fast > 100);
}
