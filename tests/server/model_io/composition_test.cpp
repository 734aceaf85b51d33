// Covers: server/model_io/placement.cpp, server/model_io/table_names.cpp, server/model_io/point_masses.cpp
// Covers: server/model_io/joint_tree.cpp, server/model_io/body_motion.h
// Covers: server/model_io/joint_rates.cpp, server/model_io/rated_joint.cpp, server/model_io/element_names.cpp
// Covers: server/model_io/attached_vectors.cpp, server/model_io/file_in_folder.cpp, server/model_io/resolve.h
// Models of several files, and what a file says in terms of other parts of the model.
#include "server/model_io/composition.h"

#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "server/model_io/element_names.h"
#include "server/model_io/model_file.h"
#include "tests/server/record/scratch_folder.h"

#include <google/protobuf/util/message_differencer.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <set>

using namespace tactus;
using namespace tactus::server;
using Eigen::Vector3d;

namespace {

class Files {
 public:
  void write(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = folder_.file(name);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  std::string path(const std::string& name) const { return folder_.file(name); }

  ModelDocument read(const std::string& name = "m.json") const {
    ModelDocument document = readModelFile(folder_.file(name));
    for (const LocatedFinding& finding : document.findings) UNSCOPED_INFO(toString(finding, name));
    return document;
  }
  /// The findings as the program prints them.
  std::vector<std::string> findings() const {
    std::vector<std::string> texts;
    for (const LocatedFinding& finding : readModelFile(folder_.file("m.json")).findings)
      texts.push_back(toString(finding, "m.json"));
    return texts;
  }

 private:
  tests::ScratchFolder folder_;
};

std::string body(const std::string& name, const std::string& more) {
  return R"({"name": ")" + name + R"(", "mass": 2, "inertia": {"xx": 1, "yy": 1, "zz": 1})" +
         (more.empty() ? "" : ", " + more) + "}";
}

std::string model(const std::string& more) {
  return "{\"name\": \"m\", \"gravity\": [0, 0, -9.81],\n" + more + "}";
}

ModelDocument readText(const std::string& text) {
  ModelDocument document = readModelText(text, ModelSyntax::kJson);
  for (const LocatedFinding& finding : document.findings) UNSCOPED_INFO(toString(finding, "m.json"));
  return document;
}

Vector3d vectorOf(const google::protobuf::RepeatedField<double>& list) {
  REQUIRE(list.size() == 3);
  return {list[0], list[1], list[2]};
}

/// A crank and a damper on ground, as a part of other models.
const std::string kPart =
    R"({"parameters": [{"name": "damping", "targets": ["forces.damper.damping", "forces[0].damping"]}],
"bodies": [{"name": "crank", "mass": 1, "inertia": {"xx": 1, "yy": 1, "zz": 1}, "position": [0.5, 0, 0]}],
"joints": [{"name": "pivot", "body_1": "ground", "body_2": "crank",
  "revolute": {"point_1": [0, 0, 0], "point_2": [-0.5, 0, 0], "axis_1": [0, 0, 1], "axis_2": [0, 0, 1]}}],
"forces": [{"name": "damper", "rotational_spring": {"joint": "pivot", "damping": 3}}],
"sensors": [{"name": "angle", "joint_angle": {"joint": "pivot"}}]})";

/// |Phi_q qd| and |Phi| as a document declares them.
rt::AssemblyResult assembled(const ModelDocument& document) {
  REQUIRE(document.valid());
  return rt::initialState(rt::buildModel(document.spec));
}

}  // namespace

TEST_CASE("an included file is what its elements would be in the model, with prefix, place and values",
          "[server][model_io][composition]") {
  const Files files;
  files.write("parts/crank.json", kPart);
  files.write("m.json", model(R"("includes": [{"file": "parts/crank.json", "prefix": "left_", "position": [0, 1, 0],
    "orientation": [0.7071067811865476, 0, 0, 0.7071067811865476],
    "overrides": [{"target": "damping", "value": 7}, {"target": "bodies.crank.mass", "value": 4}]}])"));
  const ModelDocument document = files.read();
  REQUIRE(document.valid());
  const v1::Model& m = document.message;
  CHECK(m.includes().empty());
  REQUIRE(m.bodies_size() == 1);
  CHECK(m.bodies(0).name() == "left_crank");
  CHECK(m.bodies(0).mass() == 4);
  // A quarter turn about z: x of the file is y of the world.
  CHECK(vectorOf(m.bodies(0).position()).isApprox(Vector3d(0, 1.5, 0), 1e-15));
  REQUIRE(m.joints(0).name() == "left_pivot");
  CHECK(m.joints(0).body_1() == "ground");
  CHECK(m.joints(0).body_2() == "left_crank");
  CHECK(vectorOf(m.joints(0).revolute().point_1()).isApprox(Vector3d(0, 1, 0), 1e-15));
  CHECK(vectorOf(m.joints(0).revolute().point_2()) == Vector3d(-0.5, 0, 0));
  CHECK(m.forces(0).rotational_spring().joint() == "left_pivot");
  CHECK(m.forces(0).rotational_spring().damping() == 7);
  CHECK(m.sensors(0).joint_angle().joint() == "left_pivot");
  CHECK(m.parameters(0).name() == "left_damping");
  CHECK(m.parameters(0).targets(0) == "forces.left_damper.damping");
  CHECK(assembled(document).position_violation < 1e-14);

  // The composed model is plain: it goes over the wire.
  const ModelDocument wire = readModelMessage(m);
  CHECK(wire.valid());
  CHECK(google::protobuf::util::MessageDifferencer::Equals(wire.message, m));
}

