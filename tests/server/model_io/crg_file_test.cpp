// Covers: server/model_io/crg_line.cpp
// OpenCRG roads: what is read, what is refused, and the road that comes of it against an evaluation by formulas.
#include "server/model_io/crg_file.h"

#include "rt/mechanics/road_surface.h"
#include "rt/model/model.h"
#include "server/model_io/model_file.h"
#include "tests/server/record/scratch_folder.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>

using namespace tactus;
using namespace tactus::server;
using Eigen::Vector3d;

namespace {

constexpr double kRadius = 60, kStep = 0.1, kLength = 80, kBanking = 0.03, kSlope = 0.02;
constexpr int kRows = 801;

/// A bend to the left with waves along and across, banked, uphill.
double wave(double u, double v) {
  return 0.02 * std::sin(0.3 * u) * std::cos(0.8 * v);
}

std::string big(double value, int bytes) {
  std::string out;
  const std::uint64_t word =
      bytes == 8 ? std::bit_cast<std::uint64_t>(value) : std::bit_cast<std::uint32_t>(static_cast<float>(value));
  for (int i = bytes - 1; i >= 0; --i) out += static_cast<char>(word >> (8 * i) & 255);
  return out;
}

std::string headOf(const std::string& format, bool by_number) {
  std::string text =
      "$CT  ! comment\nwritten by the test; LONG_SECTION = nothing\n$\n$ROAD_CRG  ! parameters\n"
      "REFERENCE_LINE_START_U = 10\nREFERENCE_LINE_END_U = 90\nREFERENCE_LINE_INCREMENT = 0.1 ! m\n"
      "REFERENCE_LINE_START_Z = 1.5\nREFERENCE_LINE_START_S = 0.02\n"
      "LONG_SECTION_V_RIGHT = -2\nLONG_SECTION_V_LEFT = 2\nLONG_SECTION_V_INCREMENT = 0.5\n$\n"
      "$KD_DEFINITION\n#:" +
      format +
      "\nU:reference line u,m,10.0,0.1\nD:reference line phi,rad\n"
      "D:reference line banking,m/m\n";
  for (int k = 0; k < 9; ++k)
    text += by_number ? "D:long section " + std::to_string(k + 1) + ",m\n"
                      : "D:long section at v = " + std::to_string(-2 + 0.5 * k) + ",m\n";
  return text + "$\n" + std::string(80, '$') + '\n';
}

/// Of the middle of each step: the sum of the steps is then a chord polygon of the arc.
double heading(int row) {
  return (row - 0.5) * kStep / kRadius;
}

std::string bendFile(const std::string& format, bool by_number = false) {
  std::string text = headOf(format, by_number);
  for (int row = 0; row < kRows; ++row) {
    std::vector<double> record = {heading(row), kBanking};
    for (int k = 0; k < 9; ++k) record.push_back(wave(kStep * row, -2 + 0.5 * k));
    const bool is_single = format[1] == 'R';
    std::string bytes;
    for (const double value : record) {
      if (format[2] == 'B') {
        bytes += big(value, is_single ? 4 : 8);
        continue;
      }
      char word[32];
      std::snprintf(word, sizeof word, is_single ? "%10.6f" : "%20.13e", value);
      const std::size_t in_line = bytes.size() - (bytes.rfind('\n') == std::string::npos ? 0 : bytes.rfind('\n') + 1);
      if (in_line + (is_single ? 10 : 20) > 80) bytes += '\n';
      bytes += word;
    }
    if (format[2] == 'F') bytes += '\n';
    if (format[2] == 'B' && format[0] == 'L') bytes.resize((bytes.size() + 79) / 80 * 80, '\0');
    text += bytes;
  }
  return text;
}

/// Place along and left of the bend, and height, at a point of the plane.
Vector3d expectedAt(double x, double y) {
  const double dx = x, dy = y - kRadius;
  const double angle = std::atan2(dx, -dy), v = kRadius - std::hypot(dx, dy);
  const double u = kRadius * angle, side = std::clamp(v, -2.0, 2.0);
  return {10 + u, v, 1.5 + kSlope * u + kBanking * side + wave(u, side)};
}

rt::Road roadOf(const std::string& content) {
  CrgRoad crg;
  GridProblem problem;
  const bool read = readCrg(content, crg, problem);
  INFO(problem.line << ": " << problem.value << ": " << problem.rule);
  REQUIRE(read);
  const v1::SurfaceGrid heights = heightsOf(crg);
  rt::RoadSpec spec;
  spec.up = {0, 0, 1};
  spec.along = {1, 0, 0};
  spec.heights = rt::SurfaceGridSpec{heights.along(),
                                     heights.across(),
                                     heights.spacing(),
                                     static_cast<int>(heights.columns()),
                                     {heights.values().begin(), heights.values().end()},
                                     heights.across_spacing()};
  spec.line = rt::RoadLineSpec{
      crg.line.start(), crg.line.spacing(), {crg.line.points().begin(), crg.line.points().end()}, false};
  return rt::makeRoad(spec);
}

}  // namespace

