// Covers: rt/model/elements/spring_law.cpp, rt/model/elements/spring_input.cpp
#include "rt/model/finding_list.h"
#include "rt/model/model.h"
#include "tests/rt/model/sample_model.h"

#include <catch2/catch.hpp>

using namespace tactus::rt;
using namespace tactus::rt::test;

namespace {

/// A spring with all that a spring may have, and one about a hinge with both inputs.
ModelSpec sampleWithSprings() {
  ModelSpec spec = sampleModel();
  TranslationalSpringSpec along;
  along.body_1 = "ground";
  along.body_2 = "arm";
  along.point_1 = {0, 1, 0};
  along.law.stiffness_curve = {{-1, 0, 1}, {-2, 0, 3}};
  along.law.damping_curve = {{-1, 0, 1}, {-2, 0, 3}};
  along.law.minimum_stop = {0.2, 100, 2, 1};
  along.law.maximum_stop = {0.9, 100, 1, 0};
  spec.forces = {{"along", "", along}, {"about", "", RotationalSpringSpec{"hinge", 5, 0.1, 0, 0}}};
  for (const auto quantity : {SpringQuantity::kFreeLength, SpringQuantity::kPreload}) {
    ActuatorSpec actuator;
    actuator.name = quantity == SpringQuantity::kPreload ? "set_preload" : "set_angle";
    actuator.kind = SpringInputSpec{"about", quantity};
    spec.actuators.push_back(actuator);
  }
  return spec;
}

}  // namespace

TEST_CASE("curves, stops and sides of springs: each bad value gets its finding", "[rt][model]") {
  REQUIRE(checkModel(sampleWithSprings()).empty());
  const auto refused = [](auto change, const std::string& path, const std::string& rule) {
    ModelSpec spec = sampleWithSprings();
    change(std::get<TranslationalSpringSpec>(spec.forces[0].kind));
    TACTUS_REQUIRE_FINDING(spec, "forces[0].translational_spring." + path, rule);
  };
  using S = TranslationalSpringSpec&;
  refused([](S s) { s.law.stiffness_curve = {{0}, {0}}; }, "stiffness_curve.x", "2 to 256");
  refused([](S s) { s.law.stiffness_curve->y.pop_back(); }, "stiffness_curve.y", "as many as x");
  refused([](S s) { s.law.stiffness_curve->x[2] = 0; }, "stiffness_curve.x[2]", "above the one before");
  refused([](S s) { s.law.stiffness_curve->y[1] = kNan; }, "stiffness_curve.y[1]", "finite");
  refused([](S s) { s.law.damping_curve->x[0] = kNan; }, "damping_curve.x[0]", "finite");
  refused([](S s) { s.law.damping_curve->y[2] = -3; }, "damping_curve.y[2]", "sign of its rate");
  refused([](S s) { s.law.damping_curve->x[1] = 0.1; }, "damping_curve", "point (0, 0)");
  // Straight on beyond its ends, such a damper would accelerate at a rate of 3.
  refused(
      [](S s) {
        s.law.damping_curve = {{-2, -1, 0, 1}, {-5, -10, 0, 10}};
      },
      "damping_curve.y[0]", "not be above the next value, -10");
  refused(
      [](S s) {
        s.law.damping_curve = {{-1, 0, 1, 2}, {-10, 0, 10, 5}};
      },
      "damping_curve.y[3]", "not be below the value before, 10");
  refused([](S s) { s.stiffness = 3; }, "stiffness", "beside stiffness_curve");
  refused([](S s) { s.damping = 3; }, "damping", "beside damping_curve");
  refused([](S s) { s.law.only = SpringSide::kPull; }, "only", "beside stiffness_curve");
  refused([](S s) { s.law.minimum_stop->position = kNan; }, "minimum_stop.position", "finite");
  refused([](S s) { s.law.minimum_stop->position = 2; }, "minimum_stop.position", "maximum_stop.position");
  refused([](S s) { s.law.minimum_stop->stiffness = 0; }, "minimum_stop.stiffness", "above zero");
  refused([](S s) { s.law.maximum_stop->exponent = 0.5; }, "maximum_stop.exponent", "from 1 to 5");
  refused([](S s) { s.law.maximum_stop->damping = -1; }, "maximum_stop.damping", "below zero");

  ModelSpec spec = sampleWithSprings();
  auto& damper = std::get<TranslationalSpringSpec>(spec.forces[0].kind);
  // It may fall between its ends, and be level at them.
  damper.law.damping_curve = {{-2, -1, 0, 1, 2, 3}, {-5, -5, 0, 10, 5, 5}};
  CHECK(checkModel(spec).empty());
  damper.law = {};
  damper.damping = 1;
  damper.law.only = SpringSide::kPush;
  TACTUS_REQUIRE_FINDING(spec, "forces[0].translational_spring.only", "needs a stiffness");
}

