// Roads of OpenDRIVE: what is read, what is refused, and the surface that comes of it against formulas.
// Covers: server/import/road_lanes.h, server/import/drive_road.cpp, server/import/road_chain.cpp
// Covers: server/import/road_links.cpp
#include "server/import/open_drive.h"

#include "rt/mechanics/road_surface.h"
#include "rt/model/model.h"
#include "server/import/import_file.h"
#include "server/model_io/model_file.h"
#include "tests/server/import/report_text.h"

#include <catch2/catch.hpp>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

using namespace tactus;
using namespace tactus::server;
using Eigen::Vector3d;

namespace {

/// A folder with one file, removed at the end of the test.
class Track {
 public:
  explicit Track(const std::string& text)
      : folder_(std::filesystem::temp_directory_path() / ("tactus-xodr-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "track.xodr") << text;
  }
  ~Track() { std::filesystem::remove_all(folder_); }
  const std::filesystem::path& folder() const { return folder_; }
  ImportedFile read(const std::vector<std::string>& roads = {}) const {
    ImportOptions options;
    options.roads = roads;
    return importFile((folder_ / "track.xodr").string(), options);
  }

 private:
  std::filesystem::path folder_;
};

std::string geometry(double s, double x, double y, double heading, double length, const std::string& shape) {
  char text[400];
  std::snprintf(text, sizeof text, "<geometry s=\"%.17g\" x=\"%.17g\" y=\"%.17g\" hdg=\"%.17g\" length=\"%.17g\">", s,
                x, y, heading, length);
  return text + shape + "</geometry>\n";
}

std::string roadWith(double length, const std::string& plan, const std::string& rest = "",
                     const std::string& attributes = "id=\"7\" junction=\"-1\"") {
  return "<road " + attributes + " length=\"" + std::to_string(length) + "\">\n<planView>\n" + plan + "</planView>\n" +
         rest + "</road>\n";
}

std::string drive(const std::string& roads) {
  return "<?xml version=\"1.0\"?>\n<OpenDRIVE>\n<header revMajor=\"1\" revMinor=\"6\"/>\n" + roads + "</OpenDRIVE>\n";
}

rt::SurfaceGridSpec gridOf(const v1::SurfaceGrid& grid) {
  return {grid.along(),
          grid.across(),
          grid.spacing(),
          static_cast<int>(grid.columns()),
          {grid.values().begin(), grid.values().end()},
          grid.across_spacing()};
}

rt::Road roadOf(const v1::Road& road) {
  rt::RoadSpec spec;
  spec.up = {0, 0, 1};
  spec.along = {1, 0, 0};
  if (road.has_heights()) spec.heights = gridOf(road.heights());
  if (road.has_frictions()) spec.frictions = gridOf(road.frictions());
  spec.line = rt::RoadLineSpec{road.line().start(),
                               road.line().spacing(),
                               {road.line().points().begin(), road.line().points().end()},
                               road.line().closed()};
  return rt::makeRoad(spec);
}

rt::Road imported(const std::string& text) {
  const ImportedFile file = Track(text).read();
  INFO(errorsOf(file.report));
  REQUIRE_FALSE(file.report.failed());
  REQUIRE(file.message.roads_size() == 1);
  return roadOf(file.message.roads(0));
}

// A road of a line, a clothoid into a bend, the bend, and a clothoid out of it.
constexpr double kCurvature = 0.02, kIn = 40, kBend = 80, kOut = 130, kEnd = 160;

double curvatureAt(double s) {
  if (s < kIn) return 0;
  if (s < kBend) return kCurvature * (s - kIn) / (kBend - kIn);
  if (s < kOut) return kCurvature;
  return kCurvature * (kEnd - s) / (kEnd - kOut);
}

/// Heading and position by Simpson's rule in steps of 1 cm: none of the code of the importer.
Vector3d placeAt(double s) {
  const auto headingTo = [](double end) {
    double heading = 0.3, from = 0;
    for (const double to : {kIn, kBend, kOut, kEnd}) {
      const double stop = std::min(to, end);
      // Linear in between: the middle is exact.
      if (stop > from) heading += (stop - from) * curvatureAt(0.5 * (from + stop));
      from = to;
    }
    return heading;
  };
  Vector3d at(5, -2, headingTo(s));
  const int steps = std::max(2, static_cast<int>(s / 0.02) * 2);
  const double h = s / steps;
  for (int i = 0; i <= steps; ++i) {
    const double weight = (i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2) * h / 3, angle = headingTo(i * h);
    at[0] += weight * std::cos(angle);
    at[1] += weight * std::sin(angle);
  }
  return at;
}

std::string bendPlan() {
  const auto piece = [](double from, double to, const std::string& shape) {
    const Vector3d at = placeAt(from);
    return geometry(from, at[0], at[1], at[2], to - from, shape);
  };
  return piece(0, kIn, "<line/>") + piece(kIn, kBend, R"(<spiral curvStart="0" curvEnd="0.02"/>)") +
         piece(kBend, kOut, R"(<arc curvature="0.02"/>)") +
         piece(kOut, kEnd, R"(<spiral curvStart="0.02" curvEnd="0"/>)");
}

double elevationAt(double s) {
  return 2 + 0.03 * s - 1e-4 * s * s + (s > 60 ? 2e-6 * std::pow(s - 60, 3) : 0);
}
double tiltAt(double s) {
  return 0.001 * s;
}

const std::string kHeights =
    R"(<elevationProfile><elevation s="0" a="2" b="0.03" c="-1e-4" d="0"/>
<elevation s="60" a="3.44" b="0.018" c="-1e-4" d="2e-6"/></elevationProfile>
<lateralProfile><superelevation s="0" a="0" b="0.001" c="0" d="0"/></lateralProfile>
)";

std::string lanes(const std::string& left, const std::string& right) {
  return "<lanes><laneSection s=\"0\"><left>" + left + "</left><center><lane id=\"0\" type=\"none\"/></center><right>" +
         right + "</right></laneSection></lanes>\n";
}

std::string lane(int id, double width, const std::string& inside = "") {
  return "<lane id=\"" + std::to_string(id) + "\" type=\"driving\"><width sOffset=\"0\" a=\"" + std::to_string(width) +
         "\" b=\"0\" c=\"0\" d=\"0\"/>" + inside + "</lane>\n";
}

}  // namespace

