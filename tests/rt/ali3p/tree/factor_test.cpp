// Every single front after the factorization, against dense Schur complements of its subtree in extended precision.
// Covers: rt/ali3p/tree/elimination.h, rt/ali3p/tree/front.h, rt/ali3p/tree/node_compliance.h, rt/ali3p/tree/batch_front.h, rt/ali3p/tree/links.cpp, rt/ali3p/tree/freedoms.cpp, rt/ali3p/tree/freedom_front.h, rt/ali3p/tree/freedom_geometry.h, rt/ali3p/tree/lone_freedoms.cpp, rt/ali3p/tree/point_rows.cpp
#include "rt/ali3p/tree/factor.h"
#include "rt/model/model.h"

#include "rt/ali3p/tree/unsymmetric.h"
#include "tests/rt/ali3p/tree/tree_problem.h"
#include "tests/support/bushing_chain.h"
#include "tests/support/mechanisms.h"
#include "tests/support/mode_springs.h"
#include "tests/support/random_mechanisms.h"

#include <catch2/catch.hpp>

#include <limits>
#include <utility>

using namespace tactus;
using namespace tactus::tests;

namespace {

using MatrixXl = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

/// The unknowns of a node and of everything that is eliminated into it; its own ones last.
std::vector<int> unknownsOfSubtree(const rt::Plan& plan, int node) {
  std::vector<bool> inside(plan.nodes.size(), false);
  inside[static_cast<std::size_t>(node)] = true;
  std::vector<int> unknowns;
  for (int k = node; k >= 0; --k) {  // children come before parents
    const rt::PlanNode& n = plan.nodes[static_cast<std::size_t>(k)];
    if (k != node && n.parent >= 0) inside[static_cast<std::size_t>(k)] = inside[static_cast<std::size_t>(n.parent)];
    if (!inside[static_cast<std::size_t>(k)]) continue;
    for (int u = n.size - 1; u >= 0; --u) unknowns.insert(unknowns.begin(), n.unknown + u);
    for (int u = n.rows - 1; u >= 0; --u) unknowns.insert(unknowns.begin(), n.row_unknown + u);
  }
  return unknowns;
}

/// L^T of a node over its boundary, and its update, from the dense matrix.
struct DenseFront {
  Eigen::MatrixXd transposed_L, update;
};

DenseFront denseFront(const TreeProblem& problem, const MatrixXl& dense, int node) {
  const rt::PlanNode& n = problem.plan.nodes[static_cast<std::size_t>(node)];
  const std::vector<int> eliminated = unknownsOfSubtree(problem.plan, node);
  const int* boundary = problem.plan.boundary_unknowns.data() + n.first_boundary;
  const auto e = static_cast<Eigen::Index>(eliminated.size());
  MatrixXl own(e, e), coupling(e, n.boundary_size), back(n.boundary_size, e);
  for (Eigen::Index i = 0; i < e; ++i) {
    for (Eigen::Index k = 0; k < e; ++k)
      own(i, k) = dense(eliminated[static_cast<std::size_t>(i)], eliminated[static_cast<std::size_t>(k)]);
    for (int b = 0; b < n.boundary_size; ++b) {
      coupling(i, b) = dense(eliminated[static_cast<std::size_t>(i)], boundary[b]);
      back(b, i) = dense(boundary[b], eliminated[static_cast<std::size_t>(i)]);
    }
  }
  const MatrixXl solved = own.fullPivLu().solve(coupling);
  return {solved.bottomRows(n.size).cast<double>(), (-back * solved).cast<double>()};
}

/// Own unknown k and boundary unknown b of L^T: of links as their substitutions read it, up and down.
double transposedL(const rt::PlanNode& node, const double* fronts, int k, int b) {
  const auto stride = static_cast<std::size_t>(node.stride);
  if (node.link == 0) return fronts[node.coupling + stride * static_cast<std::size_t>(k * node.width + b)];
  const bool is_body = node.link_body < 0;
  const int width = is_body ? 12 : 6;
  // LinkBodyNumbers: forward, back. LinkNumbers: coupling, inverse, back.
  const double up = fronts[node.link + static_cast<std::size_t>(k * width + b)];
  const double down = fronts[node.link + static_cast<std::size_t>(72 + 6 * b + k)];
  CHECK(up == (is_body ? down : -down));
  return up;
}

/// Mass of a lone body with what its children left, from the dense matrix and from the factorization.
std::pair<Eigen::MatrixXd, Eigen::MatrixXd> massesOfLone(const TreeProblem& problem, const MatrixXl& dense,
                                                         const rt::PlanNode& node) {
  Eigen::MatrixXd expected = dense.block(node.unknown, node.unknown, 6, 6).cast<double>();
  for (int i = node.first_child; i < node.first_child + node.child_count; ++i)
    expected += denseFront(problem, dense, problem.plan.children[static_cast<std::size_t>(i)]).update;
  Eigen::MatrixXd found(6, 6);
  for (int c = 0; c < 6; ++c)
    for (int r = 0; r < 6; ++r)
      found(r, c) = problem.ws.fronts.symmetric[node.freedoms + static_cast<std::size_t>(8 * c + r)];
  return {expected, found};
}

/// Largest error of L^T and of the update, relative to their largest numbers.
struct FrontErrors {
  double transposed_L = 0, update = 0;
};

FrontErrors compareFronts(TreeProblem& problem, bool gyroscopic) {
  problem.formTangent(settingsWith(1e-6, gyroscopic));
  REQUIRE(problem.factor());
  const MatrixXl dense = problem.matrix().cast<long double>();
  FrontErrors worst;
  for (int i = 0; i < static_cast<int>(problem.plan.nodes.size()); ++i) {
    const rt::PlanNode& node = problem.plan.nodes[static_cast<std::size_t>(i)];
    if (node.boundary_size == 0) continue;
    const DenseFront expected = denseFront(problem, dense, i);
    Eigen::MatrixXd transposed_L = expected.transposed_L, update = expected.update;
    const rt::SquareFront square(problem.ws.fronts, node);
    const double* fronts = problem.ws.fronts.symmetric.data();
    const auto stride = static_cast<std::size_t>(node.stride);
    const auto isLone = [&](int k) { return k >= 0 && problem.plan.nodes[static_cast<std::size_t>(k)].isLone(); };
    // Such an update is in the mass of the parent.
    const bool is_added = !gyroscopic && isLone(i) && isLone(node.parent);
    for (int b = 0; b < node.boundary_size && !is_added; ++b) {
      for (int k = 0; k < node.size && !gyroscopic && node.carrier < 0; ++k)
        transposed_L(k, b) = transposedL(node, fronts, k, b);
      for (int c = gyroscopic ? 0 : b; c < node.boundary_size; ++c)
        update(b, c) = gyroscopic ? square.at(node.size + b, node.size + c)
                                  : fronts[node.update + stride * static_cast<std::size_t>(b * node.width + c)];
    }
    const auto relative = [](const Eigen::MatrixXd& found, const Eigen::MatrixXd& wanted) {
      return (found - wanted).lpNorm<Eigen::Infinity>() / wanted.lpNorm<Eigen::Infinity>();
    };
    worst.transposed_L = std::max(worst.transposed_L, relative(transposed_L, expected.transposed_L));
    worst.update = std::max(worst.update, relative(update, expected.update));
    if (gyroscopic || !isLone(i)) continue;
    const auto [wanted, found] = massesOfLone(problem, dense, node);
    worst.update = std::max(worst.update, relative(found, wanted));
  }
  return worst;
}

/// A pendulum on a bushing: a joint with a full block of compliances.
rt::ModelSpec onBushing() {
  rt::ModelSpec spec = doublePendulum();
  rt::BushingSpec bushing;
  bushing.body_1 = spec.bodies[0].name;
  bushing.body_2 = spec.bodies[1].name;
  bushing.stiffness = 1e4 * Eigen::MatrixXd::Identity(6, 6);
  bushing.stiffness(0, 4) = bushing.stiffness(4, 0) = 2e3;
  bushing.damping = Eigen::MatrixXd::Identity(6, 6);
  spec.forces.push_back({"bushing", "", bushing});
  return spec;
}

}  // namespace

