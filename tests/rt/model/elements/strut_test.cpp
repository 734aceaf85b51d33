#include "rt/model/expand.h"
#include "rt/model/model.h"
#include "tests/rt/model/sample_model.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>

using namespace tactus::rt;
using namespace tactus::rt::test;

namespace {

// Positions and directions are turned and normalized: a few roundings.
constexpr double kStrutRounding = 1e-14;

/// A strut from ground to the arm of the sample, with everything that a spring may have.
ModelSpec sampleWithStrut() {
  ModelSpec spec = sampleModel();
  StrutSpec strut;
  strut.body_1 = "ground";
  strut.body_2 = "arm";
  strut.point_1 = {0.25, 1, 0.5};
  strut.point_2 = {0.125, 0, 0};
  strut.stiffness = 300;
  strut.law.damping_curve = {{-1, 0, 1}, {-2, 0, 3}};
  strut.law.minimum_stop = {0.2, 100, 2, 1};
  spec.composites = {{"leg", "front", strut}};
  return spec;
}

StrutSpec& strutOf(ModelSpec& spec) {
  return std::get<StrutSpec>(spec.composites[0].kind);
}

/// The same with a tube and a rod.
ModelSpec sampleWithTubeAndRod() {
  ModelSpec spec = sampleWithStrut();
  strutOf(spec).tube = {3, 0.01, 0.05, 0.2};
  strutOf(spec).rod = {1, 0.002, 0.03, 0.25};
  return spec;
}

}  // namespace

TEST_CASE("a strut without bodies is the spring that has its fields", "[rt][model]") {
  const ModelSpec spec = sampleWithStrut();
  ModelSpec plain = spec;
  const StrutSpec strut = strutOf(plain);
  plain.composites.clear();
  plain.forces.push_back(
      {"leg", "front",
       TranslationalSpringSpec{strut.body_1, strut.body_2, strut.point_1, strut.point_2, strut.stiffness, strut.damping,
                               strut.free_length, strut.preload, strut.law}});
  const Model model = buildModel(spec);
  const Model expected = buildModel(plain);
  CHECK(model.joint_descriptions.back() == "front");
  CHECK(model.hash == expected.hash);
  CHECK(sameStructure(model, expected));
  CHECK(model.compliant_laws.back().rest == expected.compliant_laws.back().rest);
  CHECK(model.springs.back().damping.y == expected.springs.back().damping.y);
}

TEST_CASE("tube and rod of a strut lie on the line between its points", "[rt][model]") {
  const ModelSpec expanded = expand(sampleWithTubeAndRod());
  const Vector3d top(0.25, 1, 0.5), bottom(0.625, 0, 0), along = (bottom - top).normalized();
  REQUIRE(expanded.bodies.size() == 5);
  const BodySpec &tube = expanded.bodies[3], &rod = expanded.bodies[4];
  CHECK(tube.name == "leg.tube");
  CHECK(rod.name == "leg.rod");
  CHECK((tube.position - (top + 0.2 * along)).norm() < kStrutRounding);
  CHECK((rod.position - (bottom - 0.25 * along)).norm() < kStrutRounding);
  CHECK((DeclaredPose(tube).rotation.col(2) - along).norm() < kStrutRounding);
}

TEST_CASE("the joints of a strut are satisfied as declared, and leave its ends their freedom", "[rt][model]") {
  const ModelSpec spec = sampleWithTubeAndRod();
  REQUIRE(checkModel(spec).empty());
  const Model model = buildModel(spec);
  const Model without = buildModel(sampleModel());
  // Twelve rows for twelve freedoms of tube and rod, and the row of the spring.
  CHECK(model.rows == without.rows + 12 + 1);
  const ModelSpec expanded = expand(spec);
  const auto pose = [&](int body) {
    return body == kGround ? DeclaredPose() : DeclaredPose(expanded.bodies[static_cast<std::size_t>(body)]);
  };
  for (std::size_t j = sampleModel().joints.size(); j + 1 < model.joints.size(); ++j) {
    const Joint& joint = model.joints[j];
    for (int p = joint.first_primitive; p < joint.first_primitive + joint.primitive_count; ++p) {
      const Primitive& primitive = model.primitives[static_cast<std::size_t>(p)];
      const DeclaredPose pose_1 = pose(primitive.body_1), pose_2 = pose(primitive.body_2);
      const Vector3d apart = pose_2.toWorld(primitive.s_2) - pose_1.toWorld(primitive.s_1);
      CAPTURE(model.joint_names[j], p);
      if (primitive.kind == PrimitiveKind::kPoint) CHECK(apart.norm() < kStrutRounding);
      if (primitive.kind == PrimitiveKind::kDot1)
        CHECK(std::abs((pose_1.rotation * primitive.a_1).dot(pose_2.rotation * primitive.a_2)) < kStrutRounding);
      if (primitive.kind == PrimitiveKind::kDot2)
        CHECK(std::abs((pose_1.rotation * primitive.a_1).dot(apart)) < kStrutRounding);
    }
  }
}

