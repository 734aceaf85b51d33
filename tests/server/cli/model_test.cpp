// Covers: server/cli/model_import_tyre.cpp, server/cli/model_reduce.cpp, server/cli/models.cpp, server/cli/plan_text.cpp, server/cli/tyre_curves.cpp
#include "server/cli/model.h"
#include "server/cli/models.h"
#include "server/model_io/model_file.h"
#include "server/models/built_in_models.h"
#include "tests/server/captured_command.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

using namespace tactus;
using namespace tactus::server;
using tactus::tests::Outcome;
using tactus::tests::runCommand;

namespace {

Outcome run(const std::string& arguments) {
  return runCommand(arguments, addModelCommand, addModelsCommand);
}

/// A model file that is removed at the end of the test.
class ModelFile {
 public:
  explicit ModelFile(const std::string& text)
      : path_((std::filesystem::temp_directory_path() /
               ("tactus-" + std::to_string(getpid()) + '-' + std::to_string(++count_) + ".json"))
                  .string()) {
    std::ofstream(path_) << text;
  }
  ~ModelFile() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  static inline int count_ = 0;
  std::string path_;
};

/// A body that a pin holds at (2, 0, 0), with a rope to the origin; `length` may be empty.
std::string ropeModel(const std::string& mass, const std::string& position, const std::string& length = "") {
  return R"({"name": "m", "gravity": [0, 0, 0],
"bodies": [{"name": "a", "mass": )" +
         mass + R"(, "inertia": {"xx": 1, "yy": 1, "zz": 1}, "position": )" + position + R"(}],
"joints": [{"name": "rope", "body_1": "ground", "body_2": "a", "distance": {"point_1": [0, 0, 0], "point_2": [0, 0, 0])" +
         length + R"(}},
{"name": "pin", "body_1": "ground", "body_2": "a", "point": {"point_1": [2, 0, 0], "point_2": [0, 0, 0]}}]})";
}

}  // namespace

TEST_CASE("model check accepts a valid file and counts what is in it", "[server][cli]") {
  const ModelFile file(ropeModel("1", "[2, 0, 0]"));
  const Outcome outcome = run("model check " + file.path());
  REQUIRE(outcome.exit_code == 0);
  REQUIRE(outcome.out == file.path() +
                             ": valid: 1 body, 2 joints, 4 rows, 0 actuators, 0 sensors, rank 3, 3 freedoms, "
                             "1 row redundant; with Euler parameters 7 coordinates, 5 constraints\n");
}

TEST_CASE("model check says with how many iterations a model with compliant rows steps", "[server][cli]") {
  CHECK_THAT(run("model check cantilever").out,
             Catch::Contains("; the first 500 steps of 1ms converge with 2 iterations\n"));
  CHECK_THAT(run("model check four_bar").out, !Catch::Contains("converge"));
  const auto trial = nlohmann::json::parse(run("model check --json cantilever").out)["iterations"];
  CHECK(trial["given"] == 2);
  CHECK(trial["needed"] == 2);
  CHECK(trial["not_converged"] == 0);

  // Loads are not in the tangent as a whole: a stiff dry friction between two light discs.
  const ModelFile discs(
      R"({"name": "discs", "gravity": [0, 0, 0], "bodies": [{"name": "a", "mass": 0.5, "inertia": {"xx": 0.001, "yy": 0.001, "zz": 0.001}},
{"name": "b", "mass": 0.5, "inertia": {"xx": 0.001, "yy": 0.001, "zz": 0.001}, "angular_velocity": [0, 0, 1]}], "joints": [{"name": "pin", "body_1": "ground", "body_2": "a",
"revolute": {"point_1": [0, 0, 0], "point_2": [0, 0, 0], "axis_1": [0, 0, 1], "axis_2": [0, 0, 1]}}, {"name": "hub", "body_1": "a", "body_2": "b",
"revolute": {"point_1": [0, 0, 0], "point_2": [0, 0, 0], "axis_1": [0, 0, 1], "axis_2": [0, 0, 1]}}], "forces": [{"name": "dry", "joint_friction": {"joint": "hub",
"limit": 5, "elastic": 1e-4}}], "solver": {"period": 0.001, "iterations": 2}})");
  CHECK_THAT(run("model check " + discs.path()).out, Catch::Contains("of the first 500 steps of 1ms do not converge"));
}