TEST_CASE("an included file may stand on a body, which is then its ground", "[server][model_io][composition]") {
  const Files files;
  files.write("crank.json", kPart);
  files.write("m.json", model("\"bodies\": [" + body("frame", R"("position": [1, 2, 3],
    "orientation": [0.7071067811865476, 0, 0, 0.7071067811865476])") +
                              R"(],
    "includes": [{"file": "crank.json", "prefix": "a_", "body": "frame", "position": [0.2, 0, 0]},
                 {"file": "crank.json", "prefix": "b_", "body": "a_crank"}])"));
  const ModelDocument document = files.read();
  REQUIRE(document.valid());
  const v1::Model& m = document.message;
  CHECK(m.joints(0).body_1() == "frame");
  CHECK(vectorOf(m.joints(0).revolute().point_1()) == Vector3d(0.2, 0, 0));
  // Round-off.
  CHECK(vectorOf(m.bodies(1).position()).isApprox(Vector3d(1, 2.7, 3), 1e-14));
  CHECK(m.joints(1).body_1() == "a_crank");
  // Round-off.
  CHECK(vectorOf(m.bodies(2).position()).isApprox(Vector3d(1, 3.2, 3), 1e-14));
  // Indices of targets count in the whole model.
  CHECK(m.parameters(1).targets(1) == "forces[1].damping");
  CHECK(assembled(document).position_violation < 1e-14);
}

TEST_CASE("findings are at the file, line and field of the declaration", "[server][model_io][composition]") {
  const Files files;
  files.write("parts/wheel.json",
              "{\"bodies\": [\n{\"name\": \"rim\",\n\"mass\": -1,\n"
              "\"inertia\": {\"xx\": 1, \"yy\": 1, \"zz\": 1}}],\n\"joins\": []}");
  files.write("m.json", model("\"bodies\": [" + body("frame", "") +
                              "],\n\"includes\": [\n"
                              "{\"file\": \"parts/wheel.json\", \"prefix\": \"w_\",\n"
                              "\"overrides\": [{\"target\": \"bodies.rin.mass\", \"value\": 3}]}]"));
  const std::vector<std::string> found = files.findings();
  INFO(Catch::Detail::stringify(found));
  REQUIRE(found.size() == 3);
  CHECK(found[0].rfind("m.json:5: includes[0].overrides[0].target = \"bodies.rin.mass\": must be a parameter or a path",
                       0) == 0);
  CHECK(found[0].find("did you mean \"rim\"?") != std::string::npos);
  CHECK(found[1] == "parts/wheel.json:3: bodies[0].mass = -1: must be finite and above zero");
  CHECK(found[2].rfind("parts/wheel.json:5: joins = [...]: is not a field of Model (did you mean \"joints\"?)", 0) ==
        0);
}

TEST_CASE("an override cannot set gravity, which an included file does not give", "[server][model_io][composition]") {
  const Files files;
  files.write("part.json", R"({"gravity": [0, 0, -1], "parameters": [{"name": "pull", "targets": ["gravity[2]"]}]})");
  files.write("m.json", model("\"bodies\": [" + body("frame", "") + R"(], "includes": [{"file": "part.json",
    "overrides": [{"target": "gravity[2]", "value": -2}, {"target": "pull", "value": -2}]}])"));
  const std::vector<std::string> found = files.findings();
  INFO(Catch::Detail::stringify(found));
  REQUIRE(found.size() == 3);
  CHECK(found[0].find("overrides[0].target = \"gravity[2]\": must not be gravity") != std::string::npos);
  CHECK(found[1].find("overrides[1].target = \"pull\": must not set gravity") != std::string::npos);
  CHECK(found[2].find("part.json:1: warning: parameters[0].targets") == 0);
}

TEST_CASE("a parameter of an included file sets no gravity of the model", "[server][model_io][composition]") {
  const Files files;
  files.write("part.json", R"({"parameters": [{"name": "pull", "targets": ["gravity[2]"]},
    {"name": "load", "targets": ["bodies.frame.mass"]}], "bodies": [)" +
                               body("frame", "") + "]}");
  files.write("m.json",
              model(R"("includes": [{"file": "part.json", "prefix": "a_"}, {"file": "part.json", "prefix": "b_"}])"));
  const ModelDocument document = files.read();
  REQUIRE(document.valid());
  REQUIRE(document.findings.size() == 2);
  for (const LocatedFinding& found : document.findings) CHECK(found.finding.path == "parameters[0].targets");
  REQUIRE(document.message.parameters_size() == 2);
  CHECK(document.message.parameters(0).name() == "a_load");
  CHECK(document.message.parameters(1).targets(0) == "bodies.b_frame.mass");
}

TEST_CASE("the direction of a reaction in the frame of ground turns with an included file",
          "[server][model_io][composition]") {
  const Files files;
  files.write("part.json",
              "{\"bodies\": [" + body("b", "") + R"(], "joints": [{"name": "w", "body_1": "b", "body_2": "ground",
      "weld": {"point_1": [0, 0, 0], "point_2": [0, 0, 0]}}],
    "sensors": [{"name": "s", "joint_reaction": {"joint": "w", "direction": [1, 0, 0], "frame": "FRAME_BODY"}}]})");
  files.write("m.json",
              model("\"bodies\": [" + body("host", "") + R"(], "includes": [{"file": "part.json", "prefix": "p_",
    "body": "host", "orientation": [0.7071067811865476, 0, 0, 0.7071067811865476]}])"));
  const ModelDocument document = files.read();
  REQUIRE(document.valid());
  REQUIRE(document.message.joints(0).body_2() == "host");
  // Round-off.
  CHECK(vectorOf(document.message.sensors(0).joint_reaction().direction()).isApprox(Vector3d(0, 1, 0), 1e-14));
}

