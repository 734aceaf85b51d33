// Parameters: what a path may name, and what becomes of a model with other values.
// Covers: server/model_io/parameter_values.cpp, server/model_io/parameter_target.cpp, server/model_io/solver_setting.cpp, server/model_io/tuned_model.cpp
#include "rt/model/model.h"
#include "server/model_io/tuned_model.h"

#include "server/model_io/model_file.h"
#include "server/model_io/parameter_target.h"
#include "server/model_io/solver_setting.h"
#include "server/models/built_in_models.h"
#include "tests/server/model_io/full_model.h"

#include <google/protobuf/util/message_differencer.h>
#include <catch2/catch.hpp>

#include <limits>
#include <string>
#include <tuple>
#include <vector>

using namespace tactus;
using namespace tactus::server;
using namespace tactus::server::test;
using Kind = ParameterError::Kind;

namespace {

v1::Model fullModel() {
  return readModelText(kFullJson, ModelSyntax::kJson).message;
}

// A crank on a spring, with one parameter of each sort.
constexpr const char* kCrank = R"({
  "name": "crank", "gravity": [0, -9.81, 0],
  "bodies": [{"name": "arm", "mass": 2, "inertia": {"xx": 1, "yy": 1, "zz": 1}, "position": [0.5, 0, 0]}],
  "joints": [{"name": "pin", "body_1": "ground", "body_2": "arm",
              "revolute": {"point_1": [0, 0, 0], "point_2": [-0.5, 0, 0], "axis_1": [0, 0, 1], "axis_2": [0, 0, 1]}}],
  "forces": [{"name": "coil", "rotational_spring": {"joint": "pin", "stiffness": 40, "damping": 2}}],
  "parameters": [
    {"name": "load", "minimum": 0.5, "maximum": 20, "targets": ["bodies.arm.mass"]},
    {"name": "rate", "targets": ["forces.coil.stiffness"]},
    {"name": "down", "minimum": -20, "maximum": 20, "targets": ["gravity[1]"]}
  ]
})";

ParameterError errorOf(const v1::Model& message, const ParameterValues& values) {
  try {
    tuneModel(message, rt::buildModel(readModelMessage(message).spec), values);
  } catch (const ParameterError& error) { return error; }
  throw std::logic_error("nothing was refused");
}

}  // namespace

TEST_CASE("a path leads to the number that it names, by names and by indices", "[server][model_io]") {
  const v1::Model model = fullModel();
  TargetProblem problem;
  const std::vector<std::pair<std::string, double>> paths = {
      {"gravity[2]", 1e-3},
      {"bodies.arm.mass", 1.5},
      {"bodies[1].mass", 2},
      {"bodies.arm.inertia.xy", 0.1},
      {"forces.spring.stiffness", 1000},
      {"forces.spring.translational_spring.free_length", 0.5},
      {"forces.bush.damping[5]", 0.25},
      {"forces.spring.point_2[1]", 1},
      {"roads.street.half_cylinders[0].radius", 0.0625},
      {"bodies[arm].mass", 1.5},
      {"forces.slick.slip_tyre.magic_formula.coefficients[PKY1]", -20},
      {"forces.slick.magic_formula.coefficients.PKY1.value", -20},
  };
  for (const auto& [path, value] : paths) {
    INFO(path);
    const auto found = readTarget(model, path, problem);
    REQUIRE(found);
    CHECK(*found == value);

    // Writing changes this number and no other.
    v1::Model changed = model;
    writeTarget(changed, path, value + 1);
    CHECK(readTarget(changed, path, problem) == value + 1);
    writeTarget(changed, path, value);
    CHECK(google::protobuf::util::MessageDifferencer::Equals(model, changed));
  }
}

