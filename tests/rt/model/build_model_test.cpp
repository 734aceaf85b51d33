// Covers: rt/model/model.cpp, rt/model/directions.h, rt/model/model_builder.cpp, rt/model/model_builder.h
// Covers: rt/model/joint_builder.cpp, rt/model/joint.h, rt/model/primitive.h
#include "tests/rt/model/sample_model.h"

#include "rt/math/euler_parameters.h"
#include "rt/model/model.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace tactus::rt;
using namespace tactus::rt::test;

namespace {

// Directions are normalized and crossed: a few roundings.
constexpr double kRounding = 1e-15;

Vector4d someRotation(double a, double b) {
  Vector4d p(std::cos(a), std::sin(a) * std::cos(b), std::sin(a) * std::sin(b) * 0.6, std::sin(a) * std::sin(b) * 0.8);
  return p / p.norm();
}

}  // namespace

TEST_CASE("joints become consecutive primitives and rows", "[rt][model]") {
  const Model model = buildModel(sampleModel());
  const std::vector<std::vector<PrimitiveKind>> expected = {
      {PrimitiveKind::kPoint, PrimitiveKind::kDot1, PrimitiveKind::kDot1},
      {PrimitiveKind::kPoint},
      {PrimitiveKind::kDistance},
      {PrimitiveKind::kDot1},
      {PrimitiveKind::kDot2},
      {PrimitiveKind::kPoint}};
  const std::vector<int> rows = {5, 3, 1, 1, 1, 3};
  int primitive = 0, row = 0;
  for (std::size_t j = 0; j < expected.size(); ++j) {
    const Joint& joint = model.joints[j];
    CAPTURE(j);
    REQUIRE(joint.first_primitive == primitive);
    REQUIRE(joint.primitive_count == static_cast<int>(expected[j].size()));
    REQUIRE(joint.first_row == row);
    REQUIRE(joint.row_count == rows[j]);
    for (const PrimitiveKind kind : expected[j]) {
      const Primitive& p = model.primitives[static_cast<std::size_t>(primitive++)];
      REQUIRE(p.kind == kind);
      REQUIRE(p.row == row);
      REQUIRE(p.body_1 == joint.body_1);
      REQUIRE(p.body_2 == joint.body_2);
      row += rowsOf(kind);
    }
  }
  REQUIRE(model.rows == row);
  REQUIRE(model.rows == 14);
  REQUIRE(model.primitives.size() == static_cast<std::size_t>(primitive));
}

TEST_CASE("names of bodies become indices", "[rt][model]") {
  const Model model = buildModel(sampleModel());
  REQUIRE(model.joints[0].body_1 == kGround);
  REQUIRE(model.joints[0].body_2 == 0);
  REQUIRE(model.joints[5].body_1 == 1);
  REQUIRE(model.joints[5].body_2 == 2);
  REQUIRE(model.actuators[0].target == 0);
  REQUIRE(model.actuators[1].target == 2);
  REQUIRE(model.actuators[2].target == 1);
  REQUIRE(model.sensors[0].target == 0);
  REQUIRE(model.sensors[2].target == 2);
  REQUIRE(model.body_names == std::vector<std::string>{"arm", "rod", "bob"});
}

TEST_CASE("directions are normalized", "[rt][model]") {
  ModelSpec spec = sampleModel();
  std::get<RevoluteSpec>(spec.joints[0].kind).axis_1 = Vector3d(0, 0, 1e200);
  std::get<RevoluteSpec>(spec.joints[0].kind).axis_2 = Vector3d(0, 0, 1e-11);
  std::get<Dot1Spec>(spec.joints[3].kind).axis_1 = Vector3d(3, 0, 4);
  const Model model = buildModel(spec);
  REQUIRE(model.joints[0].axis_1 == Vector3d(0, 0, 1));
  REQUIRE(model.joints[0].axis_2 == Vector3d(0, 0, 1));
  REQUIRE((model.primitives[5].a_1 - Vector3d(0.6, 0, 0.8)).norm() < kRounding);
  REQUIRE(model.actuators[1].direction == Vector3d(1, 0, 0));
}