TEST_CASE("a road of OpenDRIVE has s and t of its file as ways, and its heights", "[server][import]") {
  const rt::Road road =
      imported(drive(roadWith(kEnd, bendPlan(), kHeights + lanes(lane(1, 3.5), lane(-1, 3.5) + lane(-2, 2)))));
  for (double s = 1; s < kEnd - 1; s += 3.37)
    for (const double t : {-5.0, -2.0, 0.0, 1.5, 3.4}) {
      INFO("s " << s << ", t " << t);
      const Vector3d at = placeAt(s);
      const Vector3d point(at[0] - t * std::sin(at[2]), at[1] + t * std::cos(at[2]), 9);
      const rt::RoadPoint under = rt::roadUnder(road, 0, point);
      // The spline of points 0.5 m apart where the curvature begins to change: 0.5^3 of 5e-4 1/m^2.
      CHECK(under.along == Approx(s).epsilon(0).margin(1e-4));
      CHECK(under.across == Approx(t).epsilon(0).margin(2e-5));
      // Cubic through heights 1 m apart: the third derivative, 1.2e-5, begins at 60 m.
      CHECK(under.height == Approx(elevationAt(s) + std::tan(tiltAt(s)) * t).epsilon(0).margin(2e-5));
      CHECK(under.forward[0] == Approx(std::cos(at[2])).epsilon(0).margin(1e-4));
    }
  // Beyond the end the grade goes on for a meter, and the line straight.
  const Vector3d end = placeAt(kEnd);
  const rt::RoadPoint beyond =
      rt::roadUnder(road, 0, {end[0] + 0.5 * std::cos(end[2]), end[1] + 0.5 * std::sin(end[2]), 0});
  CHECK(beyond.along == Approx(kEnd + 0.5).epsilon(0).margin(1e-4));  // as above
  const double slope = (elevationAt(kEnd) - elevationAt(kEnd - 1e-4)) / 1e-4;
  CHECK(beyond.height == Approx(elevationAt(kEnd) + 0.5 * slope).epsilon(0).margin(1e-3));  // a cell of 1 m
}

