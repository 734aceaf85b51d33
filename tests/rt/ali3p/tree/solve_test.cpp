// The solve along the Plan against one big dense solve in extended precision.
// Covers: rt/ali3p/tree/batch.cpp, rt/ali3p/tree/unsymmetric.cpp, rt/ali3p/tree/freedoms_solve.cpp, rt/ali3p/tree/freedoms_unsymmetric.cpp
#include "rt/ali3p/tree/solve.h"
#include "rt/model/model.h"

#include "tests/rt/ali3p/tree/tree_problem.h"
#include "tests/support/bushing_chain.h"
#include "tests/support/mechanisms.h"
#include "tests/support/mode_springs.h"
#include "tests/support/random_mechanisms.h"

#include <catch2/catch.hpp>

using namespace tactus;
using namespace tactus::tests;

// Tolerances: pivots of rows are down to eps_rel times a compliance, so that a solve loses digits in proportion to
// 1 / eps_rel. 1e-9 is three times what the worst of the random mechanisms shows.

TEST_CASE("a solve of two bodies equals the dense solve", "[rt][ali3p]") {
  checkAgainstDense(doublePendulum(), 1e-12);
}

TEST_CASE("a solve of random trees equals the dense solve", "[rt][ali3p]") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed)
    for (const JointMix mix : {JointMix::kSpherical, JointMix::kHinged, JointMix::kMixed})
      checkAgainstDense(randomTree(2 + static_cast<int>(seed % 12), mix, seed), 1e-9);
}

TEST_CASE("a solve of random closed loops equals the dense solve", "[rt][ali3p]") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed)
    checkAgainstDense(randomLoop(3 + static_cast<int>(seed % 6), static_cast<int>(seed % 3), seed), 1e-9);
}

TEST_CASE("a solve around hubs equals the dense solve", "[rt][ali3p]") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    checkAgainstDense(star(6 + static_cast<int>(seed % 4), JointMix::kHinged, seed % 2 == 0, seed), 1e-9);
    checkAgainstDense(hubWithLoops(3 + static_cast<int>(seed % 2), seed), 1e-9);
  }
}

TEST_CASE("a solve of several mechanisms in one model equals the dense solve", "[rt][ali3p]") {
  checkAgainstDense(together({doublePendulum(), freeBody(3), randomTree(5, JointMix::kMixed, 3)}), 1e-9);
}

TEST_CASE("a solve in units equals the dense solve", "[rt][ali3p]") {
  const rt::ModelSpec tree = randomTree(5, JointMix::kHinged, 3);
  for (const rt::ModelSpec& spec : {randomTree(14, JointMix::kHinged, 3), randomTree(14, JointMix::kSpherical, 4),
                                    equalArms(8), together({tree, tree, tree, tree, tree, tree})}) {
    const rt::Model model = rt::buildModel(spec);
    const std::vector<rt::Plan> plans = everyPlan(model);  // what checkAgainstDense() solves with
    CAPTURE(spec.name);
    CHECK(std::any_of(plans.begin(), plans.end(), [](const rt::Plan& plan) { return plan.units() > 1; }));
    checkAgainstDense(spec, 1e-9);
  }
}

TEST_CASE("a solve of equal parts in lanes equals the dense solve", "[rt][ali3p]") {
  for (const int arms : {5, 6, 7, 8, 10}) {
    CAPTURE(arms);
    checkAgainstDense(equalArms(arms), 1e-9);
  }
}

TEST_CASE("a solve of springs over several bodies, up to six in one node, equals the dense solve", "[rt][ali3p]") {
  checkAgainstDense(modeSprings(), 1e-9);
}

TEST_CASE("a solve of a line of bushings equals the dense solve", "[rt][ali3p]") {
  for (const int n : {2, 3, 9}) checkAgainstDense(cantileverOfBushings(n), 1e-9);
}

TEST_CASE("redundant rows lose digits only in proportion to the regularization", "[rt][ali3p]") {
  // Pivots in the redundant directions are round-off against eps_rel times the compliance: with eps_rel = 1e-6 the
  // multipliers keep about ten digits and the motion all of them.
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    checkAgainstDense(planarLoop(3 + static_cast<int>(seed % 4), seed), 1e-7, 1e-6);
  checkAgainstDense(fourBar(FourBarReading::kDown), 1e-7, 1e-6);
  checkAgainstDense(ladder(4), 1e-7, 1e-6);
}

TEST_CASE("the forward substitution leaves each node the right side of its subtree", "[rt][ali3p]") {
  for (const rt::ModelSpec& spec :
       {randomTree(6, JointMix::kMixed, 2), star(6, JointMix::kHinged, true, 4), equalArms(5)}) {
    CAPTURE(spec.name);
    const rt::Model model = rt::buildModel(spec);
    TreeProblem problem(model, rt::layOutPlan(model, rt::HubRule::kHubsLast), 1e-2);
    problem.formTangent(settingsWith(1e-6));
    REQUIRE(problem.factor());
    const Eigen::VectorXd rhs = problem.randomRightSide(rt::RightSide::kBodiesAndRows, 3);
    std::copy_n(rhs.data(), rhs.size(), problem.ws.unknowns.values.data());
    rt::substituteForward(problem.plan, rt::RightSide::kBodiesAndRows, problem.ws.tangent, problem.ws.fronts,
                          problem.ws.unknowns);
    // What is left of the right side of the last node is that of its Schur complement: the whole rest is eliminated.
    const rt::PlanNode& root = problem.plan.nodes.back();
    REQUIRE(root.boundary_size == 0);
    const Eigen::MatrixXd K = problem.matrix();
    const Eigen::VectorXd solution = K.fullPivLu().solve(rhs);
    const std::vector<double>& permuted =
        problem.plan.in_place ? problem.ws.unknowns.values : problem.ws.unknowns.permuted;
    Eigen::VectorXd left(root.size), x(root.size);
    for (int k = 0; k < root.size; ++k) {
      left[k] = permuted[static_cast<std::size_t>(problem.plan.offsets[static_cast<std::size_t>(root.unknown + k)])];
      x[k] = solution[root.unknown + k];
    }
    // Schur complement of the root: the inverse of its block of K^-1.
    const Eigen::MatrixXd inverse = K.fullPivLu().inverse();
    const Eigen::VectorXd expected =
        inverse.block(root.unknown, root.unknown, root.size, root.size).fullPivLu().solve(x);
    CHECK((left - expected).norm() < 1e-6 * expected.norm());  // round-off of the dense inverse in double precision
  }
}
