#include "rt/model/model.h"
#include "tests/rt/model/sample_model.h"
#include "tests/support/simulation.h"

#include <Eigen/Geometry>
#include <catch2/catch.hpp>

#include <cmath>

using namespace tactus;
using namespace tactus::rt;
using namespace tactus::rt::test;

namespace {

constexpr double kBend = 0.6;  // rad

/// Two shafts that meet at the origin: one along z, one bent by kBend about x, whose far end stays on its line.
ModelSpec bentShafts() {
  const Vector3d z = Vector3d::UnitZ(), zero = Vector3d::Zero();
  const Vector4d turned(std::cos(kBend / 2), std::sin(kBend / 2), 0, 0);
  const Vector3d along = Eigen::AngleAxisd(kBend, Vector3d::UnitX()) * z;
  ModelSpec spec;
  spec.name = "shafts";
  spec.gravity = zero;
  spec.bodies = {sampleBody("near", -z), sampleBody("far", along)};
  for (BodySpec& body : spec.bodies) body.inertia = Vector3d(1, 1, 0.2).asDiagonal();
  spec.bodies[1].orientation = turned;
  spec.joints = {sampleJoint("bearing", "ground", "near", RevoluteSpec{-z, zero, z, z, 0}),
                 sampleJoint("cup", "near", "far", ConstantVelocitySpec{z, -z, z, 2 * z}),
                 sampleJoint("end", "ground", "far", PointOnLineSpec{along, along, zero})};
  return spec;
}

/// Twist of the joint with both shafts turned by angles about their own axes.
double twist(const Model& model, double angle_1, double angle_2) {
  const Primitive& p = model.primitives[static_cast<std::size_t>(model.joints[1].first_primitive + 1)];
  const Matrix3d R_1 = Eigen::AngleAxisd(angle_1, Vector3d::UnitZ()).toRotationMatrix();
  const Matrix3d R_2 =
      (Eigen::AngleAxisd(kBend, Vector3d::UnitX()) * Eigen::AngleAxisd(angle_2, Vector3d::UnitZ())).toRotationMatrix();
  return 0.5 * ((R_1 * p.a_1).dot(R_2 * p.a_2) - (R_1 * p.b_1).dot(R_2 * p.b_2));
}

}  // namespace

TEST_CASE("a constant-velocity joint holds where both shafts turn by the same angle, and nowhere else", "[rt][model]") {
  const Model model = buildModel(bentShafts());
  REQUIRE(model.joints[1].row_count == 4);
  for (double angle = -3; angle < 3; angle += 0.37) {
    CAPTURE(angle);
    CHECK(std::abs(twist(model, angle, angle)) < 1e-14);  // round-off of a few products
    CHECK(std::abs(twist(model, angle, angle + 0.1)) > 0.05);
  }
}

TEST_CASE("a shaft behind a constant-velocity joint turns at the speed of the driven one", "[rt][model]") {
  constexpr double kSpeed = 5;  // rad/s
  ModelSpec spec = bentShafts();
  for (BodySpec& body : spec.bodies) body.angular_velocity = {0, 0, kSpeed};
  spec.drives = {{"motor", "", DrivenAngleSpec{"bearing"}, PolynomialSpec{{0, kSpeed}}}};
  spec.sensors = {{"speed", "", AngularVelocitySpec{"far", Vector3d::UnitZ(), Frame::kBody}}};
  const auto run = tests::record(spec, tests::settingsFor(1e-3), 1, {"speed"});
  REQUIRE(run.ok);
  // A universal joint would vary it by a fifth. What is left is the tolerance of the velocity projection.
  for (const double speed : run["speed"]) REQUIRE(std::abs(speed - kSpeed) < 1e-6);
}

TEST_CASE("constant-velocity joints: each bad value gets its finding", "[rt][model]") {
  const auto refused = [](const ConstantVelocitySpec& joint, const std::string& field, const std::string& rule) {
    ModelSpec spec = sampleModel();
    spec.joints[5].kind = joint;
    TACTUS_REQUIRE_FINDING(spec, "joints[5].constant_velocity" + field, rule);
  };
  const Vector3d x = Vector3d::UnitX(), zero = Vector3d::Zero();
  refused({Vector3d(0, NAN, 0), zero, x, x}, ".point_1", "finite");
  refused({zero, zero, x, zero}, ".axis_2", "zero length");
  refused({zero, zero, x, -x}, ".axis_2", "same way");
}
