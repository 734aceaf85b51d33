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

TEST_CASE("before version 1.5 of SDF an axis is in the frame of the model, unless it names another one",
          "[server][import]") {
  const auto axis = [](const std::string& version, const std::string& frame = "") {
    const ImportedFile imported =
        ImportedText(
            "<sdf version=\"" + version +
            "\"><model name=\"m\"><link name=\"a\"><pose>0 0 1 1.5707963267948966 0 0</pose></link>"
            "<joint name=\"j\" type=\"revolute\"><parent>world</parent><child>a</child><axis><xyz" +
            frame +
            ">0 0 1</xyz><limit><lower>-inf</lower><upper>inf</upper><effort>inf</effort></limit></axis></joint>"
            "</model></sdf>")
            .read();
    INFO(joined(imported.report));
    REQUIRE_FALSE(imported.report.failed());
    CHECK(imported.message.forces_size() == 0);  // infinite limits are none
    CHECK_FALSE(imported.message.actuators(0).has_maximum());
    return imported.message.joints(0).revolute().axis_1(2);
  };
  for (const std::string version : {"1.0", "1.3", "1.4"}) {
    INFO(version);
    CHECK(axis(version) == Approx(1));
    CHECK(axis(version, " expressed_in=\"a\"") == Approx(0).margin(1e-15));  // round-off of a right angle
  }
  // The link is turned by a right angle against the model: what is left is its round-off.
  for (const std::string version : {"1.5", "1.9", "1.10", "1.11", "1.12", "2.0"}) {
    INFO(version);
    CHECK(axis(version) == Approx(0).margin(1e-15));
    CHECK(axis(version, " expressed_in=\"__model__\"") == Approx(1));
  }
}

TEST_CASE("a version of SDF is two whole numbers", "[server][import]") {
  for (const std::string version : {"", "new", "1.x", "-1.4"}) {
    INFO(version);
    const ImportedFile imported =
        ImportedText("<sdf version=\"" + version + "\"><model name=\"m\"><link name=\"a\"/></model></sdf>").read();
    CHECK_THAT(joined(imported.report), Catch::Contains("@version") && Catch::Contains("such as 1.9"));
  }
}

TEST_CASE("the second axis of a universal joint of SDF has a name that no joint of the file has", "[server][import]") {
  const auto joint = [](const std::string& name, const std::string& type, const std::string& parent,
                        const std::string& child, const std::string& axes) {
    return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent>" + parent + "</parent><child>" + child +
           "</child>" + axes + "</joint>";
  };
  const auto axis = [](const std::string& tag, const std::string& xyz, const std::string& limits) {
    return "<" + tag + "><xyz>" + xyz + "</xyz>" + limits + "</" + tag + ">";
  };
  const auto limits = [](const std::string& lower, const std::string& upper) {
    return "<limit><lower>" + lower + "</lower><upper>" + upper + "</upper></limit>";
  };
  const ImportedText file(
      "<sdf version=\"1.9\"><model name=\"m\"><link name=\"a\"/><link name=\"b\"/>" +
      joint("u", "universal", "world", "a", axis("axis", "0 0 1", limits("0.2", "0.5")) + axis("axis2", "0 1 0", "")) +
      joint("u_2", "revolute", "a", "b", axis("axis", "0 1 0", limits("0.3", "0.5"))) + "</model></sdf>");
  ImportOptions options;
  options.starts = {{"u_3", 0.1}};
  const ImportedFile imported = file.read(options);
  INFO(joined(imported.report));
  REQUIRE_FALSE(imported.report.failed());
  REQUIRE(imported.message.joints_size() == 3);
  // Each begins at its own limit, or where it is told to.
  CHECK(imported.message.joints(0).name() == "u");
  CHECK(imported.message.joints(0).revolute().initial_angle() == 0.2);
  CHECK(imported.message.joints(1).name() == "u_3");
  CHECK(imported.message.joints(1).revolute().initial_angle() == 0.1);
  CHECK(imported.message.joints(2).name() == "u_2");
  CHECK(imported.message.joints(2).revolute().initial_angle() == 0.3);
  CHECK_THAT(lossText(imported.report), Catch::Contains("its second axis is the joint \"u_3\""));
}

