// Covers: server/model_io/body_groups.h, server/model_io/field_units.h
// What a model message says in terms of other parts of it does not hide what the rules refuse, and costs what its size
// is.
#include "server/model_io/model_file.h"

#include "tests/server/record/scratch_folder.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <fstream>

using namespace tactus;
using namespace tactus::server;

namespace {

const std::string kInertia = R"("inertia": {"xx": 1, "yy": 1, "zz": 1})";

std::string body(const std::string& name, const std::string& more) {
  return "{\"name\": \"" + name + "\", " + more + "}";
}

std::string modelOf(const std::string& bodies, const std::string& more = "") {
  return R"({"name": "m", "gravity": [0, 0, 0], "bodies": [)" + bodies + "]" + more + "}";
}

/// The path and rule of each finding.
std::vector<std::string> findingsOf(const ModelDocument& document) {
  std::vector<std::string> texts;
  for (const LocatedFinding& found : document.findings)
    if (found.finding.severity == rt::Severity::kError) texts.push_back(found.finding.path + ": " + found.finding.rule);
  return texts;
}

std::vector<std::string> findingsOf(const std::string& text) {
  return findingsOf(readModelText(text, ModelSyntax::kJson));
}

/// The only finding of a text.
std::string onlyOf(const std::string& text) {
  const std::vector<std::string> findings = findingsOf(text);
  CAPTURE(text, findings);
  CHECK(findings.size() == 1);
  return findings.empty() ? "" : findings.front();
}

v1::Model bodiesInRow(int bodies) {
  v1::Model model;
  model.set_name("m");
  for (int i = 0; i < 3; ++i) model.add_gravity(0);
  for (int i = 0; i < bodies; ++i) {
    v1::Body& added = *model.add_bodies();
    added.set_name("b" + std::to_string(i));
    added.set_mass(1);
    for (auto set : {&v1::Inertia::set_xx, &v1::Inertia::set_yy, &v1::Inertia::set_zz})
      (added.mutable_inertia()->*set)(1);
  }
  return model;
}

double secondsFor(const v1::Model& model, ModelDocument& document) {
  const auto begin = std::chrono::steady_clock::now();
  document = readModelMessage(model);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// A parallelogram with rates of its joints.
std::string linkage(const std::string& more) {
  const auto at = [](const char* name, const char* position) {
    return body(name, "\"mass\": 2, " + kInertia + ", \"position\": " + position);
  };
  return modelOf(at("crank", "[0, 0.5, 0]") + ',' + at("coupler", "[1, 1, 0]") + ',' + at("rocker", "[2, 0.5, 0]"), R"(,
    "joints": [{"name": "a", "body_1": "ground", "body_2": "crank",
        "revolute": {"point_1": [0, 0, 0], "point_2": [0, -0.5, 0], "axis_1": [0, 0, 1], "axis_2": [0, 0, 1]}},
       {"name": "b", "body_1": "crank", "body_2": "coupler",
        "revolute": {"point_1": [0, 0.5, 0], "point_2": [-1, 0, 0], "axis_1": [0, 0, 1], "axis_2": [0, 0, 1]}},
       {"name": "c", "body_1": "coupler", "body_2": "rocker",
        "revolute": {"point_1": [1, 0, 0], "point_2": [0, 0.5, 0], "axis_1": [0, 0, 1], "axis_2": [0, 0, 1]}},
       {"name": "d", "body_1": "ground", "body_2": "rocker",
        "revolute": {"point_1": [2, 0, 0], "point_2": [0, -0.5, 0], "axis_1": [0, 0, 1], "axis_2": [0, 0, 1]}}],
    "joint_rates": [{"joint": "a", "angle": 2}])" + more);
}

}  // namespace

TEST_CASE("a placement does not hide numbers that are no pose", "[server][model_io][composition]") {
  const auto placed = [](const std::string& placement) {
    return onlyOf(modelOf(body("b", "\"mass\": 1, " + kInertia + ", \"placement\": {" + placement + "}")));
  };
  for (const char* quaternion : {"[5, 0, 0, 3]", "[0, 0, 0, 0]"})
    CHECK(placed(std::string(R"("position": [1, 0, 0], "orientation": )") + quaternion)
              .find("bodies[0].placement.orientation: must be a unit quaternion") == 0);
  CHECK(placed(R"("orientation": ["NaN", 0, 0, 0])") == "bodies[0].placement.orientation: must be finite numbers");
  CHECK(placed(R"("position": ["NaN", 0, 0])").find("bodies[0].placement.position: must be finite") == 0);
  CHECK(placed(R"("point": ["Infinity", 0, 0])").find("bodies[0].placement.point: must be finite") == 0);
}

TEST_CASE("points of mass do not hide a wrong mass, inertia or position", "[server][model_io][composition]") {
  const auto with = [](const std::string& fields) {
    return onlyOf(modelOf(body("b", fields + R"(, "point_masses": [{"mass": 2, "point": [1, 1, 0]}])")));
  };
  CHECK(with("\"mass\": -1, " + kInertia) == "bodies[0].mass: must be finite and above zero");
  CHECK(with(R"("mass": 1, "inertia": {"xx": -1, "yy": 1, "zz": 1})")
            .find("bodies[0].inertia: must be positive definite") == 0);
  for (const std::string field : {"position", "velocity"})
    CHECK(with("\"mass\": 1, " + kInertia + ", \"" + field + "\": [1, 2]").find("bodies[0]." + field + ':') == 0);
  // A body may be made of points alone.
  CHECK(findingsOf(modelOf(body("b", R"("point_masses": [{"mass": 1, "point": [1, 0, 0]},
    {"mass": 1, "point": [0, 1, 0]}, {"mass": 1, "point": [0, 0, 1]}])")))
            .empty());
}

TEST_CASE("rates of joints do not hide velocities that are no vectors", "[server][model_io][composition]") {
  const auto with = [](const std::string& velocity) {
    return onlyOf(modelOf(body("b", "\"mass\": 1, " + kInertia + ", \"velocity\": " + velocity), R"(,
      "joints": [{"name": "j", "body_1": "ground", "body_2": "b",
        "revolute": {"point_1": [0, 0, 0], "point_2": [0, 0, 0], "axis_1": [0, 0, 1], "axis_2": [0, 0, 1]}}],
      "joint_rates": [{"joint": "j", "angle": 1}])"));
  };
  CHECK(with("[1, 2]").find("bodies[0].velocity:") == 0);
  CHECK(with(R"(["NaN", 0, 0])").find("bodies[0].velocity:") == 0);
}

TEST_CASE("rates of joints are taken whatever elements are called", "[server][model_io][composition]") {
  const auto spinOf = [](const std::string& more) {
    const ModelDocument document = readModelText(linkage(more), ModelSyntax::kJson);
    for (const std::string& text : findingsOf(document)) UNSCOPED_INFO(text);
    REQUIRE(document.valid());
    REQUIRE(document.message.bodies(2).angular_velocity_size() == 3);
    return document.message.bodies(2).angular_velocity(2);
  };
  CHECK(spinOf("") == Approx(2));
  CHECK(spinOf(R"(, "sensors": [{"name": "rate_of_joint_0", "joint_angle": {"joint": "a"}}])") == Approx(2));
}

TEST_CASE("an included file is not moved under a parameter that sets a part of a vector",
          "[server][model_io][composition]") {
  const tests::ScratchFolder folder;
  const auto write = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder.file(name), std::ios::binary) << text;
  };
  const auto part = [&](const std::string& target) {
    write("part.json", modelOf(body("b", "\"mass\": 1, " + kInertia), R"(,
      "forces": [{"name": "air", "air_load": {"body": "b", "density": 1.2, "area": 1, "drag": 1, "wind": [0, 0, 0]}}],
      "parameters": [{"name": "p", "targets": [")" + target + "\"]}]"));
    return findingsOf(readModelFile(folder.file("m.json")));
  };
  const auto include = [&](const std::string& place) {
    write("m.json",
          R"({"name": "m", "gravity": [0, 0, 0], "includes": [{"file": "part.json", "prefix": "p_")" + place + "}]}");
  };
  const auto isRefused = [](const std::vector<std::string>& findings) {
    return std::any_of(findings.begin(), findings.end(), [](const std::string& text) {
      return text.find("includes[0]: must not move a vector that a parameter of the file sets") == 0;
    });
  };
  include(R"(, "orientation": [0.6, 0, 0, 0.8])");
  CHECK(isRefused(part("forces.air.wind[0]")));
  CHECK_FALSE(isRefused(part("forces.air.area")));
  include(R"(, "position": [1, 0, 0])");  // a direction stays
  CHECK_FALSE(isRefused(part("forces.air.wind[0]")));
}

TEST_CASE("a parameter does not set a coordinate that points of mass move", "[server][model_io][composition]") {
  const auto with = [](const std::string& target) {
    return findingsOf(
        modelOf(body("b", "\"mass\": 1, " + kInertia + R"(, "point_masses": [{"mass": 1, "point": [0.4, 0, 0]}])"),
                R"(, "forces": [{"name": "spring", "translational_spring": {"body_1": "ground", "body_2": "b",
      "point_1": [0, 0, 1], "point_2": [0.5, 0, 0], "stiffness": 1}}],
      "parameters": [{"name": "p", "targets": [")" +
                    target + "\"]}]"));
  };
  for (const char* target : {"forces.spring.point_1[0]", "forces.spring.stiffness", "bodies.b.mass"}) {
    INFO(target);
    CHECK(with(target).empty());
  }
  const std::vector<std::string> findings = with("forces.spring.point_2[0]");
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].find("parameters[0].targets[0]: must not be a coordinate on a body with point_masses") == 0);
}

TEST_CASE("a body is placed by a universal joint with its axes across each other", "[server][model_io][composition]") {
  for (const char* axis_2 : {"[0, 1, 0]", "[0.6, 0.8, 0]", "[1, 0, 0]"}) {
    INFO(axis_2);
    CHECK(findingsOf(modelOf(body("b", "\"mass\": 1, " + kInertia + R"(, "placement": {"joint": "j"})"),
                             R"(, "joints": [{"name": "j", "body_1": "ground", "body_2": "b", "universal":
      {"point_1": [0, 0, 0], "point_2": [1, 0, 0], "axis_1": [1, 0, 0], "axis_2": )" +
                                 std::string(axis_2) + "}}]"))
              .empty());
  }
}

TEST_CASE("a stop of a spring takes the unit of its spring", "[server][model_io][units]") {
  const auto stopped = [](const std::string& kind, const std::string& ends, const std::string& position) {
    return findingsOf(modelOf(body("b", "\"mass\": 1, " + kInertia), R"(, "joints": [{"name": "j", "body_1": "ground",
      "body_2": "b", "revolute": {"point_1": [0, 0, 0], "point_2": [0, 0, 0], "axis_1": [0, 0, 1], "axis_2": [0, 0, 1]}}],
      "forces": [{"name": "s", ")" + kind + "\": {" + ends + R"(, "stiffness": 1, "minimum_stop": {"position": ")" +
                                                                         position + R"(", "stiffness": 10}}}])"));
  };
  CHECK(stopped("rotational_spring", R"("joint": "j")", "-5 deg").empty());
  const auto refused = stopped("rotational_spring", R"("joint": "j")", "-5 mm");
  REQUIRE(refused.size() == 1);
  CHECK(refused[0].find("forces[0].rotational_spring.minimum_stop.position: must be in rad or in a unit") == 0);
}