TEST_CASE("only files in the folder of the model are included, none of them twice in a row",
          "[server][model_io][composition]") {
  const Files files;
  const tests::ScratchFolder outside;
  std::ofstream(outside.file("out.json")) << "{}";
  files.write("deep/a.json", R"({"includes": [{"file": "b.json"}]})");
  files.write("deep/b.json", R"({"includes": [{"file": "a.json"}]})");
  files.write("text.json", "{\"bodies\": [");
  std::filesystem::create_symlink(outside.file("out.json"), files.path("link.json"));
  std::filesystem::create_symlink(files.path("m.json"), files.path("self.json"));
  const auto only = [&](const std::string& file) {
    files.write("m.json", model("\"bodies\": [" + body("b", "") + "],\n\"includes\": [{\"file\": \"" + file + "\"}]"));
    const std::vector<std::string> found = files.findings();
    INFO(Catch::Detail::stringify(found));
    REQUIRE(found.size() == 1);
    return found[0];
  };
  CHECK(only("../m.json").find("m.json:3: includes[0].file = \"../m.json\": must be a path from the folder") == 0);
  CHECK(only("/etc/passwd.json").find("must be a path from the folder") != std::string::npos);
  CHECK(only("link.json").find("its links lead out of it") != std::string::npos);
  CHECK(only("self.json").find("must not include itself") != std::string::npos);
  CHECK(only("m.json").find("must not include itself") != std::string::npos);
  CHECK(only("deep/a.json").find("deep/b.json:1: includes[0].file = \"a.json\": must not include itself") == 0);
  CHECK(only("none.json").find("cannot be opened: No such file") != std::string::npos);
  CHECK(only("deep").find("must end in .json or .txtpb") != std::string::npos);
  CHECK(only("text.json").find("text.json:1") == 0);
  files.write("folder.json/x", "");
  CHECK(only("folder.json").find("must be a file, not a folder") != std::string::npos);

  for (int i = 0; i < 20; ++i)
    files.write("c" + std::to_string(i) + ".json",
                R"({"includes": [{"file": "c)" + std::to_string(i + 1) + R"(.json"}]})");
  files.write("c20.json", "{}");
  CHECK(only("c5.json").find("c19.json:1") == 0);
  CHECK(only("c5.json").find("deeper than 16 files") != std::string::npos);
  files.write("m.json", model("\"bodies\": [" + body("b", "") + "], \"includes\": [{\"file\": \"c6.json\"}]"));
  CHECK(files.findings().empty());
}

TEST_CASE("a server includes no files", "[server][model_io][composition]") {
  const std::string text = model("\"bodies\": [" + body("b", "") + "], \"includes\": [{\"file\": \"a.json\"}]");
  const ModelDocument document = readText(text);
  REQUIRE(document.findings.size() == 1);
  CHECK(document.findings[0].finding.rule.find("not by a server") != std::string::npos);
  v1::Model message;
  message.add_includes()->set_file("a.json");
  CHECK(readModelMessage(message).findings.front().finding.path == "includes[0].file");
}

TEST_CASE("a body is placed on another body, by a point or by a joint", "[server][model_io][composition]") {
  const double angle = 0.6;
  const ModelDocument document =
      readText(model("\"bodies\": [" + body("tip", R"("placement": {"joint": "elbow", "angle": 0.6})") + ',' +
                     body("arm", R"("placement": {"body": "base", "position": [0, 0, 0.1], "point": [-0.5, 0, 0],
        "orientation": [0.7071067811865476, 0, 0, 0.7071067811865476]})") +
                     ',' + body("base", R"("position": [1, 0, 0])") + R"(],
    "joints": [{"name": "elbow", "body_1": "arm", "body_2": "tip",
      "revolute": {"point_1": [0.5, 0, 0], "point_2": [-0.3, 0, 0], "axis_1": [0, 0, 1], "axis_2": [0, 1, 0]}}])"));
  REQUIRE(document.valid());
  const v1::Model& m = document.message;
  // Round-off.
  CHECK(vectorOf(m.bodies(1).position()).isApprox(Vector3d(1, 0.5, 0.1), 1e-14));
  CHECK_FALSE(m.bodies(0).has_placement());
  CHECK(m.joints(0).revolute().initial_angle() == angle);
  // The elbow is at (1, 1, 0.1); the smallest turn from y to z leaves x, and the arm has turned x to y.
  const Vector3d along(-std::sin(angle), std::cos(angle), 0);
  CHECK(vectorOf(m.bodies(0).position()).isApprox(Vector3d(1, 1, 0.1) + 0.3 * along, 1e-14));
  CHECK(assembled(document).position_violation < 1e-14);
}