TEST_CASE("a cubic of OpenDRIVE ends where its polynomials end", "[server][import]") {
  const double c = 0.004, end = 50, m = 2 * c * end;
  const double length = (end * std::sqrt(1 + m * m) + std::asinh(m) / (2 * c)) / 2;
  const auto shape = [&](const std::string& range, double u, double v) {
    return "<paramPoly3 aU=\"0\" bU=\"" + std::to_string(u) + "\" cU=\"0\" dU=\"0\" aV=\"0\" bV=\"0\" cV=\"" +
           std::to_string(v) + "\" dV=\"0\"" + range + "/>";
  };
  const ImportedFile file = Track(drive(roadWith(length, geometry(0, 0, 0, 0, length, shape("", 50, 10))))).read();
  INFO(errorsOf(file.report));
  REQUIRE_FALSE(file.report.failed());
  const auto& points = file.message.roads(0).line().points();
  CHECK(points[points.size() - 2] == Approx(50).epsilon(1e-10));  // round-off of a root
  CHECK(points[points.size() - 1] == Approx(10).epsilon(1e-10));  // the same
  // A length of the file that is a little off is one that the report names; one that is more off is an error.
  for (const bool far : {false, true}) {
    const double share = far ? 1.02 : 1.0005;
    const ImportedFile off =
        Track(drive(roadWith(share * length, geometry(0, 0, 0, 0, share * length, shape("", 50, 10))))).read();
    INFO(errorsOf(off.report));
    REQUIRE(off.report.failed() == far);
    const std::string text = far ? errorsOf(off.report) : lossText(off.report);
    CHECK(text.find(far ? "must be that of the geometry" : "the way along it is stretched") != std::string::npos);
  }
}

TEST_CASE("materials of lanes become factors on the friction", "[server][import]") {
  const std::string wet = R"(<material sOffset="0" friction="1"/><material sOffset="20" friction="0.4"/>)";
  const rt::Road road = imported(drive(
      roadWith(60, geometry(0, 0, 0, 0, 60, "<line/>"),
               lanes(lane(1, 3.5), lane(-2, 3, R"(<material sOffset="0" friction="0.8"/>)") + lane(-1, 3.5, wet)))));
  const auto frictionAt = [&](double s, double t) { return rt::roadUnder(road, 0, {s, t, 1}).friction; };
  CHECK(frictionAt(10, -1.7) == 1);
  CHECK(frictionAt(30, -1.7) == Approx(0.4).epsilon(1e-12));  // linear between equal values
  CHECK(frictionAt(59.9, -1.7) == Approx(0.4).epsilon(1e-12));
  CHECK(frictionAt(30, 1.7) == 1);
  CHECK(frictionAt(30, -5) == Approx(0.8).epsilon(1e-12));
  CHECK(frictionAt(30, -6.9) == Approx(0.8).epsilon(1e-12));  // beyond the edge that of the outermost lane
}

TEST_CASE("a lane section of one side leaves the other side as it is", "[server][import]") {
  const std::string icy = R"(<material sOffset="0" friction="1"/><material sOffset="30" friction="0.3"/>)";
  std::string text = lanes(lane(1, 3.5), lane(-1, 3.5, icy));
  const std::string left = "<left>" + lane(1, 3.5, R"(<material sOffset="0" friction="0.7"/>)") + "</left>";
  const auto section = [](const std::string& s, const std::string& inside) {
    return "<laneSection s=\"" + s + "\" singleSide=\"true\">" + inside + "</laneSection>";
  };
  text.insert(text.find("</lanes>"),
              section("20", left) + section("60", "<right>" + lane(-1, 4) + "</right>") + section("80", left));
  const ImportedFile file = Track(drive(roadWith(100, geometry(0, 0, 0, 0, 100, "<line/>"), text))).read();
  REQUIRE_FALSE(file.report.failed());
  CHECK(lossText(file.report).find("singleSide") == std::string::npos);
  const rt::Road road = imported(drive(roadWith(100, geometry(0, 0, 0, 0, 100, "<line/>"), text)));
  const auto frictionAt = [&](double s, double t) { return rt::roadUnder(road, 0, {s, t, 1}).friction; };
  CHECK(frictionAt(25, -1.7) == 1);
  CHECK(frictionAt(40, -1.7) == Approx(0.3).epsilon(1e-12));  // 30 m from the start of the first section
  CHECK(frictionAt(90, -1.7) == 1);                           // of the third section
  CHECK(frictionAt(10, 1.7) == 1);
  CHECK(frictionAt(70, 1.7) == Approx(0.7).epsilon(1e-12));  // linear between equal values
}