TEST_CASE("a road of OpenCRG has its heights and normals, in each format", "[server][model_io][crg]") {
  for (const char* format : {"LRFI", "LDFI", "KRBI", "KDBI", "LRBI", "LDBI"}) {
    INFO(format);
    const rt::Road road = roadOf(bendFile(format, std::string(format) == "KRBI"));
    for (double u = 1; u < kLength - 1; u += 0.737)
      for (const double v : {-2.6, -1.7, -0.3, 0.0, 0.9, 1.9}) {
        const double angle = u / kRadius, radius = kRadius - v;
        const double x = radius * std::sin(angle), y = kRadius - radius * std::cos(angle);
        const rt::RoadPoint at = rt::roadUnder(road, 0, {x, y, 7});
        const Vector3d wanted = expectedAt(x, y);
        // The polygon of the file is within 2e-5 m of the arc; cubic interpolation of waves of 8 m at 0.5 m: 1e-4 of 20
        // mm. In the outermost cells the surface bends into the constant height beyond: 7 % of the 15 mm of banking and
        // wave.
        const bool outermost = std::abs(v) > 1.5 && std::abs(v) < 2;
        CHECK(at.along == Approx(wanted[0]).epsilon(0).margin(1e-3));
        CHECK(at.across == Approx(wanted[1]).epsilon(0).margin(1e-3));
        CHECK(at.height == Approx(wanted[2]).epsilon(0).margin(outermost ? 2e-3 : 1e-4));
        // Normal by finite differences of the formulas.
        const double h = 1e-5;
        const Vector3d normal(-(expectedAt(x + h, y)[2] - expectedAt(x - h, y)[2]) / (2 * h),
                              -(expectedAt(x, y + h)[2] - expectedAt(x, y - h)[2]) / (2 * h), 1);
        CHECK((at.normal(road) - normal.normalized()).norm() < (outermost ? 3e-2 : 3e-3));
      }
  }
}

TEST_CASE("a cross-section may have unequal distances and missing edges", "[server][model_io][crg]") {
  const std::string text =
      "$ROAD_CRG\nREFERENCE_LINE_INCREMENT = 1\n$\n$KD_DEFINITION\n#:LRFI\nD:long section at v = 1.0,m\n"
      "D:long section at v = -1.0,m\nD:long section at v = -0.5,m\n$\n$$$$\n"
      " 3.0000000*missing* 2.0000000\n 6.0000000 1.0000000 4.0000000\n*missing*  1.0000000 2.0000000\n";
  CrgRoad crg;
  GridProblem problem;
  const bool read = readCrg(text, crg, problem);
  INFO(problem.line << ": " << problem.value << ": " << problem.rule);
  REQUIRE(read);
  CHECK(crg.grid.across() == -1);
  CHECK(crg.grid.columns() == 5);
  CHECK(crg.grid.across_spacing() == 0.5);
  // -1, -0.5, 0, 0.5, 1
  const double rows[] = {2, 2, 7.0 / 3, 8.0 / 3, 3, 1, 4, 4 + 2.0 / 3, 4 + 4.0 / 3, 6, 1, 2, 2, 2, 2};
  REQUIRE(crg.grid.values_size() == 15);
  for (int i = 0; i < 15; ++i) CHECK(crg.grid.values(i) == Approx(rows[i]));
}

