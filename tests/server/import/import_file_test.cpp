// Covers: server/import/import_report.cpp, server/import/mesh_places.cpp, server/import/sdf.cpp
// Covers: server/import/sdf_values.cpp, server/import/sdf_visual.cpp, server/import/tree_names.cpp
// Covers: server/import/urdf.cpp, server/import/xml_tree.cpp
#include "tests/server/import/imported_text.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>

using namespace tactus::server;
using namespace tactus::server::tests;

namespace {

std::string inertialOf(const std::string& mass, const std::string& moments) {
  return "<inertial><mass value=\"" + mass + "\"/><inertia " + moments + "/></inertial>";
}

std::string sdf(const std::string& inside) {
  return "<sdf version=\"1.9\"><model name=\"m\">\n" + inside + "</model></sdf>";
}

std::string sdfJoint(const std::string& name, const std::string& type, const std::string& parent,
                     const std::string& child, const std::string& inside = "") {
  return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent>" + parent + "</parent><child>" + child +
         "</child>" + inside + "</joint>\n";
}

const std::string kArm = linkOf("a") + linkOf("b") + jointOf("j", "continuous", "a", "b");

}  // namespace

TEST_CASE("each bad file gets its error, with the line", "[server][import]") {
  struct Row {
    std::string name, text;
    int line;
    std::string piece;
  };
  const Row rows[] = {
      {"empty", "", 0, "it is empty"},
      {"broken XML", "<robot>\n<link></robot>", 2, "end with the tag"},
      {"an attribute without quotes", "<robot>\n<link name=a/></robot>", 2, "name=\"value\""},
      {"a file that ends in an element", "<robot>\n<link name=\"a\">\n<inertial/>", 2, "its end tag is missing"},
      {"a file that ends in a tag", "<robot>\n<link name=\"a\"", 2, "a tag must begin with a name"},
      {"a file that ends in an attribute", "<robot>\n<link name=\"a", 2, "the file may end inside it"},
      {"a file that ends in a text", "<sdf>\n<model>\n<static>tr", 3, "the file"},
      {"a file that ends in a comment", "<robot>\n<!-- a", 2, "must end with \"-->\""},
      {"a file that ends in a section", "<robot>\n<![CDATA[ a", 2, "must end with \"]]>\""},
      {"a declaration without an end", "<?xml version", 1, "must end with \"?>\""},
      {"another format", "<model>\n</model>", 1, "must be robot (URDF)"},
      {"entity bomb",
       "<?xml version=\"1.0\"?>\n<!DOCTYPE robot [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>\n<robot>&b;</robot>", 2,
       "must have no DOCTYPE"},
      {"no link", robot(""), 1, "must have a link"},
      {"unknown joint type", robot(linkOf("a") + linkOf("b") + jointOf("j", "revolut", "a", "b")), 4,
       "did you mean \"revolute\"?"},
      {"missing link", robot(linkOf("arm") + jointOf("j", "fixed", "arm", "arn")), 3, "did you mean \"arm\"?"},
      {"two parents", robot(kArm + linkOf("c") + jointOf("k", "fixed", "c", "b")), 6, "must be the child of one joint"},
      {"two roots", robot(kArm + linkOf("c")), 5, "must be the child of a joint"},
      {"loop of all",
       robot(linkOf("a") + linkOf("b") + jointOf("j", "fixed", "a", "b") + jointOf("k", "fixed", "b", "a")), 4,
       "must form a tree"},
      {"loop beside a root",
       robot(linkOf("r") + linkOf("a") + linkOf("b") + jointOf("j", "fixed", "a", "b") +
             jointOf("k", "fixed", "b", "a")),
       5, "must not be part of a loop"},
      {"the same name", robot(linkOf("a") + linkOf("a")), 3, "must be unique among links"},
      {"zero mass", robot(linkOf("a") + linkOf("b", "") + jointOf("j", "continuous", "a", "b")), 3,
       "must have a mass above zero"},
      {"negative mass", robot(linkOf("a", inertialOf("-1", "ixx=\"1\" iyy=\"1\" izz=\"1\""))), 2,
       "must not be below zero"},
      {"inertia that is not positive",
       robot(linkOf("a") + linkOf("b", inertialOf("1", "ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"2\"")) +
             jointOf("j", "continuous", "a", "b")),
       3, "must all be above zero"},
      {"triangle inequality",
       robot(linkOf("a") + linkOf("b", inertialOf("1", "ixx=\"1\" iyy=\"1\" izz=\"3\"")) +
             jointOf("j", "continuous", "a", "b")),
       3, "--balance-inertia"},
      {"no moments", robot(linkOf("a", "<inertial><mass value=\"1\"/></inertial>")), 2, "must have an <inertia"},
      {"no number", robot(linkOf("a", inertialOf("heavy", "ixx=\"1\" iyy=\"1\" izz=\"1\""))), 2,
       "must be a finite number"},
      {"not finite", robot(linkOf("a", inertialOf("1e999", "ixx=\"1\" iyy=\"1\" izz=\"1\""))), 2,
       "must be a finite number"},
      {"no axis", robot(linkOf("a") + linkOf("b") + jointOf("j", "continuous", "a", "b", "<axis xyz=\"0 0 0\"/>")), 4,
       "must have a length"},
      {"two numbers", robot(linkOf("a") + linkOf("b") + jointOf("j", "continuous", "a", "b", "<axis xyz=\"0 1\"/>")), 4,
       "must be 3 finite numbers"},
      {"no limit", robot(linkOf("a") + linkOf("b") + jointOf("j", "revolute", "a", "b")), 4, "must have a <limit>"},
      {"limits exchanged",
       robot(linkOf("a") + linkOf("b") +
             jointOf("j", "revolute", "a", "b", "<limit lower=\"1\" upper=\"0\" effort=\"1\" velocity=\"1\"/>")),
       4, "must not be above upper"},
      {"mimic of nothing",
       robot(linkOf("a") + linkOf("b") + jointOf("j", "continuous", "a", "b", "<mimic joint=\"k\"/>")), 4,
       "must be the name of another joint"},
      {"xacro", robot("<xacro:include filename=\"a\"/>\n" + linkOf("a")), 2, "not xacro"},
      {"MJCF without bodies", mujoco("<worldbody/>"), 1, "must have a body"},
      {"a tendon",
       mujoco(
           "<worldbody><body><joint/><geom size=\"1\"/></body></worldbody>\n<tendon>\n<spatial name=\"t\"/></tendon>"),
       4, "spatial \"t\": tendons are not imported"},
      {"a class that is none", mujoco("<worldbody><body>\n<geom class=\"x\" size=\"1\"/></body></worldbody>"), 3,
       "\"x\" is none"},
      {"a geom without size", mujoco("<worldbody><body>\n<geom type=\"box\" size=\"1\"/></body></worldbody>"), 3,
       "a size of 3 numbers"},
      {"a free joint inside",
       mujoco("<worldbody><body><geom size=\"1\"/><joint/>\n<body><freejoint/><geom "
              "size=\"1\"/></body></body></worldbody>"),
       3, "only one of a body of the world"},
      {"an unknown joint of an actuator",
       mujoco("<worldbody><body><joint name=\"hip\"/><geom size=\"1\"/></body></worldbody>\n<actuator>\n<motor "
              "joint=\"hop\"/></actuator>"),
       4, "did you mean \"hip\"?"},
      {"a file outside", mujoco("<include file=\"../a.xml\"/>"), 2, "must lie in the folder"},
      {"an include that does not exist", mujoco("<include file=\"no.xml\"/>"), 2, "must be a file that exists"},
      {"a file that includes itself", mujoco("<include file=\"file.xml\"/>"), 2, "must not form a loop"},
      {"SDF without a model", "<sdf version=\"1.7\"/>", 1, "must have a <model>"},
      {"SDF: unknown frame",
       "<sdf><model name=\"m\"><link name=\"a\">\n<pose relative_to=\"b\">0 0 0 0 0 0</pose></link></model></sdf>", 1,
       "\"b\": must be the name of a link, joint or frame"},
      {"SDF: screw",
       "<sdf><model name=\"m\"><link name=\"a\"/>\n<joint name=\"j\" "
       "type=\"screw\"><parent>world</parent><child>a</child></joint></model></sdf>",
       2, "joints of this type are not imported"},
      {"SDF: the same name twice", sdf("<link name=\"a\"/>\n<frame name=\"a\"/>"), 3,
       "unique among links, joints and frames"},
      {"SDF: no link", sdf("<frame name=\"f\"/>"), 1, "must have a link"},
      {"SDF: a model in a model", sdf("<link name=\"a\"/>\n<model name=\"n\"/>"), 3, "models in a model"},
      {"SDF: an include", sdf("<link name=\"a\"/>\n<include><uri>b</uri></include>"), 3, "models in a model"},
      {"SDF: a joint without a child",
       sdf("<link name=\"a\"/>\n<joint name=\"j\" type=\"ball\"><parent>a</parent></joint>"), 3,
       "must have a <parent> and a <child>"},
      {"SDF: the world as a child", sdf("<link name=\"a\"/>\n" + sdfJoint("j", "fixed", "a", "world")), 3,
       "must not be the child of a joint"},
      {"SDF: a link that is none", sdf("<link name=\"arm\"/>\n" + sdfJoint("j", "fixed", "world", "arn")), 3,
       "did you mean \"arm\"?"},
      {"SDF: a loop of parents",
       sdf("<link name=\"a\"/>\n<link name=\"b\"/>\n" + sdfJoint("j", "fixed", "a", "b") +
           sdfJoint("k", "fixed", "b", "a")),
       2, "must hang on the world or a free link"},
      {"SDF: a loop of frames",
       sdf("<link name=\"a\"><pose relative_to=\"f\">0 0 0 0 0 0</pose></link>\n<frame name=\"f\"><pose "
           "relative_to=\"a\">0 0 0 0 0 0</pose></frame>"),
       2, "must not be given in a loop of frames"},
      {"SDF: a mass below zero", sdf("<link name=\"a\">\n<inertial><mass>-1</mass></inertial></link>"), 3,
       "must not be below zero"},
      {"SDF: a mass that is no number", sdf("<link name=\"a\"><inertial>\n<mass>heavy</mass></inertial></link>"), 3,
       "finite number"},
      {"SDF: an axis without length",
       sdf("<link name=\"a\"/>\n" + sdfJoint("j", "revolute", "world", "a", "<axis><xyz>0 0 0</xyz></axis>")), 3,
       "must have a length above zero"},
      {"SDF: a type that is none", sdf("<link name=\"a\"/>\n" + sdfJoint("j", "hinge", "world", "a")), 3,
       "must be fixed, revolute, continuous"},
  };
  for (const Row& row : rows) {
    INFO(row.name);
    const ImportedFile imported = ImportedText(row.text).read();
    INFO(joined(imported.report));
    REQUIRE(imported.report.failed());
    const auto& errors = imported.report.errors();
    CHECK(std::any_of(errors.begin(), errors.end(), [&](const ImportError& error) {
      return error.place.line == row.line && toString(error).find(row.piece) != std::string::npos;
    }));
  }
}

