#include "rt/ali3p/settings.h"
#include "rt/model/model.h"

#include "rt/error.h"
#include "tests/support/mechanisms.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace tactus::rt;

TEST_CASE("settings come from the model unless a run overrides them", "[rt][ali3p]") {
  ModelSpec spec = tactus::tests::doublePendulum();
  spec.solver.period = 0.002;
  spec.solver.iterations.reset();
  const Model model = buildModel(spec);
  CHECK(chooseSettings(model).period_ns == 2'000'000);
  CHECK(chooseSettings(model).iterations == 2);
  CHECK(chooseSettings(model, 10'000'000).iterations == 3);
  CHECK(chooseSettings(model, 500'000, 5).iterations == 5);
  CHECK(chooseSettings(model, 500'000).dt() == 0.0005);
}

TEST_CASE("settings out of range are refused by name", "[rt][ali3p]") {
  const Model model = buildModel(tactus::tests::doublePendulum());
  CHECK_THROWS_WITH(chooseSettings(model, -1), Catch::Contains("period"));
  CHECK_THROWS_WITH(chooseSettings(model, 2'000'000'000), Catch::Contains("period"));
  CHECK_THROWS_WITH(chooseSettings(model, 0, 21), Catch::Contains("iterations"));
  CHECK_THROWS_AS(chooseSettings(model, 0, -3), tactus::Error);
}

TEST_CASE("every setting can be changed by its name within its range, and nothing else", "[rt][ali3p]") {
  const Model model = buildModel(tactus::tests::doublePendulum());
  int settings = 0;
  forEachSetting([&](const SettingInfo& info, auto member) {
    INFO(info.name);
    ++settings;
    const Settings recommended = chooseSettings(model);
    CHECK(recommended.*member >= info.low);
    CHECK(recommended.*member <= info.high);
    for (const double value : {info.low, info.high})
      CHECK(static_cast<double>(chooseSettings(model, 0, {{info.name, value}}).*member) == value);
    CHECK_THROWS_WITH(chooseSettings(model, 0, {{info.name, 2 * info.high + 1}}), Catch::Contains(info.name));
    CHECK_THROWS_WITH(chooseSettings(model, 0, {{info.name, std::nan("")}}), Catch::Contains(info.name));
  });
  CHECK(settings == 11);
  CHECK_THROWS_WITH(chooseSettings(model, 0, {{"iterations", 2.5}}), Catch::Contains("a whole number"));
  CHECK_THROWS_WITH(chooseSettings(model, 0, {{"iteration", 2}}), Catch::Contains("did you mean 'iterations'?"));
}

TEST_CASE("settings ask for the gyroscopic tangent where a body spins fast for the period", "[rt][ali3p]") {
  ModelSpec spec;
  spec.gravity = Vector3d::Zero();
  spec.bodies.push_back(tactus::tests::makeBody("top", Vector3d::Zero()));
  spec.bodies.back().inertia = Vector3d(0.5, 0.5, 0.8).asDiagonal();
  spec.bodies.back().angular_velocity = Vector3d(0, 0, 50);
  CHECK(chooseSettings(buildModel(spec), 10'000'000).gyroscopic_tangent);
  CHECK_FALSE(chooseSettings(buildModel(spec), 1'000'000).gyroscopic_tangent);
  CHECK(chooseSettings(buildModel(spec), 1'000'000).gyroscopic_above == kGyroscopicInStep);
  spec.solver.gyroscopic_tangent = false;
  CHECK_FALSE(chooseSettings(buildModel(spec), 10'000'000).gyroscopic_tangent);
  CHECK(chooseSettings(buildModel(spec), 10'000'000).gyroscopic_above == kNeverGyroscopic);
  spec.solver.gyroscopic_tangent = true;
  CHECK(chooseSettings(buildModel(spec), 1'000'000).gyroscopic_tangent);
}
