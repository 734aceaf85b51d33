#include "server/cli/integrators.h"
#include "proto/text/exit_code.h"
#include "rt/offline/integrator.h"
#include "tests/server/captured_command.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace tactus;
using namespace tactus::server;
using Catch::Matchers::Contains;
using tactus::tests::Outcome;

namespace {

Outcome command(const std::string& arguments) {
  return tests::runCommand(arguments, addIntegratorsCommand);
}

}  // namespace

TEST_CASE("tactus integrators lists every method, as a table and as JSON", "[server][cli]") {
  const Outcome table = command("integrators");
  CHECK(table.exit_code == text::kExitOk);
  const Outcome as_json = command("integrators --json");
  const auto list = nlohmann::json::parse(as_json.out)["integrators"];
  CHECK(list.size() == rt::offline::methods().size());
  for (const auto& method : list) CHECK_THAT(table.out, Contains(method["name"].get<std::string>()));

  const auto one = nlohmann::json::parse(command("integrators lms2 --json").out)["integrators"];
  REQUIRE(one.size() == 1);
  CHECK(one[0]["options"][0]["name"] == "rho_inf");
  CHECK(one[0]["options"][0]["accepts"] == "0 ... 1");
  const Outcome unknown = command("integrators lsm2");
  CHECK(unknown.exit_code == text::kExitUsage);
  CHECK_THAT(unknown.err, Contains("did you mean 'lms2'"));
}
