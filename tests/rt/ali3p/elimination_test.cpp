// The elimination along the Plan against one big dense solve in extended precision.
#include "rt/ali3p/tree/factor.h"
#include "rt/ali3p/compile_plan.h"
#include "rt/ali3p/tree/solve.h"
#include "rt/ali3p/tree/residual.h"
#include "rt/ali3p/tree/tangent.h"
#include "rt/ali3p/tree/trapezoid.h"
#include "rt/mechanics/initial_state.h"
#include "tests/support/dense_oracle.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random_mechanisms.h"

#include <catch2/catch.hpp>

#include <array>
#include <random>

using namespace tactus::rt;
using namespace tactus::tests;

namespace {

constexpr double kDt = 1e-2;
constexpr double kScale = 0.25 * kDt * kDt;

/// A workspace at the predictor of the first step with the tangent formed and factored.
Workspace factored(const Model& model, const Plan& plan, double relative_compliance, bool gyroscopic) {
  const AssemblyResult init = initialState(model);
  Workspace ws(model, plan);
  predict(model, kDt, init.state, ws);
  const std::vector<double> input(model.actuators.size(), 0.0);
  evaluateIterate(model, input, ws);
  Settings settings;
  settings.relative_compliance = relative_compliance;
  settings.gyroscopic_tangent = gyroscopic;
  formTangent(model, 2 * std::sqrt(kScale), settings, ws);
  REQUIRE(assemble(plan, kScale, model, ws));
  return ws;
}

SaddleSystem saddleOf(const Model& model, const Workspace& ws) {
  SaddleSystem system;
  for (int i = 0; i < model.bodyCount(); ++i) {
    Eigen::Matrix<double, 6, 6> w = Eigen::Matrix<double, 6, 6>::Zero();
    w.topLeftCorner<3, 3>() = Matrix3d::Identity() * (model.bodies[static_cast<std::size_t>(i)].mass / kScale);
    const BodyTangent& t = ws.tangents[static_cast<std::size_t>(i)];
    w.bottomRightCorner<3, 3>() = (ws.unsymmetric ? t.turning : t.J_hat) / kScale;
    system.inverse_W.push_back(w);
  }
  for (const Joint& joint : model.joints)
    for (int row = joint.first_row; row < joint.first_row + joint.row_count; ++row) {
      SaddleRow r;
      r.body_1 = joint.body_1;
      r.body_2 = joint.body_2;
      for (int c = 0; c < 6; ++c) {
        r.h_1[c] = ws.jacobian[static_cast<std::size_t>(row)].h[0][c];
        r.h_2[c] = ws.jacobian[static_cast<std::size_t>(row)].h[1][c];
      }
      r.eps = ws.epsilon[static_cast<std::size_t>(row)];
      system.rows.push_back(r);
    }
  return system;
}

/// Largest error of bodies' increments and of multipliers, relative to their largest values.
struct Errors {
  double x, lambda;
};

Errors compareSolve(const Model& model, const Plan& plan, Workspace& ws, RightSide right_side, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Eigen::VectorXd rhs(plan.unknowns());
  for (int i = 0; i < rhs.size(); ++i) rhs[i] = normal(random);
  // Residuals of rows are lengths, those of bodies forces: keep both at their natural size.
  rhs.tail(model.rows) *= 1e-4;
  if (right_side == RightSide::kRowsOnly) rhs.head(6 * model.bodyCount()).setZero();
  std::copy_n(rhs.data(), rhs.size(), ws.unknowns.data());
  solve(plan, right_side, ws);
  const SaddleSolution expected =
      solveDense(saddleOf(model, ws), rhs.head(6 * model.bodyCount()), rhs.tail(model.rows));
  const Eigen::Map<const Eigen::VectorXd> found(ws.unknowns.data(), plan.unknowns());
  Errors errors{};
  errors.x =
      (found.head(6 * model.bodyCount()) - expected.x).lpNorm<Eigen::Infinity>() / expected.x.lpNorm<Eigen::Infinity>();
  if (model.rows > 0)
    errors.lambda = (found.tail(model.rows) - expected.lambda).lpNorm<Eigen::Infinity>() /
                    expected.lambda.lpNorm<Eigen::Infinity>();
  return errors;
}

void checkAgainstDense(const ModelSpec& spec, double tolerance, double relative_compliance = 1e-9) {
  const Model model = buildModel(spec);
  for (const Plan& plan : {layOutPlan(model, HubRule::kNone), compilePlan(model)})
    for (const bool gyroscopic : {false, true}) {
      Workspace ws = factored(model, plan, relative_compliance, gyroscopic);
      for (const RightSide side : {RightSide::kBodiesAndRows, RightSide::kRowsOnly}) {
        const Errors e = compareSolve(model, plan, ws, side, 7);
        INFO(spec.name << ", hubs " << plan.hubs << ", largest front " << plan.largest_front);
        CAPTURE(gyroscopic);
        CHECK(e.x < tolerance);
        CHECK(e.lambda < tolerance);
      }
    }
}

}  // namespace

