#include "rt/model/elements/visual.h"

#include "rt/model/model.h"
#include "tests/rt/model/sample_model.h"

#include <catch2/catch.hpp>

#include <limits>

using namespace tactus::rt;
using namespace tactus::rt::test;

namespace {

ModelSpec withShape(const VisualShapes& shape) {
  ModelSpec spec = sampleModel();
  spec.bodies[0].visuals.emplace_back().shape = shape;
  return spec;
}

ModelSpec withVisual(const VisualSpec& visual) {
  ModelSpec spec = sampleModel();
  spec.bodies[0].visuals = {visual};
  return spec;
}

VisualSpec ball() {
  VisualSpec visual;
  visual.shape = SphereVisualSpec{0.5};
  return visual;
}

}  // namespace

TEST_CASE("shapes of a body have no part in the model and its hash", "[rt][model]") {
  REQUIRE(checkModel(withVisual(ball())).empty());
  CHECK(buildModel(withVisual(ball())).hash == buildModel(sampleModel()).hash);
}

TEST_CASE("each length of a shape is finite and above zero", "[rt][model]") {
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    CAPTURE(bad);
    const std::string at = "bodies[0].visuals[0].";
    TACTUS_REQUIRE_FINDING(withShape(BoxVisualSpec{{1, bad, 1}}), at + "box.sides", "above zero");
    TACTUS_REQUIRE_FINDING(withShape(SphereVisualSpec{bad}), at + "sphere.radius", "above zero");
    TACTUS_REQUIRE_FINDING(withShape(CylinderVisualSpec{1, bad}), at + "cylinder.length", "above zero");
    TACTUS_REQUIRE_FINDING(withShape(CapsuleVisualSpec{bad, 1}), at + "capsule.radius", "above zero");
    TACTUS_REQUIRE_FINDING(withShape(TubeVisualSpec{bad, 1, 1}), at + "tube.outer_radius", "above zero");
    TACTUS_REQUIRE_FINDING(withShape(PrismVisualSpec{{0, 0, 1, 0, 0, 1}, bad}), at + "prism.length", "above zero");
    TACTUS_REQUIRE_FINDING(withShape(MeshVisualSpec{"0123456789abcdef", bad}), at + "mesh.scale", "above zero");
  }
}

TEST_CASE("a tube is hollow, and a prism has three corners or more", "[rt][model]") {
  TACTUS_REQUIRE_FINDING(withShape(TubeVisualSpec{1, 1, 1}), "bodies[0].visuals[0].tube.inner_radius",
                         "below outer_radius");
  TACTUS_REQUIRE_FINDING(withShape(PrismVisualSpec{{0, 0, 1, 0}, 1}), "bodies[0].visuals[0].prism.outline",
                         "3 to 256 corners");
  TACTUS_REQUIRE_FINDING(withShape(PrismVisualSpec{{0, 0, 1, 0, 0, 1, 2}, 1}), "bodies[0].visuals[0].prism.outline",
                         "3 to 256 corners");
}

TEST_CASE("colors, opacity and pose of a shape are in range", "[rt][model]") {
  VisualSpec visual = ball();
  visual.color = Vector3d(1, 1.5, 0);
  TACTUS_REQUIRE_FINDING(withVisual(visual), "bodies[0].visuals[0].color", "from 0 to 1");
  visual = ball();
  visual.opacity = 2;
  TACTUS_REQUIRE_FINDING(withVisual(visual), "bodies[0].visuals[0].opacity", "0 to 1");
  visual = ball();
  visual.orientation = Vector4d(1, 1, 0, 0);
  TACTUS_REQUIRE_FINDING(withVisual(visual), "bodies[0].visuals[0].orientation", "unit");
}

TEST_CASE("a body has at most 256 shapes", "[rt][model]") {
  ModelSpec spec = sampleModel();
  spec.bodies[0].visuals.assign(kMaxVisuals, ball());
  CHECK(checkModel(spec).empty());
  spec.bodies[0].visuals.push_back(ball());
  TACTUS_REQUIRE_FINDING(spec, "bodies[0].visuals", "at most 256");
}
