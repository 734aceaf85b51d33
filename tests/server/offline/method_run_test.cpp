// `tactus run --integrator` and `tactus integrators`: the command line, files and exit codes.
#include "server/offline/method_run.h"
#include "server/cli/exit_code.h"
#include "server/cli/integrators.h"
#include "server/cli/run.h"
#include "tests/server/captured_command.h"
#include "tests/support/mechanisms.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

using namespace tactus;
using namespace tactus::server;
using Catch::Matchers::Contains;
using tactus::tests::Outcome;
using tactus::tests::runCommand;

namespace {

const std::atomic<bool> kNever{false};

Outcome command(const std::string& arguments) {
  return runCommand(arguments, addRunCommand, addIntegratorsCommand);
}

std::string temporaryFile(const std::string& name) {
  return (std::filesystem::temp_directory_path() / ("tactus_" + std::to_string(::getpid()) + name)).string();
}

/// A body of 2 kg at rest that can be pushed along x.
rt::Model pushedBody() {
  rt::ModelSpec spec = tests::freeBody(0);
  spec.gravity = rt::Vector3d::Zero();
  spec.bodies[0].velocity.setZero();
  rt::ActuatorSpec push;
  push.name = "push";
  push.kind = rt::BodyForceSpec{"brick", rt::Vector3d::Zero(), rt::Vector3d::UnitX(), rt::Frame::kWorld};
  spec.actuators = {push};
  return rt::buildModel(spec);
}

std::vector<std::string> linesOf(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

}  // namespace

TEST_CASE("a run with another method writes its trajectory", "[server][offline]") {
  const rt::Model model = rt::buildModel(tests::doublePendulum());
  MethodRunOptions options;
  options.method = "newmark-tangent";
  options.step_ns = 10'000'000;
  options.until_ns = 250'000'000;
  options.every = 10;
  options.signals = {"B.r.*", "energy.total", "constraint.velocity", "integrator.om*"};
  options.out = temporaryFile("_method.csv");
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

TEST_CASE("generalised coordinates and their basis can be written", "[server][offline]") {
  const rt::Model model = rt::buildModel(tests::fourBar(tests::FourBarReading::kDown));
  MethodRunOptions options;
  options.method = "mcs-qr";
  options.settings = {"record=true"};
  options.step_ns = 10'000'000;
  options.until_ns = 100'000'000;
  options.signals = {"integrator.*"};
  options.out = temporaryFile("_coordinates.csv");
  runMethod(model, options, kNever);
  const std::vector<std::string> lines = linesOf(options.out);
  std::filesystem::remove(options.out);
  // One freedom, three bodies of six tangent unknowns.
  REQUIRE(lines.size() == 12);
  CHECK(lines[0].rfind("t,integrator.coordinate.1,integrator.rate.1,integrator.basis.1.1,", 0) == 0);
  CHECK(lines[0].ends_with(",integrator.basis.1.18"));
  CHECK(std::count(lines[11].begin(), lines[11].end(), ',') == 20);
}

TEST_CASE("a script of inputs holds over the step that ends at its tick", "[server][offline]") {
  // A free body pushed by 2 N on 2 kg in the second half of a second: v = 0.5 m/s, r = 0.125 m, whatever the method.
  const rt::Model model = pushedBody();
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

TEST_CASE("a first input that is not the declared one is there from the beginning", "[server][offline]") {
  // v = 1 m/s and r = 0.5 m after a second at 1 m/s^2: a method that began without the push would lose half a step of
  // it.
  const rt::Model model = pushedBody();
  MethodRunOptions options;
  options.step_ns = 10'000'000;
  options.until_ns = 1'000'000'000;
  options.script = {{1, {2.0}}};
  for (const rt::offline::Method& method : rt::offline::methods()) {
    if (method.name == "ali3p-literal") continue;  // chains without forces
    INFO(method.name);
    options.method = method.name;
    const MethodRunReport report = runMethod(model, options, kNever);
    CHECK(report.trajectory.ending == rt::offline::Ending::kComplete);
    const rt::StateView start(rt::StateLayout(model), report.trajectory.samples.front().state.data());
    const rt::StateView end(rt::StateLayout(model), report.trajectory.samples.back().state.data());
    CHECK(start.a(0).x() == Approx(1).epsilon(1e-12));
    CHECK(end.v(0).x() == Approx(1).epsilon(1e-6));
    CHECK(end.r(0).x() - start.r(0).x() == Approx(0.5).epsilon(1e-4));
  }
}

TEST_CASE("tactus integrators lists every method, as a table and as JSON", "[server][cli]") {
  const Outcome table = command("integrators");
  CHECK(table.exit_code == kExitOk);
  const Outcome as_json = command("integrators --json");
  const auto list = nlohmann::json::parse(as_json.out)["integrators"];
  CHECK(list.size() == rt::offline::methods().size());
  for (const auto& method : list) CHECK_THAT(table.out, Contains(method["name"].get<std::string>()));

  const auto one = nlohmann::json::parse(command("integrators lms2 --json").out)["integrators"];
  REQUIRE(one.size() == 1);
  CHECK(one[0]["options"][0]["name"] == "rho_inf");
  CHECK(one[0]["options"][0]["accepts"] == "0 ... 1");
  const Outcome unknown = command("integrators lsm2");
  CHECK(unknown.exit_code == kExitUsage);
  CHECK_THAT(unknown.err, Contains("did you mean 'lms2'"));
}

TEST_CASE("tactus run --integrator reports what the method did", "[server][cli]") {
  const Outcome done =
      command("run double_pendulum --until 100ms --step 10ms --integrator lms2 --set rho_inf=0.3 --json");
  REQUIRE(done.exit_code == kExitOk);
  const auto json = nlohmann::json::parse(done.out);
  CHECK(json["integrator"] == "lms2");
  CHECK(json["steps"] == 10);
  CHECK(json["status"] == "complete");
  CHECK(json["newton_iterations"].get<int>() >= 10);
  CHECK(json["constraint_position"].get<double>() < 1e-11);
  CHECK(json["state_hash"].get<std::string>().size() == 16);
}

TEST_CASE("tactus run refuses what a method cannot do, with exit code 2", "[server][cli]") {
  const auto refused = [](const std::string& arguments, const std::string& reason) {
    INFO(arguments);
    const Outcome outcome = command("run double_pendulum --until 100ms --step 10ms " + arguments);
    CHECK(outcome.exit_code == kExitUsage);
    CHECK_THAT(outcome.err, Contains(reason));
  };
  refused("--integrator newmark-tangnt", "did you mean 'newmark-tangent'");
  refused("--integrator lms2 --set rho_inf=2", "0 ... 1");
  refused("--integrator lms2 --set rho=0.5", "has no option 'rho'");
  refused("--integrator lms2 --iterations 3", "--set iterations=N");
  refused("--integrator mcs-qr --set adaptive=true", "dormand-prince");
  refused("--set velocity_pases=3", "did you mean 'velocity_passes'");
  refused("--set velocity_passes=0", "1 ... 10");
  const Outcome uneven = command("run double_pendulum --until 100ms --step 30ms --integrator lms2");
  CHECK(uneven.exit_code == kExitUsage);
  CHECK_THAT(uneven.err, Contains("whole number of steps"));
}

TEST_CASE("a method that fails midway keeps what it has, with exit code 4", "[server][cli]") {
  const std::string out = temporaryFile("_failed.csv");
  const Outcome failed = command("run double_pendulum --until 10s --step 500ms --integrator newmark-tangent " +
                                 std::string("--set iterations=3 --json --out ") + out);
  CHECK(failed.exit_code == kExitFault);
  const auto json = nlohmann::json::parse(failed.out);
  CHECK(json["status"] == "failed");
  CHECK_THAT(json["failure"].get<std::string>(), Contains("stopped at t = "));
  CHECK(linesOf(out).size() == json["steps"].get<std::size_t>() + 2);
  std::filesystem::remove(out);
}

TEST_CASE("ali3p runs the tick itself, or until it converges", "[server][cli]") {
  const std::string base = "run double_pendulum --until 100ms --step 10ms --json ";
  const auto tick = nlohmann::json::parse(command(base).out);
  const auto same = nlohmann::json::parse(command(base + "--set iterations=3 --set full_newton=false").out);
  CHECK(tick["iterations"] == 3);
  CHECK(same["state_hash"] == tick["state_hash"]);
  const auto converged = nlohmann::json::parse(command(base + "--set iterations=1 --set tolerance=1e-10").out);
  CHECK(converged["status"] == "complete");
  CHECK(converged["newton_iterations"].get<int>() > 10);
}