TEST_CASE("values of OpenCRG that are damaged or too few are refused", "[server][model_io][crg]") {
  const std::string good =
      "$ROAD_CRG\nREFERENCE_LINE_INCREMENT = 1\nLONG_SECTION_V_RIGHT = -1\nLONG_SECTION_V_LEFT = 1\n"
      "LONG_SECTION_V_INCREMENT = 1\n$\n$KD_DEFINITION\n#:LRFI\nD:reference line phi,rad\nD:long section 1,m\n"
      "D:long section 2,m\nD:long section 3,m\n$\n$$$$\n"
      "*missing*  3.0000000*missing*  2.0000000\n 0.0000000 6.0000000 1.0000000 4.0000000\n";
  struct Row {
    const char *from, *to;
    const char* rule;
  };
  const Row rows[] = {
      {"V_LEFT = 1", "V_LEFT = 3", "must be 5: from LONG_SECTION_V_RIGHT to _LEFT"},
      {" 6.0000000", " 6.0x00000", "must be a number"},
      {" 1.0000000", "garbage!!!", "must be a number"},
      {" 0.0000000", "*missing* ", "must have the heading"},
  };
  CrgRoad crg;
  GridProblem problem;
  REQUIRE(readCrg(good, crg, problem));  // a heading may be missing in the first record, a height anywhere
  for (const Row& row : rows) {
    std::string text = good;
    text.replace(text.find(row.from), std::string(row.from).size(), row.to);
    INFO(row.from << " -> " << row.to);
    CHECK_FALSE(readCrg(text, crg, problem));
    INFO(problem.line << ": " << problem.value << ": " << problem.rule);
    CHECK(problem.rule.find(row.rule) != std::string::npos);
  }
}

namespace {

/// A straight file without channels, of flat heights, with more lines in its header.
std::string straightFile(int rows, const std::string& header, const std::string& channels = "",
                         const std::string& record = "") {
  std::string text = "$ROAD_CRG\nREFERENCE_LINE_START_U = 0\nREFERENCE_LINE_INCREMENT = 0.1\n" + header +
                     "LONG_SECTION_V_RIGHT = -1\nLONG_SECTION_V_LEFT = 1\nLONG_SECTION_V_INCREMENT = 1\n"
                     "$KD_DEFINITION\n#:LRFI\n" +
                     channels + "D:long section 1,m\nD:long section 2,m\nD:long section 3,m\n$$$$\n";
  for (int row = 0; row < rows; ++row) text += record + " 0.0000000 0.0000000 0.0000000\n";
  return text;
}

std::string ruleOf(const std::string& text) {
  CrgRoad crg;
  GridProblem problem;
  return readCrg(text, crg, problem) ? "" : problem.rule;
}

}  // namespace

TEST_CASE("a reference point of OpenCRG is refused unless the line begins there", "[server][model_io][crg]") {
  const std::string mods = "$ROAD_CRG_MODS\nREFPOINT_X = 0\nREFPOINT_PHI = 0\n$ROAD_CRG\n";
  CHECK(ruleOf(straightFile(20, mods)).empty());
  for (const char* start : {"START_X = 5", "START_Y = 5", "START_Z = 5", "START_PHI = 0.5"}) {
    INFO(start);
    // Modifiers may stand before what they change.
    CHECK(ruleOf(straightFile(20, mods + "REFERENCE_LINE_" + start + "\n")) ==
          "must not change the road: apply the modifiers and write the file again");
  }
  // A heading of the first record counts as one of the header.
  CHECK_FALSE(ruleOf(straightFile(20, mods, "D:reference line phi,rad\n", " 0.5000000")).empty());
}