TEST_CASE("model check prints every finding and a summary", "[server][cli]") {
  const ModelFile file(ropeModel("-1", "[0, 0, 0]"));
  const Outcome outcome = run("model check " + file.path());
  REQUIRE(outcome.exit_code == 2);
  REQUIRE(outcome.out ==
          file.path() + ":2: bodies[0].mass = -1: must be finite and above zero\n" + file.path() +
              ":3: joints[0].distance = points 0 m apart: must have its points apart in the declared state (use a "
              "spherical joint for points that coincide)\n" +
              file.path() + ": invalid: 2 errors, 1 body, 2 joints\n");
}

TEST_CASE("model check does not count what it could not read", "[server][cli]") {
  const ModelFile file("{\n\"bodies\": [}");
  const Outcome outcome = run("model check " + file.path());
  REQUIRE(outcome.exit_code == 2);
  REQUIRE(outcome.out.find(file.path() + ":2:12: the text: is not JSON: ") == 0);
  REQUIRE(outcome.out.find(": invalid: 1 error, not read to the end\n") != std::string::npos);
}

TEST_CASE("model check tells how far the declared state is moved, or that it is too far", "[server][cli]") {
  const ModelFile near(ropeModel("1", "[2.001, 0, 0]", ", \"length\": 2"));
  const Outcome moved = run("model check " + near.path());
  CAPTURE(moved.out);
  REQUIRE(moved.exit_code == 0);
  REQUIRE(moved.out.find("note: the declared state violates the constraints by ") != std::string::npos);
  REQUIRE(moved.out.find("assembly moves a body by 0.001 m or rad") != std::string::npos);

  const ModelFile far(ropeModel("1", "[1, 0, 0]", ", \"length\": 2"));
  const Outcome refused = run("model check " + far.path());
  CAPTURE(refused.out);
  REQUIRE(refused.exit_code == 2);
  REQUIRE(refused.out.find("the declared state: ") != std::string::npos);
  REQUIRE(refused.out.find(": invalid: 1 body, 2 joints, 4 rows") != std::string::npos);
}

TEST_CASE("model check refuses third-order steps that amplify a vibration", "[server][cli]") {
  const auto model = [](const std::string& solver) {
    return ModelFile(R"({"name": "m", "gravity": [0, 0, 0], "solver": {)" + solver + R"(},
"bodies": [{"name": "mass", "mass": 1, "inertia": {"xx": 1, "yy": 1, "zz": 1}, "position": [0.05, 0, 0]}],
"joints": [{"name": "rail", "body_1": "ground", "body_2": "mass", "prismatic": {"point_1": [0, 0, 0], "point_2": [0, 0, 0],
  "axis_1": [1, 0, 0], "axis_2": [1, 0, 0]}}],
"forces": [{"name": "coil", "translational_spring": {"body_1": "ground", "body_2": "mass", "point_1": [-10, 0, 0],
  "point_2": [0, 0, 0], "stiffness": 394784, "free_length": 10}}]})");
  };
  const ModelFile stiff = model(R"("third_order": true)"), plain = model(""),
                  fine = model(R"("third_order": true, "period": 2e-4)");
  const Outcome refused = run("model check " + stiff.path());
  CHECK(refused.exit_code == 2);
  CHECK_THAT(refused.out, Catch::Contains("solver.third_order") && Catch::Contains("'coil' at 628 rad/s") &&
                              Catch::Contains("invalid: 1 error"));
  CHECK(run("model check " + plain.path()).exit_code == 0);
  CHECK(run("model check " + fine.path()).exit_code == 0);
}

TEST_CASE("model check --json holds the same", "[server][cli]") {
  const ModelFile file(ropeModel("-1", "[2, 0, 0]"));
  const Outcome outcome = run("model check --json " + file.path());
  REQUIRE(outcome.exit_code == 2);
  const auto json = nlohmann::json::parse(outcome.out);
  REQUIRE(json["valid"] == false);
  REQUIRE(json["findings"].size() == 1);
  REQUIRE(json["findings"][0]["line"] == 2);
  REQUIRE(json["findings"][0]["path"] == "bodies[0].mass");
  REQUIRE(json["findings"][0]["severity"] == "error");

  const auto valid = nlohmann::json::parse(run("model check --json motor_four_bar").out);
  REQUIRE(valid["valid"] == true);
  REQUIRE(valid["rows"] == 20);
  REQUIRE(valid["rank"] == 17);
  REQUIRE(valid["freedoms"] == 1);
  REQUIRE(valid["initial_states"].size() == 2);
  REQUIRE(valid["initial_states"][1]["initial_condition"] == "spinning");
  REQUIRE(valid["initial_states"][1]["consistent"] == true);
}