TEST_CASE("a road that ends where it begins is a ring without a seam", "[server][import]") {
  const double radius = 50, length = 2 * std::numbers::pi * radius;
  const std::string heights =
      "<elevationProfile><elevation s=\"0\" a=\"1\" b=\"0\" c=\"0\" d=\"0\"/></elevationProfile>"
      "<lateralProfile><superelevation s=\"0\" a=\"-0.1\" b=\"0\" c=\"0\" d=\"0\"/></lateralProfile>\n";
  const rt::Road road =
      imported(drive(roadWith(length, geometry(0, 0, 0, 0, length, "<arc curvature=\"0.02\"/>"), heights)));
  CHECK(road.line.closed);
  for (int k = -20; k <= 20; ++k) {
    const double angle = 0.01 * k, t = 1.2;
    const rt::RoadPoint under =
        rt::roadUnder(road, 0, {(radius - t) * std::sin(angle), radius - (radius - t) * std::cos(angle), 3});
    const double s = angle < 0 ? length + radius * angle : radius * angle;
    CHECK(std::abs(std::remainder(under.along - s, length)) < 1e-5);  // spline of points 0.5 m apart
    CHECK(under.across == Approx(t).epsilon(0).margin(1e-6));
    CHECK(under.height == Approx(1 + std::tan(-0.1) * t).epsilon(0).margin(1e-6));
  }
}

TEST_CASE("a model includes the roads of a track", "[server][import]") {
  const Track track(drive(roadWith(kEnd, bendPlan(), kHeights)));
  const ImportedFile file = track.read();
  REQUIRE_FALSE(file.report.failed());
  std::ofstream(track.folder() / "track.json") << writeModel(file.message, ModelSyntax::kJson);
  std::ofstream(track.folder() / "model.json")
      << R"({"name": "m", "gravity": [0, 0, -9.81], "bodies": [{"name": "a", "mass": 1,
             "inertia": {"xx": 1, "yy": 1, "zz": 1}}], "includes": [{"file": "track.json"}]})";
  const ModelDocument document = readModelFile((track.folder() / "model.json").string());
  for (const LocatedFinding& finding : document.findings) INFO(toString(finding, "model.json"));
  REQUIRE(document.valid());
  REQUIRE(document.spec.roads.size() == 1);
  CHECK(document.spec.roads.front().name == "road_7");
}

TEST_CASE("roads of junctions are read by their id alone", "[server][import]") {
  const std::string line = geometry(0, 0, 0, 0, 60, "<line/>");
  const Track track(drive(roadWith(60, line) + roadWith(60, line, "", "id=\"a-b\" junction=\"3\"")));
  const ImportedFile all = track.read();
  REQUIRE(all.message.roads_size() == 1);
  CHECK(lossText(all.report).find("roads of junctions are imported by --road ID alone") != std::string::npos);
  const ImportedFile one = track.read({"a-b"});
  INFO(errorsOf(one.report));
  REQUIRE(one.message.roads_size() == 1);
  CHECK(one.message.roads(0).name() == "road_a_b");
  CHECK(errorsOf(track.read({"8"}).report).find("must be the id of a road") != std::string::npos);
}

