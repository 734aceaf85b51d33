// Covers: rt/signals/signal_reader.cpp
#include "rt/model/model.h"
#include "rt/signals/signal_reader.h"
#include "rt/state/snapshot.h"

#include "rt/error.h"
#include "rt/mechanics/initial_state.h"
#include "tests/support/mechanisms.h"

#include <catch2/catch.hpp>

using namespace tactus::rt;
using namespace tactus::tests;

namespace {

Snapshot initialSnapshot(const Model& model) {
  Snapshot snapshot(model);
  snapshot.state = initialState(model).state.values();
  return snapshot;
}

}  // namespace

TEST_CASE("every signal has a unique name, a unit and a description", "[rt][signals]") {
  const Model model = buildModel(fourBar(FourBarReading::kDown));
  const SignalDirectory directory(model);
  for (std::size_t i = 0; i < directory.signals().size(); ++i) {
    const Signal& s = directory.signals()[i];
    CHECK(directory.find(s.name) == static_cast<int>(i));
    CHECK_FALSE(s.unit.empty());
  }
  // Per body 19, per hinge 6 + 2, five energies, seven numbers of the solver.
  CHECK(directory.signals().size() == 3 * 19 + 4 * 8 + 12);
}

TEST_CASE("names and globs resolve in order, each signal once", "[rt][signals]") {
  const Model model = buildModel(doublePendulum());
  const SignalDirectory directory(model);
  const std::string body = model.body_names[1];
  const std::vector<int> indices = directory.resolve({body + ".r.y", body + ".r.*", "energy.?otal"});
  REQUIRE(indices.size() == 4);
  CHECK(directory.signals()[static_cast<std::size_t>(indices[0])].name == body + ".r.y");
  CHECK(directory.signals()[static_cast<std::size_t>(indices[1])].name == body + ".r.x");
  CHECK(directory.signals()[static_cast<std::size_t>(indices[3])].name == "energy.total");
  CHECK(directory.resolve({"*"}).size() == directory.signals().size());
  CHECK_THROWS_WITH(directory.resolve({body + ".r.w"}), Catch::Contains("did you mean"));
  CHECK_THROWS_AS(directory.resolve({"nothing*"}), tactus::Error);
}

TEST_CASE("globs match as fnmatch of C and Python do", "[rt][signals]") {
  const Model model = buildModel(doublePendulum());
  const SignalDirectory directory(model);
  const std::string body = model.body_names[1];
  const auto count = [&](const std::string& glob) { return directory.resolve({glob}).size(); };
  CHECK(count(body + ".r.[xz]") == 2);
  CHECK(count(body + ".r.[x-z]") == 3);
  CHECK(count(body + ".r.[!x]") == 2);
  CHECK(count("*energy.total*") == 1);
  CHECK(count("energy.total*") == 1);
  CHECK(count("**.r.x") == model.body_names.size());
  // A name has dots but no hierarchy, no case is folded, and a glob matches the whole name.
  CHECK(count("*.x") > model.body_names.size());
  for (const char* glob : {"ENERGY.*", "energy.tota?l", "energy.tota[", "\\*", "?"}) {
    INFO(glob);
    CHECK_THROWS_AS(directory.resolve({glob}), tactus::Error);
  }
}

TEST_CASE("a glob with many stars is matched quickly", "[rt][signals]") {
  const Model model = buildModel(chain(64));
  const SignalDirectory directory(model);
  std::string glob;
  for (int i = 0; i < 200; ++i) glob += "*i";
  CHECK_THROWS_AS(directory.resolve({glob + "?"}), tactus::Error);
}

TEST_CASE("layouts with different names or another order have different hashes", "[rt][signals]") {
  const Model model = buildModel(doublePendulum());
  const SignalDirectory directory(model);
  const std::vector<int> a{0, 1}, b{1, 0}, c{0};
  CHECK(directory.layoutHash(a) != directory.layoutHash(b));
  CHECK(directory.layoutHash(a) != directory.layoutHash(c));
  CHECK(directory.layoutHash(a) == SignalDirectory(model).layoutHash(a));
  // Clients may keep the hash of a layout that they expect.
  CHECK(directory.layoutHash({}) == 0xcbf29ce484222325ULL);
}

