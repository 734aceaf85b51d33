// Covers: server/model_io/text_reader.cpp
// Covers: server/model_io/json_reader.cpp, server/model_io/message_builder.cpp, server/model_io/field_value.cpp, server/model_io/field_lines.cpp
#include "server/model_io/model_file.h"

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/text_format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <sstream>

using namespace tactus;
using namespace tactus::server;

namespace {

/// "line path" of every finding.
std::vector<std::string> placesOf(const ModelDocument& document) {
  std::vector<std::string> places;
  for (const LocatedFinding& f : document.findings) places.push_back(std::to_string(f.line) + ' ' + f.finding.path);
  return places;
}

std::string describe(const ModelDocument& document) {
  std::string text;
  for (const LocatedFinding& finding : document.findings) text += toString(finding, "model") + '\n';
  return text;
}

/// A JSON model with one body; `fields` is the rest of the body, from line 4.
ModelDocument withBody(const std::string& fields) {
  return readModelText("{\"name\": \"m\", \"gravity\": [0, 0, 0],\n\"bodies\": [{\n\"name\": \"a\",\n" + fields + "}]}",
                       ModelSyntax::kJson);
}

const std::string kRestOfBody = "\"mass\": 1, \"inertia\": {\"xx\": 1, \"yy\": 1, \"zz\": 1}";

/// Requires one finding, on a line, and returns its text.
std::string onlyFinding(const ModelDocument& document, int line, const std::string& path) {
  INFO(describe(document));
  REQUIRE(placesOf(document) == std::vector<std::string>{std::to_string(line) + ' ' + path});
  REQUIRE_FALSE(document.valid());
  return toString(document.findings[0], "f");
}

struct Silent : google::protobuf::io::ErrorCollector {
  void AddError(int, int, const std::string&) override {}
};

constexpr const char* kTenErrorsJson = R"({
  "name": "ten",
  "gravity": [0, -9.81],
  "bodies": [
    {
      "name": "arm",
      "masss": 1,
      "inertia": {"xx": 1, "yy": 1, "zz": 3},
      "orientation": [1, 1, 0, 0]
    },
    {
      "name": "arm",
      "mass": -2,
      "inertia": {"xx": 1, "yy": 1, "zz": 1},
      "position": ["0", 1, 2]
    }
  ],
  "joints": [
    {
      "name": "hinge",
      "body_1": "ground",
      "body_2": "amr",
      "revolute": {
        "point_1": [0, 0, 0],
        "point_2": [0, 0, 0],
        "axis_1": [0, 0, 0],
        "axis_2": [0, 0, 1]
      }
    }
  ],
  "actuators": [
    {
      "name": "motor",
      "joint_torque": {"joint": "hing"}
    }
  ],
  "colour": {"red": [1, 2]}
}
)";

constexpr const char* kTenErrorsText = R"(name: "ten"
gravity: [0, -9.81]
bodies {
  name: "arm"
  masss: 1
  inertia { xx: 1 yy: 1 zz: 3 }
  orientation: [1, 1, 0, 0]
}
bodies {
  name: "arm"
  mass: -2
  inertia { xx: 1 yy: 1 zz: 1 }
  position: ["0", 1, 2]
}
joints {
  name: "hinge"
  body_1: "ground"
  body_2: "amr"
  revolute {
    point_1: [0, 0, 0]
    point_2: [0, 0, 0]
    axis_1: [0, 0, 0]
    axis_2: [0, 0, 1]
  }
}
actuators {
  name: "motor"
  joint_torque { joint: "hing" }
}
colour { red: [1, 2] }
)";

}  // namespace

TEST_CASE("a JSON file with ten errors reports all ten at their lines", "[server][model_io]") {
  const ModelDocument document = readModelText(kTenErrorsJson, ModelSyntax::kJson);
  INFO(describe(document));
  REQUIRE(placesOf(document) == std::vector<std::string>{"3 gravity", "7 bodies[0].masss", "8 bodies[0].inertia",
                                                         "9 bodies[0].orientation", "12 bodies[1].name",
                                                         "13 bodies[1].mass", "15 bodies[1].position[0]",
                                                         "22 joints[0].body_2", "26 joints[0].revolute.axis_1",
                                                         "34 actuators[0].joint_torque.joint", "37 colour"});
}