TEST_CASE("the end of a straight line of OpenCRG agrees with its start", "[server][model_io][crg]") {
  // 101 records: 10 m.
  struct Row {
    const char* header;
    const char* rule;
  };
  const Row rows[] = {
      {"REFERENCE_LINE_END_Z = 1\n", "must agree with REFERENCE_LINE_START_Z and _S"},
      {"REFERENCE_LINE_START_S = 0.1\nREFERENCE_LINE_END_Z = 1\n", ""},
      {"REFERENCE_LINE_START_S = 0.1\nREFERENCE_LINE_END_Z = 1.2\n", "must agree with REFERENCE_LINE_START_Z and _S"},
      {"REFERENCE_LINE_END_X = 10\nREFERENCE_LINE_END_Y = 0\n", ""},
      {"REFERENCE_LINE_END_X = 9.5\nREFERENCE_LINE_END_Y = 0\n", "must agree with REFERENCE_LINE_START_X, _Y and _PHI"},
      {"REFERENCE_LINE_END_X = 0\nREFERENCE_LINE_END_Y = 10\n", "must agree with REFERENCE_LINE_START_X, _Y and _PHI"},
  };
  for (const Row& row : rows) {
    INFO(row.header);
    CHECK(ruleOf(straightFile(101, row.header)) == row.rule);
  }
  // With a slope of each record the end closes what their sum leaves open.
  CrgRoad crg;
  GridProblem problem;
  const bool read = readCrg(
      straightFile(101, "REFERENCE_LINE_END_Z = 1.2\n", "D:reference line slope,m/m\n", " 0.1000000"), crg, problem);
  INFO(problem.rule);
  REQUIRE(read);
  CHECK(crg.base.back() == 1.2);
}

TEST_CASE("the line of a road of OpenCRG is as long as its heights", "[server][model_io][crg]") {
  // A bend of 60 m radius, of every number of stations: the points lie on it wherever they fall between stations.
  for (const int rows : {2, 3, 5, 102, 103, 104}) {
    INFO(rows << " cross-sections");
    std::string text = straightFile(0, "", "D:reference line phi,rad\n");
    for (int row = 0; row < rows; ++row) {
      char record[64];
      std::snprintf(record, sizeof record, "%10.7f 0.0000000 0.0000000 0.0000000\n", (row - 0.5) * 0.1 / 60);
      text += record;
    }
    CrgRoad crg;
    GridProblem problem;
    const bool read = readCrg(text, crg, problem);
    INFO(problem.rule);
    REQUIRE(read);
    const int steps = crg.line.points_size() / 2 - 1;
    CHECK(steps * crg.line.spacing() == Approx((rows - 1) * 0.1).epsilon(1e-14));  // round-off
    CHECK((crg.line.spacing() >= 0.25 || steps == 1));
    for (int i = 0; i <= steps; ++i) {
      const double angle = i * crg.line.spacing() / 60;
      // Chords of 0.1 m in place of arcs: 1e-7 of the length; headings of 7 digits: 1e-6 m over 10 m.
      CHECK(crg.line.points(2 * i) == Approx(60 * std::sin(angle)).epsilon(0).margin(3e-6));
      CHECK(crg.line.points(2 * i + 1) == Approx(60 - 60 * std::cos(angle)).epsilon(0).margin(3e-6));
    }
  }
}

TEST_CASE("sections that are too far apart for a grid are refused", "[server][model_io][crg]") {
  // 2^58 columns in 64 rows are 2^64 numbers, none in 64 bits.
  std::string text =
      "$ROAD_CRG\nREFERENCE_LINE_INCREMENT = 1\n$\n$KD_DEFINITION\n#:LRFI\nD:long section at v = "
      "576460752303.423488,m\n"
      "D:long section at v = 0.0,m\nD:long section at v = 2.0e-6,m\n$\n$$$$\n";
  for (int row = 0; row < 64; ++row) text += " 3.0000000 2.0000000 1.0000000\n";
  CrgRoad crg;
  GridProblem problem;
  CHECK_FALSE(readCrg(text, crg, problem));
  CHECK(problem.rule.find("must be at most 500 000") == 0);
}

