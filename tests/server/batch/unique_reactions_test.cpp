#include "server/batch/unique_reactions.h"

#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "tests/server/batch/never.h"
#include "tests/support/mechanisms.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

using namespace tactus;
using namespace tactus::server;
using tactus::tests::kNever;
using rt::Vector3d;

namespace {

constexpr double kUnique = std::numeric_limits<double>::infinity();

rt::BodySpec link(const std::string& name, const Vector3d& center, double angle) {
  rt::BodySpec body = tests::makeBody(name, center);
  body.orientation = {std::cos(angle / 2), 0, 0, std::sin(angle / 2)};
  return body;
}

/// A parallelogram with sides of 1 m, its rods at an angle to the base, and a pendulum beside it. As many constraints
/// as it needs: two hinges on ground, a spherical and a universal joint. Flat, its joints share the force along the
/// base.
rt::ModelSpec parallelogram(double angle) {
  rt::ModelSpec spec;
  spec.name = "parallelogram";
  spec.gravity = Vector3d::Zero();
  const Vector3d left(-0.5, 0, 0), right(0.5, 0, 0), z = Vector3d::UnitZ();
  const Vector3d rod(std::cos(angle), std::sin(angle), 0), base(1, 0, 0);
  spec.bodies = {link("rod_1", 0.5 * rod, angle), link("rod_2", base + 0.5 * rod, angle),
                 link("coupler", rod + 0.5 * base, 0), link("bob", {3.5, 0, 0}, 0)};
  spec.joints = {tests::makeJoint("foot_1", "ground", "rod_1", rt::RevoluteSpec{Vector3d::Zero(), left, z, z}),
                 tests::makeJoint("foot_2", "ground", "rod_2", rt::RevoluteSpec{base, left, z, z}),
                 tests::makeJoint("head_1", "rod_1", "coupler", rt::SphericalSpec{right, left}),
                 tests::makeJoint("head_2", "rod_2", "coupler", rt::UniversalSpec{right, right, z, Vector3d::UnitY()}),
                 tests::makeJoint("pivot", "ground", "bob", rt::SphericalSpec{{3, 0, 0}, left})};
  return spec;
}

/// The poses of a motion, one each tenth of a second.
std::vector<rt::offline::Sample> motion(const std::vector<double>& angles) {
  std::vector<rt::offline::Sample> samples;
  for (const double angle : angles) {
    const rt::Model model = rt::buildModel(parallelogram(angle));
    rt::offline::Sample& sample = samples.emplace_back();
    sample.t = 0.1 * static_cast<double>(samples.size() - 1);
    sample.state = rt::initialState(model).state.values();
  }
  return samples;
}

}  // namespace

TEST_CASE("a reaction stops to be unique at the pose where constraints depend on each other",
          "[server][batch][unique]") {
  const rt::Model model = rt::buildModel(parallelogram(0.3));
  const rt::State state(model);
  const auto first = [&](const std::vector<double>& angles, double until = 1) {
    return firstNotUnique(model, state, motion(angles), until, kNever);
  };
  CHECK(first({0.3, 0.2, 0.1}) == std::vector<double>(5, kUnique));
  CHECK(first({0.2, 0.1, 0, -0.1}) == std::vector<double>{0.2, 0.2, 0.2, 0.2, kUnique});
  CHECK(first({0, 0.1, 0}) == std::vector<double>{0, 0, 0, 0, kUnique});
  // Poses after the compared time do not count.
  CHECK(first({0.2, 0.1, 0, -0.1}, 0.15) == std::vector<double>(5, kUnique));
}

TEST_CASE("large mechanisms with loops: ranks at as many poses as their size allows", "[server][batch][unique]") {
  // 101 rods and 100 couplers have 1505 rows: no rank is formed.
  const rt::Model large = rt::buildModel(tests::ladder(100));
  const rt::State layout(large);
  rt::offline::Sample start;
  start.state = layout.values();
  const std::vector<double> first = firstNotUnique(large, layout, {start}, 1, kNever);
  CHECK(first == std::vector<double>(large.joints.size(), 0.0));

  CHECK_FALSE(computesUnique(large));

  // Of pendulums beside it nothing is shared, however many rows there are.
  rt::ModelSpec beside = tests::ladder(100);
  const std::size_t pendulums = 3;
  const std::size_t before = beside.joints.size();
  for (std::size_t k = 0; k < pendulums; ++k) {
    rt::BodySpec bob;
    bob.name = "bob_" + std::to_string(k);
    bob.mass = 1;
    bob.inertia = rt::Matrix3d::Identity();
    beside.bodies.push_back(bob);
    beside.joints.push_back({"swing_" + std::to_string(k), "", k == 0 ? "ground" : "bob_" + std::to_string(k - 1),
                             bob.name, rt::SphericalSpec{rt::Vector3d::Zero(), rt::Vector3d::Zero()}});
  }
  const rt::Model with_trees = rt::buildModel(beside);
  const rt::State layout_of_trees(with_trees);
  start.state = layout_of_trees.values();
  const std::vector<double> of_trees = firstNotUnique(with_trees, layout_of_trees, {start}, 1, kNever);
  for (std::size_t j = 0; j < of_trees.size(); ++j) CHECK(of_trees[j] == (j < before ? 0.0 : kUnique));

  // 21 rods and 20 couplers have 305 rows, so that seven poses are looked at: the first and the last are among them.
  const rt::Model model = rt::buildModel(tests::ladder(20));
  const rt::State state = rt::initialState(model).state;
  std::vector<rt::offline::Sample> samples(500);
  for (std::size_t k = 0; k < samples.size(); ++k) {
    samples[k].t = static_cast<double>(k);
    samples[k].state = state.values();
  }
  CHECK(firstNotUnique(model, state, samples, 1000, kNever) == std::vector<double>(model.joints.size(), 0.0));
  // An interrupt ends the search at once.
  const std::atomic<bool> interrupted{true};
  CHECK(firstNotUnique(model, state, samples, 1000, interrupted) == std::vector<double>(model.joints.size(), kUnique));
}