TEST_CASE("the error of an include that does not exist is the same beside a file of the working folder",
          "[server][import]") {
  const auto before = std::filesystem::current_path();
  const ImportedText file(mujoco("<include file=\"no.xml\"/>"));
  std::filesystem::current_path(file.folder());
  const std::string errors = joined(importFile("file.xml", {}).report);
  std::filesystem::current_path(before);
  CHECK(errors.find("must be a file that exists") != std::string::npos);
}

TEST_CASE("a file of a tyre is sent to its own command", "[server][import]") {
  const std::string errors = joined(ImportedText("[MODEL]\nFITTYP = 61\n", "tyre.tir").read().report);
  CHECK(errors.find("tactus model import-tyre") != std::string::npos);
}

TEST_CASE("numbers of a mass that SDF does not give are losses, and named where they break a rule",
          "[server][import]") {
  const auto text = [](const std::string& inertial) {
    return sdf("<link name=\"a\">\n<inertial>" + inertial + "</inertial></link>\n");
  };
  const ImportedFile whole = ImportedText(text("<inertia><ixx>1</ixx><iyy>1.5</iyy></inertia>")).read();
  INFO(joined(whole.report));
  REQUIRE_FALSE(whole.report.failed());
  const std::string losses = lossText(whole.report);
  INFO(losses);
  CHECK(losses.find("file.xml:3: defaulted: link \"a\"/inertial: has no <mass>: it is 1 kg [motion]") !=
        std::string::npos);
  CHECK(losses.find("file.xml:3: defaulted: link \"a\"/inertial/inertia: has no <izz>: it is 1 kg m^2 [motion]") !=
        std::string::npos);
  CHECK(losses.find("<ixx>") == std::string::npos);
  // 0.1 + 0.1 is below the 1 that is taken.
  const std::string thin = "<mass>1</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy></inertia>";
  const ImportedFile broken = ImportedText(text(thin)).read();
  CHECK(joined(broken.report).find("the file does not give izz of \"a\": 1 is taken") != std::string::npos);
}