TEST_CASE("a model that cannot be opened exits with 2 and says why", "[server][cli]") {
  for (const std::string command : {"model check ", "model print "}) {
    const Outcome missing = run(command + "no/such.json");
    REQUIRE(missing.exit_code == 2);
    REQUIRE(missing.err.find("no/such.json") != std::string::npos);
    REQUIRE(run(command + "four_baar").err.find("did you mean the built-in model four_bar?") != std::string::npos);
  }
}

TEST_CASE("model print resolves defaults and reads back as the same model", "[server][cli]") {
  const ModelFile file(ropeModel("1", "[2, 0, 0]"));
  const Outcome json = run("model print " + file.path());
  REQUIRE(json.exit_code == 0);
  const ModelDocument resolved = readModelText(json.out, ModelSyntax::kJson);
  REQUIRE(resolved.findings.empty());
  REQUIRE(resolved.message.joints(0).distance().length() == 2);
  REQUIRE(resolved.message.solver().iterations() == 2);
  REQUIRE(resolved.message.solver().period() == 1e-3);
  REQUIRE(resolved.message.bodies(0).orientation_size() == 4);

  const Outcome text = run("model print --text " + file.path());
  REQUIRE(text.exit_code == 0);
  REQUIRE(readModelText(text.out, ModelSyntax::kText).message.SerializeAsString() ==
          resolved.message.SerializeAsString());
  REQUIRE(run("model print chain:n=3 --json").out.find("\"chain_3\"") != std::string::npos);
}