TEST_CASE("a revolute has rows across its axis and a common zero in both bodies", "[rt][model]") {
  ModelSpec spec = sampleModel();
  for (const double angle : {0.0, 0.4, 1.3, 2.9}) {
    CAPTURE(angle);
    spec.bodies[0].orientation = someRotation(angle, 0.7);
    spec.bodies[1].orientation = someRotation(angle + 0.5, 1.9);
    const Matrix3d R_1 = rotationMatrix(spec.bodies[0].orientation), R_2 = rotationMatrix(spec.bodies[1].orientation);
    std::get<RevoluteSpec>(spec.joints[0].kind).axis_2 = R_1.transpose() * Vector3d::UnitZ();
    RevoluteSpec hinge;
    const Vector3d axis_w = Vector3d(1, -2, 0.5).normalized();
    hinge.axis_1 = R_1.transpose() * axis_w;
    hinge.axis_2 = R_2.transpose() * axis_w;
    hinge.initial_angle = 0.25;
    spec.joints[1] = sampleJoint("ball", "arm", "rod", hinge);
    const Model model = buildModel(spec);
    const Joint& joint = model.joints[1];
    const auto first = static_cast<std::size_t>(joint.first_primitive);
    const Primitive& u = model.primitives[first + 1];
    const Primitive& w = model.primitives[first + 2];

    // u, w and the axis of body 1 are a right-handed triad; both rows speak of the axis of body 2.
    REQUIRE((u.a_1.cross(w.a_1) - joint.axis_1).norm() < kRounding);
    REQUIRE(std::abs(u.a_1.dot(w.a_1)) < kRounding);
    REQUIRE(u.a_2 == joint.axis_2);
    REQUIRE(w.a_2 == joint.axis_2);
    REQUIRE(std::abs((R_1 * u.a_1).dot(R_2 * u.a_2)) < 5 * kRounding);

    REQUIRE(joint.displacement == 1);
    REQUIRE(joint.initial_angle == 0.25);
    REQUIRE(std::abs(joint.zero_1.dot(joint.axis_1)) < kRounding);
    REQUIRE(std::abs(joint.zero_2.dot(joint.axis_2)) < kRounding);
    REQUIRE(std::abs(joint.zero_2.norm() - 1) < kRounding);
    REQUIRE((R_1 * joint.zero_1 - R_2 * joint.zero_2).norm() < 5 * kRounding);
  }
}

TEST_CASE("only joints with an angle have a coordinate", "[rt][model]") {
  const Model model = buildModel(sampleModel());
  REQUIRE(model.displacements == 1);
  REQUIRE(model.joints[0].displacement == 0);
  for (std::size_t j = 1; j < model.joints.size(); ++j) REQUIRE(model.joints[j].displacement == -1);
}

TEST_CASE("a distance without a length keeps the declared one", "[rt][model]") {
  ModelSpec spec = sampleModel();
  spec.bodies[2].position = Vector3d(2, 3, 0);  // rope from (2, 0, 0) to its mass center
  REQUIRE(buildModel(spec).primitives[4].length == 3);
  std::get<DistanceSpec>(spec.joints[2].kind).length = 2.5;
  REQUIRE(buildModel(spec).primitives[4].length == 2.5);
}

TEST_CASE("orientations are normalized to rounding, and once is enough", "[rt][model]") {
  ModelSpec spec = sampleModel();
  spec.bodies[0].orientation = Vector4d(1 + 3e-7, 1e-7, 0, -2e-7);
  const Vector4d once = buildModel(spec).initial_conditions[0].orientation[0];
  REQUIRE(std::abs(once.norm() - 1) < kRounding);
  spec.bodies[0].orientation = once;
  REQUIRE(buildModel(spec).initial_conditions[0].orientation[0] == once);
}

