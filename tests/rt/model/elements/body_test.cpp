// Covers: rt/model/elements/body.cpp, rt/model/elements/initial_condition.cpp
#include "tests/rt/model/sample_model.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace tactus::rt;
using namespace tactus::rt::test;

namespace {

ModelSpec withInertia(const Matrix3d& inertia) {
  ModelSpec spec = sampleModel();
  spec.bodies[2].inertia = inertia;
  return spec;
}

Matrix3d diagonal(double x, double y, double z) {
  return Vector3d(x, y, z).asDiagonal();
}

}  // namespace

TEST_CASE("mass is finite and above zero", "[rt][model]") {
  for (const double bad : {0.0, -0.5, kNan, kInf, -kInf}) {
    CAPTURE(bad);
    ModelSpec spec = sampleModel();
    spec.bodies[2].mass = bad;
    TACTUS_REQUIRE_FINDING(spec, "bodies[2].mass", "above zero");
  }
}

TEST_CASE("inertia is finite", "[rt][model]") {
  TACTUS_REQUIRE_FINDING(withInertia(diagonal(1, kNan, 1)), "bodies[2].inertia", "finite");
  TACTUS_REQUIRE_FINDING(withInertia(diagonal(1, 1, kInf)), "bodies[2].inertia", "finite");
}

TEST_CASE("inertia is symmetric", "[rt][model]") {
  Matrix3d inertia = diagonal(1, 1, 1);
  inertia(0, 1) = 0.1;
  TACTUS_REQUIRE_FINDING(withInertia(inertia), "bodies[2].inertia", "symmetric");
}

TEST_CASE("inertia is positive definite", "[rt][model]") {
  TACTUS_REQUIRE_FINDING(withInertia(Matrix3d::Zero()), "bodies[2].inertia", "positive definite");
  TACTUS_REQUIRE_FINDING(withInertia(diagonal(0, 1, 1)), "bodies[2].inertia", "positive definite");
  TACTUS_REQUIRE_FINDING(withInertia(diagonal(1, -1, 1)), "bodies[2].inertia", "positive definite");

  // Positive moments on the diagonal do not make it so.
  Matrix3d inertia = diagonal(1, 1, 1);
  inertia(0, 1) = inertia(1, 0) = -1.1;
  TACTUS_REQUIRE_FINDING(withInertia(inertia), "bodies[2].inertia", "positive definite");
}

TEST_CASE("principal moments obey the triangle inequality", "[rt][model]") {
  TACTUS_REQUIRE_FINDING(withInertia(diagonal(1, 1, 2.001)), "bodies[2].inertia", "triangle");
  REQUIRE(checkModel(withInertia(diagonal(1, 1, 2))).empty());  // a disc without thickness

  // It is the principal moments that count: these three diagonal elements alone would pass.
  Matrix3d inertia = diagonal(1, 1, 1.2);
  inertia(0, 1) = inertia(1, 0) = 0.7;
  TACTUS_REQUIRE_FINDING(withInertia(inertia), "bodies[2].inertia", "triangle");
}

TEST_CASE("a thin plate in a turned frame passes in spite of rounding", "[rt][model]") {
  const double c = std::cos(0.3), s = std::sin(0.3);
  Matrix3d turn;
  turn << c, -s * c, s * s, s, c * c, -c * s, 0, s, c;
  const Matrix3d inertia = turn * diagonal(0.3, 0.7, 1.0) * turn.transpose();
  REQUIRE(checkModel(withInertia(inertia)).empty());
}

TEST_CASE("poses and velocities are finite", "[rt][model]") {
  const Vector3d bad(0, kNan, 0);
  ModelSpec spec = sampleModel();
  spec.bodies[1].position = bad;
  TACTUS_REQUIRE_FINDING(spec, "bodies[1].position", "finite");
  spec = sampleModel();
  spec.bodies[1].velocity = bad;
  TACTUS_REQUIRE_FINDING(spec, "bodies[1].velocity", "finite");
  spec = sampleModel();
  spec.bodies[1].angular_velocity = bad;
  TACTUS_REQUIRE_FINDING(spec, "bodies[1].angular_velocity", "finite");
  spec = sampleModel();
  spec.bodies[1].orientation[2] = kNan;
  TACTUS_REQUIRE_FINDING(spec, "bodies[1].orientation", "finite");
}

TEST_CASE("orientations are unit quaternions, and the hint is the normalized one", "[rt][model]") {
  ModelSpec spec = sampleModel();
  spec.bodies[1].orientation = Vector4d(3, 0, 4, 0);
  TACTUS_REQUIRE_FINDING(spec, "bodies[1].orientation", "unit quaternion");
  REQUIRE(checkModel(spec)[0].hint == "normalized it is [0.6, 0, 0.8, 0]");
  REQUIRE(checkModel(spec)[0].value == "[3, 0, 4, 0]");

  spec.bodies[1].orientation = Vector4d::Zero();
  TACTUS_REQUIRE_FINDING(spec, "bodies[1].orientation", "unit quaternion");

  spec.bodies[1].orientation = Vector4d(1 + 2e-6, 0, 0, 0);
  TACTUS_REQUIRE_FINDING(spec, "bodies[1].orientation", "unit quaternion");
  spec.bodies[1].orientation = Vector4d(1 + 5e-7, 0, 0, 0);
  REQUIRE(checkModel(spec).empty());
}

TEST_CASE("initial conditions name existing bodies", "[rt][model]") {
  ModelSpec spec = sampleModel();
  spec.initial_conditions[0].bodies[0].body = "bop";
  TACTUS_REQUIRE_FINDING(spec, "initial_conditions[0].bodies[0].body", "name of a body");
  REQUIRE(checkModel(spec)[0].hint == "did you mean \"bob\"?");
  spec.initial_conditions[0].bodies[0].body = "ground";
  TACTUS_REQUIRE_FINDING(spec, "initial_conditions[0].bodies[0].body", "ground does not move");
}

TEST_CASE("an initial condition lists a body once", "[rt][model]") {
  ModelSpec spec = sampleModel();
  spec.initial_conditions[0].bodies.push_back(spec.initial_conditions[0].bodies[0]);
  TACTUS_REQUIRE_FINDING(spec, "initial_conditions[0].bodies[1].body", "listed once");
}

TEST_CASE("values of initial conditions are finite, their orientations unit", "[rt][model]") {
  const std::string path = "initial_conditions[0].bodies[0].";
  const Vector3d bad(kInf, 0, 0);
  ModelSpec spec = sampleModel();
  BodyStateSpec& state = spec.initial_conditions[0].bodies[0];
  state.velocity = bad;
  TACTUS_REQUIRE_FINDING(spec, path + "velocity", "finite");
  state.velocity.reset();
  state.position = bad;
  TACTUS_REQUIRE_FINDING(spec, path + "position", "finite");
  state.position.reset();
  state.angular_velocity = bad;
  TACTUS_REQUIRE_FINDING(spec, path + "angular_velocity", "finite");
  state.angular_velocity.reset();
  state.orientation = Vector4d(1, 1, 0, 0);
  TACTUS_REQUIRE_FINDING(spec, path + "orientation", "unit quaternion");
}
