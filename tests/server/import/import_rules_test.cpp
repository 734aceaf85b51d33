// Covers: server/import/mjcf.cpp, server/import/mjcf_element.cpp, server/import/sdf.cpp, server/import/urdf.cpp
#include "tests/server/import/imported_text.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <string>

using namespace tactus::server;
using namespace tactus::server::tests;

TEST_CASE("what a second compiler of MJCF does not say stays", "[server][import]") {
  const ImportedFile imported =
      ImportedText(mujoco("<compiler angle=\"radian\"/><compiler meshdir=\"assets\"/><worldbody>"
                          "<body euler=\"0 0 1.5707963267948966\"><joint/><geom size=\"1\"/></body></worldbody>"))
          .read();
  INFO(joined(imported.report));
  REQUIRE_FALSE(imported.report.failed());
  CHECK(imported.message.bodies(0).orientation(3) == Approx(std::sqrt(0.5)).epsilon(1e-14));  // round-off
}

TEST_CASE("an empty range of MJCF takes back that of a default", "[server][import]") {
  const ImportedFile imported =
      ImportedText(mujoco("<default><joint range=\"-90 90\"/></default><worldbody><body>"
                          "<joint name=\"wheel\" range=\"0 0\"/><geom size=\"1\"/></body></worldbody>"
                          "<actuator><motor joint=\"wheel\" ctrlrange=\"0 0\"/></actuator>"))
          .read();
  INFO(joined(imported.report));
  REQUIRE_FALSE(imported.report.failed());
  CHECK(imported.message.forces_size() == 0);  // no stops
  REQUIRE(imported.message.actuators_size() == 1);
  CHECK_FALSE(imported.message.actuators(0).has_maximum());
}

TEST_CASE("what damps a free joint of MJCF is a loss", "[server][import]") {
  const auto losses = [](const std::string& joint) {
    return lossText(ImportedText(mujoco("<default><joint damping=\"1\"/></default><worldbody><body>" + joint +
                                        "<geom size=\"0.1\"/></body></worldbody>"))
                        .read()
                        .report);
  };
  CHECK_THAT(losses("<joint type=\"free\"/>"), Catch::Contains("damping of a free joint"));
  CHECK_THAT(losses("<freejoint/>"), !Catch::Contains("of a free joint"));
}

TEST_CASE("before version 1.5 of SDF an axis is in the frame of the model", "[server][import]") {
  const auto axis = [](const std::string& version) {
    const ImportedFile imported =
        ImportedText(
            "<sdf version=\"" + version +
            "\"><model name=\"m\"><link name=\"a\"><pose>0 0 1 1.5707963267948966 0 0</pose></link>"
            "<joint name=\"j\" type=\"revolute\"><parent>world</parent><child>a</child><axis><xyz>0 0 1</xyz>"
            "<limit><lower>-inf</lower><upper>inf</upper><effort>inf</effort></limit></axis></joint></model></sdf>")
            .read();
    INFO(joined(imported.report));
    REQUIRE_FALSE(imported.report.failed());
    CHECK(imported.message.forces_size() == 0);  // infinite limits are none
    CHECK_FALSE(imported.message.actuators(0).has_maximum());
    return imported.message.joints(0).revolute().axis_1(2);
  };
  CHECK(axis("1.4") == Approx(1));
  CHECK(axis("1.5") == Approx(0).margin(1e-15));
}

TEST_CASE("a free root of URDF has the mass of what is fixed to it; one without mass, and the world, are ground",
          "[server][import]") {
  ImportOptions options;
  const auto bodies = [&](const std::string& root, const std::string& fixed, bool free = true) {
    options.free_base = free;
    const ImportedFile imported =
        ImportedText(robot(linkOf(root, "") + linkOf("base", fixed) + linkOf("wheel") +
                           jointOf("f", "fixed", root, "base", "") + jointOf("w", "continuous", "base", "wheel")))
            .read(options);
    INFO(joined(imported.report));
    REQUIRE_FALSE(imported.report.failed());
    const std::string losses = lossText(imported.report);
    return std::to_string(imported.message.bodies_size()) +
           (losses.find("it has no mass") != std::string::npos      ? " no mass"
            : losses.find("its name is world") != std::string::npos ? " world"
            : losses.find("--base free") != std::string::npos       ? " could be free"
                                                                    : "");
  };
  CHECK(bodies("footprint", kMass) == "2");
  CHECK(bodies("footprint", "") == "1 no mass");
  CHECK(bodies("world", kMass) == "1 world");
  CHECK(bodies("footprint", kMass, false) == "1 could be free");
  CHECK(bodies("world", kMass, false) == "1");
}

TEST_CASE("of a world of SDF the first model that is not static is imported; a static one is an error",
          "[server][import]") {
  const auto read = [](const std::string& first, const std::string& second) {
    const auto model = [](const std::string& name, const std::string& is_static) {
      return "<model name=\"" + name + "\"><static>" + is_static + "</static><link name=\"" + name + "\"/></model>";
    };
    return ImportedText("<sdf version=\"1.7\"><world name=\"w\">" + model("plane", first) + model("robot", second) +
                        "</world></sdf>")
        .read();
  };
  CHECK(read("true", "false").message.bodies(0).name() == "robot");
  CHECK(read("false", "false").message.bodies(0).name() == "plane");
  const ImportedFile none = read("true", "1");
  CHECK(none.report.failed());
  CHECK_THAT(joined(none.report),
             Catch::Contains("no link of such a model moves") && Catch::Contains("remove <static>"));
}

TEST_CASE("a default of MJCF that every element overrides is no loss", "[server][import]") {
  const auto losses = [](const std::string& attributes) {
    return lossText(ImportedText(mujoco("<default><joint range=\"-90 90\" damping=\"3\"/></default><worldbody><body>"
                                        "<joint " +
                                        attributes + "/><geom size=\"1\"/></body></worldbody>"))
                        .read()
                        .report);
  };
  CHECK_THAT(losses("range=\"-9 9\" damping=\"2\""), !Catch::Contains("range") && !Catch::Contains("damping"));
}