TEST_CASE("a path that names no such number is refused with the nearest one", "[server][model_io]") {
  const v1::Model model = fullModel();
  const std::vector<std::tuple<std::string, std::string, std::string>> paths = {
      {"", "must be the path of a number", ""},
      {"gravity", "must say which number", "gravity[0]"},
      {"gravity[3]", "has 3 elements", ""},
      {"gravity[-1]", "whole number or a name in brackets", ""},
      {"gravity[", "whole number or a name in brackets", ""},
      {"gravity[x]", "must say which number", "gravity[0]"},
      {"bodies.arm.mass[x]", "has no list", ""},
      {"forces.slick.magic_formula.coefficients[PKY11]", "has no \"PKY11\"", "\"PKY1\""},
      {"gravity[0].x", "must end at a number", ""},
      {"gravity[0].", "must be the path of a number", ""},
      {"bodies", "has no \"\" among its bodies", ""},
      {"bodies.arms.mass", "has no \"arms\"", "\"arm\""},
      {"bodies.arm.mas", "has no field \"mas\"", "\"mass\""},
      {"bodies.arm.name", "must be a number", ""},
      {"bodies.arm", "must lead on to a number", ""},
      {"bodies[7].mass", "has 2 elements", ""},
      {"bodies.arm.position[0]", "must be a number of gravity", ""},
      {"joints.hinge.revolute.initial_angle", "must be a number of gravity", ""},
      {"actuators.motor.maximum", "must be a number of gravity", ""},
      {"solver.period", "must be a number of gravity", ""},
      {"drives.crank.coefficients[0]", "must be a number of gravity", ""},
      {"forces.air.stiffness", "has no field \"stiffness\"", ""},
      {"forces.air.linear[0]", "has no list", ""},
      {"masses[0]", "has no field \"masses\"", ""},
  };
  for (const auto& [path, rule, hint] : paths) {
    INFO(path);
    TargetProblem problem;
    CHECK_FALSE(readTarget(model, path, problem));
    CHECK_THAT(problem.rule, Catch::Contains(rule));
    CHECK_THAT(problem.hint, Catch::Contains(hint));
  }
}

TEST_CASE("a model with parameters that cannot be is refused with the line of each", "[server][model_io]") {
  const std::vector<std::tuple<std::string, std::string, std::string>> bad = {
      {R"({"name": "a b", "targets": ["gravity[0]"]})", "parameters[0].name", "must be a name"},
      {R"({"name": "a"})", "parameters[0].targets", "must be given"},
      {R"({"name": "a", "targets": ["bodies.arm.mas"]})", "parameters[0].targets[0]", "has no field"},
      {R"({"name": "a", "targets": ["gravity[0]", "gravity[1]"]})", "parameters[0].targets[1]", "value of the first"},
      {R"({"name": "a", "targets": ["gravity[1]"], "minimum": 0})", "parameters[0].minimum", "must not be above"},
      {R"({"name": "a", "targets": ["gravity[1]"], "maximum": -10})", "parameters[0].maximum", "must not be below"},
      {R"({"name": "a", "targets": ["gravity[1]"], "maximum": "Infinity"})", "parameters[0].maximum", "finite"},
      {R"({"name": "a", "targets": [1]})", "parameters[0].targets[0]", "text in quotes"},
      {R"({"name": "a", "targets": ["gravity[1]"]}, {"name": "a", "targets": ["gravity[0]"]})", "parameters[1].name",
       "unique"},
      {R"({"name": "a", "targets": ["bodies.arm.mass"]}, {"name": "b", "targets": ["bodies[0].mass"]})",
       "parameters[1].targets[0]", "no other parameter sets"},
  };
  const std::string model = kCrank;
  const std::string front = model.substr(0, model.find("    {\"name\": \"load\""));
  for (const auto& [parameters, path, rule] : bad) {
    INFO(parameters);
    const ModelDocument document = readModelText(front + parameters + "]}", ModelSyntax::kJson);
    CHECK_FALSE(document.valid());
    REQUIRE(document.findings.size() == 1);
    CHECK(document.findings[0].finding.path == path);
    CHECK_THAT(document.findings[0].finding.rule, Catch::Contains(rule));
    CHECK(document.findings[0].line > 0);
  }
}

TEST_CASE("a tuned model is the one that a file with these numbers gives", "[server][model_io]") {
  const ModelDocument document = readModelText(kCrank, ModelSyntax::kJson);
  REQUIRE(document.valid());
  const rt::Model model = rt::buildModel(document.spec);
  const TunedModel tuned = tuneModel(document.message, model, {{"load", 5}, {"rate", 80}});

  std::string text = kCrank;
  text.replace(text.find("\"mass\": 2"), 9, "\"mass\": 5");
  text.replace(text.find("\"stiffness\": 40"), 15, "\"stiffness\": 80");
  const rt::Model wanted = rt::buildModel(readModelText(text, ModelSyntax::kJson).spec);
  CHECK(tuned.model->hash == wanted.hash);
  CHECK(tuned.model->hash != model.hash);
  CHECK(toString(parametersOf(*tuned.model)) == "load = 5, rate = 80, down = -9.81");
  CHECK(tuneModel(tuned.message, model, {{"load", 2}, {"rate", 40}}).model->hash == model.hash);
}