TEST_CASE("model print says the free length of every spring that leaves it open", "[server][cli]") {
  const std::string ends = R"("body_1": "ground", "body_2": "a", "point_1": [0, 0, 0], "point_2": [0, 0, 0], )";
  const std::string body = R"({"mass": 1, "axial_inertia": 1, "transverse_inertia": 1, "offset": 0.5})";
  const ModelFile file(R"({"name": "m", "gravity": [0, 0, 0],
"bodies": [{"name": "a", "mass": 1, "inertia": {"xx": 1, "yy": 1, "zz": 1}, "position": [3, 0, 0]}], "joints": [],
"composites": [{"name": "leg", "strut": {)" +
                       ends + R"("stiffness": 1, "tube": )" + body + R"(, "rod": )" + body + R"(}},
{"name": "bare", "strut": {)" +
                       ends + R"("stiffness": 1}}],
"forces": [{"name": "drag", "body_drag": {"body": "a", "linear": 1}},
{"name": "spring", "translational_spring": {)" +
                       ends + R"("stiffness": 1}},
{"name": "hoist", "rope": {"points": [{"body": "ground", "point": [0, 0, 0]}, {"body": "a", "point": [0, 0, 0]},
{"body": "ground", "point": [3, 4, 0]}], "stiffness": 1}}]})");
  const Outcome json = run("model print " + file.path());
  CAPTURE(json.err);
  REQUIRE(json.exit_code == 0);
  const v1::Model model = readModelText(json.out, ModelSyntax::kJson).message;
  CHECK(model.forces(1).translational_spring().free_length() == 3);
  CHECK(model.forces(2).rope().free_length() == 7);
  for (const auto& strut : model.composites()) CHECK(strut.strut().free_length() == 3);
}

TEST_CASE("in a printed model each parameter sets the number that it set before", "[server][cli]") {
  const ModelFile file(
      R"({"name": "m", "gravity": [0, 0, 0], "roads": [{"name": "field", "up": [0, 0, 1], "along": [1, 0, 0]}],
"bodies": [{"name": "a", "mass": 1, "inertia": {"xx": 1, "yy": 1, "zz": 1}}],
"forces": [{"name": "tyre", "slip_tyre": {"road": "field", "body": "a", "axis": [0, 1, 0], "radius": 0.5, "stiffness": 2e5,
  "nominal_load": 4000, "magic_formula": {"coefficients": [{"name": "PKY2", "value": 1.5}, {"name": "PDY1", "value": 1.1},
  {"name": "PCX1", "value": 1.6}, {"name": "PCY1", "value": 1.25}, {"name": "PDX1", "value": 1}, {"name": "PKX1", "value": 20},
  {"name": "PKY1", "value": -20}]}}},
{"name": "bush", "bushing": {"body_1": "ground", "body_2": "a", "point_1": [0, 0, 0], "point_2": [0, 0, 0],
  "stiffness": [1000, 0, 0, 0, 2000, 0, 0, 0, 3000]}}],
"parameters": [{"name": "bend", "targets": ["forces.tyre.magic_formula.coefficients[0].value"]},
  {"name": "across", "targets": ["forces.bush.stiffness[4]"]}]})");
  const Outcome json = run("model print " + file.path());
  CAPTURE(json.err);
  REQUIRE(json.exit_code == 0);
  const ModelDocument printed = readModelText(json.out, ModelSyntax::kJson);
  REQUIRE(printed.valid());
  CHECK(printed.spec.parameters[0].value == 1.5);
  CHECK(printed.spec.parameters[1].value == 2000);
}

TEST_CASE("model print says the unit of every actuator", "[server][cli]") {
  const v1::Model car = readModelText(run("model print sedan").out, ModelSyntax::kJson).message;
  REQUIRE(car.actuators_size() > 0);
  for (const v1::Actuator& actuator : car.actuators()) {
    CAPTURE(actuator.name());
    if (actuator.name() == "steering") CHECK(actuator.unit() == "rad");
    if (actuator.has_joint_torque()) CHECK(actuator.unit() == "N m");
  }
  const v1::Model driven = readModelText(run("model print motor_four_bar").out, ModelSyntax::kJson).message;
  CHECK(driven.actuators(0).unit() == "N m");
}

TEST_CASE("model print --plan shows the elimination tree as a table, as JSON and for Graphviz", "[server][cli]") {
  const Outcome table = run("model print chain:n=3 --plan");
  REQUIRE(table.exit_code == 0);
  REQUIRE(table.out.find("6 nodes: 3 bodies (0 hubs), 9 rows") != std::string::npos);
  const auto json = nlohmann::json::parse(run("model print chain:n=3 --plan --json").out);
  REQUIRE(json["nodes"].size() == 6);
  double factor = 0;
  int roots = 0;
  for (const auto& node : json["nodes"]) {
    factor += node["factor_flops"].get<double>();
    roots += node["parent"] == -1;
  }
  REQUIRE(factor == Approx(json["factor_flops"].get<double>()));
  REQUIRE(roots == 1);
  const Outcome dot = run("model print chain:n=3 --plan --dot");
  REQUIRE(dot.out.rfind("digraph plan {", 0) == 0);
  REQUIRE(std::count(dot.out.begin(), dot.out.end(), '>') == 5);
  const Outcome alone = run("model print chain:n=3 --dot");
  CHECK(alone.exit_code == 2);
  CHECK_THAT(alone.err, Catch::Contains("--plan"));
}

TEST_CASE("model print --plan says whether steps go along lanes", "[server][cli]") {
  const std::string humanoid = TACTUS_SOURCE_DIR "/tests/bench/cases/humanoid30.json";
  CHECK_THAT(run("model print " + humanoid + " --plan").out,
             Catch::Contains("a forest: the step solves 11 groups of four bodies, not the nodes above"));
  CHECK(nlohmann::json::parse(run("model print " + humanoid + " --plan --json").out)["forest"]["groups"] == 11);
  const auto loops = nlohmann::json::parse(run("model print four_bar --plan --json").out);
  CHECK_FALSE(loops.contains("forest"));
  CHECK_FALSE(loops.contains("chain"));
}

TEST_CASE("an invalid model is not printed", "[server][cli]") {
  const ModelFile file(ropeModel("0", "[2, 0, 0]"));
  const Outcome outcome = run("model print " + file.path());
  REQUIRE(outcome.exit_code == 2);
  REQUIRE(outcome.out.empty());
  REQUIRE(outcome.err.find(":2: bodies[0].mass = 0") != std::string::npos);
}

TEST_CASE("model tyre prints the curves of a tyre, and names the nearest of an unknown one", "[server][cli]") {
  const Outcome curves = run("model tyre sedan tyre_fl");
  REQUIRE(curves.exit_code == 0);
  REQUIRE(std::count(curves.out.begin(), curves.out.end(), '\n') == 1 + 3 * 101);
  REQUIRE(curves.out.rfind("load,slip,longitudinal,lateral,aligning,", 0) == 0);
  const Outcome unknown = run("model tyre sedan tyre_f");
  REQUIRE(unknown.exit_code == 2);
  REQUIRE(unknown.err.find("tyre_f") != std::string::npos);
  REQUIRE(unknown.err.find("did you mean") != std::string::npos);
  REQUIRE(run("model tyre four_bar tyre_fl").exit_code == 2);
}

TEST_CASE("models lists every built-in model with its parameters", "[server][cli]") {
  const Outcome table = run("models");
  REQUIRE(table.exit_code == 0);
  for (const std::string name :
       {"bricard", "chain:n=8", "double_pendulum", "four_bar ", "four_bar_up", "motor_four_bar"}) {
    CAPTURE(name);
    REQUIRE(table.out.find(name) != std::string::npos);
  }
  const auto json = nlohmann::json::parse(run("models --json").out);
  REQUIRE(json["models"].size() == server::builtInModels().size());
  const auto chain = std::find_if(json["models"].begin(), json["models"].end(),
                                  [](const auto& model) { return model["name"] == "chain"; });
  REQUIRE(chain != json["models"].end());
  REQUIRE((*chain)["parameters"][0]["maximum"] == 4096);
}

TEST_CASE("model reduce writes a valid model with the modal body of a beam", "[server][cli]") {
  const std::string beam = R"({"name": "m", "gravity": [0, 0, 0], "composites": [{"name": "bar", "beam": {
"points": [{"position": [0, 0, 0]}, {"position": [2, 0, 0]}], "elements": 8, "material": {"young": 2e11, "density": 7800},
"stations": [{"rectangle": {"width": 0.02, "height": 0.04}}]}}]})";
  const ModelFile file(beam), out("");
  const std::string command = "model reduce " + file.path() + " --interface bar.0 bar.8 --modes 12 --free-modes 6";
  const Outcome written = run(command + " --name flex --out " + out.path());
  CAPTURE(written.err);
  REQUIRE(written.exit_code == 0);
  const Outcome checked = run("model check " + out.path());
  CAPTURE(checked.out);
  CHECK(checked.exit_code == 0);
  CHECK(checked.out.find("1 composite") != std::string::npos);
  const auto json = nlohmann::json::parse(run("model print " + out.path()).out);
  const auto& body = json["composites"][0]["modal_body"];
  CHECK(json["composites"][0]["name"] == "flex");
  CHECK(body["interfaces"][1]["name"] == "bar_8");
  CHECK(body["coupling"].size() == 144);

  // One interface has no stiffness against others.
  const Outcome one = run("model reduce " + file.path() + " --interface bar.0 --modes 6");
  CAPTURE(one.err);
  REQUIRE(one.exit_code == 0);
  CHECK(nlohmann::json::parse(one.out)["composites"][0]["modal_body"]["stiffness"] == std::vector<double>(36, 0.0));

  const Outcome unknown = run("model reduce " + file.path() + " --interface bar.9");
  CHECK(unknown.exit_code == 2);
  CHECK_THAT(unknown.err, Catch::Contains("interface \"bar.9\" is no body of the model"));
  const Outcome many = run("model reduce " + file.path() + " --interface bar.0 --modes 99");
  CHECK(many.exit_code == 2);
  CHECK_THAT(many.err, Catch::Contains("must be from 0 to 48"));
  // Two mistakes, each by the field of the modal body.
  const Outcome both = run("model reduce " + file.path() + " --interface bar.0 bar.8 --free-modes 7 --damping-time -1");
  CHECK(both.exit_code == 2);
  CHECK_THAT(both.err, Catch::Contains("would not be valid:\n") && Catch::Contains("\nmodes = 7: ") &&
                           Catch::Contains("\ndamping_time = -1: ") && !Catch::Contains("composites[0]") &&
                           !Catch::Contains("at least one body"));
}