TEST_CASE("numbers of an angle and of a travel take no unit of the other, wherever the element says which it is",
          "[server][model_io][units]") {
  const auto with = [](const std::string& more) {
    return modelOf(body("b", "\"mass\": 1, " + kInertia), R"(, "joints": [
      {"name": "hinge", "body_1": "ground", "body_2": "b",
       "revolute": {"point_1": [0, 0, 0], "point_2": [0, 0, 0], "axis_1": [0, 0, 1], "axis_2": [0, 0, 1]}},
      {"name": "rail", "body_1": "ground", "body_2": "b",
       "prismatic": {"point_1": [0, 0, 0], "point_2": [0, 0, 0], "axis_1": [0, 0, 1], "axis_2": [0, 0, 1]}}], )" +
                                                              more);
  };
  const auto drive = [&](const std::string& fields) { return with(R"("drives": [{"name": "d", )" + fields + "}]"); };
  const auto force = [&](const std::string& fields) { return with(R"("forces": [{"name": "f", )" + fields + "}]"); };
  const auto strut = [&](const std::string& stop) {
    return with(R"("composites": [{"name": "s", "strut": {"body_1": "ground", "body_2": "b", "point_1": [0, 0, 1],
      "point_2": [0, 0, 0], "minimum_stop": {)" +
                stop + "}}}]");
  };
  const auto bushing = [&](const std::string& stiffness) {
    return force(R"("bushing": {"body_1": "ground", "body_2": "b", "point_1": [0, 0, 0], "point_2": [0, 0, 0],
      "stiffness": )" +
                 stiffness + "}");
  };
  const std::string angle = R"("angle": {"joint": "hinge"})", travel = R"("travel": {"joint": "rail"})";
  for (const std::string& good : {
           drive(travel + R"(, "polynomial": {"coefficients": ["10 mm", "50 mm/s", "1 m/s^2", "1 m/s^3"]})"),
           drive(angle + R"(, "polynomial": {"coefficients": ["5 deg", "0.05 rad/s", 2]})"),
           drive(R"("harmonic": {"amplitude": "5 deg"}, )" + angle),
           drive(R"("harmonic": {"amplitude": "10 mm"}, )" + travel),
           force(R"("joint_friction": {"joint": "hinge", "limit": "5 Nm", "elastic": "1 deg"})"),
           force(R"("joint_friction": {"joint": "rail", "limit": "5 N", "elastic": "1 mm", "along_axis": true})"),
           strut(R"("position": "10 mm", "stiffness": "5 kN/m", "damping": "1 N s/m")"),
           strut(R"("stiffness": "5 kN/m^2", "exponent": 2)"),
           bushing(R"(["1 kN/m", 1, 1, "1 kN m/rad", 1, 1])"),
       }) {
    INFO(good);
    CHECK(findingsOf(good).empty());
  }
  struct Row {
    std::string text, path, unit;
  };
  const Row rows[] = {
      {drive(travel + R"(, "polynomial": {"coefficients": ["10 deg"]})"), "drives[0].polynomial.coefficients[0]", "m"},
      {drive(angle + R"(, "polynomial": {"coefficients": [0, "5 deg"]})"), "drives[0].polynomial.coefficients[1]",
       "rad/s"},
      {drive(R"("harmonic": {"amplitude": "10 mm"}, )" + angle), "drives[0].harmonic.amplitude", "rad"},
      {drive(R"("harmonic": {"offset": "10 deg"}, )" + travel), "drives[0].harmonic.offset", "m"},
      {force(R"("joint_friction": {"joint": "hinge", "limit": "5 N", "elastic": 1})"), "forces[0].joint_friction.limit",
       "N m"},
      {force(R"("joint_friction": {"joint": "rail", "limit": 1, "elastic": "1 deg", "along_axis": true})"),
       "forces[0].joint_friction.elastic", "m"},
      {strut(R"("position": "10 deg", "stiffness": 1)"), "composites[0].strut.minimum_stop.position", "m"},
      {strut(R"("stiffness": "5 kN/m", "exponent": 2)"), "composites[0].strut.minimum_stop.stiffness", "N/m^2"},
      {bushing(R"(["1 kN m/rad", 1, 1, 1, 1, 1])"), "forces[0].bushing.stiffness[0]", "N/m"},
      {bushing(R"(["1 kN/m", 1, 1, "1 kN/m", 1, 1])"), "forces[0].bushing.stiffness[3]", "N m/rad"},
  };
  for (const Row& row : rows)
    CHECK(onlyOf(row.text).find(row.path + ": must be in " + row.unit + " or in a unit") == 0);
}

