// Gaps between the pieces of a road of OpenDRIVE and between roads: the line closes them and keeps the rule of a model
// for the distance of its points, and the way goes on.
#include "server/import/gap_blend.h"

#include "server/import/import_file.h"
#include "tests/server/import/report_text.h"

#include <catch2/catch.hpp>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <numbers>

using namespace tactus;
using namespace tactus::server;

namespace {

std::string pieceAt(double s, double x, double y, double heading, double length, const std::string& shape = "<line/>") {
  char text[300];
  std::snprintf(text, sizeof text, "<geometry s=\"%.17g\" x=\"%.17g\" y=\"%.17g\" hdg=\"%.17g\" length=\"%.17g\">", s,
                x, y, heading, length);
  return text + shape + "</geometry>\n";
}

std::string roadOfPieces(const std::string& id, double length, const std::string& pieces,
                         const std::string& rest = "") {
  return "<road id=\"" + id + "\" junction=\"-1\" length=\"" + std::to_string(length) + "\">\n" + rest +
         "<planView>\n" + pieces + "</planView>\n</road>\n";
}

ImportedFile importRoads(const std::string& roads) {
  const auto path = std::filesystem::temp_directory_path() / ("tactus-gap-" + std::to_string(getpid()) + ".xodr");
  std::ofstream(path) << "<OpenDRIVE>\n" << roads << "</OpenDRIVE>\n";
  ImportedFile file = importFile(path.string(), {});
  std::filesystem::remove(path);
  return file;
}

/// The line of the only road; the import itself checks the rule of a model for the distance of points.
v1::RoadLine lineOf(const std::string& roads) {
  const ImportedFile file = importRoads(roads);
  INFO(errorsOf(file.report));
  REQUIRE_FALSE(file.report.failed());
  REQUIRE(file.message.roads_size() == 1);
  return file.message.roads(0).line();
}

struct Jump {
  double x, y;
};
// Rounded numbers, the limit of what is closed, and both signs along and across.
constexpr Jump kJumps[] = {{0.0005, 0}, {0.001, 0},   {-0.001, 0}, {0.0499, 0},    {-0.0499, 0},
                           {0, 0.0499}, {0, -0.0499}, {0, 0.001},  {0.035, 0.035}, {-0.035, 0.035}};

/// A straight line along x with a jump at 30 m, 60 m long with the jump.
void checkJump(const v1::RoadLine& line, const Jump& jump) {
  const int last = line.points_size() / 2 - 1;
  for (int i = 0; i <= last; ++i) {
    const double x = line.points(2 * i), y = line.points(2 * i + 1);
    CAPTURE(i, x, y);
    // Before and behind the reach of 2 m the points are those of the pieces, to round-off.
    if (x < 28 - 0.05) CHECK(std::abs(y) < 1e-12);
    if (x > 32 + 0.05) CHECK(std::abs(y - jump.y) < 1e-12);
    // In between it never leaves the band between both, to the round-off of 60 m.
    const double round_off = 1e-12;
    CHECK(y > std::min(0.0, jump.y) - round_off);
    CHECK(y < std::max(0.0, jump.y) + round_off);
  }
  // Both ends to round-off.
  CHECK(line.points(0) == Approx(0).margin(1e-12));
  CHECK(line.points(2 * last) == Approx(60 + jump.x).epsilon(1e-12));
  // The way is the length of the line: the slope of 0.025 of a sideways jump over 4 m adds 4 * 0.025 ^ 2 / 4 m.
  CHECK(line.spacing() * last == Approx(60 + jump.x).epsilon(0).margin(7e-4));
}

}  // namespace

TEST_CASE("A line closes a gap between two pieces along it, against it and sideways") {
  for (const Jump& jump : kJumps) {
    CAPTURE(jump.x, jump.y);
    checkJump(lineOf(roadOfPieces("7", 60, pieceAt(0, 0, 0, 0, 30) + pieceAt(30, 30 + jump.x, jump.y, 0, 30))), jump);
  }
}

TEST_CASE("A line closes a gap between two roads, whichever way the second one points") {
  const auto link = [](const char* tag, const char* id, const char* contact) {
    return std::string("<link><") + tag + " elementType=\"road\" elementId=\"" + id + "\" contactPoint=\"" + contact +
           "\"/></link>\n";
  };
  for (const Jump& jump : kJumps)
    for (const bool reversed : {false, true}) {
      CAPTURE(jump.x, jump.y, reversed);
      const std::string second =
          reversed ? pieceAt(0, 60 + jump.x, jump.y, std::numbers::pi, 30) : pieceAt(0, 30 + jump.x, jump.y, 0, 30);
      checkJump(
          lineOf(roadOfPieces("1", 30, pieceAt(0, 0, 0, 0, 30), link("successor", "2", reversed ? "end" : "start")) +
                 roadOfPieces("2", 30, second)),
          jump);
    }
}

