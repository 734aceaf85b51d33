#include "rt/model/model.h"
#include "tests/rt/model/sample_model.h"

#include <catch2/catch.hpp>

using namespace tactus::rt;
using namespace tactus::rt::test;

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