TEST_CASE("elements nested too deep are refused", "[server][import]") {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "<body>";
  CHECK(joined(ImportedText(text).read().report).find("nested deeper than 100") != std::string::npos);
}

TEST_CASE("everything that is not read is a loss with its line", "[server][import]") {
  const ImportedFile imported =
      ImportedText(robot(kArm + "<gazebo reference=\"b\"/>\n<link name=\"c\" strange=\"1\"><wing/>" + kMass +
                         "</link>\n" + jointOf("fix", "fixed", "b", "c")))
          .read();
  INFO(joined(imported.report));
  REQUIRE_FALSE(imported.report.failed());
  const std::string text = lossText(imported.report);
  INFO(text);
  CHECK(text.find("file.xml:5: dropped: robot/gazebo") != std::string::npos);
  CHECK(text.find("file.xml:6: dropped: link \"c\"/@strange") != std::string::npos);
  CHECK(text.find("file.xml:6: dropped: link \"c\"/wing") != std::string::npos);
  CHECK(text.find("approximated: link \"c\": is fixed to \"b\"") != std::string::npos);
  CHECK(text.find("defaulted: robot \"r\": gravity") != std::string::npos);
  CHECK(imported.message.bodies_size() == 1);
  CHECK(imported.message.bodies(0).mass() == 2);
}

