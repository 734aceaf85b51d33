// Marks of lanes of OpenDRIVE, as painted lines of the road of a model.
// Covers: server/import/road_lanes.h, server/import/road_chain.cpp
#include "server/import/lane_marks.h"

#include "server/import/import_file.h"
#include "tests/server/import/report_text.h"

#include <catch2/catch.hpp>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

using namespace tactus;
using namespace tactus::server;

namespace {

ImportedFile read(const std::string& roads) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("tactus-marks-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "track.xodr") << "<OpenDRIVE>\n" + roads + "</OpenDRIVE>\n";
  const ImportedFile file = importFile((folder / "track.xodr").string(), {});
  std::filesystem::remove_all(folder);
  return file;
}

std::string section(double s, const std::string& center, const std::string& left, const std::string& right) {
  const auto lane = [](int id, const std::string& marks) {
    return "<lane id=\"" + std::to_string(id) + "\"><width sOffset=\"0\" a=\"3\" b=\"0.01\"/>" + marks + "</lane>";
  };
  return "<laneSection s=\"" + std::to_string(s) + "\"><left>" + lane(1, left) + "</left><center><lane id=\"0\">" +
         center + "</lane></center><right>" + lane(-1, right) + "</right></laneSection>\n";
}

std::string road(const std::string& id, double x, double heading, const std::string& sections,
                 const std::string& link = "") {
  return "<road id=\"" + id + "\" junction=\"-1\" length=\"20\">" + link + "<planView><geometry s=\"0\" x=\"" +
         std::to_string(x) + "\" y=\"0\" hdg=\"" + std::to_string(heading) +
         "\" length=\"20\"><line/></geometry></planView><lanes>" + sections + "</lanes></road>\n";
}

const std::string kSolid = R"(<roadMark sOffset="0" type="solid" color="yellow" width="0.15"/>)";
const std::string kBroken = R"(<roadMark sOffset="0" type="broken"/>)";

double end(const v1::RoadMark& mark, int back) {
  return mark.points(mark.points_size() - back);
}

}  // namespace

TEST_CASE("marks of lanes are painted lines with their color, width and dashes", "[server][import]") {
  const ImportedFile file = read(road("1", 0, 0, section(0, kBroken, kSolid, "")));
  REQUIRE_FALSE(file.report.failed());
  const v1::Road& made = file.message.roads(0);
  REQUIRE(made.marks_size() == 2);
  const v1::RoadMark &middle = made.marks(0), &left = made.marks(1);
  CHECK(middle.width() == 0.12);
  CHECK(middle.dash() == 3);
  CHECK(middle.gap() == 6);
  CHECK(middle.points(1) == 0);
  CHECK(left.width() == 0.15);
  CHECK(left.dash() == 0);
  CHECK(left.color(2) == 0);
  CHECK(left.points(0) == 0);
  CHECK(left.points(1) == 3);
  CHECK(end(left, 2) == Approx(20));
  CHECK(end(left, 1) == Approx(3.2));  // the lane widens by a hundredth
}

TEST_CASE("a mark goes on through sections, and ends where the next mark of its lane begins", "[server][import]") {
  const std::string changing = R"(<roadMark sOffset="0" type="solid"/><roadMark sOffset="4" type="none"/>)";
  const ImportedFile file = read(
      road("1", 0, 0, section(0, kSolid, "", "") + section(10, kSolid, "", changing) + section(16, kBroken, "", "")));
  REQUIRE_FALSE(file.report.failed());
  const v1::Road& made = file.message.roads(0);
  REQUIRE(made.marks_size() == 3);
  CHECK(end(made.marks(0), 2) == Approx(16));
  CHECK(made.marks(1).points(0) == 10);
  CHECK(made.marks(1).points(1) == -3);
  CHECK(end(made.marks(1), 2) == Approx(14));
  CHECK(made.marks(2).points(0) == 16);
}

