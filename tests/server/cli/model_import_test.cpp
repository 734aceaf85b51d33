// Options of `tactus model import`: which files they are for, and the names that they take.
#include "server/cli/model_import.h"

#include "server/cli/model.h"
#include "tests/server/captured_command.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

using namespace tactus;
using tactus::tests::Outcome;

namespace {

const std::string kRobot =
    "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" "
    "izz=\"1\"/></inertial></link><joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/>"
    "</joint></robot>";
const std::string kMujoco = "<mujoco><worldbody><body><freejoint/><geom size=\"1\"/></body></worldbody></mujoco>";
const std::string kRoads =
    "<OpenDRIVE><road id=\"17\" junction=\"-1\" length=\"9\"><planView><geometry s=\"0\" x=\"0\" y=\"0\" hdg=\"0\" "
    "length=\"9\"><line/></geometry></planView></road></OpenDRIVE>";

/// The file that importWith() imports, and others beside it.
std::string file(const std::string& ending = ".xml") {
  return (std::filesystem::temp_directory_path() / ("tactus-import-cli-" + std::to_string(getpid()) + ending)).string();
}

/// `model import` of a text with options.
Outcome importWith(const std::string& text, const std::string& options) {
  std::ofstream(file()) << text;
  const Outcome outcome = tests::runCommand("model import " + file() + ' ' + options, server::addModelCommand);
  std::filesystem::remove(file());
  return outcome;
}

}  // namespace

TEST_CASE("model import refuses an option that does nothing to the file", "[server][cli]") {
  struct Row {
    std::string text, option, piece;
  };
  const Row rows[] = {{kMujoco, "--base free", "--base is for files of URDF; "},
                      {kMujoco, "--base fixed", ".xml is MJCF"},
                      {kRobot, "--road 17", "--road is for files of OpenDRIVE; "},
                      {kRobot, "--drop-tendons", "--drop-tendons is for files of MJCF; "},
                      {kRoads, "--start j=1", "--start is for files of URDF, MJCF and SDF; "},
                      {kRoads, "--balance-inertia", ".xml is OpenDRIVE"},
                      {kRobot, "--start j=0.1 --start j=0.9", "--start j: is given twice"},
                      {kRobot, "--start j=nan", "--start j=nan: must be a finite number"},
                      {kRobot, "--out a.json --report ./a.json", "--report ./a.json: is the file of --out"},
                      {kRobot, "--report " + file(), "is the file to import"},
                      {kRobot, "--out /nowhere/a.json", "/nowhere/a.json: cannot be written"},
                      {kRobot, "--out a.json --report /nowhere/a.txt", "/nowhere/a.txt: cannot be written"},
                      {kRobot, "--out a.xyz", "--out a.xyz: a model file ends in .json or .txtpb"}};
  for (const Row& row : rows) {
    const Outcome refused = importWith(row.text, row.option);
    CAPTURE(row.option, refused.err);
    CHECK(refused.exit_code == 2);
    CHECK(refused.out.empty());
    CHECK(refused.err.find(row.piece) != std::string::npos);
  }
  CHECK_FALSE(std::filesystem::exists("a.xyz"));
  CHECK_FALSE(std::filesystem::exists("a.json"));
}

TEST_CASE("model import takes each option with the files that it is for", "[server][cli]") {
  for (const auto& [text, option] : {std::pair(kRobot, "--base free --start j=1 --balance-inertia"),
                                     std::pair(kMujoco, "--drop-tendons"), std::pair(kRoads, "--road 17")}) {
    const Outcome taken = importWith(text, option);
    CAPTURE(option, taken.err);
    CHECK(taken.exit_code == 0);
    CHECK(taken.out.find("\"name\"") != std::string::npos);
  }
}

TEST_CASE("the report of a failed import has its errors, and replaces an older one", "[server][cli]") {
  for (const std::string ending : {".txt", ".json"}) {
    std::ofstream(file(ending)) << "an older report";
    const Outcome failed = importWith("<robot name=\"r\"><joint/></robot>", "--report " + file(ending));
    CHECK(failed.exit_code == 2);
    CHECK(failed.out.empty());
    CHECK_THAT(failed.err, Catch::Contains("must be given"));
    std::ostringstream report;
    report << std::ifstream(file(ending)).rdbuf();
    CHECK_THAT(report.str(), Catch::Contains("must be given") && !Catch::Contains("an older report"));
    std::filesystem::remove(file(ending));
  }
}

TEST_CASE("model import prints its JSON on a stream of its own", "[server][cli]") {
  const auto isJson = [](const std::string& text) { return nlohmann::json::accept(text); };
  const std::string bad = "<robot name=\"r\"><joint/></robot>";
  CHECK(isJson(importWith(kRobot, "--json").err));
  CHECK(isJson(importWith(bad, "--json").err));
  const std::string out = " --out " + file(".json");
  CHECK(isJson(importWith(kRobot, "--json" + out).out));
  const Outcome failed = importWith(bad, "--json" + out);
  CHECK(isJson(failed.out));
  CHECK_THAT(failed.err, Catch::Contains("must be given"));
  std::filesystem::remove(file(".json"));
}

TEST_CASE("model import lists the roads of a file where --road names none of them", "[server][cli]") {
  const Outcome refused = importWith(kRoads, "--road 16");
  CAPTURE(refused.err);
  CHECK(refused.exit_code == 2);
  CHECK(refused.err.find("--road 16: must be the id of a road of the file: 17") != std::string::npos);
}