TEST_CASE("a text file with the same errors reports the same", "[server][model_io]") {
  const ModelDocument text = readModelText(kTenErrorsText, ModelSyntax::kText);
  INFO(describe(text));
  REQUIRE(placesOf(text) == std::vector<std::string>{"2 gravity", "5 bodies[0].masss", "6 bodies[0].inertia",
                                                     "7 bodies[0].orientation", "10 bodies[1].name",
                                                     "11 bodies[1].mass", "13 bodies[1].position[0]",
                                                     "18 joints[0].body_2", "22 joints[0].revolute.axis_1",
                                                     "28 actuators[0].joint_torque.joint", "30 colour"});

  const ModelDocument json = readModelText(kTenErrorsJson, ModelSyntax::kJson);
  for (std::size_t i = 0; i < json.findings.size(); ++i) {
    REQUIRE(text.findings[i].finding.value == json.findings[i].finding.value);
    REQUIRE(text.findings[i].finding.rule == json.findings[i].finding.rule);
    REQUIRE(text.findings[i].finding.hint == json.findings[i].finding.hint);
  }
}

TEST_CASE("an unknown field is named with its value and the nearest known name", "[server][model_io]") {
  REQUIRE(
      onlyFinding(withBody("\"masss\": 1.50,\n\"inertia\": {\"xx\": 1, \"yy\": 1, \"zz\": 1}"), 4, "bodies[0].masss") ==
      "f:4: bodies[0].masss = 1.50: is not a field of Body (did you mean \"mass\"?)");
  REQUIRE(onlyFinding(withBody(kRestOfBody + ",\n\"colour\": {\"a\": [1]}"), 5, "bodies[0].colour") ==
          "f:5: bodies[0].colour = {...}: is not a field of Body (known: name, description, mass, inertia, position, "
          "orientation, velocity, angular_velocity, visuals, placement, point_masses)");
}

TEST_CASE("a misspelt field does not hide that its right name holds a wrong value", "[server][model_io]") {
  const ModelDocument document = withBody("\"mas\": 1,\n\"mass\": -1,\n\"inertia\": {\"xx\": 1, \"yy\": 1, \"zz\": 1}");
  REQUIRE(placesOf(document) == std::vector<std::string>{"4 bodies[0].mas", "5 bodies[0].mass"});
}

TEST_CASE("a misspelt kind is one finding, not two", "[server][model_io]") {
  const ModelDocument document = readModelText(
      "name: 'm' gravity: [0, 0, 0]\nbodies { name: 'a' mass: 1 inertia { xx: 1 yy: 1 zz: 1 } }\n"
      "joints { name: 'j' body_1: 'ground' body_2: 'a'\nsherical { point_1: [0, 0, 0] } }",
      ModelSyntax::kText);
  REQUIRE(onlyFinding(document, 4, "joints[0].sherical").find("did you mean \"spherical\"?") != std::string::npos);
}

TEST_CASE("a missing kind is found, and nothing is invented in its place", "[server][model_io]") {
  const ModelDocument document = readModelText(
      "name: 'm' gravity: [0, 0, 0]\nbodies { name: 'a' mass: 1 inertia { xx: 1 yy: 1 zz: 1 } }\n"
      "joints { name: 'j'\nbody_1: 'grund' body_2: 'a' }\nactuators { name: 'act' }\nsensors { name: 's' }",
      ModelSyntax::kText);
  INFO(describe(document));
  REQUIRE(placesOf(document) == std::vector<std::string>{"3 joints[0].kind", "4 joints[0].body_1",
                                                         "5 actuators[0].kind", "6 sensors[0].kind"});
}