namespace {

std::string linkTo(const char* which, const std::string& id, const char* contact) {
  return std::string("<") + which + " elementType=\"road\" elementId=\"" + id + "\" contactPoint=\"" + contact + "\"/>";
}

/// The bend of above cut in two at `kBend`: road 1, and road 2 from the cut on or, reversed, towards it. Heights and
/// tilts are those of one road. @param gap  by which road 2 is moved to the left of road 1, m
std::string bendInTwo(bool reversed, bool first_names_second, double gap = 0) {
  const auto piece = [&](double from, double to, double s, const std::string& shape) {
    const Vector3d at = placeAt(from);
    return geometry(s, at[0], at[1], at[2], to - from, shape);
  };
  const auto elevation = [](double s, double at, double sign) {
    // Around a place beyond 60 m: value, slope, and half and a sixth of the higher derivatives.
    const double value = elevationAt(at), slope = 0.03 - 2e-4 * at + 6e-6 * std::pow(at - 60, 2);
    const double second = -1e-4 + 6e-6 * (at - 60), third = 2e-6;
    char text[300];
    std::snprintf(text, sizeof text, "<elevation s=\"%.17g\" a=\"%.17g\" b=\"%.17g\" c=\"%.17g\" d=\"%.17g\"/>", s,
                  value, sign * slope, second, sign * third);
    return std::string(text);
  };
  const double length = kEnd - kBend;
  std::string plan, heights;
  if (reversed) {
    const Vector3d end = placeAt(kEnd), out = placeAt(kOut);
    plan =
        geometry(0, end[0], end[1], end[2] + std::numbers::pi, kEnd - kOut,
                 R"(<spiral curvStart="0" curvEnd="-0.02"/>)") +
        geometry(kEnd - kOut, out[0], out[1], out[2] + std::numbers::pi, kOut - kBend, R"(<arc curvature="-0.02"/>)");
    heights = "<elevationProfile>" + elevation(0, kEnd, -1) +
              "</elevationProfile><lateralProfile><superelevation s=\"0\" a=\"-0.16\" b=\"0.001\" c=\"0\" d=\"0\"/>"
              "</lateralProfile>\n";
  } else {
    plan = piece(kBend, kOut, 0, R"(<arc curvature="0.02"/>)") +
           piece(kOut, kEnd, kOut - kBend, R"(<spiral curvStart="0.02" curvEnd="0"/>)");
    heights = "<elevationProfile>" + elevation(0, kBend, 1) +
              "</elevationProfile><lateralProfile><superelevation s=\"0\" a=\"0.08\" b=\"0.001\" c=\"0\" d=\"0\"/>"
              "</lateralProfile>\n";
  }
  if (gap != 0) heights.clear();
  const std::string contact = reversed ? "end" : "start";
  const std::string first_link =
      first_names_second ? "<link>" + linkTo("successor", "2", contact.c_str()) + "</link>\n" : "";
  const std::string second_link =
      first_names_second ? "" : "<link>" + linkTo(reversed ? "successor" : "predecessor", "1", "end") + "</link>\n";
  const Vector3d cut = placeAt(kBend);
  if (gap != 0)
    plan = geometry(0, cut[0] - gap * std::sin(cut[2]), cut[1] + gap * std::cos(cut[2]), cut[2], length, "<line/>");
  return drive(
      roadWith(kBend, piece(0, kIn, 0, "<line/>") + piece(kIn, kBend, kIn, R"(<spiral curvStart="0" curvEnd="0.02"/>)"),
               first_link + (gap != 0 ? "" : kHeights) + lanes("", lane(-1, 3.5)), "id=\"1\" junction=\"-1\"") +
      roadWith(length, plan,
               second_link + heights +
                   (reversed ? lanes(lane(1, 3.5, R"(<material sOffset="0" friction="0.5"/>)"), "")
                             : lanes("", lane(-1, 3.5, R"(<material sOffset="0" friction="0.5"/>)"))),
               "id=\"2\" junction=\"-1\""));
}

}  // namespace

TEST_CASE("roads that follow each other are one road without a step", "[server][import]") {
  for (const bool reversed : {false, true})
    for (const bool first_names_second : {false, true}) {
      const rt::Road road = imported(bendInTwo(reversed, first_names_second));
      for (double s = 1; s < kEnd - 1; s += 1.93)
        for (const double t : {-3.0, 0.0, 1.5}) {
          INFO("reversed " << reversed << ", s " << s << ", t " << t);
          const Vector3d at = placeAt(s);
          const rt::RoadPoint under =
              rt::roadUnder(road, 0, {at[0] - t * std::sin(at[2]), at[1] + t * std::cos(at[2]), 9});
          // The margins of the road in one piece, above.
          CHECK(under.along == Approx(s).epsilon(0).margin(1e-4));
          CHECK(under.across == Approx(t).epsilon(0).margin(2e-5));
          CHECK(under.height == Approx(elevationAt(s) + std::tan(tiltAt(s)) * t).epsilon(0).margin(2e-5));
          CHECK(under.forward[0] == Approx(std::cos(at[2])).epsilon(0).margin(1e-4));
          // The lane of road 2 is wet. A row of frictions is 1 m long.
          if (t < 0 && std::abs(s - kBend) > 1) CHECK(under.friction == Approx(s < kBend ? 1 : 0.5).epsilon(1e-12));
        }
    }
}