TEST_CASE("frames of SDF may hang on each other in a long chain", "[server][import]") {
  constexpr int kFrames = 30'000;
  std::string text = "<sdf version=\"1.9\"><model name=\"m\"><link name=\"a\"><pose relative_to=\"f" +
                     std::to_string(kFrames - 1) + "\">0 0 0 0 0 0</pose></link>";
  for (int i = 0; i < kFrames; ++i)
    text += "<frame name=\"f" + std::to_string(i) + "\"><pose" +
            (i == 0 ? "" : " relative_to=\"f" + std::to_string(i - 1) + '"') + ">0 0 1 0 0 0</pose></frame>";
  const ImportedFile imported = ImportedText(text + "</model></sdf>").read();
  INFO(joined(imported.report));
  REQUIRE_FALSE(imported.report.failed());
  CHECK(imported.message.bodies(0).position(2) == kFrames);
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

TEST_CASE("a file of which nothing moves is an error, of URDF with the option that frees the root",
          "[server][import]") {
  CHECK_THAT(joined(ImportedText(robot(linkOf("a"))).read().report),
             Catch::Contains("must have a link that moves") && Catch::Contains("--base free"));
  ImportOptions options;
  options.free_base = true;
  CHECK_FALSE(ImportedText(robot(linkOf("a"))).read(options).report.failed());
  CHECK_THAT(joined(ImportedText(mujoco("<worldbody><body><geom size=\"1\"/></body></worldbody>")).read().report),
             Catch::Contains("must have a link that moves") && !Catch::Contains("--base"));
}

TEST_CASE("a joint without effort has no input, one with an infinite or a negative one has an unlimited input",
          "[server][import]") {
  const auto input = [](const std::string& text) {
    const ImportedFile imported = ImportedText(text).read();
    INFO(joined(imported.report));
    REQUIRE_FALSE(imported.report.failed());
    const bool is_reported =
        lossText(imported.report).find("no input is made: its effort is zero") != std::string::npos;
    CHECK(is_reported == (imported.message.actuators_size() == 0));
    return imported.message.actuators_size() == 0        ? std::string("none")
           : imported.message.actuators(0).has_maximum() ? std::to_string(imported.message.actuators(0).maximum())
                                                         : std::string("unlimited");
  };
  const auto urdf = [&](const std::string& effort) {
    return input(robot(linkOf("a") + linkOf("b") +
                       jointOf("j", "continuous", "a", "b", "<axis xyz=\"0 0 1\"/><limit" + effort + "/>")));
  };
  CHECK(urdf("") == "unlimited");
  CHECK(urdf(" effort=\"0\"") == "none");
  CHECK(urdf(" effort=\"2\"") == "2.000000");
  const auto sdf = [&](const std::string& effort) {
    return input(
        "<sdf version=\"1.9\"><model name=\"m\"><link name=\"a\"/><joint name=\"j\" type=\"revolute\"><parent>world"
        "</parent><child>a</child><axis><xyz>0 0 1</xyz><limit>" +
        effort + "</limit></axis></joint></model></sdf>");
  };
  CHECK(sdf("") == "unlimited");
  CHECK(sdf("<effort>0</effort>") == "none");
  CHECK(sdf("<effort>2</effort>") == "2.000000");
  CHECK(sdf("<effort>-1</effort>") == "unlimited");
  CHECK(sdf("<effort>inf</effort>") == "unlimited");
}

TEST_CASE("limits of a continuous joint are a loss", "[server][import]") {
  const ImportedFile urdf = ImportedText(robot(linkOf("a") + linkOf("b") +
                                               jointOf("j", "continuous", "a", "b",
                                                       "<axis xyz=\"0 0 1\"/><limit lower=\"-1\" upper=\"1\"/>")))
                                .read();
  const ImportedFile sdf =
      ImportedText(
          "<sdf version=\"1.9\"><model name=\"m\"><link name=\"a\"/><joint name=\"j\" type=\"continuous\"><parent>world"
          "</parent><child>a</child><axis><xyz>0 0 1</xyz><limit><lower>-1</lower><upper>1</upper></limit></axis>"
          "</joint></model></sdf>")
          .read();
  CHECK_THAT(lossText(urdf.report), Catch::Contains("a continuous joint has no limits"));
  CHECK_THAT(lossText(sdf.report), Catch::Contains("a continuous joint has none"));
  for (const ImportedFile* imported : {&urdf, &sdf}) {
    INFO(joined(imported->report));
    REQUIRE_FALSE(imported->report.failed());
    CHECK(imported->message.forces_size() == 0);  // no stops
  }
}

TEST_CASE("a frame of SDF that hangs on nothing belongs to the canonical link", "[server][import]") {
  const auto read = [](const std::string& attribute) {
    return ImportedText("<sdf version=\"1.9\"><model name=\"m\"" + attribute +
                        "><link name=\"a\"/><link name=\"b\"/><link name=\"c\"/><frame name=\"f\"/>"
                        "<joint name=\"j\" type=\"ball\"><parent>f</parent><child>c</child></joint></model></sdf>")
        .read();
  };
  for (const auto& [attribute, body] : {std::pair("", "a"), std::pair(" canonical_link=\"b\"", "b")}) {
    const ImportedFile imported = read(attribute);
    INFO(joined(imported.report));
    REQUIRE_FALSE(imported.report.failed());
    CHECK(lossText(imported.report).find("canonical_link") == std::string::npos);
    CHECK(imported.message.joints(0).body_1() == body);
  }
  CHECK_THAT(joined(read(" canonical_link=\"bb\"").report),
             Catch::Contains("@canonical_link") && Catch::Contains("must be the name of a link"));
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

namespace {

/// What becomes of an actuator of MJCF on the joint j, under the children of a <default>: the least and the greatest
/// value of the input, what one unit of it does, and the spring beside it.
std::string actuatorUnder(const std::string& defaults, const std::string& actuator) {
  const ImportedFile imported =
      ImportedText(mujoco("<default>" + defaults +
                          "</default><worldbody><body><joint name=\"j\"/><geom size=\"1\"/></body></worldbody>"
                          "<actuator>" +
                          actuator + "</actuator>"))
          .read();
  INFO(joined(imported.report));
  REQUIRE_FALSE(imported.report.failed());
  const auto& message = imported.message;
  if (message.actuators_size() == 0) return "none";
  const auto printed = [](double value) { return std::to_string(std::lround(value)); };
  std::string text;
  const auto& made = message.actuators(0);
  text += made.has_minimum() ? printed(made.minimum()) + " to " + printed(made.maximum()) + ", " : "";
  if (made.has_joint_torque()) return text + "torque 1";
  const auto& spring = message.forces(0).rotational_spring();
  const bool servo = spring.stiffness() > 0;
  text += (servo ? "torque " + printed(made.spring_input().scale() * spring.stiffness())
                 : "torque " + printed(-made.spring_input().scale()));
  text += servo ? ", stiffness " + printed(spring.stiffness()) : "";
  return text + (spring.damping() > 0 ? ", damping " + printed(spring.damping()) : "");
}

}  // namespace

TEST_CASE("the defaults of an actuator of MJCF count for actuators of each kind", "[server][import]") {
  // MuJoCo has one default actuator in each class: each element under it changes this one.
  const std::string motor = "<motor gear=\"10\" ctrlrange=\"-2 2\"/>";
  CHECK(actuatorUnder(motor, "<motor joint=\"j\"/>") == "-2 to 2, torque 10");
  CHECK(actuatorUnder(motor, "<general joint=\"j\"/>") == "-2 to 2, torque 10");
  CHECK(actuatorUnder(motor, "<position joint=\"j\" kp=\"3\"/>") == "-2 to 2, torque 30, stiffness 300");
  CHECK(actuatorUnder("<position ctrlrange=\"-1 1\"/>", "<motor joint=\"j\"/>") == "-1 to 1, torque 1");
  CHECK(actuatorUnder("<muscle ctrlrange=\"0 1\"/>", "<motor joint=\"j\"/>") == "0 to 1, torque 1");
  // The last one counts, then what the element itself says.
  const std::string both = "<motor gear=\"10\"/><position gear=\"5\"/>";
  CHECK(actuatorUnder(both, "<motor joint=\"j\"/>") == "torque 5");
  CHECK(actuatorUnder(both, "<motor joint=\"j\" gear=\"2\"/>") == "torque 2");
  CHECK(actuatorUnder(both + "<default class=\"c\"><velocity gear=\"4\"/></default>",
                      "<motor class=\"c\" joint=\"j\"/>") == "torque 4");
}

TEST_CASE("the law of an actuator of MJCF comes from its class as in MuJoCo", "[server][import]") {
  CHECK(actuatorUnder("<position kp=\"50\" kv=\"2\"/>", "<position joint=\"j\"/>") ==
        "torque 50, stiffness 50, damping 2");
  CHECK(actuatorUnder("<position kp=\"50\" kv=\"2\"/>", "<position joint=\"j\" kp=\"20\"/>") ==
        "torque 20, stiffness 20, damping 2");
  CHECK(actuatorUnder("<position kp=\"50\"/>", "<general joint=\"j\"/>") == "torque 50, stiffness 50");
  CHECK(actuatorUnder("<position kp=\"50\"/>", "<motor joint=\"j\"/>") == "torque 1");
  CHECK(actuatorUnder("<velocity kv=\"7\"/>", "<velocity joint=\"j\"/>") == "torque 7, damping 7");
  CHECK(actuatorUnder("<general gainprm=\"40\"/>", "<position joint=\"j\"/>") == "torque 40, stiffness 40");
  CHECK(actuatorUnder("<general gainprm=\"40\"/>", "<general joint=\"j\"/>") == "torque 40");
  CHECK(actuatorUnder("<general dyntype=\"integrator\"/>", "<general joint=\"j\"/>") == "none");
  CHECK(actuatorUnder("<general dyntype=\"integrator\"/>", "<motor joint=\"j\"/>") == "torque 1");
}

TEST_CASE("what has no effect in MJCF is no loss of the motion", "[server][import]") {
  const auto losses = [](const std::string& compiler, const std::string& inside) {
    const ImportedFile imported =
        ImportedText(
            mujoco("<compiler " + compiler + "/><worldbody><body>" + inside +
                   "<joint name=\"j\"/><inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/></body></worldbody>"))
            .read();
    INFO(joined(imported.report));
    REQUIRE_FALSE(imported.report.failed());
    return lossText(imported.report);
  };
  CHECK_THAT(losses("texturedir=\"a\" strippath=\"true\"", ""),
             Catch::Contains("/@texturedir: ") && Catch::Contains("/@strippath: ") && !Catch::Contains("[motion]"));
  CHECK_THAT(losses("", "<frame name=\"f\"/>"), !Catch::Contains("frame"));
  CHECK_THAT(losses("", "<joint limited=\"false\" range=\"-1 1\"/>"), !Catch::Contains("@range"));
  CHECK_THAT(losses("autolimits=\"false\"", "<joint range=\"-1 1\"/>"), !Catch::Contains("@range"));
  // What is in force stays a loss.
  CHECK_THAT(losses("fitaabb=\"true\"", ""), Catch::Contains("/@fitaabb: ") && Catch::Contains("[motion]"));
}