TEST_CASE("a reader returns what the step reported of its solver", "[rt][signals]") {
  const Model model = buildModel(chain(2));
  const SignalDirectory directory(model);
  SignalReader reader(directory, directory.resolve({"solver.*"}));
  Snapshot snapshot = initialSnapshot(model);
  snapshot.header.report.residual = 1;
  snapshot.header.report.increment = 2;
  snapshot.header.report.contraction = 3;
  snapshot.header.report.factorizations = 4;
  std::vector<double> values(reader.indices().size());
  reader.read(snapshot, values);
  std::vector<std::string> names;
  for (const int i : reader.indices()) names.push_back(directory.signals()[static_cast<std::size_t>(i)].name);
  CHECK(names ==
        std::vector<std::string>{"solver.residual", "solver.increment", "solver.contraction", "solver.factorizations"});
  CHECK(values == std::vector<double>{1, 2, 3, 4});
}

TEST_CASE("a reader returns the values of the state, with reactions on the second body", "[rt][signals]") {
  const Model model = buildModel(chain(8));
  const SignalDirectory directory(model);
  SignalReader reader(
      directory, directory.resolve({"link_3.r.x", "link_3.p.e0", "joint_1.force.*", "energy.total", "link_1.alpha.z"}));
  std::vector<double> values(reader.indices().size());
  const Snapshot snapshot = initialSnapshot(model);
  reader.read(snapshot, values);
  CHECK(values[0] == 2.5);
  CHECK(values[1] == 1.0);
  // Ground carries the horizontal chain: m g on the first link, to 5e-7 N for 8 links. Components
  // across gravity are round-off.
  CHECK(values[2] == Approx(0).margin(1e-9));
  CHECK(values[3] == Approx(9.81).epsilon(1e-4));
  CHECK(values[5] == Approx(0).margin(1e-12));
  CHECK(values[6] < -1.0);
}

TEST_CASE("a joint whose second body is ground reports the reaction on ground", "[rt][signals]") {
  ModelSpec spec = chain(2);
  std::swap(spec.joints[0].body_1, spec.joints[0].body_2);
  auto& joint = std::get<SphericalSpec>(spec.joints[0].kind);
  std::swap(joint.point_1, joint.point_2);
  const Model model = buildModel(spec);
  const SignalDirectory directory(model);
  SignalReader reader(directory, directory.resolve({"joint_1.force.y"}));
  double down = 0, up = 0;
  reader.read(initialSnapshot(model), {&down, 1});
  const Model plain = buildModel(chain(2));
  const SignalDirectory plain_directory(plain);
  SignalReader plain_reader(plain_directory, plain_directory.resolve({"joint_1.force.y"}));
  plain_reader.read(initialSnapshot(plain), {&up, 1});
  CHECK(down == Approx(-up));
  CHECK(up > 0);
}

TEST_CASE("an actuator has its declared unit; a scaled one without a declaration has none", "[rt][signals]") {
  ModelSpec spec;
  spec.name = "rack";
  spec.gravity = Eigen::Vector3d::Zero();
  BodySpec body;
  body.name = "rack";
  body.mass = 1;
  body.inertia = Eigen::Vector3d(1, 1, 1).asDiagonal();
  body.position = Eigen::Vector3d(1, 0, 0);
  spec.bodies.push_back(body);
  TranslationalSpringSpec spring;
  spring.body_1 = "ground";
  spring.body_2 = "rack";
  spring.stiffness = 100;
  ForceSpec force;
  force.name = "column";
  force.kind = spring;
  spec.forces.push_back(force);
  ActuatorSpec wheel;
  wheel.name = "wheel";
  SpringInputSpec sets;
  sets.spring = "column";
  sets.offset = 1;
  wheel.kind = sets;
  spec.actuators.push_back(wheel);
  const auto unitOf = [&] {
    const Model model = buildModel(spec);
    return SignalDirectory(model).signals()[0].unit;
  };
  CHECK(unitOf() == "m");
  std::get<SpringInputSpec>(spec.actuators[0].kind).scale = 0.01;
  CHECK(unitOf().empty());
  spec.actuators[0].unit = "rad";
  CHECK(unitOf() == "rad");
  spec.actuators[0].unit = std::string(17, 'x');
  CHECK_THROWS_WITH(buildModel(spec), Catch::Contains("at most 16 bytes"));
}