TEST_CASE("a placement that leads nowhere is a finding", "[server][model_io][composition]") {
  const auto only = [](const std::string& bodies) {
    const ModelDocument document = readText(model("\"bodies\": [" + bodies + "], \"joints\": []"));
    REQUIRE_FALSE(document.findings.empty());
    return toString(document.findings[0], "m");
  };
  CHECK(only(body("a", R"("placement": {"body": "b"})") + ',' + body("b", R"("placement": {"body": "a"})"))
            .find("it is placed on b, then a") != std::string::npos);
  CHECK(only(body("arm", "") + ',' + body("b", R"("placement": {"body": "amr"})")).find("did you mean \"arm\"?") !=
        std::string::npos);
  CHECK(only(body("a", R"("placement": {"joint": "j"})")).find("placement.joint") != std::string::npos);
  CHECK(only(body("a", R"("placement": {"body": "ground"}, "position": [0, 0, 0])")).find("not be given together") !=
        std::string::npos);
  CHECK(only(body("a", R"("placement": {"position": [0, 0]})")).find("three numbers") != std::string::npos);
  CHECK(only(body("a", R"("placement": {"angle": 1})")).find("with the joint") != std::string::npos);
}

TEST_CASE("points of mass move the center of mass, and all that is given in the frame of the body moves against it",
          "[server][model_io][composition]") {
  const ModelDocument document = readText(model(R"("bodies": [
    {"name": "rod", "mass": 3, "inertia": {"xx": 0.1, "yy": 0.2, "zz": 0.3}, "position": [1, 0, 0],
     "angular_velocity": [0, 0, 2], "point_masses": [{"mass": 1, "point": [0.4, 0, 0]}]},
    {"name": "dumbbell", "point_masses": [{"mass": 1, "point": [1, 0, 0]}, {"mass": 1, "point": [-1, 0, 0]},
      {"mass": 1, "point": [0, 1, 0]}, {"mass": 1, "point": [0, -1, 0]}]}],
    "joints": [{"name": "pin", "body_1": "ground", "body_2": "rod",
      "spherical": {"point_1": [0.6, 0, 0], "point_2": [-0.4, 0, 0]}}],
    "sensors": [{"name": "origin", "point_position": {"body": "rod", "direction": [1, 0, 0]}}],
    "initial_conditions": [{"name": "high", "bodies": [{"body": "rod", "position": [1, 0, 5]}]}])"));
  REQUIRE(document.valid());
  const v1::Model& m = document.message;
  const v1::Body& rod = m.bodies(0);
  CHECK(rod.mass() == 4);
  // Round-off.
  CHECK(vectorOf(rod.position()).isApprox(Vector3d(1.1, 0, 0), 1e-15));
  // Steiner, by hand: reduced mass 3/4 kg at 0.4 m.
  CHECK(rod.inertia().xx() == Approx(0.1));
  CHECK(rod.inertia().yy() == Approx(0.2 + 0.75 * 0.16));
  CHECK(rod.inertia().zz() == Approx(0.3 + 0.75 * 0.16));
  CHECK(vectorOf(rod.velocity()).isApprox(Vector3d(0, 0.2, 0), 1e-15));
  CHECK(vectorOf(m.joints(0).spherical().point_2()).isApprox(Vector3d(-0.5, 0, 0), 1e-15));
  CHECK(vectorOf(m.sensors(0).point_position().point()).isApprox(Vector3d(-0.1, 0, 0), 1e-15));
  CHECK(vectorOf(m.initial_conditions(0).bodies(0).position()).isApprox(Vector3d(1.1, 0, 5), 1e-15));
  CHECK(m.bodies(1).mass() == 4);
  CHECK(m.bodies(1).inertia().zz() == 4);
  CHECK(m.bodies(1).inertia().xx() == 2);
  CHECK(rod.point_masses().empty());

  const ModelDocument bad = readText(model(R"("bodies": [)" + body("b", R"("point_masses": [{"mass": 0}])") + "]"));
  REQUIRE(bad.findings.size() == 1);
  CHECK(bad.findings[0].finding.path == "bodies[0].point_masses[0].mass");
}

TEST_CASE("tables have names, and units of their own", "[server][model_io][composition]") {
  const auto withTable = [](const std::string& table, const std::string& name) {
    return model("\"bodies\": [" + body("b", R"("position": [0, 0, 1])") + R"(], "tables": [)" + table + R"(],
      "forces": [{"name": "spring", "translational_spring": {"body_1": "ground", "body_2": "b", "point_1": [0, 0, 0],
        "point_2": [0, 0, 0], "stiffness_curve": {"table": ")" +
                 name + R"("}}}])");
  };
  const std::string good = R"({"name": "bump", "x": [-100, 0, 100], "y": [-2, 0, 3], "x_unit": "mm", "y_unit": "kN"})";
  const ModelDocument document = readText(withTable(good, "bump"));
  REQUIRE(document.valid());
  const v1::Curve& curve = document.message.forces(0).translational_spring().stiffness_curve();
  CHECK(curve.x(0) == Approx(-0.1));
  CHECK(curve.y(2) == Approx(3000));
  CHECK(curve.table().empty());
  CHECK(document.message.tables().empty());

  const auto first = [&](const std::string& text) {
    const ModelDocument bad = readText(text);
    REQUIRE_FALSE(bad.findings.empty());
    return toString(bad.findings[0], "m");
  };
  CHECK(first(withTable(good, "bumb")).find("did you mean \"bump\"?") != std::string::npos);
  CHECK(first(withTable(good + ',' + good, "bump")).find("unique among tables") != std::string::npos);
  CHECK(first(withTable(R"({"name": "t", "x": [0, 1], "y": [0, 1], "y_unit": "furlong"})", "t"))
            .find("y_unit is a unit like N, not \"furlong\"") != std::string::npos);
  CHECK(first(withTable(R"({"name": "t", "x": [0, 1], "y": [0, 1], "x_unit": "kg"})", "t"))
            .find("x_unit is a unit like m, not \"kg\"") != std::string::npos);
  CHECK(first(withTable(R"({"name": "t", "x": [0, 1], "y": [0, 1], "y_unit": "deg"})", "t"))
            .find("y_unit is a unit like N, not \"deg\"") != std::string::npos);
  CHECK(first(withTable(R"({"name": "t", "x": [0, 1], "y": [0]})", "t")).find("as many as x") != std::string::npos);
  CHECK(readText(withTable(good, "bumb")).findings.size() == 1);
}