TEST_CASE("modulus and wall of a beam are numbers that a running model takes", "[server][model_io]") {
  v1::Model message = openBuiltInModel("flexible_arm").message;
  v1::Parameter& wall = *message.add_parameters();
  wall.set_name("wall");
  for (const char* station : {"0", "1"})
    wall.add_targets(std::string("composites.boom.beam.stations[") + station + "].box.thickness");
  const ModelDocument document = readModelMessage(message);
  REQUIRE(document.valid());
  const rt::Model model = rt::buildModel(document.spec);
  const TunedModel tuned = tuneModel(message, model, {{"wall", 0.004}, {"young", 1.4e11}});
  CHECK(rt::sameStructure(model, *tuned.model));
  const rt::CompliantLaw &before = model.compliant_laws.back(), &after = tuned.model->compliant_laws.back();
  CHECK(after.K(0, 0) > 2.2 * before.K(0, 0));  // twice the modulus on a thicker wall
  CHECK(tuned.model->bodies.back().mass > 1.2 * model.bodies.back().mass);
}

TEST_CASE("a parameter does not move a joint of a composite", "[server][model_io]") {
  const v1::Model beam = openBuiltInModel("flexible_arm").message;
  TargetProblem problem;
  CHECK(readTarget(beam, "composites.boom.beam.material.young", problem));
  for (const char* path : {"composites.boom.beam.points[1].position[0]", "composites.boom.beam.mounts[0].offset[2]"}) {
    INFO(path);
    v1::Model given = beam;
    for (v1::BeamMount& mount : *given.mutable_composites(0)->mutable_beam()->mutable_mounts())
      mount.mutable_offset()->Resize(3, 0);
    CHECK_FALSE(readTarget(given, path, problem));
    CHECK(problem.rule.find("of a composite") != std::string::npos);
  }
  v1::Model model;
  v1::Strut& strut = *model.add_composites()->mutable_strut();
  strut.mutable_point_1()->Resize(3, 0);
  strut.mutable_tube()->set_mass(2);
  for (const char* path : {"stiffness", "damping", "tube.mass", "tube.axial_inertia"}) {
    INFO(path);
    CHECK(readTarget(model, std::string("composites[0].strut.") + path, problem));
  }
  for (const char* path : {"point_1[2]", "tube.offset"}) {
    INFO(path);
    CHECK_FALSE(readTarget(model, std::string("composites[0].strut.") + path, problem));
  }
}

TEST_CASE("values that a model does not take are refused, each for its reason", "[server][model_io]") {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const v1::Model message = readModelText(kCrank, ModelSyntax::kJson).message;
  const std::vector<std::tuple<ParameterValues, Kind, std::size_t>> bad = {
      {{{"lod", 1}}, Kind::kUnknown, 0},
      {{{"", 1}}, Kind::kUnknown, 0},
      {{{"load", 1}, {"load", 2}}, Kind::kRepeated, 1},
      {{{"rate", 1}, {"load", nan}}, Kind::kNotFinite, 1},
      {{{"rate", inf}}, Kind::kNotFinite, 0},
      {{{"rate", -inf}}, Kind::kNotFinite, 0},
      {{{"load", 0.4}}, Kind::kOutOfRange, 0},
      {{{"load", 20.1}}, Kind::kOutOfRange, 0},
      {{{"load", 1e308}}, Kind::kOutOfRange, 0},
      {{{"rate", -1}}, Kind::kRefused, 0},
  };
  for (const auto& [values, kind, index] : bad) {
    INFO(toString(values));
    const ParameterError error = errorOf(message, values);
    CHECK(error.kind() == kind);
    CHECK(error.index() == index);
  }
  CHECK_THAT(errorOf(message, {{"lod", 1}}).hint(), Catch::Contains("\"load\""));
}

TEST_CASE("paths of parameters and their values are read from the command line", "[server][model_io]") {
  CHECK(parseParameter("load=-2.5e3").name == "load");
  CHECK(parseParameter("load=-2.5e3").value == -2500);
  for (const char* text : {"load", "=1", "load=", "load=x", "load=1x", ""})
    CHECK_THROWS_AS(parseParameter(text), Error);
}