TEST_CASE("model reduce keeps the damping of the elements, and names what it leaves out", "[server][cli]") {
  const auto beam = [](const std::string& name, const std::string& x, const std::string& damping) {
    return R"({"name": ")" + name + R"(", "beam": {"points": [{"position": [)" + x + R"(, 0, 0]}, {"position": [)" + x +
           R"(, 2, 0]}], "elements": 4, "damping_time": )" + damping +
           R"(, "material": {"young": 2e11, "density": 7800},
"stations": [{"rectangle": {"width": 0.02, "height": 0.04}}]}})";
  };
  const ModelFile one(R"({"name": "m", "gravity": [0, 0, 0], "joints": [{"name": "mount", "body_1": "ground",
"body_2": "bar.0", "weld": {"point_1": [0, 0, 0], "point_2": [0, 0, 0]}}], "sensors": [{"name": "tip", "point_position": {"body": "bar.4",
"direction": [0, 0, 1]}}], "composites": [)" +
                      beam("bar", "0", "2e-4") + "]}");
  const auto dampingOf = [](const Outcome& outcome) {
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    return nlohmann::json::parse(outcome.out)["composites"][0]["modal_body"].value("damping_time", 0.0);
  };
  const std::string command = "model reduce " + one.path() + " --interface bar.0 bar.4";
  const Outcome kept = run(command);
  CHECK(dampingOf(kept) == Approx(2e-4).epsilon(1e-12));  // round-off of a sum of products
  CHECK(dampingOf(run(command + " --damping-time 0")) == 0);
  CHECK_THAT(kept.err, Catch::Contains("joint \"mount\"") && Catch::Contains("sensor \"tip\""));

  const ModelFile two(R"({"name": "m", "gravity": [0, 0, 0], "composites": [)" + beam("a", "0", "2e-4") + ", " +
                      beam("b", "1", "1e-4") + R"(], "forces": [{"name": "tie", "bushing": {"body_1": "a.4",
"body_2": "b.4", "point_1": [0.5, 0, 0], "point_2": [-0.5, 0, 0], "stiffness": [1e6, 1e6, 1e6, 1e3, 1e3, 1e3]}}]})");
  const Outcome unequal = run("model reduce " + two.path() + " --interface a.0 b.0");
  CHECK(unequal.exit_code == 2);
  CHECK_THAT(unequal.err, Catch::Contains("give it with --damping-time"));
  CHECK(dampingOf(run("model reduce " + two.path() + " --interface a.0 b.0 --damping-time 3e-4")) == 3e-4);
}