TEST_CASE("a table has the units of what it belongs to", "[server][model_io][composition]") {
  const auto with = [](const char* spring, const char* curve, const char* x, const char* y) {
    return readText(model("\"bodies\": [" + body("b", R"("position": [1, 0, 0])") + R"(], "tables": [{"name": "t",
      "x": [-1, 0, 1], "y": [-1, 0, 1], "x_unit": ")" +
                          x + R"(", "y_unit": ")" + y + R"("}],
      "joints": [{"name": "hinge", "body_1": "ground", "body_2": "b", "revolute": {"point_1": [0, 0, 0],
        "point_2": [-1, 0, 0], "axis_1": [0, 0, 1], "axis_2": [0, 0, 1]}}],
      "forces": [{"name": "spring", ")" +
                          spring + R"(, ")" + curve + R"(": {"table": "t"}}}])"));
  };
  const char* const straight = R"(translational_spring": {"body_1": "ground", "body_2": "b", "point_1": [0, 0, 0],
        "point_2": [0, 0, 0])";
  const char* const turning = R"(rotational_spring": {"joint": "hinge")";
  struct Row {
    const char *spring, *curve, *x, *y;
    bool valid;
  };
  for (const Row& row : {Row{straight, "stiffness_curve", "mm", "kN", true},
                         {straight, "damping_curve", "mm/s", "N", true},
                         {straight, "damping_curve", "mm", "N", false},
                         {turning, "stiffness_curve", "deg", "N m", true},
                         {turning, "stiffness_curve", "mm", "N m", false},
                         {turning, "damping_curve", "rpm", "N m", true},
                         {turning, "damping_curve", "rpm", "N", false}}) {
    INFO(row.spring << ' ' << row.curve << ' ' << row.x << ' ' << row.y);
    CHECK(with(row.spring, row.curve, row.x, row.y).valid() == row.valid);
  }
}

