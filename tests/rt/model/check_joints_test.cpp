#include "tests/rt/model/sample_model.h"

#include <catch2/catch.hpp>

#include <limits>

using namespace tactus::rt;
using namespace tactus::rt::test;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

enum { kHinge, kBall, kRope, kSquare, kPlane, kPin };

template <typename Kind>
Kind& kindOf(ModelSpec& spec, std::size_t joint) {
  return std::get<Kind>(spec.joints[joint].kind);
}

}  // namespace

TEST_CASE("bodies of a joint exist; the hint is the nearest name", "[rt][model]") {
  ModelSpec spec = sampleModel();
  spec.joints[kBall].body_1 = "amr";
  TACTUS_REQUIRE_FINDING(spec, "joints[1].body_1", "name of a body or \"ground\"");
  REQUIRE(checkModel(spec)[0].hint == "did you mean \"arm\"?");

  spec = sampleModel();
  spec.joints[kHinge].body_1 = "grond";
  TACTUS_REQUIRE_FINDING(spec, "joints[0].body_1", "name of a body");
  REQUIRE(checkModel(spec)[0].hint == "did you mean \"ground\"?");

  spec = sampleModel();
  spec.joints[kPin].body_2 = "";
  TACTUS_REQUIRE_FINDING(spec, "joints[5].body_2", "name of a body");
}

TEST_CASE("a joint joins two different bodies", "[rt][model]") {
  ModelSpec spec = sampleModel();
  spec.joints[kSquare].body_2 = "rod";
  TACTUS_REQUIRE_FINDING(spec, "joints[3].body_2", "must differ from body_1");
  spec.joints[kSquare].body_1 = spec.joints[kSquare].body_2 = "ground";
  TACTUS_REQUIRE_FINDING(spec, "joints[3].body_2", "ground on ground");
}

TEST_CASE("points of every joint are finite", "[rt][model]") {
  const Vector3d bad(0, 0, kNan);
  ModelSpec spec = sampleModel();
  kindOf<SphericalSpec>(spec, kBall).point_1 = bad;
  TACTUS_REQUIRE_FINDING(spec, "joints[1].spherical.point_1", "finite");
  spec = sampleModel();
  kindOf<RevoluteSpec>(spec, kHinge).point_2 = bad;
  TACTUS_REQUIRE_FINDING(spec, "joints[0].revolute.point_2", "finite");
  spec = sampleModel();
  kindOf<DistanceSpec>(spec, kRope).point_1 = bad;
  TACTUS_REQUIRE_FINDING(spec, "joints[2].distance.point_1", "finite");
  spec = sampleModel();
  kindOf<Dot2Spec>(spec, kPlane).point_2 = bad;
  TACTUS_REQUIRE_FINDING(spec, "joints[4].dot2.point_2", "finite");
  spec = sampleModel();
  kindOf<PointSpec>(spec, kPin).point_2 = bad;
  TACTUS_REQUIRE_FINDING(spec, "joints[5].point.point_2", "finite");
}

TEST_CASE("axes of every joint are directions", "[rt][model]") {
  for (const Vector3d& bad : {Vector3d(0, 0, 0), Vector3d(0, 1e-13, 0), Vector3d(kNan, 0, 1)}) {
    const std::string rule = bad.allFinite() ? "not of zero length" : "finite";
    ModelSpec spec = sampleModel();
    kindOf<RevoluteSpec>(spec, kHinge).axis_1 = bad;
    TACTUS_REQUIRE_FINDING(spec, "joints[0].revolute.axis_1", rule);
    spec = sampleModel();
    kindOf<RevoluteSpec>(spec, kHinge).axis_2 = bad;
    TACTUS_REQUIRE_FINDING(spec, "joints[0].revolute.axis_2", rule);
    spec = sampleModel();
    kindOf<Dot1Spec>(spec, kSquare).axis_1 = bad;
    TACTUS_REQUIRE_FINDING(spec, "joints[3].dot1.axis_1", rule);
    spec = sampleModel();
    kindOf<Dot1Spec>(spec, kSquare).axis_2 = bad;
    TACTUS_REQUIRE_FINDING(spec, "joints[3].dot1.axis_2", rule);
    spec = sampleModel();
    kindOf<Dot2Spec>(spec, kPlane).axis_1 = bad;
    TACTUS_REQUIRE_FINDING(spec, "joints[4].dot2.axis_1", rule);
  }
}

TEST_CASE("axes of a revolute point the same way as declared", "[rt][model]") {
  ModelSpec spec = sampleModel();
  kindOf<RevoluteSpec>(spec, kHinge).axis_2 = -Vector3d::UnitZ();
  TACTUS_REQUIRE_FINDING(spec, "joints[0].revolute.axis_2", "same way");
  REQUIRE(checkModel(spec)[0].hint == "turn it round: [0, 0, 1]");

  // They are compared in the world: turned by half a turn about x, the body's axis agrees again.
  spec.bodies[0].orientation = Vector4d(0, 1, 0, 0);
  REQUIRE(checkModel(spec).empty());
}

TEST_CASE("the initial angle of a revolute is finite", "[rt][model]") {
  ModelSpec spec = sampleModel();
  kindOf<RevoluteSpec>(spec, kHinge).initial_angle = kNan;
  TACTUS_REQUIRE_FINDING(spec, "joints[0].revolute.initial_angle", "finite");
}

TEST_CASE("the length of a distance is above zero", "[rt][model]") {
  for (const double bad : {0.0, -1.0, kNan}) {
    CAPTURE(bad);
    ModelSpec spec = sampleModel();
    kindOf<DistanceSpec>(spec, kRope).length = bad;
    TACTUS_REQUIRE_FINDING(spec, "joints[2].distance.length", "above zero");
  }
}

TEST_CASE("the points of a distance are apart", "[rt][model]") {
  ModelSpec spec = sampleModel();
  kindOf<DistanceSpec>(spec, kRope).point_2 = Vector3d(-0.5, 0, 0);
  TACTUS_REQUIRE_FINDING(spec, "joints[2].distance", "points apart");
}