TEST_CASE("a named initial condition changes what it lists and keeps the rest", "[rt][model]") {
  ModelSpec spec = sampleModel();
  spec.bodies[0].velocity = Vector3d(1, 2, 3);
  const Model model = buildModel(spec);
  REQUIRE(model.initial_conditions.size() == 2);
  const InitialCondition& thrown =
      model.initial_conditions[static_cast<std::size_t>(findInitialCondition(model, "thrown"))];
  REQUIRE(thrown.velocity[2] == Vector3d(0, 0, 1));
  REQUIRE(thrown.velocity[0] == Vector3d(1, 2, 3));
  REQUIRE(thrown.position[2] == spec.bodies[2].position);
  REQUIRE(model.initial_conditions[0].velocity[2] == Vector3d(0, 0, 0));
  REQUIRE(findInitialCondition(model, "") == 0);
  REQUIRE_THROWS_WITH(findInitialCondition(model, "throw"),
                      Catch::Contains("(it has \"thrown\"; did you mean \"thrown\"?)"));
  ModelSpec bare = sampleModel();
  bare.initial_conditions.clear();
  REQUIRE_THROWS_WITH(findInitialCondition(buildModel(bare), "throw"), Catch::Contains("(it has none)"));
}

TEST_CASE("actuators without bounds take any finite number", "[rt][model]") {
  const Model model = buildModel(sampleModel());
  REQUIRE(model.actuators[0].minimum == -std::numeric_limits<double>::max());
  REQUIRE(model.actuators[0].maximum == std::numeric_limits<double>::max());
}

TEST_CASE("the typical length is the mean distance of joint points from mass centers", "[rt][model]") {
  // Points on bodies: 0.5 (hinge), 0.5, 0.5 (ball), 0.5, 0 (rope), 0 (plane), 0.5, 0.5 (pin).
  REQUIRE(buildModel(sampleModel()).length == Approx(3.0 / 8).epsilon(1e-15));

  ModelSpec free_body;
  free_body.name = "stone";
  free_body.gravity = Vector3d(0, 0, -1);
  free_body.bodies = {sampleBody("stone", Vector3d::Zero())};
  REQUIRE(buildModel(free_body).length == 1);

  // All points at mass centers.
  free_body.joints = {JointSpec{}};
  free_body.joints[0].name = "pivot";
  free_body.joints[0].body_1 = kGroundName;
  free_body.joints[0].body_2 = "stone";
  free_body.joints[0].kind = SphericalSpec{Vector3d(0.3, 0, 0), Vector3d(1e-17, 0, 0)};
  REQUIRE(buildModel(free_body).length == 1);
}

TEST_CASE("the hash sees what decides a trajectory, and nothing else", "[rt][model]") {
  const std::uint64_t hash = buildModel(sampleModel()).hash;
  REQUIRE(buildModel(sampleModel()).hash == hash);

  ModelSpec spec = sampleModel();
  spec.description = "words";
  spec.bodies[0].description = "words";
  spec.sensors.pop_back();
  REQUIRE(buildModel(spec).hash == hash);

  // Every change in this list must give a hash of its own.
  std::vector<ModelSpec> changed(12, sampleModel());
  changed[0].bodies[1].mass += 1e-15;
  changed[1].bodies[1].inertia(2, 2) += 1e-15;
  changed[2].gravity->z() = 1e-300;
  changed[3].bodies[2].velocity.x() = 1;
  std::get<SphericalSpec>(changed[4].joints[1].kind).point_1.y() = 1e-9;
  std::get<RevoluteSpec>(changed[5].joints[0].kind).initial_angle = 1;
  changed[6].actuators[0].maximum = 3;
  changed[7].actuators[0].name = "engine";
  changed[8].initial_conditions[0].name = "dropped";
  changed[9].solver.period = 2e-3;
  std::get<BodyTorqueSpec>(changed[10].actuators[2].kind).frame = Frame::kWorld;
  std::swap(changed[11].joints[3], changed[11].joints[4]);
  std::vector<std::uint64_t> hashes = {hash};
  for (const ModelSpec& one : changed) hashes.push_back(buildModel(one).hash);
  std::sort(hashes.begin(), hashes.end());
  REQUIRE(std::adjacent_find(hashes.begin(), hashes.end()) == hashes.end());
}