TEST_CASE("assembling two bodies equals the dense solve", "[rt][ali3p]") {
  checkAgainstDense(doublePendulum(), 1e-12);
}

TEST_CASE("elimination of random trees equals the dense solve", "[rt][ali3p]") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed)
    for (const JointMix mix : {JointMix::kSpherical, JointMix::kHinged, JointMix::kMixed})
      checkAgainstDense(randomTree(2 + static_cast<int>(seed % 12), mix, seed), 1e-9);
}

TEST_CASE("elimination of random closed loops equals the dense solve", "[rt][ali3p]") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed)
    checkAgainstDense(randomLoop(3 + static_cast<int>(seed % 6), static_cast<int>(seed % 3), seed), 1e-9);
}

TEST_CASE("elimination around hubs equals the dense solve", "[rt][ali3p]") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    checkAgainstDense(star(6 + static_cast<int>(seed % 4), JointMix::kHinged, seed % 2 == 0, seed), 1e-9);
    checkAgainstDense(hubWithLoops(3 + static_cast<int>(seed % 2), seed), 1e-9);
  }
}

TEST_CASE("elimination of several mechanisms in one model equals the dense solve", "[rt][ali3p]") {
  checkAgainstDense(together({doublePendulum(), freeBody(3), randomTree(5, JointMix::kMixed, 3)}), 1e-9);
}

TEST_CASE("redundant rows lose digits only in proportion to the regularisation", "[rt][ali3p]") {
  // Pivots in the redundant directions are round-off against eps_rel times the compliance: with eps_rel = 1e-6 the
  // multipliers keep about ten digits and the motion all of them.
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    checkAgainstDense(planarLoop(3 + static_cast<int>(seed % 4), seed), 1e-7, 1e-6);
  checkAgainstDense(fourBar(FourBarReading::kDown), 1e-7, 1e-6);
  checkAgainstDense(ladder(4), 1e-7, 1e-6);
}

TEST_CASE("hubs go last where that keeps the rank rule and pays", "[rt][plan]") {
  const Model free_star = buildModel(star(8, JointMix::kSpherical, false, 3));
  const Plan hubs_last = compilePlan(free_star);
  const Plan bodies_first = layOutPlan(free_star, HubRule::kNone);
  CHECK(hubs_last.hubs == 1);
  CHECK(hubs_last.factor_flops < bodies_first.factor_flops);
  CHECK(hubs_last.largest_front < bodies_first.largest_front);
}

namespace {

/// A free hub with `arms` equal arms of two bodies each.
ModelSpec equalArms(int arms) {
  ModelSpec spec;
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
                                    RevoluteSpec{0.5 * out, -0.5 * out, Vector3d::UnitZ(), Vector3d::UnitZ(), 0}));
    spec.joints.push_back(makeJoint("elbow_" + std::to_string(i), upper, lower, SphericalSpec{0.5 * out, -0.5 * out}));
  }
  return spec;
}