TEST_CASE("roads that are apart are not joined, and the report says so", "[server][import]") {
  const ImportedFile apart = Track(bendInTwo(false, true, 0.3)).read();
  INFO(errorsOf(apart.report));
  REQUIRE(apart.message.roads_size() == 2);
  CHECK(lossText(apart.report).find("a gap of 0.") != std::string::npos);
  CHECK(lossText(apart.report).find("the roads are not joined") != std::string::npos);
  const ImportedFile near = Track(bendInTwo(false, true, 0.01)).read();
  REQUIRE(near.message.roads_size() == 1);
  CHECK(near.message.roads(0).description() == "OpenDRIVE roads 1, 2");
  CHECK(lossText(near.report).find("are smoothed: the gap over 4 m") != std::string::npos);
}

TEST_CASE("a junction is crossed on the road of it that is chosen", "[server][import]") {
  const auto straight = [](double x) { return geometry(0, x, 0, 0, 20, "<line/>"); };
  const auto junction = [](const char* which) {
    return std::string("<link><") + which + " elementType=\"junction\" elementId=\"9\"/></link>\n";
  };
  const std::string over =
      "<link>" + linkTo("predecessor", "1", "end") + linkTo("successor", "2", "start") + "</link>\n";
  const Track track(drive(roadWith(20, straight(0), junction("successor"), "id=\"1\" junction=\"-1\"") +
                          roadWith(20, straight(40), junction("predecessor"), "id=\"2\" junction=\"-1\"") +
                          roadWith(20, straight(20), over, "id=\"5\" junction=\"9\"") +
                          roadWith(20, straight(20), over, "id=\"6\" junction=\"9\"")));
  const ImportedFile without = track.read();
  CHECK(without.message.roads_size() == 2);
  CHECK(lossText(without.report).find("the road ends at a junction of which no road is imported") != std::string::npos);
  const ImportedFile one = track.read({"1", "2", "5"});
  INFO(errorsOf(one.report));
  REQUIRE(one.message.roads_size() == 1);
  CHECK(one.message.roads(0).name() == "road_1");
  CHECK(one.message.roads(0).line().points_size() == 2 * 121);  // 60 m in steps of 0.5 m
  const ImportedFile both = track.read({"1", "2", "5", "6"});
  CHECK(both.message.roads_size() == 4);
  CHECK(lossText(both.report).find("several roads follow its end, and none is joined") != std::string::npos);
}

TEST_CASE("a long way of many roads is named by the first of them", "[server][import]") {
  std::string roads;
  for (int i = 0; i < 50; ++i)
    roads += roadWith(20, geometry(0, 20 * i, 0, 0, 20, "<line/>"),
                      i == 0 ? "" : "<link>" + linkTo("predecessor", std::to_string(i - 1), "end") + "</link>\n",
                      "id=\"" + std::to_string(i) + "\" junction=\"-1\"");
  const ImportedFile file = Track(drive(roads)).read();
  INFO(errorsOf(file.report));
  REQUIRE(file.message.roads_size() == 1);
  const std::string& text = file.message.roads(0).description();
  CHECK(text.starts_with("OpenDRIVE roads 0, 1, 2, "));
  CHECK(text.ends_with(", 19 and 30 more"));
  CHECK(file.message.roads(0).line().points_size() == 2 * 2001);  // 1000 m in steps of 0.5 m
}

TEST_CASE("a ring of several roads closes", "[server][import]") {
  const double radius = 50, half = std::numbers::pi * radius;
  const auto arc = [&](double y, double heading) {
    return geometry(0, 0, y, heading, half, "<arc curvature=\"0.02\"/>");
  };
  const auto links = [](const char* id) {
    return "<link>" + linkTo("predecessor", id, "end") + linkTo("successor", id, "start") + "</link>\n";
  };
  const rt::Road road =
      imported(drive(roadWith(half, arc(0, 0), links("2"), "id=\"1\" junction=\"-1\"") +
                     roadWith(half, arc(2 * radius, std::numbers::pi), links("1"), "id=\"2\" junction=\"-1\"")));
  CHECK(road.line.closed);
  const rt::RoadPoint under = rt::roadUnder(road, 0, {-radius, radius, 1});
  CHECK(under.along == Approx(1.5 * half).epsilon(0).margin(1e-5));  // spline of points 0.5 m apart
}

