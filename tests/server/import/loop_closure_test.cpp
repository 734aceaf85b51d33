// Covers: server/import/link_tree.cpp, server/import/import_file.cpp
// Joints that close a loop: where their points lie, whatever the declared state is.
#include "tests/server/import/imported_text.h"

#include <catch2/catch.hpp>

#include <map>
#include <string>

using namespace tactus;
using namespace tactus::server;
using namespace tactus::server::tests;

namespace {

/// A parallelogram in the plane x, z: two upright cranks of 1 m, 2 m apart, and the coupler on them.
/// @param range  attributes of the joint of the first crank
std::string parallelogram(const std::string& range = "") {
  const auto link = [](const std::string& name, const std::string& pos, const std::string& joint,
                       const std::string& mass_at) {
    return "<body name=\"" + name + "\" pos=\"" + pos + "\"><joint name=\"" + joint + "\" axis=\"0 1 0\"" +
           (joint == "drive" ? "RANGE" : "") + "/><inertial pos=\"" + mass_at + "\" mass=\"1\" diaginertia=\"1 1 1\"/>";
  };
  std::string text =
      "<compiler angle=\"radian\"/><worldbody>" + link("crank", "0 0 0", "drive", "0 0 0.5") +
      link("coupler", "0 0 1", "pin", "1 0 0") + "</body></body>" + link("rocker", "2 0 0", "swing", "0 0 0.5") +
      "</body></worldbody>" +
      "<equality><connect name=\"loop\" body1=\"rocker\" body2=\"coupler\" anchor=\"0 0 1\"/></equality>";
  text.replace(text.find("RANGE"), 5, range);
  return mujoco(text);
}

/// Two bodies on one axis that are welded together; the joints may leave out their limits.
const std::string kWelded = mujoco(
    "<compiler angle=\"radian\"/><worldbody>"
    "<body name=\"a\"><joint name=\"ja\"/><inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/></body>"
    "<body name=\"b\"><joint name=\"jb\"/><inertial pos=\"1 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/></body>"
    "</worldbody><equality><weld name=\"glue\" body1=\"a\" body2=\"b\"/></equality>");

ImportedFile readFrom(const std::string& text, const std::map<std::string, double>& starts) {
  ImportOptions options;
  options.starts = starts;
  return ImportedText(text).read(options);
}

/// The closure is the last joint.
const v1::Joint& closureOf(const ImportedFile& imported) {
  INFO(joined(imported.report));
  REQUIRE_FALSE(imported.report.failed());
  return imported.message.joints(imported.message.joints_size() - 1);
}

}  // namespace

TEST_CASE("the points of a loop are those at the zero of all joints, wherever the joints start", "[server][import]") {
  // 9 mm open; both cranks and the coupler turned; at zero.
  for (const std::map<std::string, double>& starts :
       {std::map<std::string, double>{{"drive", 0.004}},
        std::map<std::string, double>{{"drive", 0.5}, {"pin", -0.5}, {"swing", 0.5}},
        {}}) {
    const ImportedFile imported = readFrom(parallelogram(), starts);
    const v1::Joint& loop = closureOf(imported);
    CHECK(loop.name() == "loop");
    REQUIRE(loop.has_spherical());
    // From the centers of mass, by hand. Tolerances: round-off.
    const double rocker[] = {0, 0, 0.5}, coupler[] = {1, 0, 0};
    for (int k = 0; k < 3; ++k) {
      CHECK(loop.spherical().point_1(k) == Approx(rocker[k]).epsilon(0).margin(1e-15));
      CHECK(loop.spherical().point_2(k) == Approx(coupler[k]).epsilon(0).margin(1e-15));
    }
  }
}

TEST_CASE("a loop of SDF has its points at the zero of all joints, too", "[server][import]") {
  const auto link = [](const std::string& name, const std::string& pose) {
    return "<link name=\"" + name + "\"><pose>" + pose +
           "</pose><inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link>";
  };
  const auto joint = [](const std::string& name, const std::string& type, const std::string& parent,
                        const std::string& child) {
    return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent>" + parent + "</parent><child>" + child +
           "</child><axis><xyz>0 1 0</xyz></axis></joint>";
  };
  const ImportedFile imported = readFrom(
      "<sdf version=\"1.9\"><model name=\"m\">" + link("crank", "0 0 0 0 0 0") + link("coupler", "0 0 1 0 0 0") +
          link("rocker", "2 0 1 0 0 0") + joint("drive", "revolute", "world", "crank") +
          joint("pin", "revolute", "crank", "coupler") + joint("end", "revolute", "coupler", "rocker") +
          "<joint name=\"swing\" type=\"ball\"><pose relative_to=\"__model__\">2 0 0 0 0 0</pose>"
          "<parent>world</parent><child>rocker</child></joint></model></sdf>",
      {{"drive", 0.004}});
  const v1::Joint& loop = closureOf(imported);
  REQUIRE(loop.has_spherical());
  CHECK(loop.spherical().point_1(0) == Approx(2).epsilon(0).margin(1e-15));  // round-off, here and below
  CHECK(loop.spherical().point_2(0) == Approx(0).epsilon(0).margin(1e-15));
  CHECK(loop.spherical().point_2(2) == Approx(-1).epsilon(0).margin(1e-15));
  CHECK_THAT(lossText(imported.report),
             Catch::Contains("are 0.00799") && Catch::Contains("m apart where the joints start"));
}

TEST_CASE("a loop that the starts open is reported, and refused where no assembly closes it", "[server][import]") {
  const ImportedFile closed = readFrom(parallelogram(), {{"drive", 0.5}, {"pin", -0.5}, {"swing", 0.5}});
  CHECK_THAT(lossText(closed.report), !Catch::Contains("apart"));
  // 0.004 rad move the end of the coupler by 4 mm along and 8 mm across.
  const ImportedFile near = readFrom(parallelogram(), {{"drive", 0.004}});
  CHECK_FALSE(near.report.failed());
  CHECK_THAT(lossText(near.report), Catch::Contains("connect \"loop\": its points are 0.0089") &&
                                        Catch::Contains("m apart where the joints start"));
  const std::string far = joined(readFrom(parallelogram(), {{"drive", 0.5}}).report);
  CHECK_THAT(far, Catch::Contains("connect \"loop\"") && Catch::Contains("m apart") && Catch::Contains("--start"));
  // A joint whose zero lies outside its limits starts at the nearest of them.
  const std::string limited = joined(readFrom(parallelogram(" range=\"0.3 1\""), {}).report);
  CHECK_THAT(limited, Catch::Contains("connect \"loop\"") && Catch::Contains("--start"));
}

TEST_CASE("a weld holds the angle at the zero of all joints, or the start is refused", "[server][import]") {
  const ImportedFile together = readFrom(kWelded, {{"ja", 0.3}, {"jb", 0.3}});
  const v1::Joint& weld = closureOf(together);
  REQUIRE(weld.has_weld());
  CHECK(weld.weld().point_2(0) == Approx(-1).epsilon(0).margin(1e-15));  // round-off
  CHECK(readFrom(kWelded, {}).report.errors().empty());
  const std::string turned = joined(readFrom(kWelded, {{"ja", 0.3}}).report);
  CHECK_THAT(turned, Catch::Contains("weld \"glue\"") && Catch::Contains("0.3 rad") && Catch::Contains("--start"));
}