TEST_CASE("tube and rod of a strut move with the bodies that carry them", "[rt][model]") {
  ModelSpec spec = sampleWithTubeAndRod();
  spec.bodies[0].velocity = {1, 2, 3};
  spec.bodies[0].angular_velocity = {0, 0, 2};
  const ModelSpec expanded = expand(spec);
  const BodySpec& rod = expanded.bodies[4];
  CHECK(expanded.bodies[3].velocity == Vector3d(0, 0, 0));
  const Vector3d omega(0, 0, 2);
  CHECK((rod.velocity - (Vector3d(1, 2, 3) + omega.cross(rod.position - spec.bodies[0].position))).norm() <
        kStrutRounding);
  CHECK((DeclaredPose(rod).rotation * rod.angular_velocity - omega).norm() < kStrutRounding);
}

TEST_CASE("sensors point at the parts of a strut", "[rt][model]") {
  ModelSpec spec = sampleWithTubeAndRod();
  spec.sensors.push_back({"load", "", ForceValueSpec{"leg.spring"}});
  spec.sensors.push_back({"compression", "", JointTravelSpec{"leg.slide", false}});
  REQUIRE(checkModel(spec).empty());
  const Model model = buildModel(spec);
  CHECK(model.joint_names[static_cast<std::size_t>(model.sensors[4].target)] == "leg.spring");
  CHECK(model.joint_names[static_cast<std::size_t>(model.sensors[5].target)] == "leg.slide");
}

TEST_CASE("struts: each bad value gets its finding at the strut", "[rt][model]") {
  const auto refused = [](auto change, const std::string& field, const std::string& rule) {
    ModelSpec spec = sampleWithTubeAndRod();
    change(strutOf(spec));
    TACTUS_REQUIRE_FINDING(spec, "composites[0].strut" + field, rule);
  };
  using S = StrutSpec&;
  refused([](S s) { s.body_1 = "grund"; }, ".body_1", "name of a body");
  refused([](S s) { s.stiffness = -1; }, ".stiffness", "below zero");
  refused([](S s) { s.free_length = 0; }, ".free_length", "above zero");
  refused([](S s) { s.law.damping_curve->y[2] = -3; }, ".damping_curve.y[2]", "sign of its rate");
  refused([](S s) { s.law.minimum_stop->stiffness = 0; }, ".minimum_stop.stiffness", "above zero");
  refused([](S s) { s.tube->mass = 0; }, ".tube.mass", "above zero");
  refused([](S s) { s.rod.reset(); }, ".rod", "together with the other part");
  refused([](S s) { s.point_1 = {0.625, 0, 0}; }, "", "points apart");
  // Of the inertia of the body, which a tube has not as one field.
  refused([](S s) { s.tube->axial_inertia = 1e3; }, ".tube", "triangle inequality");
}

TEST_CASE("a strut with tube and rod reaches a part of a composite behind it", "[rt][model]") {
  ModelSpec spec = sampleWithTubeAndRod();
  CompositeSpec second = spec.composites[0];
  second.name = "upper";
  StrutSpec& upper = std::get<StrutSpec>(second.kind);
  upper.body_1 = "leg.tube";
  upper.point_1 = {0.5, 0, 0};
  spec.composites.insert(spec.composites.begin(), second);
  REQUIRE(checkModel(spec).empty());
  const ModelSpec expanded = expand(spec);
  const auto has = [&expanded](const std::string& name) {
    return std::any_of(expanded.bodies.begin(), expanded.bodies.end(),
                       [&name](const BodySpec& body) { return body.name == name; });
  };
  for (const char* part : {"leg.tube", "leg.rod", "upper.tube", "upper.rod"}) CHECK(has(part));

  // Two that wait for each other never exist.
  std::get<StrutSpec>(spec.composites[1].kind).body_1 = "upper.tube";
  const std::vector<Finding> findings = checkModel(spec);
  REQUIRE(findings.size() == 2);
  for (const std::size_t i : {std::size_t(0), std::size_t(1)}) {
    CHECK(findings[i].path == "composites[" + std::to_string(i) + "].strut.body_1");
    CHECK(findings[i].rule.find("must be the name of a body") == 0);
  }
}
