// Covers: rt/model/elements/spherical.cpp, rt/model/elements/revolute.cpp, rt/model/elements/distance.cpp
// Covers: rt/model/elements/dot1.cpp, rt/model/elements/dot2.cpp, rt/model/elements/point.cpp
// Covers: rt/model/elements/universal.cpp, rt/model/elements/cylindrical.cpp, rt/model/elements/prismatic.cpp
// Covers: rt/model/elements/planar.cpp, rt/model/elements/weld.cpp, rt/model/elements/point_on_line.cpp
// Covers: rt/model/elements/point_on_plane.cpp
#include "tests/rt/model/sample_model.h"

#include <catch2/catch.hpp>

using namespace tactus::rt;
using namespace tactus::rt::test;

namespace {

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
  // An axis across the other one would leave the zero of the angle undefined.
  kindOf<RevoluteSpec>(spec, kHinge).axis_2 = Vector3d(1, 0, 1e-17);
  TACTUS_REQUIRE_FINDING(spec, "joints[0].revolute.axis_2", "same way");
  REQUIRE(checkModel(spec)[0].hint == "it is across axis_1");
  kindOf<RevoluteSpec>(spec, kHinge).axis_2 = -Vector3d::UnitZ();

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

TEST_CASE("joints with axes: each bad value gets its finding", "[rt][model]") {
  const Vector3d x = Vector3d::UnitX(), y = Vector3d::UnitY(), zero = Vector3d::Zero(), bad(0, kNan, 0);
  struct Row {
    decltype(JointSpec::kind) kind;
    std::string field, rule;
  };
  const std::vector<Row> rows = {
      {UniversalSpec{bad, zero, x, y}, "universal.point_1", "finite"},
      {UniversalSpec{zero, zero, zero, y}, "universal.axis_1", "zero length"},
      {UniversalSpec{zero, zero, x, bad}, "universal.axis_2", "finite"},
      {UniversalSpec{zero, zero, x, -2 * x}, "universal.axis_2", "across axis_1"},
      {CylindricalSpec{zero, bad, x, x}, "cylindrical.point_2", "finite"},
      {CylindricalSpec{zero, zero, zero, x}, "cylindrical.axis_1", "zero length"},
      {CylindricalSpec{zero, zero, x, -x}, "cylindrical.axis_2", "same way"},
      {CylindricalSpec{zero, zero, x, x, kNan}, "cylindrical.initial_angle", "finite"},
      {PrismaticSpec{bad, zero, x, x}, "prismatic.point_1", "finite"},
      {PrismaticSpec{zero, zero, x, zero}, "prismatic.axis_2", "zero length"},
      {PrismaticSpec{zero, zero, x, -x}, "prismatic.axis_2", "same way"},
      {PlanarSpec{zero, bad, x, x}, "planar.point_2", "finite"},
      {PlanarSpec{zero, zero, bad, x}, "planar.axis_1", "finite"},
      {PlanarSpec{zero, zero, x, -x}, "planar.axis_2", "same way"},
      {PlanarSpec{zero, zero, x, x, kNan}, "planar.initial_angle", "finite"},
      {WeldSpec{bad, zero}, "weld.point_1", "finite"},
      {WeldSpec{zero, bad}, "weld.point_2", "finite"},
      {PointOnLineSpec{zero, zero, zero}, "point_on_line.axis_1", "zero length"},
      {PointOnLineSpec{x, zero, bad}, "point_on_line.point_2", "finite"},
      {PointOnPlaneSpec{bad, zero, zero}, "point_on_plane.axis_1", "finite"},
      {PointOnPlaneSpec{x, bad, zero}, "point_on_plane.point_1", "finite"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.field, row.rule);
    ModelSpec spec = sampleModel();
    spec.joints[kPin].kind = row.kind;
    TACTUS_REQUIRE_FINDING(spec, "joints[5]." + row.field, row.rule);
  }
}

TEST_CASE("angles and travels are asked of joints that have them", "[rt][model]") {
  const Vector3d x = Vector3d::UnitX(), zero = Vector3d::Zero();
  ModelSpec spec = sampleModel();
  spec.joints[kPin].kind = PrismaticSpec{zero, zero, x, x};
  spec.drives = {{"feed", "", DrivenTravelSpec{"pin"}, PolynomialSpec{{0}}}};
  REQUIRE(checkModel(spec).empty());
  spec.drives[0].target = DrivenTravelSpec{"hinge"};
  TACTUS_REQUIRE_FINDING(spec, "drives[0].travel.joint", "has a travel");
  spec.drives[0].target = DrivenAngleSpec{"pin"};
  TACTUS_REQUIRE_FINDING(spec, "drives[0].angle.joint", "has an angle");
  spec.joints[kPin].kind = CylindricalSpec{zero, zero, x, x};
  REQUIRE(checkModel(spec).empty());
}
