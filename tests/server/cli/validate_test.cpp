// Covers: server/cli/comparison_options.cpp, server/cli/report_file.cpp, server/cli/validation_json.cpp
#include "server/cli/validate.h"
#include "proto/text/exit_code.h"
#include "tests/server/captured_command.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <filesystem>

using namespace tactus;
using namespace tactus::server;

TEST_CASE("tactus validate prints JSON, writes its page and returns its verdict as the exit code", "[server][cli]") {
  const std::string page =
      (std::filesystem::temp_directory_path() / ("tactus_" + std::to_string(::getpid()) + "_validate.html")).string();
  const auto command = [](const std::string& arguments) {
    const tests::Outcome outcome =
        tests::runCommand("validate double_pendulum --until 200ms --step 10ms --json " + arguments, addValidateCommand);
    return std::pair(outcome.exit_code, outcome.out);
  };
  const auto [trusted, text] = command("--against bathe --report " + page);
  CHECK(trusted == text::kExitOk);
  const auto json = nlohmann::json::parse(text);
  CHECK(json["build"].get<std::string>().find("tactus ") != std::string::npos);
  CHECK(json["trusted"] == true);
  CHECK(json["rows"].size() == 6);
  CHECK(json["rows"][3]["method"] == "bathe");
  CHECK(std::filesystem::file_size(page) > 5000);
  std::filesystem::remove(page);
  CHECK(json["references"].size() == 2);
  CHECK(json["growth"]["errors"]["known"] == true);
  CHECK(command("--against bathe --tol 1e-8").first == text::kExitFinding);
  // One kind alone, of several options.
  const auto [refused, why] = command("--tolerance position=1e-2 --tolerance reaction=1e-9");
  CHECK(refused == text::kExitFinding);
  CHECK(nlohmann::json::parse(why)["deciding"].get<std::string>().rfind("no: reaction", 0) == 0);
  CHECK(command("--tolerance colour=1").first == text::kExitUsage);
  CHECK(command("--set nothing=1").first == text::kExitUsage);
  CHECK(command("--inputs no_such_file.csv").first == text::kExitUsage);
  CHECK(command("--against nothing_like_it").first == text::kExitUsage);
}

TEST_CASE("a report goes to the file behind a link, and the link stays", "[server][cli]") {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("tactus_" + std::to_string(::getpid()) + "_links");
  REQUIRE(std::filesystem::create_directory(folder));
  std::filesystem::create_symlink("page.html", folder / "link.html");
  const tests::Outcome outcome = tests::runCommand(
      "validate double_pendulum --until 200ms --step 10ms --against bathe --report " + (folder / "link.html").string(),
      addValidateCommand);
  CHECK(outcome.exit_code == text::kExitOk);
  CHECK(std::filesystem::is_symlink(folder / "link.html"));
  CHECK(std::filesystem::is_regular_file(std::filesystem::symlink_status(folder / "page.html")));
  std::filesystem::remove_all(folder);
}