TEST_CASE("marks of a side that a section of one side does not give go on", "[server][import]") {
  const std::string changing = R"(<roadMark sOffset="0" type="solid"/><roadMark sOffset="14" type="none"/>)";
  const std::string one_side =
      "<laneSection s=\"10\" singleSide=\"true\"><left><lane id=\"1\"><width a=\"3\"/></lane>"
      "</left></laneSection>";
  const ImportedFile file = read(road("1", 0, 0, section(0, kSolid, "", changing) + one_side));
  REQUIRE_FALSE(file.report.failed());
  const v1::Road& made = file.message.roads(0);
  REQUIRE(made.marks_size() == 2);
  CHECK(end(made.marks(0), 2) == Approx(20));
  CHECK(made.marks(1).points(0) == 0);
  CHECK(end(made.marks(1), 2) == Approx(14));
  CHECK(end(made.marks(1), 1) == Approx(-3.14));  // the lane widens by a hundredth
}

TEST_CASE("double marks lie side by side, and lines of a type have their own lengths", "[server][import]") {
  const std::string twice = R"(<roadMark sOffset="0" type="solid broken" width="0.1"/>)";
  const std::string own = R"(<roadMark sOffset="0" type="broken" weight="bold"><type name="x" width="0.2">
<line length="4" space="8" tOffset="0.3" sOffset="0"/></type></roadMark>)";
  const ImportedFile file = read(road("1", 0, 0, section(0, twice, own, own)));
  REQUIRE_FALSE(file.report.failed());
  const v1::Road& made = file.message.roads(0);
  REQUIRE(made.marks_size() == 4);
  CHECK(made.marks(0).points(1) == Approx(-0.1));
  CHECK(made.marks(0).dash() == 0);
  CHECK(made.marks(1).points(1) == Approx(0.1));
  CHECK(made.marks(1).dash() == 3);
  CHECK(made.marks(2).points(1) == Approx(3.3));
  CHECK(made.marks(2).dash() == 4);
  CHECK(made.marks(2).gap() == 8);
  CHECK(made.marks(2).width() == 0.2);
  CHECK(made.marks(3).points(1) == Approx(-3.3));  // outwards on both sides
}

TEST_CASE("marks of a road that is driven from its end run along the chain", "[server][import]") {
  const std::string link = R"(<link><successor elementType="road" elementId="2" contactPoint="end"/></link>)";
  // Road 2 comes the other way: its right lane is the left one of the chain.
  const ImportedFile file =
      read(road("1", 0, 0, section(0, "", kSolid, ""), link) +
           road("2", 40, 3.141592653589793, section(0, "", "", R"(<roadMark sOffset="5" type="solid"/>)")));
  REQUIRE_FALSE(file.report.failed());
  REQUIRE(file.message.roads_size() == 1);
  const v1::Road& made = file.message.roads(0);
  REQUIRE(made.marks_size() == 2);
  CHECK(made.marks(1).points(0) == Approx(20));
  CHECK(made.marks(1).points(1) == Approx(3.2));
  CHECK(end(made.marks(1), 2) == Approx(35));
  CHECK(end(made.marks(1), 1) == Approx(3.05));
}

TEST_CASE("bad marks get errors, and what is not drawn is a loss", "[server][import]") {
  for (const auto& [mark, words] : std::vector<std::pair<std::string, std::string>>{
           {R"(<roadMark sOffset="4" type="solid"/><roadMark sOffset="2" type="solid"/>)", "must not be before that"},
           {R"(<roadMark sOffset="0" type="solid" width="-1"/>)", "must be from 0 to 5 m"},
           {R"(<roadMark sOffset="0" type="solid"><type><line length="-3" space="6"/></type></roadMark>)",
            "must not be below zero"}}) {
    const ImportedFile file = read(road("1", 0, 0, section(0, mark, "", "")));
    INFO(words);
    REQUIRE(file.report.failed());
    CHECK(errorsOf(file.report).find(words) != std::string::npos);
  }
  const ImportedFile file = read(road("1", 0, 0,
                                      section(0, R"(<roadMark sOffset="0" type="curb"/>)",
                                              R"(<roadMark sOffset="0" type="solid" color="pink"/>)", "")));
  REQUIRE_FALSE(file.report.failed());
  CHECK(file.message.roads(0).marks_size() == 1);
  CHECK(lossText(file.report).find("only solid and broken lines are drawn") != std::string::npos);
  CHECK(lossText(file.report).find("is no color of OpenDRIVE: white") != std::string::npos);
}
