// Covers: server/import/open_drive.cpp, server/import/road_chain.cpp, server/import/drive_road.cpp
// Covers: server/import/road_links.cpp
// Roads of OpenDRIVE that the model holds only in part: what the report says of them.
#include "tests/server/import/imported_text.h"

#include <catch2/catch.hpp>

#include <cstdio>
#include <string>

using namespace tactus::server;
using namespace tactus::server::tests;

namespace {

/// A full circle of 20 m radius to the left, as one road or as two. Each part has a slope.
std::string circle(int parts, double slope, const std::string& more = "") {
  constexpr double kRadius = 20, kPi = 3.14159265358979323846;
  const double length = 2 * kPi * kRadius / parts;
  std::string text = "<OpenDRIVE>\n";
  for (int i = 0; i < parts; ++i) {
    char road[900];
    const std::string other = std::to_string(parts - i);
    std::snprintf(road, sizeof road,
                  "<road id=\"%d\" length=\"%.17g\" junction=\"-1\">%s<planView><geometry s=\"0\" x=\"0\" y=\"%.17g\" "
                  "hdg=\"%.17g\" length=\"%.17g\"><arc curvature=\"0.05\"/></geometry></planView><elevationProfile>"
                  "<elevation s=\"0\" a=\"%.17g\" b=\"%.17g\" c=\"0\" d=\"0\"/></elevationProfile>",
                  i + 1, length,
                  parts == 1 ? ""
                             : ("<link><predecessor elementType=\"road\" elementId=\"" + other +
                                "\" contactPoint=\"end\"/><successor elementType=\"road\" elementId=\"" + other +
                                "\" contactPoint=\"start\"/></link>")
                                   .c_str(),
                  i * 2 * kRadius, i * kPi, length, i * slope * length, slope);
    text += road + more + "</road>\n";
  }
  return text + "</OpenDRIVE>\n";
}

ImportedFile roadsOf(const std::string& text) {
  ImportedFile imported = ImportedText(text, "track.xodr").read();
  INFO(joined(imported.report));
  REQUIRE_FALSE(imported.report.failed());
  return imported;
}

/// A straight road.
std::string straight(const std::string& length, const std::string& rest, const std::string& before = "") {
  return "<OpenDRIVE>" + before + "<road id=\"1\" length=\"" + length +
         "\" junction=\"-1\"><planView><geometry s=\"0\" x=\"0\" y=\"0\" hdg=\"0\" length=\"" + length +
         "\"><line/></geometry></planView>" + rest + "</road></OpenDRIVE>";
}

std::string rightLane(const std::string& attributes, const std::string& inside) {
  return "<lanes><laneSection s=\"0\"><right><lane id=\"-1\"" + attributes +
         "><width sOffset=\"0\" a=\"3.5\" b=\"0\" c=\"0\" d=\"0\"/>" + inside + "</lane></right></laneSection></lanes>";
}

}  // namespace

TEST_CASE("a road that ends above its start is no ring, and the report says so", "[server][import]") {
  // 5 m in one turn: the ramp of a garage.
  const ImportedFile helix = roadsOf(circle(1, 5 / 125.66370614359172, "<objects/>"));
  REQUIRE(helix.message.roads_size() == 1);
  CHECK_FALSE(helix.message.roads(0).line().closed());
  CHECK_THAT(lossText(helix.report), Catch::Contains("a step of 5 m") && Catch::Contains("not closed to a ring"));
  // The loss of the whole hides no other one.
  CHECK_THAT(lossText(helix.report), Catch::Contains("objects are not imported"));

  // Two roads whose links close the ring: they are compared once.
  const ImportedFile two = roadsOf(circle(2, 0.02, "<objects/>"));
  REQUIRE(two.message.roads_size() == 1);
  CHECK_FALSE(two.message.roads(0).line().closed());
  CHECK_THAT(lossText(two.report), Catch::Contains("the roads are not joined"));
  CHECK_THAT(lossText(two.report), !Catch::Contains("not closed to a ring"));
  CHECK_THAT(lossText(two.report), Catch::Contains("objects are not imported"));
}

TEST_CASE("a ring with a small step closes, and the report says so", "[server][import]") {
  const ImportedFile small = roadsOf(circle(1, 0.01 / 125.66370614359172));
  CHECK(small.message.roads(0).line().closed());
  CHECK_THAT(lossText(small.report), Catch::Contains("a step of 0.01 m") && Catch::Contains("are smoothed"));
  const ImportedFile none = roadsOf(circle(1, 0));
  CHECK(none.message.roads(0).line().closed());
  CHECK(none.report.losses().empty());
}

TEST_CASE("rows of a long road that are farther apart than 1 m are a loss", "[server][import]") {
  const std::string wet = "<material sOffset=\"0\" friction=\"0.5\"/>";
  const std::string tilt =
      "<lateralProfile><superelevation s=\"0\" a=\"0.1\" b=\"0\" c=\"0\" d=\"0\"/></lateralProfile>";
  // 400 000 numbers: 44 444 rows of 9 heights, 25 000 rows of 16 frictions.
  const std::string shorter = lossText(roadsOf(straight("20000", tilt + rightLane("", wet))).report);
  CHECK_THAT(shorter, !Catch::Contains("rows"));
  const std::string longer = lossText(roadsOf(straight("60000", tilt + rightLane("", wet))).report);
  CHECK_THAT(longer, Catch::Contains("heights have rows 1.3499") && Catch::Contains("frictions have rows 2.4 m"));
}

TEST_CASE("a level lane on a road with superelevation is a loss of the motion", "[server][import]") {
  const std::string level = " level=\"true\"";
  const auto tilted = [](double by) {
    return "<lateralProfile><superelevation s=\"0\" a=\"" + std::to_string(by) +
           "\" b=\"0\" c=\"0\" d=\"0\"/></lateralProfile>";
  };
  CHECK_THAT(lossText(roadsOf(straight("20", tilted(0.1) + rightLane(level, ""))).report),
             Catch::Contains("/@level: the lane is tilted like the road [motion]"));
  CHECK(roadsOf(straight("20", tilted(0) + rightLane(level, ""))).report.losses().empty());
  CHECK(roadsOf(straight("20", rightLane(level, ""))).report.losses().empty());
  CHECK(roadsOf(straight("20", tilted(0.1) + rightLane(" level=\"false\"", ""))).report.losses().empty());
}

TEST_CASE("a file that OpenDRIVE includes is a loss of the motion", "[server][import]") {
  CHECK_THAT(lossText(roadsOf(straight("20", "", "<include file=\"more.xodr\"/>")).report),
             Catch::Contains("OpenDRIVE/include: ") && Catch::Contains("[motion]"));
}

TEST_CASE("beside a road with lanes on one side the friction is that of the innermost lane", "[server][import]") {
  const ImportedFile imported = roadsOf(straight("20", rightLane("", "<material sOffset=\"0\" friction=\"0.5\"/>")));
  const auto& frictions = imported.message.roads(0).frictions();
  REQUIRE(frictions.values_size() > 0);
  for (const double value : frictions.values()) CHECK(value == 0.5);
}