TEST_CASE("a file that is no road is refused", "[server][model_io][crg]") {
  const std::string good = bendFile("LRFI");
  struct Row {
    const char *from, *to;
    const char* rule;
  };
  const Row rows[] = {
      {"#:LRFI", "#:XRFI", "known format"},
      {"REFERENCE_LINE_INCREMENT = 0.1", "REFERENCE_LINE_INCREMENT = 0", "REFERENCE_LINE_INCREMENT above zero"},
      {"REFERENCE_LINE_END_U = 90", "REFERENCE_LINE_END_U = 91", "must be 811"},
      {"START_Z = 1.5", "START_Z = high", "NAME = number"},
      {"$ROAD_CRG ", "$ROAD_CRG_FILE ", "must not name another file"},
      {"phi,rad", "phi,deg", "must be in rad"},
      {"at v = -2.000000", "at v = 0.000000", "different places"},
      {"at v = -2.000000", "at v = left", "place or the number"},
      {"$$$$", "====", "begins with $$$$"},
      {"$KD_DEFINITION", "$ROAD_CRG_MODS\nSCALE_Z_GRID = 2\n$\n$KD_DEFINITION", "apply the modifiers"},
      // The line begins at a height of 1.5 m: a reference point at 0 would move it.
      {"$KD_DEFINITION", "$ROAD_CRG_MODS\nREFPOINT_Z = 0\n$\n$KD_DEFINITION", "apply the modifiers"},
      {"$KD_DEFINITION", "$ROAD_CRG_MODS\nREFPOINT_X = 0\n$\n$KD_DEFINITION", "apply the modifiers"},
      // 1.5 m and 80 m of a slope of 0.02 are 3.1 m.
      {"START_S = 0.02", "START_S = 0.02\nREFERENCE_LINE_END_Z = 4", "must agree with REFERENCE_LINE_START_Z and _S"},
  };
  for (const Row& row : rows) {
    std::string text = good;
    const std::string from = row.from;
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + std::string(row.to).size())) {
      text.replace(at, from.size(), row.to);
      if (from != "$$$$") break;
    }
    CrgRoad crg;
    GridProblem problem;
    INFO(row.from << " -> " << row.to);
    CHECK_FALSE(readCrg(text, crg, problem));
    INFO(problem.line << ": " << problem.value << ": " << problem.rule);
    CHECK(problem.rule.find(row.rule) != std::string::npos);
  }
  for (const std::string& text :
       {std::string(), std::string("$$$$\n"), std::string("\0\xff", 2), bendFile("KRBI").substr(0, 900)}) {
    CrgRoad crg;
    GridProblem problem;
    CHECK_FALSE(readCrg(text, crg, problem));
    CHECK_FALSE(problem.rule.empty());
  }
}

TEST_CASE("a model takes its road from an OpenCRG file, and its friction from another", "[server][model_io][crg]") {
  const tests::ScratchFolder folder;
  std::ofstream(folder.file("bend.crg"), std::ios::binary) << bendFile("KDBI");
  const auto read = [&](const std::string& more) {
    std::ofstream(folder.file("m.json")) << R"({"name": "m", "gravity": [0, 0, -9.81],
      "bodies": [{"name": "wheel", "mass": 1, "inertia": {"xx": 1, "yy": 1, "zz": 1}, "position": [0, 0, 0.4]}],
      "roads": [{"name": "bend", "up": [0, 0, 1], "along": [1, 0, 0], "heights": {"file": "bend.crg"})" +
                                                more;
    return readModelFile(folder.file("m.json"));
  };
  const ModelDocument document = read("}]}");
  for (const LocatedFinding& finding : document.findings) UNSCOPED_INFO(toString(finding, "m.json"));
  REQUIRE(document.findings.empty());
  const rt::Model model = rt::buildModel(document.spec);
  // Cubic interpolation at 0.5 m.
  CHECK(rt::roadUnder(model.roads[0], 0, {30, 7, 0}).height == Approx(expectedAt(30, 7)[2]).margin(1e-4));
  CHECK(readModelMessage(document.message).findings.empty());

  // Other values along another line are no friction of this road.
  std::string other = bendFile("KDBI");
  other.replace(other.find("REFERENCE_LINE_START_Z"), 1, "REFERENCE_LINE_START_X = 5\nR");
  std::ofstream(folder.file("mu.crg"), std::ios::binary) << other;
  const ModelDocument bad = read(R"(, "frictions": {"file": "mu.crg"}}]})");
  REQUIRE(bad.findings.size() == 1);
  CHECK(bad.findings[0].finding.rule.find("reference line of the road") != std::string::npos);
  // A vertical tyre needs a direction of its own.
  const ModelDocument vertical = read(R"(}], "forces": [{"name": "t", "vertical_tyre": {"road": "bend", "body": "wheel",
    "radius": 0.4, "stiffness": 1e5}}]})");
  REQUIRE(vertical.findings.size() == 1);
  CHECK(vertical.findings[0].finding.hint.find("slip_tyre") != std::string::npos);
}