TEST_CASE("velocities of a chain follow from the rates of its joints", "[server][model_io][composition]") {
  // A cart on a rail, an arm on the cart, and a second arm whose rate is not given.
  const ModelDocument document =
      readText(model("\"bodies\": [" + body("cart", "") + ',' + body("arm", R"("position": [0.5, 0, 0])") + ',' +
                     body("hand", R"("position": [1.5, 0, 0])") + R"(],
    "joints": [{"name": "rail", "body_1": "ground", "body_2": "cart",
      "prismatic": {"point_1": [0, 0, 0], "point_2": [0, 0, 0], "axis_1": [1, 0, 0], "axis_2": [1, 0, 0]}},
     {"name": "shoulder", "body_1": "arm", "body_2": "cart",
      "revolute": {"point_1": [-0.5, 0, 0], "point_2": [0, 0, 0], "axis_1": [0, 0, 1], "axis_2": [0, 0, 1]}},
     {"name": "wrist", "body_1": "arm", "body_2": "hand",
      "revolute": {"point_1": [0.5, 0, 0], "point_2": [-0.5, 0, 0], "axis_1": [0, 0, 1], "axis_2": [0, 0, 1]}}],
    "joint_rates": [{"joint": "rail", "travel": "3 m/s"}, {"joint": "shoulder", "angle": -2}],
    "initial_conditions": [{"name": "waving", "joint_rates": [{"joint": "wrist", "angle": 1}]}])"));
  REQUIRE(document.valid());
  const v1::Model& m = document.message;
  // Round-off.
  CHECK(vectorOf(m.bodies(0).velocity()).isApprox(Vector3d(3, 0, 0), 1e-14));
  // The angle counts body 2, the cart, against the arm: the arm turns with +2 rad/s.
  CHECK(vectorOf(m.bodies(1).velocity()).isApprox(Vector3d(3, 1, 0), 1e-14));
  CHECK(vectorOf(m.bodies(1).angular_velocity()).isApprox(Vector3d(0, 0, 2), 1e-14));
  CHECK(vectorOf(m.bodies(2).velocity()).isApprox(Vector3d(3, 3, 0), 1e-14));
  CHECK(vectorOf(m.bodies(2).angular_velocity()).isApprox(Vector3d(0, 0, 2), 1e-14));
  const rt::AssemblyResult start = assembled(document);
  CHECK(start.velocity_violation < 1e-13);
  // An initial condition stands by itself: the other joints are at rest in it.
  const v1::InitialCondition& waving = m.initial_conditions(0);
  REQUIRE(waving.bodies_size() == 3);
  CHECK(vectorOf(waving.bodies(1).velocity()).norm() < 1e-14);
  CHECK(vectorOf(waving.bodies(2).velocity()).isApprox(Vector3d(0, 0.5, 0), 1e-14));
}

TEST_CASE("in a loop the other joints follow, and rates that contradict are refused",
          "[server][model_io][composition]") {
  // A parallelogram: the coupler does not turn, both cranks turn alike.
  const auto linkage = [](const std::string& rates) {
    return model("\"bodies\": [" + body("crank", R"("position": [0, 0.5, 0])") + ',' +
                 body("coupler", R"("position": [1, 1, 0])") + ',' + body("rocker", R"("position": [2, 0.5, 0])") +
                 R"(],
      "joints": [{"name": "a", "body_1": "ground", "body_2": "crank",
        "revolute": {"point_1": [0, 0, 0], "point_2": [0, -0.5, 0], "axis_1": [0, 0, 1], "axis_2": [0, 0, 1]}},
       {"name": "b", "body_1": "crank", "body_2": "coupler",
        "revolute": {"point_1": [0, 0.5, 0], "point_2": [-1, 0, 0], "axis_1": [0, 0, 1], "axis_2": [0, 0, 1]}},
       {"name": "c", "body_1": "coupler", "body_2": "rocker",
        "revolute": {"point_1": [1, 0, 0], "point_2": [0, 0.5, 0], "axis_1": [0, 0, 1], "axis_2": [0, 0, 1]}},
       {"name": "d", "body_1": "ground", "body_2": "rocker",
        "revolute": {"point_1": [2, 0, 0], "point_2": [0, -0.5, 0], "axis_1": [0, 0, 1], "axis_2": [0, 0, 1]}}],
      "joint_rates": [)" +
                 rates + "]");
  };
  const ModelDocument document = readText(linkage(R"({"joint": "a", "angle": "60 rpm"})"));
  const double rate = 2 * std::numbers::pi;
  const v1::Model& m = document.message;
  REQUIRE(document.valid());
  // Round-off.
  CHECK(vectorOf(m.bodies(0).angular_velocity()).isApprox(Vector3d(0, 0, rate), 1e-9));
  // Round-off.
  CHECK(vectorOf(m.bodies(1).angular_velocity()).norm() < 1e-9);
  // Round-off.
  CHECK(vectorOf(m.bodies(1).velocity()).isApprox(Vector3d(-rate, 0, 0), 1e-9));
  // Round-off.
  CHECK(vectorOf(m.bodies(2).angular_velocity()).isApprox(Vector3d(0, 0, rate), 1e-9));
  // Round-off.
  CHECK(assembled(document).velocity_violation < 1e-9);

  const auto only = [&](const std::string& rates) {
    const ModelDocument bad = readText(linkage(rates));
    REQUIRE(bad.findings.size() == 1);
    return toString(bad.findings[0], "m");
  };
  CHECK(only(R"({"joint": "a", "angle": 1}, {"joint": "d", "angle": 2})").find("loop") != std::string::npos);
  CHECK(only(R"({"joint": "e", "angle": 1})").find("must be a joint of the model") != std::string::npos);
  CHECK(only(R"({"joint": "a", "travel": 1})").find("joint with a travel") != std::string::npos);
  CHECK(only(R"({"joint": "a"})").find("rate of an angle or of a travel") != std::string::npos);
  CHECK(only(R"({"joint": "a", "angle": 1}, {"joint": "a", "angle": 1})").find("given once") != std::string::npos);
}

TEST_CASE("a body that moves freely keeps its velocity, and the bodies on it follow",
          "[server][model_io][composition]") {
  const ModelDocument document = readText(model("\"bodies\": [" + body("wheel", R"("position": [1, 0, 0])") + ',' +
                                                body("car", R"("velocity": [20, 0, 0])") + R"(],
    "joints": [{"name": "axle", "body_1": "car", "body_2": "wheel",
      "revolute": {"point_1": [1, 0, 0], "point_2": [0, 0, 0], "axis_1": [0, 1, 0], "axis_2": [0, 1, 0]}}],
    "joint_rates": [{"joint": "axle", "angle": 60}])"));
  REQUIRE(document.valid());
  // Round-off.
  CHECK(vectorOf(document.message.bodies(0).velocity()).isApprox(Vector3d(20, 0, 0), 1e-14));
  // Round-off.
  CHECK(vectorOf(document.message.bodies(0).angular_velocity()).isApprox(Vector3d(0, 60, 0), 1e-14));
  CHECK(vectorOf(document.message.bodies(1).velocity()) == Vector3d(20, 0, 0));
}

TEST_CASE("the body whose velocity an initial condition gives keeps it, in any order of declaration",
          "[server][model_io][composition]") {
  for (const bool wheel_first : {true, false}) {
    CAPTURE(wheel_first);
    const std::string bodies[] = {body("car", R"("velocity": [20, 0, 0])"), body("wheel", R"("position": [1, 0, 0])")};
    const ModelDocument document =
        readText(model("\"bodies\": [" + bodies[wheel_first ? 1 : 0] + ',' + bodies[wheel_first ? 0 : 1] + R"(],
      "joints": [{"name": "axle", "body_1": "car", "body_2": "wheel",
        "revolute": {"point_1": [1, 0, 0], "point_2": [0, 0, 0], "axis_1": [0, 1, 0], "axis_2": [0, 1, 0]}}],
      "joint_rates": [{"joint": "axle", "angle": 60}],
      "initial_conditions": [
        {"name": "fast", "bodies": [{"body": "car", "velocity": [30, 0, 0]}], "joint_rates": [{"joint": "axle", "angle": 90}]},
        {"name": "locked", "joint_rates": [{"joint": "axle", "angle": 0}]},
        {"name": "stopped", "bodies": [{"body": "wheel", "angular_velocity": [0, 9, 0]}, {"body": "car", "velocity": [0, 0, 0]}],
         "joint_rates": [{"joint": "axle", "angle": 9}]}])"));
    REQUIRE(document.valid());
    const auto motion = [&](int condition, const std::string& of) {
      for (const v1::BodyState& state : document.message.initial_conditions(condition).bodies())
        if (state.body() == of) return std::pair(vectorOf(state.velocity()), vectorOf(state.angular_velocity()));
      FAIL("no state of " << of);
      return std::pair(Vector3d(Vector3d::Zero()), Vector3d(Vector3d::Zero()));
    };
    const double speeds[] = {30, 20, 0}, rates[] = {90, 0, 9};
    for (int i = 0; i < 3; ++i) {
      CAPTURE(i);
      // Round-off.
      for (const char* of : {"car", "wheel"}) CHECK((motion(i, of).first - Vector3d(speeds[i], 0, 0)).norm() < 1e-12);
      CHECK(motion(i, "car").second.norm() < 1e-12);                                 // round-off
      CHECK((motion(i, "wheel").second - Vector3d(0, rates[i], 0)).norm() < 1e-12);  // round-off
    }
  }
}

TEST_CASE("points of mass on a body whose angular velocity alone is given leave the velocity to the rates of joints",
          "[server][model_io][composition]") {
  // The points move the center of mass by 1/3 of 0.6 m.
  const auto turning = [](const std::string& fields, const std::string& more) {
    return readText(
        model("\"bodies\": [" +
              body("arm", R"("position": [1, 0, 0], "point_masses": [{"mass": 1, "point": [0.6, 0, 0]}])" + fields) +
              R"(], "joints": [{"name": "hinge", "body_1": "ground", "body_2": "arm",
        "revolute": {"point_1": [0, 0, 0], "point_2": [-1, 0, 0], "axis_1": [0, 0, 1], "axis_2": [0, 0, 1]}}],)" +
              more));
  };
  const auto condition = [](const std::string& more) {
    return R"("initial_conditions": [{"name": "c", "bodies": [{"body": "arm", "angular_velocity": [0, 0, 5]}])" + more +
           "}]";
  };
  const std::string rates = R"(, "joint_rates": [{"joint": "hinge", "angle": 5}])";
  const auto velocityOf = [](const ModelDocument& document) {
    REQUIRE(document.valid());
    return vectorOf(document.message.initial_conditions(0).bodies(0).velocity());
  };
  CHECK((velocityOf(turning("", condition(rates))) - Vector3d(0, 6, 0)).norm() < 1e-12);  // round-off
  const ModelDocument declared = turning(R"(, "angular_velocity": [0, 0, 5])", rates.substr(2));
  REQUIRE(declared.valid());
  CHECK((vectorOf(declared.message.bodies(0).velocity()) - Vector3d(0, 6, 0)).norm() < 1e-12);  // round-off
  // Without rates of its own the condition keeps the declared velocity, which rates give, where the file has the
  // origin.
  const ModelDocument kept = turning("", R"("joint_rates": [{"joint": "hinge", "angle": 2}], )" + condition(""));
  CHECK((velocityOf(kept) - Vector3d(0, 1 * 2 + 0.2 * 5, 0)).norm() < 1e-12);  // round-off
}