TEST_CASE("each front equals the dense Schur complement of its subtree", "[rt][ali3p]") {
  for (const rt::ModelSpec& spec :
       {doublePendulum(), randomTree(6, JointMix::kMixed, 2), randomLoop(5, 1, 3), star(6, JointMix::kHinged, true, 4),
        equalArms(5), hubWithLoops(3, 5), modeSprings(), cantileverOfBushings(7)}) {
    CAPTURE(spec.name);
    const rt::Model model = rt::buildModel(spec);
    for (const rt::Plan& plan : everyPlan(model)) {
      TreeProblem problem(model, plan, 1e-2);
      const FrontErrors symmetric = compareFronts(problem, false), unsymmetric = compareFronts(problem, true);
      // Round-off of pivots of size eps_rel = 1e-6: nine to ten digits are left.
      CHECK(symmetric.transposed_L < 1e-8);
      CHECK(symmetric.update < 1e-8);
      CHECK(unsymmetric.update < 1e-8);
    }
  }
}

TEST_CASE("the front of a bushing holds its whole block of compliances", "[rt][ali3p]") {
  TreeProblem problem(onBushing(), 1e-2);
  const FrontErrors errors = compareFronts(problem, false);
  // Round-off of pivots of size eps_rel = 1e-6, as above.
  CHECK(errors.transposed_L < 1e-8);
  CHECK(errors.update < 1e-8);
}