TEST_CASE("two kinds in one element are refused", "[server][model_io]") {
  const ModelDocument document = readModelText(
      "name: 'm' gravity: [0, 0, 0]\nbodies { name: 'a' mass: 1 inertia { xx: 1 yy: 1 zz: 1 } }\n"
      "joints { name: 'j' body_1: 'ground' body_2: 'a' spherical { point_1: [0, 0, 0] point_2: [0, 0, 0] }\n"
      "point { point_1: [0, 0, 0] point_2: [0, 0, 0] } }",
      ModelSyntax::kText);
  REQUIRE(onlyFinding(document, 4, "joints[0].point").find("must not be given together with spherical") !=
          std::string::npos);
}

TEST_CASE("a key that comes twice is refused, in both syntaxes", "[server][model_io]") {
  REQUIRE(onlyFinding(withBody(kRestOfBody + ",\n\"mass\": 2"), 5, "bodies[0].mass") ==
          "f:5: bodies[0].mass = 2: must be given once (it is given before in line 4)");
  const ModelDocument text =
      readModelText("name: 'm' gravity: [0, 0, 0]\nbodies { name: 'a' mass: 1 inertia { xx: 1 yy: 1 zz: 1 }\nmass: 3 }",
                    ModelSyntax::kText);
  REQUIRE(onlyFinding(text, 3, "bodies[0].mass") ==
          "f:3: bodies[0].mass = 3: must be given once (it is given before in line 2)");
  const ModelDocument list =
      readModelText("{\"name\": \"m\", \"bodies\": [],\n\"bodies\": [],\n\"gravity\": [0, 0, 0]}", ModelSyntax::kJson);
  REQUIRE(placesOf(list) == std::vector<std::string>{"2 bodies"});
}

TEST_CASE("values of the wrong type are found, each at its line", "[server][model_io]") {
  const ModelDocument document = readModelText(R"({
"name": 7,
"gravity": 9.81,
"bodies": [
  17,
  {"name": "a", "mass": "1",
   "inertia": [1, 1, 1],
   "position": [0, [1], 2],
   "velocity": {"x": 1}},
  {"name": "b", "mass": true, "inertia": {"xx": 1, "yy": 1, "zz": 1}}],
"actuators": [{"name": "f", "body_force": {"body": "b", "direction": [1, 0, 0],
  "frame": "FRAME_BODDY"}}],
"solver": {"iterations": 2.5,
  "period": null}
})",
                                               ModelSyntax::kJson);
  INFO(describe(document));
  REQUIRE(placesOf(document) == std::vector<std::string>{"2 name", "3 gravity", "5 bodies[0]", "6 bodies[1].mass",
                                                         "7 bodies[1].inertia", "8 bodies[1].position[1]",
                                                         "9 bodies[1].velocity", "10 bodies[2].mass",
                                                         "12 actuators[0].body_force.frame", "13 solver.iterations"});
  REQUIRE(document.findings[8].finding.hint == "did you mean \"FRAME_BODY\"?");
  REQUIRE(document.findings[3].finding.value == "\"1\"");
}

TEST_CASE("a whole number that is far too large is reported as the file has it", "[server][model_io]") {
  const std::string text = R"({"name": "m", "gravity": [0, 0, 0], "composites": [{"name": "bar", "beam": {
    "points": [{"position": [0, 0, 0]}, {"position": [1, 0, 0]}], "elements": 4000000000, "stations": [{"circle": {"radius": 0.1}}],
    "material": {"young": 2e11, "poisson_ratio": 0.3, "density": 7800}}}], "solver": {"iterations": 3000000000}})";
  std::vector<std::string> found;
  for (const LocatedFinding& f : readModelText(text, ModelSyntax::kJson).findings)
    found.push_back(f.finding.path + " = " + f.finding.value + ": " + f.finding.rule);
  CAPTURE(found);
  REQUIRE(found.size() == 2);
  CHECK(found[0] == "composites[0].beam.elements = 4000000000: must be from 1 to 2048");
  CHECK(found[1] == "solver.iterations = 3000000000: must be from 1 to 20");
}

