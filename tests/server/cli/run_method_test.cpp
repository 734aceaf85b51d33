// `tactus run --integrator`: the command line, files and exit codes.
#include "proto/text/exit_code.h"
#include "server/cli/run.h"
#include "tests/server/captured_command.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <vector>

using namespace tactus;
using namespace tactus::server;
using Catch::Matchers::Contains;
using tactus::tests::Outcome;

namespace {

Outcome command(const std::string& arguments) {
  return tests::runCommand(arguments, addRunCommand);
}

std::string temporaryFile(const std::string& name) {
  return (std::filesystem::temp_directory_path() / ("tactus_" + std::to_string(::getpid()) + name)).string();
}

std::vector<std::string> linesOf(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

}  // namespace

TEST_CASE("tactus run --integrator reports the work of the method", "[server][cli]") {
  const Outcome done =
      command("run double_pendulum --until 100ms --step 10ms --integrator lms2 --set rho_inf=0.3 --json");
  REQUIRE(done.exit_code == text::kExitOk);
  const auto json = nlohmann::json::parse(done.out);
  CHECK(json["integrator"] == "lms2");
  CHECK(json["steps"] == 10);
  CHECK(json["status"] == "complete");
  CHECK(json["newton_iterations"].get<int>() >= 10);
  CHECK(json["constraint_position"].get<double>() < 1e-11);  // compliance of the rows over b^2
  CHECK(json["state_hash"].get<std::string>().size() == 16);
  CHECK(json["parameters"].empty());
  const auto tuned = nlohmann::json::parse(command("run flexible_arm --until 2ms --set payload_mass=3 --json").out);
  CHECK(tuned["parameters"]["payload_mass"] == 3);
  CHECK(tuned["parameters"]["young"] == 7e10);
}

TEST_CASE("tactus run says how many threads shared a step where more than one were asked for", "[server][cli]") {
  const auto run = [](const std::string& model, const std::string& options) {
    return command("run " + model + " --until 20ms --oversubscribe " + options).out;
  };
  CHECK_THAT(run("chain:n=512", "--threads 2"), Contains("threads             2\n"));
  CHECK_THAT(run("four_bar", "--threads 3"),
             Contains("threads             1 of 3: the steps of this model have no work for more\n"));
  CHECK_THAT(run("four_bar", "--threads 1"), !Contains("threads "));
  CHECK(nlohmann::json::parse(run("four_bar", "--threads 3 --json"))["threads"] == 1);
}

TEST_CASE("tactus run refuses options that a method does not support, with exit code 2", "[server][cli]") {
  const auto refused = [](const std::string& arguments, const std::string& reason) {
    INFO(arguments);
    const Outcome outcome = command("run double_pendulum --until 100ms --step 10ms " + arguments);
    CHECK(outcome.exit_code == text::kExitUsage);
    CHECK_THAT(outcome.err, Contains(reason));
  };
  refused("--integrator newmark-tangnt", "did you mean 'newmark-tangent'");
  refused("--integrator lms2 --set rho_inf=2", "0 ... 1");
  refused("--integrator lms2 --set rho=0.5", "has no option 'rho'");
  refused("--integrator lms2 --iterations 3", "is an option of ali3p; for other methods write --set iterations=N");
  refused("--integrator lms2 --threads 8", "--threads and --oversubscribe are options of ali3p; for other methods");
  refused("--integrator lms2 --oversubscribe", "--threads and --oversubscribe are options of ali3p");
  // ali3p, but not the tick.
  refused("--set tolerance=1e-9 --iterations 5", "an option of ali3p without a tolerance; with --set tolerance=N");
  refused("--set tolerance=1e-9 --threads 2",
          "options of ali3p without a tolerance; with --set tolerance=N one thread");
  refused("--set tolerance=1e-9 --out x.mcap", "x.mcap: only ali3p without a tolerance");
  refused("--set iterations=3 --iterations 4", "--iterations and --set iterations=N exclude each other");
  CHECK(command("run double_pendulum --until 100ms --iterations 0").exit_code == text::kExitUsage);
  refused("--integrator mcs-qr --set adaptive=true", "dormand-prince");
  refused("--set velocity_pases=3", "did you mean 'velocity_passes'");
  refused("--set velocity_passes=0", "1 ... 10");
  const Outcome uneven = command("run double_pendulum --until 100ms --step 30ms --integrator lms2");
  CHECK(uneven.exit_code == text::kExitUsage);
  CHECK_THAT(uneven.err, Contains("whole number of steps"));
}

TEST_CASE("tactus run does not replace its inputs by the trajectory, by whatever name", "[server][cli]") {
  const std::string inputs = temporaryFile("_inputs.csv"), link = temporaryFile("_link.csv");
  std::ofstream(inputs) << "t,motor\n0,1\n";
  std::filesystem::create_symlink(inputs, link);
  for (const std::string method : {"ali3p", "lms2"}) {
    const Outcome outcome =
        command("run motor_four_bar --until 10ms --integrator " + method + " --inputs " + inputs + " --out " + link);
    CHECK(outcome.exit_code == text::kExitUsage);
    CHECK_THAT(outcome.err, Contains("is the file of --inputs"));
  }
  CHECK(linesOf(inputs) == std::vector<std::string>{"t,motor", "0,1"});
  std::filesystem::remove(link);
  std::filesystem::remove(inputs);
}

TEST_CASE("a method that fails midway keeps its results, with exit code 4", "[server][cli]") {
  const std::string out = temporaryFile("_failed.csv");
  const Outcome failed = command("run double_pendulum --until 10s --step 500ms --integrator newmark-tangent " +
                                 std::string("--set iterations=3 --json --out ") + out);
  CHECK(failed.exit_code == text::kExitFault);
  const auto json = nlohmann::json::parse(failed.out);
  CHECK(json["status"] == "failed");
  CHECK_THAT(json["failure"].get<std::string>(), Contains("stopped at t = "));
  CHECK(linesOf(out).size() == json["steps"].get<std::size_t>() + 2);
  std::filesystem::remove(out);
}

TEST_CASE("ali3p runs the tick, or iterates until it converges", "[server][cli]") {
  const std::string base = "run double_pendulum --until 100ms --step 10ms --json ";
  const auto tick = nlohmann::json::parse(command(base).out);
  const auto same = nlohmann::json::parse(command(base + "--set iterations=3 --set full_newton=false").out);
  CHECK(tick["iterations"] == 3);
  CHECK(same["state_hash"] == tick["state_hash"]);
  const auto converged = nlohmann::json::parse(command(base + "--set iterations=1 --set tolerance=1e-10").out);
  CHECK(converged["status"] == "complete");
  CHECK(converged["newton_iterations"].get<int>() > 10);
}
