#include "tests/rt/ali3p/tree/tree_problem.h"

#include "rt/ali3p/compile_plan.h"
#include "rt/ali3p/tree/factor.h"
#include "rt/ali3p/tree/residual.h"
#include "rt/ali3p/tree/tangent.h"
#include "rt/ali3p/tree/trapezoid.h"
#include "rt/mechanics/coupler.h"
#include "rt/mechanics/initial_state.h"
#include "rt/mechanics/joint_constraints.h"
#include "rt/model/model.h"
#include "rt/plan/cuts.h"
#include "tests/support/mechanisms.h"

#include <catch2/catch.hpp>

#include <limits>
#include <random>

namespace tactus::tests {

using rt::Vector3d;

TreeProblem::TreeProblem(const rt::ModelSpec& spec, double step_length)
    : TreeProblem(rt::buildModel(spec), rt::compilePlan(rt::buildModel(spec)), step_length) {}

TreeProblem::TreeProblem(const rt::Model& the_model, const rt::Plan& the_plan, double step_length)
    : model(the_model), plan(the_plan), dt(step_length), ws(model, plan) {
  const rt::State state = rt::initialState(model).state;
  const std::vector<double> input(model.actuators.size(), 0.0);
  rt::beginStep(model, dt, dt, input, state, ws.conditions);
  rt::predict(model, dt, state, ws.iterate);
  evaluate();
}

void TreeProblem::evaluate() {
  rt::evaluateConstraints(model, ws.iterate, ws.conditions, ws.rows);
  rt::completeJacobian(ws.rows);
  rt::evaluateLoads(model, ws.iterate.motions.data(), ws.conditions, ws.loads);
  // The solver needs no Jacobian of the rows of carried bodies; matrix() does.
  for (const rt::PlanNode& node : plan.nodes) {
    if (node.carrier < 0) continue;
    const rt::Joint& joint = model.joints[static_cast<std::size_t>(node.carrier)];
    for (int i = joint.first_primitive; i < joint.first_primitive + joint.primitive_count; ++i) {
      const rt::Primitive& p = model.primitives[static_cast<std::size_t>(i)];
      double phi[rt::kMaxPrimitiveRows];
      rt::evaluateRows(p, ws.iterate.motions.data(), phi, &ws.rows.jacobian[static_cast<std::size_t>(p.row)]);
    }
  }
}

int TreeProblem::formTangent(const rt::Settings& settings) {
  return rt::formTangent(model, dt, rt::Level::kPosition, settings, ws.iterate, ws.conditions, ws.rows, ws.loads,
                         ws.unknowns, ws.tangent);
}

bool TreeProblem::factor() {
  return rt::factor(plan, scale(), model, ws.rows, ws.tangent, ws.fronts);
}

void TreeProblem::solve(rt::RightSide right_side) {
  rt::substituteForward(plan, right_side, ws.tangent, ws.fronts, ws.unknowns);
  rt::substituteBack(plan, ws.tangent, ws.fronts, ws.unknowns);
}

Eigen::MatrixXd TreeProblem::matrix() const {
  const int n = 6 * model.bodyCount();
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(plan.unknowns(), plan.unknowns());
  for (int i = 0; i < model.bodyCount(); ++i) {
    const rt::BodyTangent& t = ws.tangent.bodies[static_cast<std::size_t>(i)];
    K.block<3, 3>(6 * i, 6 * i) = Eigen::Matrix3d::Identity() * (t.m_hat / scale());
    K.block<3, 3>(6 * i + 3, 6 * i + 3) = (ws.tangent.unsymmetric ? t.turning : t.J_hat) / scale();
  }
  for (const rt::Joint& joint : model.joints) {
    for (int row = joint.first_row; row < joint.first_row + joint.row_count; ++row) {
      // Added, not assigned: both ends of a row may lie on one body.
      rt::forEachSide(model, joint, row, ws.rows.jacobian.data(), [&](int body, const double* h) {
        for (int c = 0; c < 6; ++c) K(n + row, 6 * body + c) += h[c];
      });
      K(n + row, n + row) = -ws.tangent.epsilon[static_cast<std::size_t>(row)];
    }
    if (joint.compliant())
      K.block(n + joint.first_row, n + joint.first_row, joint.row_count, joint.row_count) =
          -ws.tangent.compliance[static_cast<std::size_t>(joint.law_index)].topLeftCorner(joint.row_count,
                                                                                          joint.row_count);
  }
  K.topRightCorner(n, model.rows) = K.bottomLeftCorner(model.rows, n).transpose();
  return K;
}

Eigen::VectorXd TreeProblem::randomRightSide(rt::RightSide right_side, unsigned seed) const {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Eigen::VectorXd rhs(plan.unknowns());
  for (int i = 0; i < rhs.size(); ++i) rhs[i] = normal(random);
  rhs.tail(model.rows) *= 1e-4;
  if (right_side == rt::RightSide::kRowsOnly) rhs.head(6 * model.bodyCount()).setZero();
  return rhs;
}

SolveErrors TreeProblem::compareSolve(rt::RightSide right_side, unsigned seed) {
  const Eigen::VectorXd rhs = randomRightSide(right_side, seed);
  std::copy_n(rhs.data(), rhs.size(), ws.unknowns.values.data());
  solve(right_side);
  using MatrixXl = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  const MatrixXl dense = matrix().cast<long double>();
  const Eigen::VectorXd expected = dense.fullPivLu().solve(rhs.cast<long double>()).eval().cast<double>();
  const Eigen::Map<const Eigen::VectorXd> found(ws.unknowns.values.data(), plan.unknowns());
  const auto errorOf = [&](Eigen::Index first, Eigen::Index count) {
    if (count == 0) return 0.0;
    return (found.segment(first, count) - expected.segment(first, count)).lpNorm<Eigen::Infinity>() /
           expected.segment(first, count).lpNorm<Eigen::Infinity>();
  };
  const Eigen::Index n = 6 * model.bodyCount();
  return {errorOf(0, n), errorOf(n, model.rows)};
}

rt::Settings settingsWith(double relative_compliance, bool gyroscopic) {
  rt::Settings settings;
  settings.relative_compliance = relative_compliance;
  settings.gyroscopic_tangent = gyroscopic;
  return settings;
}

rt::DivisionRule alwaysDivided() {
  rt::DivisionRule rule;
  rule.least_work = 0;
  rule.largest_trunk = 0.7;
  rule.largest_in_way = 1;
  rule.most_work = 1e9;
  return rule;
}

std::vector<rt::Plan> everyPlan(const rt::Model& model) {
  std::vector<rt::Plan> plans = {rt::compilePlan(model), rt::compilePlan(model, rt::LaneRule::kNone)};
  std::vector<rt::Forest> forests = {{}};
  for (const rt::ForestRule rule : {rt::ForestRule::kTrees, rt::ForestRule::kSpanning})
    for (const int least_rows : {3, 5}) forests.push_back(rt::findForest(model, rule, least_rows));
  for (const rt::Forest& forest : forests) {
    plans.push_back(rt::layOutPlan(model, rt::HubRule::kNone, forest));
    rt::Plan divided = rt::layOutPlan(model, rt::HubRule::kNone, forest, alwaysDivided());
    if (divided.units() > 0) plans.push_back(std::move(divided));
  }
  for (const std::vector<int>& cuts : rt::findCuts(rt::topologyOf(model, rt::HubRule::kNone))) {
    rt::Outline in_segments = rt::outlineOf(model, rt::HubRule::kNone, {}, cuts);
    plans.push_back(rt::layOutPlan(model, in_segments));
    if (rt::divide(model, alwaysDivided(), in_segments)) plans.push_back(rt::layOutPlan(model, in_segments));
  }
  return plans;
}

void checkAgainstDense(const rt::ModelSpec& spec, double tolerance, double relative_compliance) {
  const rt::Model model = rt::buildModel(spec);
  for (const rt::Plan& plan : everyPlan(model))
    for (const bool gyroscopic : {false, true}) {
      TreeProblem problem(model, plan, 1e-2);
      problem.formTangent(settingsWith(relative_compliance, gyroscopic));
      REQUIRE(problem.factor());
      for (const rt::RightSide side : {rt::RightSide::kBodiesAndRows, rt::RightSide::kRowsOnly}) {
        const SolveErrors e = problem.compareSolve(side, 7);
        INFO(spec.name << ", hubs " << plan.hubs << ", largest front " << plan.largest_front);
        CAPTURE(gyroscopic);
        CHECK(e.x < tolerance);
        CHECK(e.lambda < tolerance);
      }
    }
}

rt::ModelSpec equalArms(int arms) {
  rt::ModelSpec spec;
  spec.name = "equal_arms";
  spec.gravity = Vector3d(0, -9.81, 0);
  spec.bodies.push_back(makeBody("hub", Vector3d::Zero()));
  for (int i = 0; i < arms; ++i) {
    const double angle = 2 * 3.14159265358979 * i / arms;
    const Vector3d out(std::cos(angle), std::sin(angle), 0);
    const std::string upper = "upper_" + std::to_string(i), lower = "lower_" + std::to_string(i);
    spec.bodies.push_back(makeBody(upper, out));
    spec.bodies.push_back(makeBody(lower, 2 * out));
    spec.joints.push_back(makeJoint("shoulder_" + std::to_string(i), "hub", upper,
                                    rt::RevoluteSpec{0.5 * out, -0.5 * out, Vector3d::UnitZ(), Vector3d::UnitZ(), 0}));
    spec.joints.push_back(
        makeJoint("elbow_" + std::to_string(i), upper, lower, rt::SphericalSpec{0.5 * out, -0.5 * out}));
  }
  return spec;
}

std::array<int, rt::kBatchLanes> companyOf(const rt::Plan& plan, int body) {
  for (const rt::PlanBatch& batch : plan.batches) {
    std::array<int, rt::kBatchLanes> elements{-1, -1, -1, -1};
    bool found = false;
    for (int lane = 0; lane < rt::kBatchLanes; ++lane) {
      if (!batch.has(lane)) continue;
      const rt::PlanNode& node = plan.nodes[static_cast<std::size_t>(batch.lanes[static_cast<std::size_t>(lane)])];
      if (node.kind == rt::NodeKind::kJoint) break;
      elements[static_cast<std::size_t>(lane)] = node.element;
      found = found || node.element == body;
    }
    if (found) return elements;
  }
  return {-1, -1, -1, -1};
}

}  // namespace tactus::tests
