// Gears, racks, screws, anti-roll bars, air and the sensors of a vehicle: each bad value gets its finding.
// Covers: rt/model/elements/gear.cpp, rt/model/elements/rack_and_pinion.cpp, rt/model/elements/screw.cpp
// Covers: rt/model/elements/coupler.cpp, rt/model/elements/anti_roll_bar.cpp, rt/model/elements/air_load.cpp
// Covers: rt/model/elements/force_value.cpp, rt/model/elements/joint_travel.cpp, rt/model/elements/joint_reaction.cpp
// Covers: rt/model/elements/specific_force.cpp, rt/model/finding_list.cpp
#include "rt/model/finding_list.h"
#include "rt/model/model.h"
#include "tests/rt/model/sample_model.h"

#include <catch2/catch.hpp>

using namespace tactus::rt;
using namespace tactus::rt::test;

namespace {

const Vector3d kZero = Vector3d::Zero(), kZ(0, 0, 1), kX(1, 0, 0);

BodySpec wheel(const std::string& name, double x) {
  BodySpec body;
  body.name = name;
  body.mass = 1;
  body.inertia = Matrix3d::Identity();
  body.position = {x, 0, 0};
  return body;
}

/// Two wheels 0.7 m apart with a gear, a rack and a screw, and one of each load and sensor.
ModelSpec sample() {
  ModelSpec spec;
  spec.name = "wheels";
  spec.gravity = kZero;
  spec.bodies = {wheel("small", 0), wheel("large", 0.7)};
  spec.joints = {{"mesh", "", "small", "large", GearSpec{kZero, kZero, kZ, 0.2, 0.5, false}},
                 {"rack", "", "small", "large", RackAndPinionSpec{kZero, kZero, kZ, kX, 0.1}},
                 {"thread", "", "ground", "small", ScrewSpec{kZero, kZero, kZ, kZ, 0.01}},
                 {"hinge", "", "ground", "large", RevoluteSpec{{0.7, 0, 0}, kZero, kZ, kZ, 0}}};
  TranslationalSpringSpec spring;
  spring.body_1 = "small";
  spring.body_2 = "large";
  spring.stiffness = 1;
  AirLoadSpec air;
  air.body = "large";
  air.area = 2;
  air.lift = 0.1;
  air.up = kZ;
  spec.forces = {
      {"bar", "", AntiRollBarSpec{"thread", "hinge", 10, 1, -1, {}}}, {"air", "", air}, {"spring", "", spring}};
  spec.sensors = {{"force", "", ForceValueSpec{"spring"}},
                  {"travel", "", JointTravelSpec{"thread", true}},
                  {"reaction", "", JointReactionSpec{"mesh", false, kX, Frame::kBody}},
                  {"felt", "", SpecificForceSpec{"large", kZero, kX, Frame::kBody}}};
  return spec;
}

template <typename Kind, typename Element, typename Change>
void refused(std::vector<Element> ModelSpec::*list, std::size_t i, Change change, const std::string& path,
             const std::string& rule) {
  ModelSpec spec = sample();
  change(std::get<Kind>((spec.*list)[i].kind));
  TACTUS_REQUIRE_FINDING(spec, path, rule);
}

}  // namespace