TEST_CASE("a flag of the solver is read as true, false, 1 or 0, and every other setting as a number",
          "[server][model_io]") {
  for (const char* text : {"full_newton=true", "full_newton=1"}) CHECK(parseSolverSetting(text).value == 1);
  for (const char* text : {"full_newton=false", "full_newton=0"}) CHECK(parseSolverSetting(text).value == 0);
  CHECK(parseSolverSetting("full_newton=1").name == "full_newton");
  CHECK(parseSolverSetting("velocity_passes=3").value == 3);
  // The name is wrong, which who changes the setting says.
  CHECK(parseSolverSetting("full_neuton=true").name == "full_neuton");
  for (const char* text : {"full_newton=yes", "full_newton=2", "full_newton="})
    CHECK_THROWS_WITH(parseSolverSetting(text), Catch::Contains("must be true or false"));
  CHECK_THROWS_WITH(parseSolverSetting("velocity_passes=true"), Catch::Contains("\"true\" is not a number"));
  for (const char* text : {"full_newton", "=true", "=1", ""})
    CHECK_THROWS_WITH(parseSolverSetting(text), Catch::Contains("must be NAME=VALUE"));
}

TEST_CASE("every parameter of every built-in model can be set within its range", "[server][model_io]") {
  int parameters = 0;
  for (const BuiltInModel& known : builtInModels()) {
    const ModelDocument document = openBuiltInModel(known.name);
    const rt::Model model = rt::buildModel(document.spec);
    for (const rt::Parameter& parameter : model.parameters) {
      INFO(known.name << " " << parameter.name);
      for (const auto& bound : {parameter.minimum, parameter.maximum})
        if (bound) CHECK_NOTHROW(tuneModel(document.message, model, {{parameter.name, *bound}}));
      ++parameters;
    }
  }
  CHECK(parameters > 0);
}

TEST_CASE("a target below what cannot be read has no error of its own", "[server][model_io]") {
  const auto with = [](const std::string& mass, const std::string& force, const std::string& name) {
    std::vector<std::string> found;
    for (const LocatedFinding& f : readModelText(R"({"name": "m", "gravity": [0, 0, 0], "bodies": [
        {"name": "b", "mass": )" + mass + R"(, "inertia": {"xx": 1, "yy": 1, "zz": 1}},
        {"name": "c", "mass": 3, "inertia": {"xx": 1, "yy": 1, "zz": 1}}],
      "forces": [{"name": "spring", )" + force + R"(}, {"name": )" +
                                                     name + R"(, "body_drag": {"body": "b", "linear": 1}}],
      "parameters": [{"name": "p", "targets": ["bodies.b.mass", "bodies.c.mass"]}, {"name": "q", "targets": ["bodies[0].mass"], "minimum": 0.5},
        {"name": "r", "targets": ["forces.spring.stiffness"]}, {"name": "s", "targets": ["forces.spring.point_1[1]"]},
        {"name": "t", "targets": ["forces.drag.linear"]}]})",
                                                 ModelSyntax::kJson)
                                       .findings)
      found.push_back(f.finding.path);
    return found;
  };
  using Paths = std::vector<std::string>;
  const std::string spring = R"("translational_spring": {"body_1": "ground", "body_2": "b", "point_1": [0, 0, 1],
    "point_2": [0, 0, 0], "stiffness": 1})";
  const auto changed = [&spring](const std::string& from, const std::string& to) {
    std::string text = spring;
    return text.replace(text.find(from), from.size(), to);
  };
  // The two masses differ, and two parameters set one of them: the only finding of each parameter.
  CHECK(with("1", spring, "\"drag\"") == Paths{"parameters[0].targets[1]", "parameters[1].targets[0]"});
  CHECK(with("\"heavy\"", spring, "\"drag\"") == Paths{"bodies[0].mass"});
  const std::string good = "3";
  const Paths twice = {"parameters[1].targets[0]"};
  const auto cause = [&](const std::string& force, const std::string& name) {
    Paths found = with(good, force, name);
    REQUIRE(found.size() == 2);
    CHECK(found[1] == twice[0]);
    return found[0];
  };
  CHECK(cause(changed("\"stiffness\": 1", "\"stiffness\": [1]"), "\"drag\"") ==
        "forces[0].translational_spring.stiffness");
  CHECK(cause(changed("[0, 0, 1]", "[0]"), "\"drag\"") == "forces[0].translational_spring.point_1");
  CHECK(cause("\"description\": \"\"", "\"drag\"") == "forces[0].kind");
  CHECK(cause("\"translational_spring\": 5", "\"drag\"") == "forces[0].translational_spring");
  CHECK(cause(spring, "7") == "forces[1].name");
}