TEST_CASE("joints in a line of bushings are links", "[rt][ali3p]") {
  // Their fronts are in the case above, against the dense matrix.
  const TreeProblem problem(cantileverOfBushings(7), 1e-2);
  int links = 0;
  for (const rt::PlanNode& node : problem.plan.nodes) links += node.link_body >= 0 ? 1 : 0;
  CHECK(links == 5);
}

TEST_CASE("a pivot that is not positive is reported", "[rt][ali3p]") {
  for (const rt::ModelSpec& spec : {doublePendulum(), equalArms(4), star(6, JointMix::kHinged, true, 4)})
    for (const bool gyroscopic : {false, true}) {
      CAPTURE(spec.name, gyroscopic);
      const rt::Model model = rt::buildModel(spec);
      TreeProblem problem(model, rt::layOutPlan(model, rt::HubRule::kHubsLast), 1e-2);
      problem.formTangent(settingsWith(1e-8, gyroscopic));
      REQUIRE(problem.factor());
      problem.ws.tangent.epsilon.back() = -1e3;
      CHECK_FALSE(problem.factor());
      problem.ws.tangent.epsilon.back() = std::numeric_limits<double>::quiet_NaN();
      CHECK_FALSE(problem.factor());
    }
}

namespace {

/// The lane of a joint among the rows of points and normals.
std::pair<rt::PointJoints*, int> carriedRowsOf(TreeProblem& problem, const rt::Joint& joint) {
  for (rt::PointJoints& joints : problem.ws.rows.points.groups())
    for (int lane = 0; lane < 4; ++lane)
      if (joints.has(lane) && joints.row[static_cast<std::size_t>(lane)] == joint.first_row) return {&joints, lane};
  FAIL("the joint carries no body");
  return {nullptr, 0};
}

}  // namespace

TEST_CASE("dependent rows of a joint, and inertias that are not positive, are reported by its freedoms",
          "[rt][ali3p]") {
  const rt::Model model = rt::buildModel(equalArms(5));
  const rt::Plan plan = rt::layOutPlan(model, rt::HubRule::kNone, rt::findForest(model, rt::ForestRule::kTrees, 3));
  for (const bool gyroscopic : {false, true}) {
    CAPTURE(gyroscopic);
    TreeProblem problem(model, plan, 1e-2);
    problem.formTangent(settingsWith(1e-8, gyroscopic));
    REQUIRE(problem.factor());
    const rt::Joint& shoulder = model.joints.front();
    REQUIRE(shoulder.row_count == 5);
    const auto [joints, lane] = carriedRowsOf(problem, shoulder);
    const rt::PointJoints kept = *joints;
    for (int k = 0; k < 3; ++k) joints->normal[1][k].set(lane, kept.normal[0][k][lane]);  // parallel normals
    CHECK_FALSE(problem.factor());
    joints->normal[1][0].set(lane, std::numeric_limits<double>::quiet_NaN());
    CHECK_FALSE(problem.factor());
    *joints = kept;
    REQUIRE(problem.factor());
    rt::BodyTangent& tangent = problem.ws.tangent.bodies[static_cast<std::size_t>(shoulder.body_2)];
    tangent.J_hat *= -1e3;
    tangent.turning *= -1e3;
    CHECK_FALSE(problem.factor());
  }
}

TEST_CASE("rows that only the regularization keeps solvable are counted", "[rt][ali3p]") {
  const auto count = [](const rt::ModelSpec& spec) {
    TreeProblem problem(spec, 2.0);  // dt^2 / 4 = 1, as in compilePlan()
    problem.formTangent(settingsWith(1e-9));
    REQUIRE(problem.factor());
    return rt::countTinyPivots(problem.model, problem.plan, problem.ws.tangent, problem.ws.fronts, 1e-6);
  };
  CHECK(count(doublePendulum()) == 0);
  // A planar loop of hinges in space has three rows too many.
  CHECK(count(fourBar(FourBarReading::kDown)) == 3);
}