TEST_CASE("hexadecimal and octal numbers are refused, as protobuf refuses them", "[server][model_io]") {
  for (const std::string bad : {"0x10", "-0x10", "010"}) {
    CAPTURE(bad);
    onlyFinding(readModelText("name: 'm' gravity: [0, 0, 0]\nbodies { name: 'a' inertia { xx: 1 yy: 1 zz: 1 }\nmass: " +
                                  bad + " }",
                              ModelSyntax::kText),
                3, "bodies[0].mass");
  }
}

TEST_CASE("numbers that are not finite are found in both syntaxes", "[server][model_io]") {
  REQUIRE(onlyFinding(withBody("\"mass\": \"NaN\",\n\"inertia\": {\"xx\": 1, \"yy\": 1, \"zz\": 1}"), 4,
                      "bodies[0].mass") == "f:4: bodies[0].mass = nan: must be finite and above zero");
  onlyFinding(withBody(kRestOfBody + ",\n\"position\": [0, \"-Infinity\", 0]"), 5, "bodies[0].position");
  for (const std::string bad : {"nan", "inf", "-inf", "Infinity"}) {
    CAPTURE(bad);
    const ModelDocument text = readModelText(
        "name: 'm' gravity: [0, 0, 0]\nbodies { name: 'a' mass: 1 inertia { xx: 1 yy: 1 zz: 1 }\nvelocity: [0, 0, " +
            bad + "] }",
        ModelSyntax::kText);
    onlyFinding(text, 3, "bodies[0].velocity");
  }

  // Bare words are no JSON; numbers beyond double are no numbers.
  REQUIRE(withBody("\"mass\": NaN").findings.at(0).line == 4);
  REQUIRE_FALSE(withBody("\"mass\": 1e999").valid());
}

TEST_CASE("vectors have three numbers, orientations four", "[server][model_io]") {
  REQUIRE(onlyFinding(withBody(kRestOfBody + ",\n\"position\": [0, 1]"), 5, "bodies[0].position") ==
          "f:5: bodies[0].position = [0, 1]: must be a list of three numbers");
  REQUIRE(onlyFinding(withBody(kRestOfBody + ",\n\"orientation\": [1, 0, 0]"), 5, "bodies[0].orientation") ==
          "f:5: bodies[0].orientation = [1, 0, 0]: must be a list of four numbers");
  REQUIRE(onlyFinding(withBody(kRestOfBody + ",\n\"velocity\": [1, 2, 3, 4, 5, 6, 7, 8]"), 5, "bodies[0].velocity") ==
          "f:5: bodies[0].velocity = [1, 2, 3, 4, 5, 6, ...]: must be a list of three numbers");
}

TEST_CASE("a missing field is reported at the element that lacks it", "[server][model_io]") {
  const ModelDocument document = readModelText(R"({
"name": "m",
"bodies": [
  {"name": "a", "mass": 1},
  {"name": "b", "inertia": {"xx": 1, "yy": 1, "zz": 1}}],
"joints": [
  {"name": "j", "body_1": "a", "body_2": "b",
   "spherical": {"point_1": [0, 0, 0]}}]
})",
                                               ModelSyntax::kJson);
  INFO(describe(document));
  REQUIRE(placesOf(document) == std::vector<std::string>{"1 gravity", "4 bodies[0].inertia", "5 bodies[1].mass",
                                                         "8 joints[0].spherical.point_2"});
}

TEST_CASE("a number at the end of a line belongs to that line", "[server][model_io]") {
  onlyFinding(withBody(kRestOfBody + ",\n\"position\": [0, 1,\n\"2\"\n,\n4]"), 6, "bodies[0].position[2]");
  const ModelDocument document =
      readModelText("{\"name\":\n7\n\n,\"gravity\": [0, 0, 0],\n\"bodies\": [\n3\n]}", ModelSyntax::kJson);
  INFO(describe(document));
  REQUIRE(placesOf(document) == std::vector<std::string>{"2 name", "6 bodies[0]"});
}