TEST_CASE("inputs of bushings: each bad value gets its finding", "[rt][model]") {
  const auto refused = [](SpringInputSpec input, const std::string& field, const std::string& rule) {
    ModelSpec spec = sampleModel();
    BushingSpec bush;
    bush.body_1 = "ground";
    bush.body_2 = "arm";
    bush.stiffness = Vector3d(100, 0, 50).asDiagonal();
    bush.damping = Eigen::MatrixXd::Zero(3, 3);
    spec.forces = {{"bush", "", bush}};
    ActuatorSpec actuator;
    actuator.name = "press";
    actuator.kind = SpringInputSpec{"bush", SpringQuantity::kPreload, 1, 0, 3};
    spec.actuators.push_back(actuator);
    REQUIRE(checkModel(spec).empty());
    spec.actuators.back().kind = input;
    TACTUS_REQUIRE_FINDING(spec, element("actuators", spec.actuators.size() - 1) + ".spring_input." + field, rule);
  };
  refused({"bush", SpringQuantity::kFreeLength, 1, 0, 1}, "quantity", "SPRING_QUANTITY_PRELOAD");
  refused({"bush", SpringQuantity::kPreload, 1, 0, 0}, "axis", "from 1 to 3");
  refused({"bush", SpringQuantity::kPreload, 1, 0, 4}, "axis", "from 1 to 3");
  refused({"bush", SpringQuantity::kPreload, 1, 0, 2}, "axis", "that the bushing resists");
  refused({"bush", SpringQuantity::kPreload, 0, 0, 1}, "scale", "not be zero");
  refused({"bush", SpringQuantity::kPreload, 1, kNan, 1}, "offset", "finite");
  refused({"bosh", SpringQuantity::kPreload, 1, 0, 1}, "spring", "or of a bushing");

  ModelSpec spec = sampleWithSprings();
  const std::size_t first = sampleModel().actuators.size();
  spec.actuators[first].kind = SpringInputSpec{"about", SpringQuantity::kFreeLength, 1, 0, 2};
  TACTUS_REQUIRE_FINDING(spec, element("actuators", first) + ".spring_input.axis", "left out of a spring");
}

TEST_CASE("inputs of springs: each bad value gets its finding", "[rt][model]") {
  const auto refused = [](auto change, const std::string& path, const std::string& rule) {
    ModelSpec spec = sampleWithSprings();
    change(spec);
    TACTUS_REQUIRE_FINDING(spec, path, rule);
  };
  using M = ModelSpec&;
  const auto about = [](M m) -> RotationalSpringSpec& { return std::get<RotationalSpringSpec>(m.forces[1].kind); };
  const std::size_t first = sampleModel().actuators.size();
  const std::string at = element("actuators", first) + ".spring_input.", next = element("actuators", first + 1);
  refused([&](M m) { m.actuators[first].kind = SpringInputSpec{"abuot"}; }, at + "spring", "rotational spring");
  refused(
      [&](M m) {
        m.actuators[first].kind = SpringInputSpec{"about", SpringQuantity::kPreload};
      },
      next + ".spring_input.quantity", "only one");
  refused([&](M m) { about(m).free_angle = 0.1; }, "forces[1].rotational_spring.free_angle", "left out");
  refused([&](M m) { about(m).preload = 2; }, "forces[1].rotational_spring.preload", "left out");
  refused([&](M m) { about(m).law.only = SpringSide::kPull; }, "forces[1].rotational_spring.only", "left out");
  ModelSpec spec = sampleWithSprings();
  spec.actuators[first].kind = SpringInputSpec{"along"};
  std::get<TranslationalSpringSpec>(spec.forces[0].kind).free_length = 0.5;
  spec.actuators[first].initial = 0.5;
  TACTUS_REQUIRE_FINDING(spec, "forces[0].translational_spring.free_length", "left out");
}

TEST_CASE("the free length that an input sets begins above zero", "[rt][model]") {
  ModelSpec spec = sampleWithSprings();
  const std::size_t first = sampleModel().actuators.size();
  spec.actuators[first].kind = SpringInputSpec{"along"};
  TACTUS_REQUIRE_FINDING(spec, element("actuators", first) + ".initial", "free length above zero");
  spec.actuators[first].initial = 0.5;
  REQUIRE(checkModel(spec).empty());
  spec.actuators[first].kind = SpringInputSpec{"along", SpringQuantity::kFreeLength, -1, 0.25};
  TACTUS_REQUIRE_FINDING(spec, element("actuators", first) + ".initial", "is -0.25");
}
