#include "rt/model/model.h"
#include "tests/rt/model/sample_model.h"

#include <catch2/catch.hpp>

using namespace tactus::rt;
using namespace tactus::rt::test;

namespace {

/// The sample with a second hinge, a road, and one of each load whose connections must be compared.
ModelSpec sampleWithLoads() {
  ModelSpec spec = sampleModel();
  const Vector3d zero = Vector3d::Zero(), z = Vector3d::UnitZ();
  for (const char* name : {"second", "third"})
    spec.joints.push_back(sampleJoint(name, "ground", "bob", PlanarSpec{{2.5, 0, 0}, zero, z, z}));
  AirLoadSpec air;
  air.body = "bob";
  air.area = 1;
  RoadSpec road;
  road.name = "street";
  road.up = z;
  road.along = Vector3d::UnitX();
  spec.roads = {road, road};
  spec.roads[1].name = "field";
  VerticalTyreSpec tyre;
  tyre.road = "street";
  tyre.body = "bob";
  tyre.radius = 0.5;
  tyre.stiffness = 1e5;
  spec.forces = {{"bar", "", AntiRollBarSpec{"hinge", "second", 10, 0, 1, {}}}, {"air", "", air}, {"tyre", "", tyre}};
  return spec;
}

template <typename Kind, typename Change>
void differs(std::size_t force, Change change) {
  ModelSpec spec = sampleWithLoads();
  change(std::get<Kind>(spec.forces[force].kind));
  CHECK_FALSE(sameStructure(buildModel(sampleWithLoads()), buildModel(spec)));
}

}  // namespace

TEST_CASE("numbers of force elements may differ between models of one structure", "[rt][model]") {
  ModelSpec spec = sampleWithLoads();
  std::get<AntiRollBarSpec>(spec.forces[0].kind).stiffness = 20;
  std::get<AirLoadSpec>(spec.forces[1].kind).drag = 0.5;
  std::get<VerticalTyreSpec>(spec.forces[2].kind).radius = 0.25;
  spec.roads[0].friction = 0.5;
  spec.bodies[0].mass = 7;
  CHECK(sameStructure(buildModel(sampleWithLoads()), buildModel(spec)));
}

TEST_CASE("loads between other bodies, joints or roads make another structure", "[rt][model]") {
  differs<AntiRollBarSpec>(0, [](auto& bar) { bar.joint_2 = "third"; });
  differs<AirLoadSpec>(1, [](auto& air) { air.body = "rod"; });
  differs<VerticalTyreSpec>(2, [](auto& tyre) { tyre.road = "field"; });
}

TEST_CASE("loads and roads that come or go make another structure", "[rt][model]") {
  ModelSpec spec = sampleWithLoads();
  spec.forces.push_back(spec.forces[1]);
  spec.forces.back().name = "wind";
  CHECK_FALSE(sameStructure(buildModel(sampleWithLoads()), buildModel(spec)));
  spec = sampleWithLoads();
  spec.roads.pop_back();
  CHECK_FALSE(sameStructure(buildModel(sampleWithLoads()), buildModel(spec)));
}

TEST_CASE("the terms of a coupler are part of the structure", "[rt][model]") {
  ModelSpec spec = sampleWithLoads();
  JointSpec coupler;
  coupler.name = "train";
  coupler.kind = CouplerSpec{{{"hinge", 1, false}, {"second", 2, false}}};
  spec.joints.push_back(coupler);
  const Model model = buildModel(spec);
  std::get<CouplerSpec>(spec.joints.back().kind).coordinates[1].ratio = 3;
  CHECK(sameStructure(model, buildModel(spec)));
  std::get<CouplerSpec>(spec.joints.back().kind).coordinates[1].joint = "third";
  CHECK_FALSE(sameStructure(model, buildModel(spec)));
}

TEST_CASE("models that differ in values alone have the same structure", "[rt][model]") {
  const Model model = buildModel(sampleModel());
  ModelSpec heavier = sampleModel();
  heavier.bodies[0].mass *= 2;
  heavier.gravity = Vector3d(0, -1.6, 0);
  CHECK(sameStructure(model, buildModel(heavier)));
}

TEST_CASE("another name, joint, body pair or number of elements is another structure", "[rt][model]") {
  const Model model = buildModel(sampleModel());

  ModelSpec renamed = sampleModel();
  renamed.sensors[0].name += "_2";
  CHECK_FALSE(sameStructure(model, buildModel(renamed)));

  // A point joint has three rows between the same bodies, as the spherical joint has.
  ModelSpec other_kind = sampleModel();
  const SphericalSpec ball = std::get<SphericalSpec>(other_kind.joints[1].kind);
  other_kind.joints[1].kind = PointSpec{ball.point_1, ball.point_2};
  CHECK_FALSE(sameStructure(model, buildModel(other_kind)));

  ModelSpec shorter = sampleModel();
  shorter.sensors.pop_back();
  CHECK_FALSE(sameStructure(model, buildModel(shorter)));

  ModelSpec damped = sampleModel();
  damped.forces.push_back({"drag", "", BodyDragSpec{"bob", 0.3, 0.05}});
  CHECK_FALSE(sameStructure(model, buildModel(damped)));
}