TEST_CASE("a rate of a travel holds beside a drive of the angle of its joint", "[server][model_io][composition]") {
  // The rod from the crank pushes a block that slides along x.
  const ModelDocument document =
      readText(model("\"bodies\": [" + body("crank", R"("position": [0, 0.5, 0])") + ',' +
                     body("rod", R"("position": [1, 0.5, 0])") + ',' + body("block", R"("position": [2, 0, 0])") + R"(],
    "joints": [{"name": "a", "body_1": "ground", "body_2": "crank",
      "revolute": {"point_1": [0, 0, 0], "point_2": [0, -0.5, 0], "axis_1": [0, 0, 1], "axis_2": [0, 0, 1]}},
     {"name": "b", "body_1": "crank", "body_2": "rod",
      "revolute": {"point_1": [0, 0.5, 0], "point_2": [-1, 0.5, 0], "axis_1": [0, 0, 1], "axis_2": [0, 0, 1]}},
     {"name": "c", "body_1": "rod", "body_2": "block", "spherical": {"point_1": [1, -0.5, 0], "point_2": [0, 0, 0]}},
     {"name": "d", "body_1": "ground", "body_2": "block",
      "cylindrical": {"point_1": [0, 0, 0], "point_2": [0, 0, 0], "axis_1": [1, 0, 0], "axis_2": [1, 0, 0]}}],
    "drives": [{"name": "upright", "angle": {"joint": "d"}, "polynomial": {"coefficients": [0]}}],
    "joint_rates": [{"joint": "d", "travel": 1}])"));
  REQUIRE(document.valid());
  // Round-off, and the compliance of the rows, 1e-8.
  CHECK((vectorOf(document.message.bodies(2).velocity()) - Vector3d(1, 0, 0)).norm() < 1e-6);
  CHECK((vectorOf(document.message.bodies(0).angular_velocity()) - Vector3d(0, 0, -1)).norm() < 1e-6);
}

TEST_CASE("a velocity that a body declares agrees with the rates of joints", "[server][model_io][composition]") {
  const auto turning = [](const std::string& velocities, const std::string& rate) {
    return readText(model("\"bodies\": [" + body("arm", R"("position": [1, 0, 0])" + velocities) + R"(],
      "joints": [{"name": "hinge", "body_1": "ground", "body_2": "arm",
        "revolute": {"point_1": [0, 0, 0], "point_2": [-1, 0, 0], "axis_1": [0, 0, 1], "axis_2": [0, 0, 1]}}],)" +
                          rate));
  };
  const std::string rate = R"("joint_rates": [{"joint": "hinge", "angle": 2}])";
  // What the assembly of an initial state may change, 0.1 m/s, is no contradiction.
  CHECK(turning(R"(, "velocity": [0, 2.05, 0], "angular_velocity": [0, 0, 2])", rate).findings.empty());
  // Points of mass move the origin; a body without a velocity still declares none.
  CHECK(turning(R"(, "point_masses": [{"mass": 1, "point": [0.5, 0, 0]}])", rate).findings.empty());
  const auto only = [](const ModelDocument& document) {
    REQUIRE(document.findings.size() == 1);
    return toString(document.findings[0], "m");
  };
  CHECK(only(turning(R"(, "velocity": [0, 3, 0])", rate))
            .find("bodies[0].velocity = [0, 3, 0]: must agree with the rates of joints, which give [0, 2, 0]") !=
        std::string::npos);
  CHECK(only(turning(R"(, "angular_velocity": [0, 0, 1])", rate)).find("bodies[0].angular_velocity") !=
        std::string::npos);
  CHECK(
      only(turning("", R"("initial_conditions": [{"name": "c", "bodies": [{"body": "arm", "velocity": [0, 1, 0]}], )" +
                           rate + "}]"))
          .find("initial_conditions[0].bodies[0].velocity") != std::string::npos);
}

