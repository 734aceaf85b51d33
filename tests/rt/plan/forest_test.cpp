#include "rt/plan/forest.h"
#include "rt/model/model.h"

#include "tests/support/mechanisms.h"
#include "tests/support/random_mechanisms.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace tactus::rt;
using namespace tactus::tests;

TEST_CASE("hinges, ball joints, universal joints and welds have freedoms; driven and compliant joints stay rows",
          "[rt][plan]") {
  ModelSpec spec;
  spec.gravity = Vector3d::Zero();
  spec.bodies = {makeBody("a", Vector3d::Zero()), makeBody("b", Vector3d::UnitX())};
  const Vector3d x = Vector3d::UnitX(), z = Vector3d::UnitZ(), none = Vector3d::Zero();
  spec.joints = {makeJoint("ball", "a", "b", SphericalSpec{x, none}),
                 makeJoint("hinge", "a", "b", RevoluteSpec{x, none, z, z, 0}),
                 makeJoint("cross", "a", "b", UniversalSpec{x, none, x, z})};
  Model model = buildModel(spec);
  for (const Joint& joint : model.joints) CHECK(hasFreedoms(model, joint));
  model.joints[0].law = LawKind::kDriven;
  model.joints[1].law = LawKind::kCompliant;
  CHECK_FALSE(hasFreedoms(model, model.joints[0]));
  CHECK_FALSE(hasFreedoms(model, model.joints[1]));
}

TEST_CASE("a joint whose normals are dependent at the declared state stays rows", "[rt][plan]") {
  ModelSpec spec;
  spec.gravity = Vector3d::Zero();
  spec.bodies = {makeBody("a", Vector3d::Zero())};
  spec.joints = {makeJoint("hinge", "ground", "a",
                           RevoluteSpec{Vector3d::Zero(), Vector3d::Zero(), Vector3d::UnitZ(), Vector3d::UnitZ(), 0})};
  Model model = buildModel(spec);
  const Joint& hinge = model.joints.front();
  REQUIRE(hasFreedoms(model, hinge));
  REQUIRE(findForest(model, ForestRule::kTrees, 3) == Forest{0});
  const auto second = static_cast<std::size_t>(hinge.first_primitive) + 2;
  model.primitives[second] = model.primitives[second - 1];  // parallel axes
  CHECK_FALSE(hasFreedoms(model, hinge));
  CHECK(findForest(model, ForestRule::kTrees, 3) == Forest{-1});
  model.primitives[second].a_2 = model.primitives[second].a_1;  // no normal at all
  CHECK_FALSE(hasFreedoms(model, hinge));
}

TEST_CASE("every body of a tree is carried, children come first, and loops keep a joint of rows", "[rt][plan]") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Model tree = buildModel(randomTree(9, JointMix::kHinged, seed));
    const Forest forest = findForest(tree, ForestRule::kTrees, 3);
    const auto carried =
        static_cast<std::size_t>(std::count_if(forest.begin(), forest.end(), [](int joint) { return joint >= 0; }));
    const std::vector<int> order = carriedBodies(tree, forest);
    REQUIRE(order.size() == carried);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const int joint = forest[static_cast<std::size_t>(order[i])];
      const int parent = carrierOf(tree.joints[static_cast<std::size_t>(joint)], order[i]);
      CHECK(std::find(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(i), parent) ==
            order.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  const Model loop = buildModel(fourBar(FourBarReading::kDown));
  const Forest hanging = findForest(loop, ForestRule::kTrees, 3), spanning = findForest(loop, ForestRule::kSpanning, 3);
  CHECK(std::count(hanging.begin(), hanging.end(), -1) == loop.bodyCount());
  CHECK(std::count(spanning.begin(), spanning.end(), -1) == 0);
}