TEST_CASE("what an input sets on a spring, a ratio of a coupler and a matrix of a modal body have units of their own",
          "[server][model_io][units]") {
  const std::string points = R"("point_1": [0, 0, 1], "point_2": [0, 0, 0])";
  const std::string axes = R"({"point_1": [0, 0, 0], "point_2": [0, 0, 0], "axis_1": [0, 0, 1], "axis_2": [0, 0, 1]})";
  const std::string joints = R"({"name": "hinge", "body_1": "ground", "body_2": "b", "revolute": )" + axes +
                             R"(}, {"name": "rail", "body_1": "ground", "body_2": "b", "prismatic": )" + axes + "}";
  const auto with = [&](const std::string& more) { return modelOf(body("b", "\"mass\": 1, " + kInertia), more); };
  // The actuator is in front of the spring that decides its units.
  const auto input = [&](const std::string& spring, const std::string& fields, const std::string& unit = "") {
    return with(R"(, "actuators": [{"name": "a", "initial": 0, "unit": ")" + unit +
                R"(", "spring_input": {"spring": ")" + spring + "\", " + fields + R"(}}], "joints": [)" + joints +
                R"(], "forces": [
      {"name": "along", "translational_spring": {"body_1": "ground", "body_2": "b", )" +
                points + R"(, "stiffness": 1}},
      {"name": "about", "rotational_spring": {"joint": "hinge", "stiffness": 1}},
      {"name": "rubber", "bushing": {"body_1": "ground", "body_2": "b", )" +
                points + R"(, "stiffness": [1, 1, 1, 1, 1, 1]}}],
      "composites": [{"name": "leg", "strut": {"body_1": "ground", "body_2": "b", )" +
                points + R"(, "stiffness": 1}}])");
  };
  const auto coupler = [&](const std::string& of_hinge, const std::string& of_rail) {
    return with(R"(, "joints": [)" + joints + R"(, {"name": "c", "coupler": {"coordinates": [
      {"joint": "hinge", "ratio": )" +
                of_hinge + R"(}, {"joint": "rail", "along_axis": true, "ratio": )" + of_rail + "}]}}]");
  };
  const std::string preload = R"("quantity": "SPRING_QUANTITY_PRELOAD", )";
  for (const std::string& good : {
           input("along", preload + R"("scale": "2 kN", "offset": "5 N")"),
           input("along", preload + R"("scale": "5 N/mm")", "mm"),
           input("along", R"("scale": "10 mm", "offset": "500 mm")"),
           input("leg", R"("offset": "500 mm")"),
           input("about", R"("offset": "5 deg")"),
           input("about", preload + R"("offset": "5 Nm")"),
           input("rubber", preload + R"("axis": 4, "offset": "5 Nm")"),
           coupler("\"50 mm/rad\"", "1"),
           coupler("1", "\"20 rad/m\""),
       }) {
    INFO(good);
    CHECK(findingsOf(good).empty());
  }
  const ModelDocument scaled =
      readModelText(input("along", preload + R"("scale": "5 N/mm")", "mm"), ModelSyntax::kJson);
  CHECK(scaled.message.actuators(0).spring_input().scale() == Approx(5));  // N per unit of the input

  struct Row {
    std::string text, path, rule;
  };
  const std::string scale = "actuators[0].spring_input.scale", offset = "actuators[0].spring_input.offset";
  const Row rows[] = {
      {input("along", preload + R"("offset": "5 mm")"), offset, "must be in N or in a unit"},
      {input("along", preload + R"("scale": "5 N m")"), scale, "must be in N or in a unit"},
      {input("along", preload + R"("scale": "5 N/deg")", "mm"), scale, "must be in N or N/(mm) or in a unit"},
      {input("about", R"("offset": "5 mm")"), offset, "must be in rad or in a unit"},
      {input("rubber", preload + R"("axis": 4, "offset": "5 N")"), offset, "must be in N m or in a unit"},
      {input("rubber", preload + R"("axis": 3, "offset": "5 N m")"), offset, "must be in N or in a unit"},
      {coupler("\"2 rad/m\"", "1"), "joints[2].coupler.coordinates[0].ratio",
       "must be a number without a unit, or in m/rad or in a unit"},
      {coupler("1", "\"2 m/rad\""), "joints[2].coupler.coordinates[1].ratio",
       "must be a number without a unit, or in rad/m or in a unit"},
  };
  for (const Row& row : rows) CHECK(onlyOf(row.text).find(row.path + ": " + row.rule) == 0);

  // One interface and two modes: the numbers of row 1, column 1; row 1, column 4; row 4, column 4.
  const auto modal = [&](const std::string& field, const std::string& a, const std::string& b, const std::string& c) {
    std::string list = '"' + a + "\", 0, 0, \"" + b + '"';
    for (int i = 4; i < 36; ++i) list += i == 21 ? ", \"" + c + '"' : ", 0";
    if (field == "coupling") list = '"' + a + "\", 0, 0, 0, 0, 0, \"" + b + "\", 0, 0, 0, \"" + c + "\", 0";
    const std::vector<std::string> findings =
        findingsOf(with(R"(, "composites": [{"name": "m", "modal_body": {"interfaces": [
      {"name": "p", "point": [0, 0, 0], "mass": 1, "inertia": {"xx": 1, "yy": 1, "zz": 1}}], "mode_stiffness": [1, 2], ")" +
                        field + "\": [" + list + "]}}]"));
    return std::count_if(findings.begin(), findings.end(), [&](const std::string& text) {
      return text.find("composites[0].modal_body." + field + '[') == 0 && text.find("must be in ") != std::string::npos;
    });
  };
  CHECK(modal("stiffness", "1 kN/m", "1 N", "1 N m/deg") == 0);
  CHECK(modal("stiffness", "1 N", "1 N m/rad", "1 N/m") == 3);
  CHECK(modal("mass", "1 t", "1 kg mm", "1 kg mm^2") == 0);
  CHECK(modal("mass", "1 kg m", "1 kg m^2", "1 kg") == 3);
  CHECK(modal("coupling", "1 sqrt(kg)", "1 kg^0.5 mm", "1 sqrt(kg) m") == 0);
  CHECK(modal("coupling", "1 kg", "1 kg^0.5", "1 sqrt(kg)") == 3);
}

TEST_CASE("a JSON text ends where it ends, not at a NUL byte", "[server][model_io]") {
  std::string text = modelOf(body("b", "\"mass\": 1, " + kInertia));
  REQUIRE(findingsOf(text).empty());
  text = "\n" + text + '\0' + ",\"joints\": [garbage";
  const ModelDocument document = readModelText(text, ModelSyntax::kJson);
  REQUIRE(document.findings.size() == 1);
  CHECK(document.findings[0].finding.rule == "is not JSON: it has a NUL byte");
  CHECK(document.findings[0].line == 2);
}

TEST_CASE("null stands for a field that is not given, also in a choice", "[server][model_io]") {
  const std::string b = body("b", "\"mass\": null, \"mass\": 1, " + kInertia);
  CHECK(findingsOf(modelOf(b, R"(, "joints": [{"name": "j", "body_1": "ground", "body_2": "b", "revolute": null,
    "spherical": {"point_1": [0, 0, 0], "point_2": [0, 0, 0]}}])"))
            .empty());
}

TEST_CASE("placements in a ring and in a reversed row cost what their number is", "[server][model_io]") {
  constexpr int kBodies = 4096;
  v1::Model ring = bodiesInRow(kBodies), row = bodiesInRow(kBodies);
  for (int i = 0; i < kBodies; ++i) {
    const std::string next = "b" + std::to_string((i + 1) % kBodies);
    ring.mutable_bodies(i)->mutable_placement()->set_body(next);
    if (i + 1 < kBodies) row.mutable_bodies(i)->mutable_placement()->set_body(next);
  }
  ModelDocument document;
  // A second of a slow machine; with the cube of the number it is minutes.
  CHECK(secondsFor(ring, document) < 30);
  CHECK(document.findings.size() <= 1001);
  std::size_t size = 0;
  for (const std::string& text : findingsOf(document)) size += text.size();
  for (const LocatedFinding& found : document.findings) size += found.finding.hint.size();
  CHECK(size < 200'000);
  CHECK(document.findings.at(0).finding.hint.find("b1, then b2") != std::string::npos);
  CHECK(secondsFor(row, document) < 30);
  CHECK(document.valid());
}