TEST_CASE("model reduce refuses a bushing with an input, which no modal body has", "[server][cli]") {
  const auto body = [](const std::string& name, const std::string& x) {
    return R"({"name": ")" + name + R"(", "mass": 1, "inertia": {"xx": 0.01, "yy": 0.01, "zz": 0.01}, "position": [)" +
           x + ", 0, 0]}";
  };
  const ModelFile file(R"({"name": "m", "gravity": [0, 0, 0], "bodies": [)" + body("a", "0") + ", " + body("b", "0.5") +
                       R"(], "forces": [{"name": "tie", "bushing": {"body_1": "a", "body_2": "b",
"point_1": [0.25, 0, 0], "point_2": [-0.25, 0, 0], "stiffness": [1e4, 1e4, 1e4, 1e3, 1e3, 1e3]}}],
"actuators": [{"name": "pre", "spring_input": {"spring": "tie", "quantity": "SPRING_QUANTITY_PRELOAD", "axis": 1}}]})");
  const Outcome outcome = run("model reduce " + file.path() + " --interface a");
  CHECK(outcome.exit_code == 2);
  CHECK_THAT(outcome.err, Catch::Contains("leave curves, stops and inputs out"));
}

TEST_CASE("model import-tyre prints a tyre property file as an element", "[server][cli]") {
  const Outcome good = run("model import-tyre " TACTUS_SOURCE_DIR "/tests/reference/tyre_52.tir");
  CHECK(good.exit_code == 0);
  CHECK(good.out.find("\"radius\": 0.3135") != std::string::npos);
  CHECK(good.out.find("MAGIC_FORMULA_FORM_5") != std::string::npos);
  CHECK(good.err.find("PTX2") != std::string::npos);
  CHECK(good.err.find("measured on the left side") != std::string::npos);
  const ModelFile bad("FITTYP = 7\n");
  const Outcome refused = run("model import-tyre " + bad.path());
  CHECK(refused.exit_code == 2);
  CHECK(refused.err.find(":1: FITTYP = \"7\": must be 5, 6, 21") != std::string::npos);
}