TEST_CASE("gears, racks and screws: each bad value gets its finding", "[rt][model]") {
  REQUIRE(checkModel(sample()).empty());
  const auto gear = [](auto change, const std::string& field, const std::string& rule) {
    refused<GearSpec>(&ModelSpec::joints, 0, change, "joints[0].gear" + field, rule);
  };
  using G = GearSpec&;
  gear([](G g) { g.point_1[0] = kNan; }, ".point_1", "finite");
  gear([](G g) { g.axis_1.setZero(); }, ".axis_1", "zero length");
  gear([](G g) { g.point_2[0] = 0.1; }, "", "radius_1 + radius_2 = 0.7 m apart");
  gear([](G g) { g.internal = true; }, "", "radius_2 - radius_1");
  const auto rack = [](auto change, const std::string& field, const std::string& rule) {
    refused<RackAndPinionSpec>(&ModelSpec::joints, 1, change, "joints[1].rack_and_pinion" + field, rule);
  };
  using R = RackAndPinionSpec&;
  rack([](R r) { r.radius = 0; }, ".radius", "above zero");
  rack([](R r) { r.direction_1 = {1, 0, 0.1}; }, ".direction_1", "perpendicular");
  rack([](R r) { r.direction_1.setZero(); }, ".direction_1", "zero length");
  rack([](R r) { r.axis_1.setZero(); }, ".axis_1", "zero length");
  rack([](R r) { r.point_2[2] = kNan; }, ".point_2", "finite");
  const auto screw = [](auto change, const std::string& field, const std::string& rule) {
    refused<ScrewSpec>(&ModelSpec::joints, 2, change, "joints[2].screw" + field, rule);
  };
  using S = ScrewSpec&;
  screw([](S s) { s.pitch = 0; }, ".pitch", "not be zero");
  screw([](S s) { s.pitch = kNan; }, ".pitch", "finite");
  screw([](S s) { s.axis_2 = -kZ; }, ".axis_2", "same way");
}

TEST_CASE("couplers: each bad value gets its finding", "[rt][model]") {
  const auto coupled = [](auto change, const std::string& field, const std::string& rule) {
    ModelSpec spec = sampleModel();
    const Vector3d x = Vector3d::UnitX(), zero = Vector3d::Zero();
    spec.joints.push_back(sampleJoint("tube", "ground", "bob", CylindricalSpec{zero, zero, x, x, 0}));
    JointSpec joint;
    joint.name = "coupler";
    joint.kind = CouplerSpec{{{"hinge", 1, false}, {"tube", -0.5, true}}};
    spec.joints.push_back(joint);
    REQUIRE(checkModel(spec).empty());
    change(spec.joints.back(), std::get<CouplerSpec>(spec.joints.back().kind).coordinates);
    TACTUS_REQUIRE_FINDING(spec, element("joints", spec.joints.size() - 1) + field, rule);
  };
  using J = JointSpec&;
  using C = std::vector<CoupledCoordinateSpec>&;
  const std::string list = ".coupler.coordinates";
  coupled([](J j, C) { j.body_1 = "arm"; }, ".body_1", "left out of a coupler");
  coupled([](J j, C) { j.body_2 = "ground"; }, ".body_2", "left out of a coupler");
  coupled([](J, C c) { c.pop_back(); }, list, "2 or 3");
  coupled([](J, C c) { c.clear(); }, list, "2 or 3");
  coupled([](J, C c) { c[0].joint = "hunge"; }, list + "[0].joint", "name of a joint");
  coupled([](J, C c) { c[0].along_axis = true; }, list + "[0].joint", "has a travel");
  coupled([](J, C c) { c[1].joint = "ball"; }, list + "[1].joint", "has a travel");
  coupled([](J, C c) { c[1].joint = "coupler"; }, list + "[1].joint", "has a travel");
  coupled([](J, C c) { c[1] = c[0]; }, list + "[1].joint", "coupled once");
  coupled([](J, C c) { c[0].ratio = 0; }, list + "[0].ratio", "not zero");
  coupled([](J, C c) { c[0].ratio = kNan; }, list + "[0].ratio", "finite");

  ModelSpec spec = sampleModel();
  JointSpec joint;
  joint.name = "coupler";
  joint.kind = CouplerSpec{{{"hinge", 1, false}, {"axle", 2, false}}};
  spec.joints.push_back(joint);
  const Vector3d z = Vector3d::UnitZ(), zero = Vector3d::Zero();
  spec.joints.push_back(sampleJoint("axle", "ground", "bob", RevoluteSpec{zero, zero, z, z, 0}));
  TACTUS_REQUIRE_FINDING(spec, element("joints", spec.joints.size() - 2) + ".coupler.coordinates[1].joint",
                         "declared before");

  // Parts come behind all joints of the model: no order of declaration helps.
  StrutSpec strut;
  strut.body_1 = "ground";
  strut.body_2 = "bob";
  strut.point_1 = {0, 2, 0};
  strut.tube = strut.rod = StrutBodySpec{1, 1, 1, 0.1};
  spec.composites = {{"leg", "", strut}};
  std::get<CouplerSpec>(spec.joints[spec.joints.size() - 2].kind).coordinates[1] = {"leg.slide", 1, true};
  TACTUS_REQUIRE_FINDING(spec, element("joints", spec.joints.size() - 2) + ".coupler.coordinates[1].joint",
                         "not a part of a composite");
}

