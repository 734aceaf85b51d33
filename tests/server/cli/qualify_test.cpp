#include "server/cli/qualify.h"
#include "proto/text/exit_code.h"
#include "tests/server/captured_command.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <filesystem>

using namespace tactus;
using namespace tactus::server;

TEST_CASE("tactus qualify prints JSON and refuses unknown arguments", "[server][cli]") {
  const auto run = [](const std::string& arguments) {
    return tests::runCommand("qualify " + arguments, addQualifyCommand);
  };
  const tests::Outcome outcome = run("double_pendulum --duration 50ms --priority 0 --json");
  CHECK((outcome.exit_code == text::kExitOk || outcome.exit_code == text::kExitFinding));
  const nlohmann::json report = nlohmann::json::parse(outcome.out);
  CHECK(report["build"].get<std::string>().find("tactus ") != std::string::npos);
  CHECK(report["ticks"] == 50);
  CHECK(report["reruns"].size() == 4);
  CHECK(report["verdict"].get<std::string>().find("fit") != std::string::npos);
  CHECK(report["accuracy"]["trusted"] == true);
  CHECK(report["accuracy"]["until"] == 0.05);  // the duration, unless --compare says otherwise
  for (const auto& [words, reason] :
       {std::pair("--period 80ms --compare 79ms", "--compare 79ms: must be at least the period of 80ms"),
        std::pair("--duration 1s --compare 500ms --for 400ms", "--for 400ms: must be at least --compare 500ms"),
        std::pair("--compare 0s --for 10s", "--for extrapolates a comparison")}) {
    const tests::Outcome refused = run(std::string("double_pendulum --priority 0 ") + words);
    CHECK(refused.exit_code == text::kExitUsage);
    CHECK_THAT(refused.err, Catch::Contains(reason));
  }
  // Accuracy that is not trusted is not fit.
  const tests::Outcome inexact =
      run("double_pendulum --duration 50ms --period 5ms --priority 0 --json --tolerance velocity=1e-9");
  CHECK(inexact.exit_code == text::kExitFinding);
  CHECK(nlohmann::json::parse(inexact.out)["verdict"] == "not fit");
  // Among the reasons: on a busy host a missed deadline may decide before it.
  const std::string reasons = nlohmann::json::parse(inexact.out)["reasons"].dump();
  CHECK_THAT(reasons, Catch::Matchers::Contains("accuracy, no: velocity"));
  CHECK(report["accuracy"]["rows"][0]["position_error"].get<double>() > 0);
  const std::string page =
      (std::filesystem::temp_directory_path() / ("tactus_" + std::to_string(::getpid()) + "_qualify.html")).string();
  run("double_pendulum --duration 20ms --compare 10ms --priority 0 --report " + page);
  CHECK(std::filesystem::file_size(page) > 2000);
  std::filesystem::remove(page);
  CHECK(run("double_pendulum --report /no/such/folder/page.html").exit_code == text::kExitUsage);
  CHECK(run("no_such_model").exit_code == text::kExitUsage);
  const tests::Outcome fast = run("double_pendulum --period fast");
  CHECK(fast.exit_code == text::kExitUsage);
  CHECK(fast.err.find("is not a period") != std::string::npos);
}