TEST_CASE("links and joints of one name are told apart, and other characters replaced", "[server][import]") {
  const ImportedFile imported =
      ImportedText(robot(linkOf("base") + linkOf("arm-1") + jointOf("arm-1", "continuous", "base", "arm-1"))).read();
  REQUIRE_FALSE(imported.report.failed());
  CHECK(imported.message.bodies(0).name() == "arm_1");
  CHECK(imported.message.joints(0).name() == "arm_1_joint");
}

TEST_CASE("a link without mass between joints gets a small share of what it carries", "[server][import]") {
  const ImportedFile imported =
      ImportedText(robot(linkOf("a") + linkOf("b", "") + linkOf("c") + jointOf("j", "continuous", "a", "b") +
                         jointOf("k", "continuous", "b", "c", "<axis xyz=\"1 0 0\"/>")))
          .read();
  REQUIRE_FALSE(imported.report.failed());
  CHECK(imported.message.bodies(0).mass() == Approx(1e-5).epsilon(1e-12));  // round-off
}

TEST_CASE("a mesh of a package is read from the folder of the file, and one that is missing is a loss",
          "[server][import]") {
  const std::string visual =
      "<visual><geometry><mesh filename=\"package://p/one.obj\"/></geometry></visual>"
      "<visual><geometry><mesh filename=\"package://p/two.obj\"/></geometry></visual>";
  ImportedText file(robot(linkOf("a") + linkOf("b", kMass + visual) + jointOf("j", "continuous", "a", "b")));
  file.write("one.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const ImportedFile imported = file.read();
  INFO(joined(imported.report));
  REQUIRE_FALSE(imported.report.failed());
  REQUIRE(imported.message.bodies(0).visuals_size() == 1);
  CHECK(imported.message.meshes_size() == 1);
  CHECK(lossText(imported.report).find("mesh \"package://p/two.obj\" is not in the folder") != std::string::npos);
}

TEST_CASE("SDF places links by frames and takes axes in the frame of the joint", "[server][import]") {
  const ImportedFile imported = ImportedText(R"(<sdf version="1.9"><model name="m"><pose>0 0 1 0 0 0</pose>
<link name="a"><inertial><mass>2</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link>
<link name="b"><pose relative_to="f">0 0 0.5 0 0 0</pose><inertial><mass>1</mass></inertial></link>
<frame name="f" attached_to="a"><pose degrees="true">1 0 0 90 0 0</pose></frame>
<joint name="fix" type="fixed"><parent>world</parent><child>a</child></joint>
<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz><limit><lower>-1</lower></limit></axis></joint>
</model></sdf>)")
                                    .read();
  INFO(joined(imported.report));
  REQUIRE_FALSE(imported.report.failed());
  REQUIRE(imported.message.bodies_size() == 1);
  const auto& body = imported.message.bodies(0);
  // The frame turns z to -y. Tolerances: round-off.
  CHECK(body.position(0) == Approx(1).epsilon(1e-14));
  CHECK(body.position(1) == Approx(-0.5).epsilon(1e-14));
  CHECK(body.position(2) == Approx(1).epsilon(1e-14));
  CHECK(imported.message.joints(0).revolute().axis_1(1) == Approx(-1).epsilon(1e-14));
}

TEST_CASE("SDF has composite masses, gravity of its world, and axes in the frame that they name", "[server][import]") {
  const ImportedFile imported =
      ImportedText(R"(<sdf version="1.9"><world name="w"><gravity>0 0 -1.62</gravity><model name="m">
<link name="a"><inertial><mass>2</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link>
<link name="b"><pose>1 0 0 0 0 1.5707963267948966</pose>
<inertial><pose>0.5 0 0 0 0 0</pose><mass>3</mass><inertia><ixx>0.1</ixx><iyy>0.2</iyy><izz>0.3</izz></inertia></inertial></link>
<link name="c"><pose>1 0 0 0 0 0</pose><inertial><mass>1</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia></inertial></link>
<joint name="base" type="fixed"><parent>world</parent><child>a</child></joint>
<joint name="rail" type="prismatic"><parent>a</parent><child>b</child>
<axis><xyz expressed_in="__model__">0 1 0</xyz><dynamics><damping>4</damping></dynamics></axis></joint>
<joint name="stick" type="fixed"><parent>b</parent><child>c</child></joint>
</model></world></sdf>)")
          .read();
  INFO(joined(imported.report));
  REQUIRE_FALSE(imported.report.failed());
  CHECK(imported.message.gravity(2) == -1.62);
  REQUIRE(imported.message.bodies_size() == 1);
  const auto& body = imported.message.bodies(0);
  // By hand: 3 kg at (1, 0.5, 0), as the pose of the mass turns with the link, and 1 kg at (1, 0, 0).
  CHECK(body.mass() == 4);
  CHECK(body.position(0) == Approx(1).epsilon(1e-14));  // round-off
  CHECK(body.position(1) == Approx(0.375).epsilon(1e-14));
  // About z: 0.3 and 0.1, and two masses 0.5 m apart: 3 * 1 / 4 * 0.25.
  CHECK(body.inertia().zz() == Approx(0.3 + 0.1 + 0.75 * 0.25).epsilon(1e-13));
  REQUIRE(imported.message.joints_size() == 1);
  CHECK(imported.message.joints(0).has_prismatic());
}

TEST_CASE("a file of 10 000 lines is imported whole", "[server][import]") {
  std::string text = linkOf("l0");
  for (int i = 1; i <= 900; ++i) {
    const std::string parent = "l" + std::to_string((i - 1) / 2), child = "l" + std::to_string(i);
    text += "<link name=\"" + child +
            "\">\n<inertial>\n<origin xyz=\"0 0 0.1\"/>\n<mass value=\"1\"/>\n"
            "<inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/>\n</inertial>\n</link>\n" +
            jointOf("j" + std::to_string(i), "continuous", parent, child,
                    "\n<origin xyz=\"0 0 0.2\"/>\n<axis xyz=\"0 1 0\"/>\n<dynamics damping=\"1\"/>\n");
  }
  CHECK(std::count(text.begin(), text.end(), '\n') > 9900);
  const ImportedFile imported = ImportedText(robot(text)).read();
  REQUIRE_FALSE(imported.report.failed());
  CHECK(imported.message.bodies_size() == 900);
  CHECK(imported.message.joints_size() == 900);
}