TEST_CASE("A gap near the end of a road leaves the end where it is, so that the next road joins") {
  // Both gaps of 0.049 m are allowed; a moved end would add to the second one.
  const v1::RoadLine line =
      lineOf(roadOfPieces("1", 30, pieceAt(0, 0, 0, 0, 29.5) + pieceAt(29.5, 29.5, 0.049, 0, 0.5),
                          "<link><successor elementType=\"road\" elementId=\"2\" contactPoint=\"start\"/></link>\n") +
             roadOfPieces("2", 30, pieceAt(0, 30, 0.098, 0, 30)));
  CHECK(line.points(line.points_size() - 1) == Approx(0.098).epsilon(1e-12));  // round-off
}

TEST_CASE("A ring closes the gap between its end and its start") {
  const double around = 20 * std::numbers::pi;
  for (const double more : {-0.03, -0.001, 0.001, 0.03}) {
    CAPTURE(more);
    // A circle of 10 m whose last quarter begins and ends to the side, so that the ring has two gaps.
    const std::string arc = "<arc curvature=\"0.1\"/>";
    const v1::RoadLine line = lineOf(
        roadOfPieces("7", around,
                     pieceAt(0, 0, 0, 0, 0.75 * around, arc) +
                         pieceAt(0.75 * around, -10 + more, 10 + more, -std::numbers::pi / 2, 0.25 * around, arc)));
    CHECK(line.closed());
    // The jump along the line at the third quarter is -more, and at the end -more again.
    CHECK(line.spacing() * (line.points_size() / 2) == Approx(around - 2 * more).epsilon(0).margin(7e-4));
  }
}

TEST_CASE("Gaps of rounded numbers between many short pieces keep the rule of the points") {
  // 600 pieces of 0.1 m, each 0.4 mm behind the one before it: 2 mm in one distance of points.
  std::string pieces;
  for (int i = 0; i < 600; ++i) pieces += pieceAt(i * 0.1, i * 0.1004, 0, 0, 0.1);
  const v1::RoadLine line = lineOf(roadOfPieces("7", 60, pieces));
  // The ends stay; the way is the length to round-off.
  CHECK(line.points(line.points_size() - 2) == Approx(599 * 0.1004 + 0.1).epsilon(0).margin(1e-9));
  CHECK(line.spacing() * (line.points_size() / 2 - 1) == Approx(599 * 0.1004 + 0.1).epsilon(0).margin(1e-9));
}

TEST_CASE("Heights and marks stay where they are behind a gap") {
  const std::string rest =
      "<elevationProfile><elevation s=\"0\" a=\"0\" b=\"0\" c=\"0\" d=\"0\"/>"
      "<elevation s=\"40\" a=\"0\" b=\"0.1\" c=\"0\" d=\"0\"/></elevationProfile>\n"
      "<lanes><laneSection s=\"0\"><center><lane id=\"0\"><roadMark sOffset=\"40\" type=\"solid\"/></lane></center>"
      "</laneSection></lanes>\n";
  const ImportedFile file =
      importRoads(roadOfPieces("7", 60, pieceAt(0, 0, 0, 0, 30) + pieceAt(30, 30.04, 0, 0, 30), rest));
  INFO(errorsOf(file.report));
  REQUIRE_FALSE(file.report.failed());
  const v1::Road& road = file.message.roads(0);
  REQUIRE(road.marks_size() == 1);
  CHECK(road.marks(0).points(0) == Approx(40.04).epsilon(1e-12));  // round-off
  // At the last row but two, which is the end of the road: 20 m of the grade of 0.1.
  const v1::SurfaceGrid& grid = road.heights();
  const int columns = static_cast<int>(grid.columns()), rows = grid.values_size() / columns;
  CHECK(grid.along() + (rows - 3) * grid.spacing() == Approx(60.04).epsilon(1e-12));
  CHECK(grid.values((rows - 3) * columns) == Approx(2).epsilon(1e-9));
}

TEST_CASE("A gap above 0.05 m is refused with the line of the piece") {
  for (const Jump& jump : {Jump{0.06, 0}, Jump{-0.06, 0}, Jump{0, 0.06}}) {
    const ImportedFile file =
        importRoads(roadOfPieces("7", 60, pieceAt(0, 0, 0, 0, 30) + pieceAt(30, 30 + jump.x, jump.y, 0, 30)));
    CHECK(errorsOf(file.report).find(".xodr:5: OpenDRIVE/road/planView/geometry = a gap of 0.0") != std::string::npos);
  }
}

TEST_CASE("A way without gaps is the same number on the line and in the file") {
  const BlendedWay ways({}, 100, [](double, double) { return 0.0; });
  for (const double way : {0.0, 0.1, 33.3, 100.0}) {
    CHECK(ways.ofFile(way) == way);
    CHECK(ways.toFile(way) == way);
  }
  CHECK(ways.length() == 100);
}