/// The nodes of the batch that holds a body, as element indices by lane; -1 where a lane is empty.
std::array<int, kBatchLanes> companyOf(const Plan& plan, int body) {
  for (const PlanBatch& batch : plan.batches) {
    std::array<int, kBatchLanes> elements{-1, -1, -1, -1};
    bool found = false;
    for (int lane = 0; lane < kBatchLanes; ++lane) {
      if (!batch.has(lane)) continue;
      const PlanNode& node = plan.nodes[static_cast<std::size_t>(batch.lanes[static_cast<std::size_t>(lane)])];
      if (node.kind == NodeKind::kJoint) break;
      elements[static_cast<std::size_t>(lane)] = node.element;
      found = found || node.element == body;
    }
    if (found) return elements;
  }
  return {-1, -1, -1, -1};
}

}  // namespace

TEST_CASE("equal parts of a mechanism go side by side, whatever number there is of them", "[rt][plan]") {
  for (const int arms : {5, 6, 7, 8, 10}) {
    CAPTURE(arms);
    const Plan plan = compilePlan(buildModel(equalArms(arms)));
    REQUIRE(plan.hubs == 1);
    // Uppers are bodies 1, 3, 5, 7 ...: the first four share a batch.
    CHECK(companyOf(plan, 1) == std::array<int, kBatchLanes>{1, 3, 5, 7});
    // For every four arms one batch of uppers, lowers, elbows and shoulders, and one for the hub.
    CHECK(static_cast<int>(plan.batches.size()) == 4 * ((arms + kBatchLanes - 1) / kBatchLanes) + 1);
    checkAgainstDense(equalArms(arms), 1e-9);
  }
}

TEST_CASE("equal leaf bodies stand alone where their joints do, and unknowns stay in their places", "[rt][plan]") {
  const Model model = buildModel(fourBar(FourBarReading::kDown));
  const Plan plan = compilePlan(model);
  CHECK(plan.batches.size() == plan.nodes.size());
  for (int unknown = 0; unknown < plan.unknowns(); ++unknown)
    CHECK(plan.slots[static_cast<std::size_t>(unknown)] == unknown);
  CHECK(plan.in_place);
  CHECK_FALSE(compilePlan(buildModel(equalArms(4))).in_place);
}

TEST_CASE("every unknown has a slot of its own, and the others are known to be unused", "[rt][plan]") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Plan plan = compilePlan(buildModel(hubWithLoops(3, seed)));
    std::vector<int> taken(static_cast<std::size_t>(plan.slot_count), 0);
    for (int slot : plan.slots) ++taken[static_cast<std::size_t>(slot)];
    for (int slot : plan.unused) ++taken[static_cast<std::size_t>(slot)];
    CHECK(taken == std::vector<int>(taken.size(), 1));
  }
}

TEST_CASE("a joint between a hub and ground waits for the hub", "[rt][plan]") {
  const Plan plan = compilePlan(buildModel(star(8, JointMix::kHinged, true, 5)));
  REQUIRE(plan.hubs == 1);
  CHECK(plan.nodes.back().kind == NodeKind::kJoint);
  CHECK(plan.nodes[plan.nodes.size() - 2].kind == NodeKind::kHubBody);
}

TEST_CASE("a plan has no hubs where the bodies behind a joint cannot carry its rows", "[rt][plan]") {
  // The hub hangs on a body that is itself hinged to ground: ten rows meet on its six freedoms.
  ModelSpec spec = star(6, JointMix::kSpherical, false, 4);
  const BodySpec hub = spec.bodies.front();
  const Vector3d at = hub.position + Vector3d(0, 0, 1);
  spec.bodies.push_back(makeBody("hanger", at));
  const Vector3d axis_hub = rotationMatrix(hub.orientation).transpose() * Vector3d::UnitY();
  const Vector3d point_hub = rotationMatrix(hub.orientation).transpose() * (at - hub.position);
  spec.joints.push_back(makeJoint("post", "ground", "hanger",
                                  RevoluteSpec{at, Vector3d::Zero(), Vector3d::UnitX(), Vector3d::UnitX(), 0}));
  spec.joints.push_back(
      makeJoint("pin", hub.name, "hanger", RevoluteSpec{point_hub, Vector3d::Zero(), axis_hub, Vector3d::UnitY(), 0}));
  const Model model = buildModel(spec);
  CHECK(layOutPlan(model, HubRule::kHubsLast).hubs == 1);
  CHECK(compilePlan(model).hubs == 0);
}
