#include "server/batch/offline_run.h"
#include "rt/ali3p/compile_plan.h"
#include "rt/model/model.h"

#include "rt/error.h"
#include "rt/loop/tick_loop.h"
#include "tests/server/batch/never.h"
#include "tests/server/batch/temporary_file.h"
#include "tests/support/mechanisms.h"
#include "tests/support/pushed_brick.h"

#include <catch2/catch.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace tactus;
using namespace tactus::server;
using tactus::tests::kNever;
using tactus::tests::temporaryFile;

namespace {

OfflineRunOptions optionsFor(const rt::Model& model, std::int64_t ticks) {
  OfflineRunOptions options;
  options.settings = rt::chooseSettings(model, 10'000'000);
  options.ticks = ticks;
  return options;
}

}  // namespace

TEST_CASE("an offline run makes the same ticks as the server", "[server][batch][determinism]") {
  const rt::Model model = rt::buildModel(tests::doublePendulum());
  const OfflineRunOptions options = optionsFor(model, 333);
  const OfflineRunReport report = runOffline(model, options, kNever);
  CHECK(report.ticks == 333);
  CHECK(report.status == rt::TickStatus::kOk);
  CHECK(report.position_violation < 1e-9);  // compliance of the rows, 1e-8 of that of the bodies
  CHECK(report.energy.drift() > 0);
  CHECK(report.energy.drift() < 0.01);  // twice what is seen, 4.8e-3 J

  const rt::Plan plan = rt::compilePlan(model);
  rt::TickLoop loop(model, plan, options.settings, rt::initialState(model).state);
  for (int k = 0; k < 333; ++k) loop.tick();
  CHECK(rt::hashState(loop.state()) == report.state_hash);
}

TEST_CASE("the bits of an offline run do not depend on the number of threads", "[server][batch][determinism]") {
  const rt::Model model = rt::buildModel(tests::chain(512));
  OfflineRunOptions options = optionsFor(model, 20);
  const OfflineRunReport alone = runOffline(model, options, kNever);
  options.threads = 2;
  options.oversubscribe = true;
  CHECK(runOffline(model, options, kNever).state_hash == alone.state_hash);
  options.threads = 1000;
  options.oversubscribe = false;
  CHECK_THROWS_AS(runOffline(rt::buildModel(tests::chain(2048)), options, kNever), Error);
}

TEST_CASE("a trajectory holds the first, every n-th and the last row", "[server][batch]") {
  const rt::Model model = rt::buildModel(tests::doublePendulum());
  OfflineRunOptions options = optionsFor(model, 205);
  options.every = 100;
  options.signals = {model.body_names[0] + ".r.*", "energy.total"};
  options.out = temporaryFile("trajectory.csv");
  runOffline(model, options, kNever);
  std::ifstream file(options.out);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  std::filesystem::remove(options.out);
  REQUIRE(lines.size() == 1 + 4);
  CHECK(lines[0] == "t," + model.body_names[0] + ".r.x," + model.body_names[0] + ".r.y," + model.body_names[0] +
                        ".r.z,energy.total");
  CHECK(lines[1].substr(0, 6) == "0,0.5,");
  CHECK(lines[2].substr(0, 2) == "1,");
  CHECK(std::stod(lines[4]) == Approx(2.05));
}

TEST_CASE("an offline run with invalid options is refused", "[server][batch]") {
  const rt::Model model = rt::buildModel(tests::doublePendulum());
  OfflineRunOptions options = optionsFor(model, 10);
  options.out = "/nonexistent/folder/out.csv";
  CHECK_THROWS_WITH(runOffline(model, options, kNever), Catch::Contains("/nonexistent/folder/out.csv"));
  options.out = temporaryFile("out.mcap");
  CHECK_THROWS_WITH(runOffline(model, options, kNever), Catch::Contains(".csv"));
  options.out.clear();
  options.initial_condition = "upside_down";
  CHECK_THROWS_AS(runOffline(model, options, kNever), Error);
}

