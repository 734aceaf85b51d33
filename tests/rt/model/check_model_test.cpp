// Covers: rt/model/rules.cpp, rt/model/rules.h, rt/model/references.cpp, rt/model/check_fields.cpp
#include "tests/rt/model/sample_model.h"

#include "rt/model/model.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace tactus::rt;
using namespace tactus::rt::test;

TEST_CASE("a valid model has no findings", "[rt][model]") {
  const auto findings = checkModel(sampleModel());
  INFO(describe(findings));
  REQUIRE(findings.empty());
}

TEST_CASE("names keep to letters, digits and underscores", "[rt][model]") {
  for (const std::string bad : {"", "1st", "left arm", "arm.tip", "arm-2", "bras_\xc3\xa9"}) {
    CAPTURE(bad);
    ModelSpec spec = sampleModel();
    spec.sensors[3].name = bad;
    TACTUS_REQUIRE_FINDING(spec, "sensors[3].name", "must be a name");
  }
  ModelSpec spec = sampleModel();
  spec.sensors[3].name = std::string(65, 'a');
  TACTUS_REQUIRE_FINDING(spec, "sensors[3].name", "at most 64");
  spec.sensors[3].name = std::string(64, 'a');
  REQUIRE(checkModel(spec).empty());
}

TEST_CASE("a name that cannot be used comes with one that can", "[rt][model]") {
  ModelSpec spec = sampleModel();
  spec.sensors[3].name = "2nd arm";
  REQUIRE(checkModel(spec).at(0).hint == "for example \"_2nd_arm\"");
}

TEST_CASE("words that begin other signals are reserved", "[rt][model]") {
  for (const std::string word : {"ground", "energy", "constraint", "solver"}) {
    CAPTURE(word);
    ModelSpec spec = sampleModel();
    spec.actuators[2].name = word;
    TACTUS_REQUIRE_FINDING(spec, "actuators[2].name", "reserved");
  }
}

TEST_CASE("names are unique across bodies, joints, actuators and sensors", "[rt][model]") {
  ModelSpec spec = sampleModel();
  spec.actuators[1].name = "pin";
  TACTUS_REQUIRE_FINDING(spec, "actuators[1].name", "unique");
  REQUIRE(checkModel(spec)[0].hint == "joints[5].name has this name");

  spec = sampleModel();
  spec.sensors[3].name = "twist";
  TACTUS_REQUIRE_FINDING(spec, "sensors[3].name", "unique");
}

TEST_CASE("names of initial conditions are unique among themselves", "[rt][model]") {
  ModelSpec spec = sampleModel();
  spec.initial_conditions[0].name = "arm";  // a body may have the same name
  REQUIRE(checkModel(spec).empty());
  spec.initial_conditions.push_back(spec.initial_conditions[0]);
  TACTUS_REQUIRE_FINDING(spec, "initial_conditions[1].name", "unique");
}

TEST_CASE("a model without a name builds with a warning", "[rt][model]") {
  ModelSpec spec = sampleModel();
  spec.name.clear();
  REQUIRE(isOnly(checkModel(spec), "name", "should be given", Severity::kWarning));
  REQUIRE_NOTHROW(buildModel(spec));
  spec.name = "not a name";
  TACTUS_REQUIRE_FINDING(spec, "name", "must be a name");
}

TEST_CASE("a model has at least one body", "[rt][model]") {
  ModelSpec spec;
  spec.name = "empty";
  spec.gravity = Vector3d(0, 0, 0);
  TACTUS_REQUIRE_FINDING(spec, "bodies", "at least one body");
}

TEST_CASE("a model has at most 4096 bodies", "[rt][model]") {
  ModelSpec spec;
  spec.name = "crowd";
  spec.gravity = Vector3d(0, 0, 0);
  for (int i = 0; i < 4096; ++i) spec.bodies.push_back(sampleBody("b" + std::to_string(i), Vector3d(i, 0, 0)));
  REQUIRE(checkModel(spec).empty());
  spec.bodies.push_back(sampleBody("last", Vector3d::Zero()));
  TACTUS_REQUIRE_FINDING(spec, "bodies", "at most 4096");
}

TEST_CASE("gravity is given and finite", "[rt][model]") {
  ModelSpec spec = sampleModel();
  spec.gravity.reset();
  TACTUS_REQUIRE_FINDING(spec, "gravity", "must be given");
  spec.gravity = Vector3d(0, kNan, 0);
  TACTUS_REQUIRE_FINDING(spec, "gravity", "finite");
  spec.gravity = Vector3d(0, 0, 0);
  REQUIRE(checkModel(spec).empty());
}