TEST_CASE("anti-roll bars and air: each bad value gets its finding", "[rt][model]") {
  const auto bar = [](auto change, const std::string& field, const std::string& rule) {
    refused<AntiRollBarSpec>(&ModelSpec::forces, 0, change, "forces[0].anti_roll_bar" + field, rule);
  };
  using B = AntiRollBarSpec&;
  bar([](B b) { b.joint_1 = "mesh"; }, ".joint_1", "has an angle");
  bar([](B b) { b.joint_2 = "thread"; }, ".joint_2", "differ from joint_1");
  bar([](B b) { b.stiffness = -1; }, ".stiffness", "below zero");
  bar([](B b) { b.damping = kNan; }, ".damping", "finite");
  bar([](B b) { b.ratio = 0; }, ".ratio", "not be zero");
  bar([](B b) { b.free_twist = kNan; }, ".free_twist", "finite");
  const auto air = [](auto change, const std::string& field, const std::string& rule) {
    refused<AirLoadSpec>(&ModelSpec::forces, 1, change, "forces[1].air_load" + field, rule);
  };
  using A = AirLoadSpec&;
  air([](A a) { a.body = "ground"; }, ".body", "must be a body");
  air([](A a) { a.area = 0; }, ".area", "above zero");
  air([](A a) { a.density = -1; }, ".density", "above zero");
  air([](A a) { a.drag = -1; }, ".drag", "below zero");
  air([](A a) { a.lift = kNan; }, ".lift", "finite");
  air([](A a) { a.up.setZero(); }, ".up", "zero length");
  air([](A a) { a.wind[0] = kNan; }, ".wind", "finite");
  air([](A a) { a.point[0] = kNan; }, ".point", "finite");
  air(
      [](A a) {
        a.side = -0.5;
        a.across = {0, 1, 0};
      },
      ".side", "below zero");
  air([](A a) { a.side = 0.5; }, ".across", "zero length");
}

TEST_CASE("sensors of elements and joints: each bad value gets its finding", "[rt][model]") {
  refused<ForceValueSpec>(
      &ModelSpec::sensors, 0, [](auto& s) { s.force = "bar"; }, "sensors[0].force_value.force",
      "a force element of one row");
  refused<JointTravelSpec>(
      &ModelSpec::sensors, 1, [](auto& s) { s.joint = "hinge"; }, "sensors[1].joint_travel.joint", "has a travel");
  refused<JointReactionSpec>(
      &ModelSpec::sensors, 2, [](auto& s) { s.joint = "mush"; }, "sensors[2].joint_reaction.joint", "name of a joint");
  refused<JointReactionSpec>(
      &ModelSpec::sensors, 2, [](auto& s) { s.direction.setZero(); }, "sensors[2].joint_reaction.direction",
      "zero length");
  refused<SpecificForceSpec>(
      &ModelSpec::sensors, 3, [](auto& s) { s.body = "ground"; }, "sensors[3].specific_force.body", "must be a body");
  refused<SpecificForceSpec>(
      &ModelSpec::sensors, 3, [](auto& s) { s.point[1] = kNan; }, "sensors[3].specific_force.point", "finite");
}
