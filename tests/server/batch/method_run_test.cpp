// Covers: server/batch/method_start.cpp, server/batch/trajectory_file.cpp
#include "server/batch/method_run.h"
#include "rt/model/model.h"
#include "server/batch/offline_run.h"
#include "tests/server/batch/never.h"
#include "tests/server/batch/temporary_file.h"
#include "tests/support/mechanisms.h"
#include "tests/support/pushed_brick.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace tactus;
using namespace tactus::server;
using Catch::Matchers::Contains;
using tactus::tests::kNever;
using tactus::tests::pushedBrick;
using tactus::tests::temporaryFile;

namespace {

std::vector<std::string> linesOf(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

}  // namespace

TEST_CASE("a run with another method writes its trajectory", "[server][batch]") {
  const rt::Model model = rt::buildModel(tests::doublePendulum());
  MethodRunOptions options;
  options.method = "newmark-tangent";
  options.step_ns = 10'000'000;
  options.until_ns = 250'000'000;
  options.every = 10;
  options.signals = {"B.r.*", "energy.total", "constraint.velocity", "integrator.om*"};
  options.out = temporaryFile("method.csv");
  const MethodRunReport report = runMethod(model, options, kNever);
  CHECK(report.trajectory.ending == rt::offline::Ending::kComplete);
  CHECK(report.trajectory.statistics.steps == 25);
  const std::vector<std::string> lines = linesOf(options.out);
  std::filesystem::remove(options.out);
  // The header, the start, every tenth step and the last.
  REQUIRE(lines.size() == 5);
  CHECK(lines[0] == "t,B.r.x,B.r.y,B.r.z,energy.total,constraint.velocity,integrator.omega");
  CHECK(lines[4].substr(0, 4) == "0.25");
}

TEST_CASE("generalized coordinates and their basis can be written", "[server][batch]") {
  const rt::Model model = rt::buildModel(tests::fourBar(tests::FourBarReading::kDown));
  MethodRunOptions options;
  options.method = "mcs-qr";
  options.settings = {"record=true"};
  options.step_ns = 10'000'000;
  options.until_ns = 100'000'000;
  options.signals = {"integrator.*"};
  options.out = temporaryFile("coordinates.csv");
  runMethod(model, options, kNever);
  const std::vector<std::string> lines = linesOf(options.out);
  std::filesystem::remove(options.out);
  // One freedom, three bodies of six tangent unknowns.
  REQUIRE(lines.size() == 12);
  CHECK(lines[0].rfind("t,integrator.coordinate.1,integrator.rate.1,integrator.basis.1.1,", 0) == 0);
  CHECK(lines[0].ends_with(",integrator.basis.1.18"));
  CHECK(std::count(lines[11].begin(), lines[11].end(), ',') == 20);
}

TEST_CASE("a script of inputs holds over the step that ends at its tick", "[server][batch]") {
  // A free body pushed by 2 N on 2 kg in the second half of a second: v = 0.5 m/s, r = 0.125 m, whatever the method.
  const rt::Model model = rt::buildModel(pushedBrick());
  MethodRunOptions options;
  options.step_ns = 10'000'000;
  options.until_ns = 1'000'000'000;
  options.script = {{51, {2.0}}};
  for (const std::string method : {"lms2", "bathe", "mcs-qr", "newmark-tangent"}) {
    INFO(method);
    options.method = method;
    const MethodRunReport report = runMethod(model, options, kNever);
    const rt::StateView end(rt::StateLayout(model), report.trajectory.samples.back().state.data());
    // The jump falls between two steps; what a method makes of it is at most one step of the force.
    CHECK(end.v(0).x() == Approx(0.5).margin(0.0101));
    CHECK(end.workInput() == Approx(end.v(0).squaredNorm()).margin(0.011));
  }
}

TEST_CASE("a first input that differs from the declared one holds from the beginning", "[server][batch]") {
  // v = 1 m/s and r = 0.5 m after a second at 1 m/s^2: a method that began without the push would lose half a step of
  // it.
  const rt::Model model = rt::buildModel(pushedBrick());
  MethodRunOptions options;
  options.step_ns = 10'000'000;
  options.until_ns = 1'000'000'000;
  options.script = {{1, {2.0}}};
  for (const rt::offline::Method& method : rt::offline::methods()) {
    if (method.name == "ali3p-literal") continue;  // chains without forces
    if (method.name == "ali3p") continue;          // takes an input as reached at the end of a step
    INFO(method.name);
    options.method = method.name;
    const MethodRunReport report = runMethod(model, options, kNever);
    CHECK(report.trajectory.ending == rt::offline::Ending::kComplete);
    const rt::StateView start(rt::StateLayout(model), report.trajectory.samples.front().state.data());
    const rt::StateView end(rt::StateLayout(model), report.trajectory.samples.back().state.data());
    CHECK(start.a(0).x() == Approx(1).epsilon(1e-12));  // round-off of one solution
    // Every method is exact for a constant force, but for the loosest tolerance of a controlled one, 1e-4.
    CHECK(end.v(0).x() == Approx(1).epsilon(1e-6));
    CHECK(end.r(0).x() - start.r(0).x() == Approx(0.5).epsilon(1e-4));
  }
}

TEST_CASE("the step of the server as a method begins as the server does and makes the same motion, bit for bit",
          "[server][batch][determinism]") {
  const rt::Model model = rt::buildModel(pushedBrick());
  MethodRunOptions options;
  options.method = "ali3p";
  options.step_ns = 10'000'000;
  options.until_ns = 20 * options.step_ns;
  options.script = {{1, {20.0}}, {11, {-5.0}}};
  OfflineRunOptions run;
  run.ticks = 20;
  run.script = options.script;
  std::vector<std::vector<double>> states;
  run.observe = [&](const rt::Snapshot& snapshot) { states.push_back(snapshot.state); };
  const auto compare = [&](const std::vector<rt::SettingChange>& changes) {
    states.clear();
    run.settings = rt::chooseSettings(model, options.step_ns, changes);
    runOffline(model, run, kNever);
    const MethodRunReport report = runMethod(model, options, kNever);
    REQUIRE(report.trajectory.samples.size() == states.size());
    const rt::StateLayout layout(model);
    for (std::size_t k = 0; k < states.size(); ++k) {
      INFO("tick " << k);
      const rt::StateView own(layout, report.trajectory.samples[k].state.data()), server(layout, states[k].data());
      CHECK(own.r(0) == server.r(0));
      CHECK(own.v(0) == server.v(0));
      CHECK(own.a(0) == server.a(0));
      CHECK(*own.input() == *server.input());
    }
  };
  compare({});
  options.settings = {"tolerance=1e-6"};  // which each step meets
  compare({});
  for (const std::string order : {"third_order", "fourth_order"}) {
    INFO(order);
    options.settings = {order + "=true"};
    compare({{order, 1.0}});
  }
}