TEST_CASE("what a road of OpenDRIVE has besides is a loss with its line", "[server][import]") {
  const ImportedFile file =
      Track(drive(roadWith(60, geometry(0, 0, 0, 0, 60, "<line/>"),
                           "<lateralProfile><shape s=\"0\" t=\"0\" a=\"1\" b=\"0\" c=\"0\" d=\"0\"/>"
                           "<crossfall side=\"left\" s=\"0\" a=\"0.02\" b=\"0\" c=\"0\" d=\"0\"/></lateralProfile>\n" +
                               lanes(lane(1, 3, "<roadMark sOffset=\"0\" type=\"botts dots\"/>"), "") + "<objects/>")))
          .read();
  INFO(errorsOf(file.report));
  REQUIRE_FALSE(file.report.failed());
  const std::string losses = lossText(file.report);
  INFO(losses);
  CHECK(losses.find("objects are not imported") != std::string::npos);
  CHECK(losses.find("only solid and broken lines are drawn") != std::string::npos);
  const std::string unread = "surfaces besides elevation and superelevation are not imported";
  CHECK(losses.find("/shape: " + unread) != std::string::npos);
  CHECK(losses.find("/crossfall: " + unread) != std::string::npos);
}

TEST_CASE("what moves a file of OpenDRIVE on the earth is a loss, and each road has a friction to change",
          "[server][import]") {
  const ImportedFile file = Track(
                                "<OpenDRIVE>\n<header revMajor=\"1\">\n<geoReference>+proj=utm</geoReference>\n"
                                "<offset x=\"100\" y=\"0\" z=\"0\" hdg=\"0\"/>\n<userData/></header>\n" +
                                roadWith(60, geometry(0, 0, 0, 0, 60, "<line/>")) + "</OpenDRIVE>\n")
                                .read();
  INFO(errorsOf(file.report));
  REQUIRE_FALSE(file.report.failed());
  const std::string losses = lossText(file.report);
  INFO(losses);
  CHECK(losses.find(":3: dropped: OpenDRIVE/header/geoReference: the place on the earth") != std::string::npos);
  CHECK(losses.find(":4: dropped: OpenDRIVE/header/offset: the roads keep the coordinates of the file") !=
        std::string::npos);
  CHECK(losses.find(":5: dropped: OpenDRIVE/header/userData") != std::string::npos);
  CHECK(file.report.losses().size() == 3);
  // Written although it is the default: an override reaches only what is there.
  REQUIRE(file.message.roads(0).has_friction());
  CHECK(file.message.roads(0).friction() == 1);
}