TEST_CASE("the two rates of a screw agree with its pitch", "[server][model_io][composition]") {
  const auto turning = [](const std::string& travel) {
    return readText(model("\"bodies\": [" + body("nut", "") + R"(],
      "joints": [{"name": "thread", "body_1": "ground", "body_2": "nut", "screw": {"pitch": 0.01,
        "point_1": [0, 0, 0], "point_2": [0, 0, 0], "axis_1": [0, 0, 1], "axis_2": [0, 0, 1]}}],
      "joint_rates": [{"joint": "thread", "angle": "1 rev/s", "travel": )" +
                          travel + "}]"));
  };
  CHECK(turning("0.01").findings.empty());
  const ModelDocument refused = turning("0.05");
  REQUIRE(refused.findings.size() == 1);
  CHECK(refused.findings[0].finding.path == "joint_rates[0].travel");
}

TEST_CASE("rates of joints move no body that holds a part of a composite", "[server][model_io][composition]") {
  const auto with = [](const std::string& rated) {
    return readText(model("\"bodies\": [" + body("wheel", R"("position": [0, 0, 1])") + ',' +
                          body("rim", R"("position": [0, 0, 1])") + R"(],
      "composites": [{"name": "leg", "strut": {"body_1": "ground", "body_2": "rim", "point_1": [0, 0, 3], "point_2": [0, 0, 0],
        "tube": {"mass": 1, "axial_inertia": 1, "transverse_inertia": 1, "offset": 0.1},
        "rod": {"mass": 1, "axial_inertia": 1, "transverse_inertia": 1, "offset": 0.1}}}],
      "joints": [{"name": "axle", "body_1": "wheel", "body_2": "rim",
        "revolute": {"point_1": [0, 0, 0], "point_2": [0, 0, 0], "axis_1": [0, 1, 0], "axis_2": [0, 1, 0]}},
       {"name": "hold", "body_1": "leg.tube", "body_2": "wheel",
        "revolute": {"point_1": [0, 0, 1.9], "point_2": [0, 0, 0], "axis_1": [0, 1, 0], "axis_2": [0, 1, 0]}}],
      "joint_rates": [{"joint": ")" +
                          rated + R"(", "angle": 1}])"));
  };
  for (const auto& [rated, path] : {std::pair("axle", "joint_rates"), std::pair("hold", "joint_rates[0].joint")}) {
    const ModelDocument document = with(rated);
    REQUIRE_FALSE(document.findings.empty());
    for (const LocatedFinding& f : document.findings) UNSCOPED_INFO(toString(f, "m"));
    CHECK(std::count_if(document.findings.begin(), document.findings.end(), [path = path](const LocatedFinding& f) {
            return f.finding.path == path && f.finding.rule.find("part of a composite") != std::string::npos;
          }) == 1);
  }
}

TEST_CASE("every text of a model is a reference, or known to be none", "[server][model_io][composition]") {
  // A new field that names an element belongs into kReferences: an include puts its prefix there.
  const std::set<std::string> others = {"name",   "description", "unit", "group", "targets", "target", "hash",
                                        "format", "content",     "file", "side",  "prefix",  "x_unit", "y_unit"};
  std::set<const google::protobuf::Descriptor*> seen;
  std::vector<const google::protobuf::Descriptor*> open = {v1::Model::descriptor()};
  while (!open.empty()) {
    const google::protobuf::Descriptor& message = *open.back();
    open.pop_back();
    if (!seen.insert(&message).second) continue;
    for (int i = 0; i < message.field_count(); ++i) {
      const google::protobuf::FieldDescriptor& field = *message.field(i);
      if (field.message_type() != nullptr) open.push_back(field.message_type());
      if (field.cpp_type() != google::protobuf::FieldDescriptor::CPPTYPE_STRING) continue;
      INFO(field.full_name());
      CHECK(isReference(field.name()) != (others.count(field.name()) > 0));
    }
  }
}
