// Linear tyres: what is refused, and where relaxation lengths come from.
#include "rt/model/elements/linear_tyre.h"

#include "rt/model/model.h"
#include "tests/rt/model/sample_model.h"

#include <catch2/catch.hpp>

using namespace tactus::rt;
using namespace tactus::rt::test;

namespace {

ModelSpec onRoad(const LinearTyreSpec& grip) {
  ModelSpec spec = sampleModel();
  spec.roads = {{"road", "", Vector3d::Zero(), {0, 1, 0}, {1, 0, 0}, {}, 1, {}, {}, {}}};
  SlipTyreSpec tyre;
  tyre.road = "road";
  tyre.body = "bob";
  tyre.axis = {0, 0, 1};
  tyre.radius = 0.3;
  tyre.stiffness = 2e5;
  tyre.nominal_load = 4000;
  tyre.grip = grip;
  spec.forces = {{"tyre", "", tyre}};
  return spec;
}

const LinearTyreSpec kGood{8e4, 6e4, 3e3, 1, 0.9, 0.03};

}  // namespace

TEST_CASE("a linear tyre keeps its constants, and relaxes over its radius where no length is given", "[rt][model]") {
  const Model model = buildModel(onRoad(kGood));
  const SlipTyre& tyre = model.slip_tyres.at(0);
  const auto& grip = std::get<LinearGrip>(tyre.grip);
  CHECK(grip.longitudinal_stiffness == 8e4);
  CHECK(grip.cornering_stiffness == 6e4);
  CHECK(grip.camber_stiffness == 3e3);
  CHECK(grip.longitudinal_friction == 1);
  CHECK(grip.lateral_friction == 0.9);
  CHECK(grip.pneumatic_trail == 0.03);
  CHECK(tyre.relaxation[0] == 0.3);
  CHECK(tyre.relaxation[1] == 0.3);
}

TEST_CASE("linear tyres: each bad value gets its finding", "[rt][model]") {
  const auto refused = [](double LinearTyreSpec::*member, double value, const std::string& field,
                          const std::string& rule) {
    LinearTyreSpec grip = kGood;
    grip.*member = value;
    const ModelSpec spec = onRoad(grip);
    TACTUS_REQUIRE_FINDING(spec, "forces[0].slip_tyre.linear." + field, rule);
  };
  refused(&LinearTyreSpec::longitudinal_stiffness, 0, "longitudinal_stiffness", "above zero");
  refused(&LinearTyreSpec::cornering_stiffness, -1, "cornering_stiffness", "above zero");
  refused(&LinearTyreSpec::camber_stiffness, -1, "camber_stiffness", "not be below zero");
  refused(&LinearTyreSpec::longitudinal_friction, 0, "longitudinal_friction", "above zero");
  refused(&LinearTyreSpec::lateral_friction, 0, "lateral_friction", "above zero");
  refused(&LinearTyreSpec::pneumatic_trail, -0.1, "pneumatic_trail", "not be below zero");
}