TEST_CASE("a run that fails midway keeps its trajectory and reports the tick", "[server][batch]") {
  rt::ModelSpec spec = tests::doublePendulum();
  rt::ActuatorSpec push;
  push.name = "push";
  push.kind = rt::BodyForceSpec{spec.bodies[0].name, rt::Vector3d::Zero(), rt::Vector3d::UnitX(), rt::Frame::kWorld};
  spec.actuators.push_back(push);
  const rt::Model model = rt::buildModel(spec);
  OfflineRunOptions options = optionsFor(model, 200);
  options.script = {{50, {1e308}}};
  options.signals = {"energy.total"};
  options.out = temporaryFile("fault.csv");
  const OfflineRunReport report = runOffline(model, options, kNever);
  CHECK(report.status != rt::TickStatus::kOk);
  CHECK(report.ticks == 49);
  std::ifstream file(options.out);
  std::size_t lines = 0;
  for (std::string line; std::getline(file, line);) ++lines;
  std::filesystem::remove(options.out);
  CHECK(lines == 1 + 50);
}

TEST_CASE("an interrupted run is reported and keeps its ticks so far", "[server][batch]") {
  const rt::Model model = rt::buildModel(tests::doublePendulum());
  const std::atomic<bool> at_once{true};
  const OfflineRunReport report = runOffline(model, optionsFor(model, 1'000'000), at_once);
  CHECK(report.interrupted);
  CHECK(report.ticks > 0);
  CHECK(report.ticks < 1'000'000);
}

TEST_CASE("the last row of a trajectory is the last good state, also after a fault or an interrupt",
          "[server][batch]") {
  const rt::Model model = rt::buildModel(tests::pushedBrick());
  OfflineRunOptions options = optionsFor(model, 1'000'000);
  options.every = 100'000;
  options.signals = {"brick.v.x"};
  options.out = temporaryFile("last.csv");
  const auto lastTime = [&](const std::atomic<bool>& interrupt) {
    const OfflineRunReport report = runOffline(model, options, interrupt);
    std::ifstream file(options.out);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    std::filesystem::remove(options.out);
    REQUIRE(lines.size() == 1 + 2);  // the first row and the last one
    CHECK(report.ticks > 0);
    CHECK(std::stod(lines[2]) == Approx(0.01 * static_cast<double>(report.ticks)));
  };
  lastTime(std::atomic<bool>{true});
  options.script = {{50, {1e308}}};  // an acceleration whose square is infinite
  lastTime(kNever);
}

TEST_CASE("a run whose energy grows without an input says so", "[server][batch]") {
  rt::ModelSpec spec;
  spec.name = "oscillator";
  spec.gravity = rt::Vector3d::Zero();
  spec.bodies = {tests::makeBody("mass", {0.05, 0, 0})};
  rt::PrismaticSpec rail;
  rail.axis_1 = rail.axis_2 = {1, 0, 0};
  spec.joints = {tests::makeJoint("rail", rt::kGroundName, "mass", rail)};
  rt::TranslationalSpringSpec coil;
  coil.body_1 = rt::kGroundName;
  coil.body_2 = "mass";
  coil.point_1 = {-10, 0, 0};
  coil.stiffness = 2.25e4;  // turns by 1.5 rad in a step of 10 ms
  coil.free_length = 10;
  spec.forces = {{"coil", "", coil}};
  const rt::Model model = rt::buildModel(spec);
  OfflineRunOptions options = optionsFor(model, 400);
  CHECK_FALSE(runOffline(model, options, kNever).energy.grows());
  options.settings.third_order = true;  // which set-up refuses here
  const OfflineRunReport grown = runOffline(model, options, kNever);
  CHECK(grown.energy.grows());
  CHECK(grown.energy.growth() > 28);  // a vibration that starts with 28 J
}

TEST_CASE("an observer gets the step that failed, with its inputs, and each other tick once", "[server][batch]") {
  const rt::Model model = rt::buildModel(tests::pushedBrick());
  OfflineRunOptions options = optionsFor(model, 200);
  options.script = {{50, {1e308}}};  // an acceleration whose square is infinite
  std::int64_t observed = 0, failures = 0;
  options.observe = [&](const rt::Snapshot& snapshot) {
    CHECK(snapshot.header.tick == observed++);
    CHECK_FALSE(snapshot.header.faulted);
  };
  options.observe_failure = [&](const rt::Snapshot& snapshot) {
    ++failures;
    CHECK(snapshot.header.faulted);
    CHECK(snapshot.header.tick == 49);
    CHECK(snapshot.inputs[0] == 1e308);
  };
  CHECK(runOffline(model, options, kNever).ticks == 49);
  CHECK(observed == 50);
  CHECK(failures == 1);
  // Not at the end of a run that goes well.
  options.script.clear();
  observed = 0;
  CHECK(runOffline(model, options, kNever).ticks == 200);
  CHECK(failures == 1);
}