TEST_CASE("broken JSON is reported with line and column", "[server][model_io]") {
  const ModelDocument document = readModelText("{\n  \"name\": \"m\",\n  \"gravity\": [0, 0 0]\n}", ModelSyntax::kJson);
  REQUIRE(document.findings.size() == 1);
  REQUIRE(document.findings[0].line == 3);
  REQUIRE(document.findings[0].column == 20);
  REQUIRE(document.findings[0].finding.rule.find("is not JSON: syntax error") == 0);

  // What was found before the text broke is kept.
  REQUIRE(placesOf(readModelText("{\"nam\": 1,\n", ModelSyntax::kJson)) == std::vector<std::string>{"1 nam", "2 "});
  for (const std::string bad : {"", "   ", "[]", "3", "{}{}", "{\"name\": \"\xff\"}", "nonsense"}) {
    CAPTURE(bad);
    REQUIRE_FALSE(readModelText(bad, ModelSyntax::kJson).valid());
  }
}

TEST_CASE("broken text form is reported with line and column", "[server][model_io]") {
  const ModelDocument document = readModelText("name: \"m\"\nbodies {\n  mass 3\n}", ModelSyntax::kText);
  REQUIRE(document.findings.size() == 1);
  REQUIRE(document.findings[0].line == 3);
  REQUIRE(document.findings[0].column == 8);
  REQUIRE(document.findings[0].finding.rule == "is not a text form: \":\" expected, found \"3\"");

  for (const std::string bad : {"bodies {", "bodies }", "gravity: [0, 0", "gravity: [0 0 0]", "name: 'm",
                                "mass:", "name: -x", "[ext.name]: 3", "description: 'caf\xe9'"}) {
    CAPTURE(bad);
    REQUIRE_FALSE(readModelText(bad, ModelSyntax::kText).valid());
  }
}

TEST_CASE("the text form is refused wherever protobuf refuses it", "[server][model_io]") {
  for (const std::string bad : {"gravity: [0, 0, 0,]", "gravity: [,0, 0, 0]", "solver { period: 1e-3iterations: 2 }",
                                "description: 'over\ntwo lines'", "bodies { angularVelocity: [0, 0, 0] }"}) {
    CAPTURE(bad);
    v1::Model message;
    google::protobuf::TextFormat::Parser official;
    Silent silent;
    official.RecordErrorsTo(&silent);
    REQUIRE_FALSE(official.ParseFromString(bad, &message));
    const ModelDocument document = readModelText(bad, ModelSyntax::kText);
    REQUIRE(std::any_of(document.findings.begin(), document.findings.end(),
                        [](const LocatedFinding& f) { return f.finding.rule.find("is not a ") == 0; }));
  }
}

TEST_CASE("hostile input is refused at bounded cost", "[server][model_io]") {
  const auto repeated = [](const std::string& part, int n) {
    std::string text;
    for (int i = 0; i < n; ++i) text += part;
    return text;
  };
  const std::string deep_json = "{\"bodies\": " + repeated("[", 1'000'000);
  const std::string deep_text = repeated("bodies {", 1'000'000);
  REQUIRE(readModelText(deep_json, ModelSyntax::kJson).findings.back().finding.rule.find("nested deeper") !=
          std::string::npos);
  REQUIRE(readModelText(deep_text, ModelSyntax::kText).findings.back().finding.rule.find("nested deeper") !=
          std::string::npos);

  const std::string many = "{\"gravity\": [0" + repeated(",0", 1'100'000) + "]}";
  REQUIRE(readModelText(many, ModelSyntax::kJson).findings.back().finding.rule.find("more than") != std::string::npos);

  const std::string unknown = repeated("colour: 1\n", 5000);
  REQUIRE(readModelText(unknown, ModelSyntax::kText).findings.size() <= 1001);

  const std::string large(kMaxModelFile + 1, ' ');
  REQUIRE(readModelText(large, ModelSyntax::kJson).findings.at(0).finding.rule == "must not be larger than 16 MiB");
}