TEST_CASE("assembly limits are above zero", "[rt][model]") {
  for (const double bad : {0.0, -1.0, kNan, kInf}) {
    CAPTURE(bad);
    ModelSpec spec = sampleModel();
    spec.assembly.position = bad;
    TACTUS_REQUIRE_FINDING(spec, "assembly.position", "above zero");
    spec = sampleModel();
    spec.assembly.velocity = bad;
    TACTUS_REQUIRE_FINDING(spec, "assembly.velocity", "above zero");
  }
}

TEST_CASE("the period is between a microsecond and a second", "[rt][model]") {
  for (const double bad : {0.0, 9e-7, 1.1, -1e-3, kNan}) {
    CAPTURE(bad);
    ModelSpec spec = sampleModel();
    spec.solver.period = bad;
    TACTUS_REQUIRE_FINDING(spec, "solver.period", "must be from 1e-06 to 1");
  }
}

TEST_CASE("iterations are between 1 and 20", "[rt][model]") {
  for (const int bad : {0, -3, 21}) {
    CAPTURE(bad);
    ModelSpec spec = sampleModel();
    spec.solver.iterations = bad;
    TACTUS_REQUIRE_FINDING(spec, "solver.iterations", "must be from 1 to 20");
  }
}

TEST_CASE("the relative compliance is bounded, and unusual values are warned of", "[rt][model]") {
  for (const double bad : {0.0, 9e-13, 2e-3, kNan}) {
    CAPTURE(bad);
    ModelSpec spec = sampleModel();
    spec.solver.relative_compliance = bad;
    TACTUS_REQUIRE_FINDING(spec, "solver.relative_compliance", "must be from");
  }
  for (const double unusual : {5e-11, 2e-7}) {
    CAPTURE(unusual);
    ModelSpec spec = sampleModel();
    spec.solver.relative_compliance = unusual;
    REQUIRE(isOnly(checkModel(spec), "solver.relative_compliance", "should be from", Severity::kWarning));
    REQUIRE_NOTHROW(buildModel(spec));
  }
}

TEST_CASE("one pass reports the findings of every element", "[rt][model]") {
  ModelSpec spec = sampleModel();
  spec.bodies[0].mass = -1;
  spec.bodies[1].orientation = Vector4d(2, 0, 0, 0);
  spec.joints[1].body_2 = "rot";
  spec.actuators[0].kind = JointTorqueSpec{"hing"};
  spec.sensors[2].name = "arm";
  spec.solver.period = 0;
  const auto findings = checkModel(spec);
  std::vector<std::string> paths;
  for (const Finding& f : findings) paths.push_back(f.path);
  INFO(describe(findings));
  REQUIRE(paths == std::vector<std::string>{"sensors[2].name", "bodies[0].mass", "bodies[1].orientation",
                                            "joints[1].body_2", "actuators[0].joint_torque.joint", "solver.period"});
}

TEST_CASE("a model with errors is not built, and the exception carries them", "[rt][model]") {
  ModelSpec spec = sampleModel();
  spec.bodies[0].mass = -1;
  spec.bodies[1].mass = kInf;
  try {
    buildModel(spec);
    FAIL("built");
  } catch (const ModelError& error) {
    REQUIRE(error.findings().size() == 2);
    REQUIRE(std::string(error.what()).find("bodies[0].mass = -1") != std::string::npos);
  }
}

TEST_CASE("a long list of findings is cut with a note", "[rt][model]") {
  ModelSpec spec;
  spec.name = "flood";
  spec.gravity = Vector3d(0, 0, 0);
  spec.bodies.resize(3000);
  const auto findings = checkModel(spec);
  REQUIRE(findings.size() == 1001);
  REQUIRE(findings.back().rule.find("left out") != std::string::npos);
}

TEST_CASE("a model whose only element is a beam with one mistake has one finding", "[rt][model]") {
  ModelSpec spec;
  spec.name = "beam";
  spec.gravity = Vector3d::Zero();
  BeamSpec beam;
  beam.points = {{{0, 0, 0}, 0}, {{2, 0, 0}, 0}};
  beam.elements = 4;
  beam.stations = {{0, RectangleSectionSpec{0.02, 0.04}}};
  beam.material = {207e9, 0.3, 7800};
  spec.composites = {{"bar", "", beam}};
  INFO(describe(checkModel(spec)));
  REQUIRE(checkModel(spec).empty());
  std::get<BeamSpec>(spec.composites[0].kind).material->density = -7800;
  TACTUS_REQUIRE_FINDING(spec, "composites[0].beam.material.density", "above zero");

  spec.composites.clear();
  TACTUS_REQUIRE_FINDING(spec, "bodies", "at least one body");
}