TEST_CASE("each bad file of OpenDRIVE gets its error, with the line", "[server][import]") {
  const std::string line = geometry(0, 0, 0, 0, 60, "<line/>");
  const auto one = [](const std::string& shape) { return drive(roadWith(60, geometry(0, 0, 0, 0, 60, shape))); };
  const auto with = [&](const std::string& rest) { return drive(roadWith(60, line, rest)); };
  struct Row {
    std::string name, text;
    int line;
    std::string piece;
  };
  const Row rows[] = {
      {"no road", drive(""), 2, "must have a <road>"},
      {"junctions alone", drive(roadWith(60, line, "", "id=\"1\" junction=\"3\"")), 2, "outside junctions"},
      {"one id twice", drive(roadWith(60, line) + roadWith(60, line)), 9, "the road in line 4 has it"},
      {"one id in a junction, too", drive(roadWith(60, line) + roadWith(60, line, "", "id=\"7\" junction=\"3\"")), 9,
       "@id = \"7\": must be unique among roads"},
      {"no plan", drive(roadWith(60, "")), 4, "must have a <planView>"},
      {"no length", drive(roadWith(-1, line)), 4, "must be above zero"},
      {"an endless length", drive(roadWith(1e9, line)), 4, "at most 1e6"},
      {"another length", drive(roadWith(61, line)), 4, "must be the length of its pieces"},
      {"no shape", one(""), 6, "must be a line, an arc"},
      {"poly3", one("<poly3 a=\"0\" b=\"0\" c=\"0\" d=\"0\"/>"), 6, "write it as paramPoly3"},
      {"an arc without curvature", one("<arc/>"), 6, "must be given"},
      {"an arc that is too tight", one("<arc curvature=\"2\"/>"), 6, "at most 0.5"},
      {"a spiral that is not finite", one("<spiral curvStart=\"0\" curvEnd=\"nan\"/>"), 6, "finite number"},
      {"a range that is none", one("<paramPoly3 bU=\"60\" pRange=\"half\"/>"), 6, "must be arcLength or normalized"},
      {"a cubic of another length", one("<paramPoly3 bU=\"30\"/>"), 6, "must be that of the geometry"},
      {"a cubic that is a point", one("<paramPoly3/>"), 6, "must be that of the geometry"},
      {"a gap", drive(roadWith(60, geometry(0, 0, 0, 0, 30, "<line/>") + geometry(30, 30, 0.2, 0, 30, "<line/>"))), 7,
       "must begin where the piece before it ends"},
      {"a kink", drive(roadWith(60, geometry(0, 0, 0, 0, 30, "<line/>") + geometry(30, 30, 0, 0.2, 30, "<line/>"))), 7,
       "must begin where the piece before it ends"},
      {"a place that is not on", drive(roadWith(60, geometry(5, 0, 0, 0, 60, "<line/>"))), 6,
       "must be the length of the pieces before it"},
      {"far away", drive(roadWith(60, geometry(0, 1e12, 0, 0, 60, "<line/>"))), 6, "must be at most 1e8"},
      {"an attribute that is missing",
       drive(roadWith(60, "<geometry s=\"0\" x=\"0\" y=\"0\" length=\"60\"><line/></geometry>\n")), 6, "must be given"},
      {"a link to itself", with("<link><successor elementType=\"road\" elementId=\"7\" contactPoint=\"end\"/></link>"),
       8, "must lead to another end than its own"},
      {"a link to no end", with("<link><successor elementType=\"road\" elementId=\"7\"/></link>"), 8,
       "must be start or end"},
      {"an elevation out of turn",
       with("<elevationProfile><elevation s=\"9\" a=\"0\"/>\n<elevation s=\"3\" a=\"0\"/></elevationProfile>"), 9,
       "must not be before"},
      {"an elevation off the road", with("<elevationProfile><elevation s=\"99\" a=\"0\"/></elevationProfile>"), 8,
       "must be on the road"},
      {"an upright road", with("<lateralProfile><superelevation s=\"0\" a=\"1.6\"/></lateralProfile>"), 4,
       "within 1.4 rad"},
      {"a lane on the wrong side", with(lanes(lane(-1, 3), "")), 8, "above zero on the left"},
      {"half a lane", with(lanes("<lane id=\"1.5\"/>", "")), 8, "must be a whole number"},
      {"a friction below zero", with(lanes("", lane(-1, 3, "<material sOffset=\"0\" friction=\"-1\"/>"))), 8,
       "must be from 0 to 10"},
      {"an entity bomb", "<!DOCTYPE a [<!ENTITY b \"c\">]>\n<OpenDRIVE/>", 1, "must have no DOCTYPE"},
  };
  for (const Row& row : rows) {
    INFO(row.name);
    const ImportedFile file = Track(row.text).read();
    INFO(errorsOf(file.report));
    REQUIRE(file.report.failed());
    const auto& errors = file.report.errors();
    CHECK(std::any_of(errors.begin(), errors.end(), [&](const ImportError& error) {
      return error.place.line == row.line && toString(error).find(row.piece) != std::string::npos;
    }));
  }
}

TEST_CASE("a road of 10 000 lines, and one of the largest length, are imported within bounds", "[server][import]") {
  const std::string heights =
      "<elevationProfile><elevation s=\"0\" a=\"1\" b=\"0.01\" c=\"0\" d=\"0\"/></elevationProfile>\n";
  std::string plan;
  for (int i = 0; i < 10'000; ++i) plan += geometry(2 * i, 2 * i, 0, 0, 2, "<line/>");
  const ImportedFile file = Track(drive(roadWith(20'000, plan, heights))).read();
  INFO(errorsOf(file.report));
  REQUIRE_FALSE(file.report.failed());
  CHECK(file.message.roads(0).line().points_size() == 2 * 40'001);
  const ImportedFile longest = Track(drive(roadWith(1e6, geometry(0, 0, 0, 0, 1e6, "<line/>"), heights))).read();
  INFO(errorsOf(longest.report));
  REQUIRE_FALSE(longest.report.failed());
  CHECK(longest.message.roads(0).line().points_size() <= 2 * 50'000);
}
