#include "rt/model/expand.h"

#include "rt/model/model.h"
#include "tests/rt/model/sample_model.h"

#include <catch2/catch.hpp>

using namespace tactus::rt;
using namespace tactus::rt::test;

namespace {

ModelSpec sampleWithTwoStruts() {
  ModelSpec spec = sampleModel();
  StrutSpec strut;
  strut.body_1 = "ground";
  strut.body_2 = "rod";
  strut.point_1 = {0, 2, 0};
  strut.stiffness = 5;
  spec.composites = {{"left", "", strut}, {"right", "", strut}};
  spec.forces = {{"air", "", BodyDragSpec{"bob", 0.1, 0}}};
  return spec;
}

}  // namespace

TEST_CASE("parts come behind the declared elements, and an only part has the name of its composite", "[rt][model]") {
  const ModelSpec expanded = expand(sampleWithTwoStruts());
  REQUIRE(expanded.forces.size() == 3);
  CHECK(expanded.forces[0].name == "air");
  CHECK(expanded.forces[1].name == "left");
  CHECK(expanded.forces[2].name == "right");
  CHECK(expanded.composites.empty());
}

TEST_CASE("paths of parts lead to their composite, other paths stay", "[rt][model]") {
  const ModelSpec declared = sampleWithTwoStruts();
  Expansion expansion(declared);
  expansion.run();
  CHECK(expansion.declaredPath("forces[2].translational_spring.stiffness") == "composites[1].strut.stiffness");
  CHECK(expansion.declaredPath("forces[2].translational_spring") == "composites[1].strut");
  CHECK(expansion.declaredPath("forces[2].translational_spring.minimum_stop.position") ==
        "composites[1].strut.minimum_stop.position");
  // A strut has no such field.
  CHECK(expansion.declaredPath("forces[2].translational_spring.elongation") == "composites[1].strut");
  CHECK(expansion.declaredPath("forces[0].body_drag.linear") == "forces[0].body_drag.linear");
  CHECK(expansion.declaredPath("gravity") == "gravity");
}

TEST_CASE("a composite shares its name with no other element", "[rt][model]") {
  ModelSpec spec = sampleWithTwoStruts();
  REQUIRE(checkModel(spec).empty());
  spec.composites[1].name = "hinge";
  TACTUS_REQUIRE_FINDING(spec, "composites[1].name", "unique");
  spec.composites[1].name = "two words";
  TACTUS_REQUIRE_FINDING(spec, "composites[1].name", "must be a name");
}

TEST_CASE("models with composites have the structure of their parts", "[rt][model]") {
  ModelSpec spec = sampleWithTwoStruts();
  const Model model = buildModel(spec);
  std::get<StrutSpec>(spec.composites[0].kind).stiffness = 50;
  CHECK(sameStructure(model, buildModel(spec)));
  CHECK(model.hash != buildModel(spec).hash);
  spec.composites.pop_back();
  CHECK_FALSE(sameStructure(model, buildModel(spec)));
}
