// Models that a validation must trust and models that it must not, each with the reason. The limits follow from the
// step: of the real-time solver, of order 2, the angle of an oscillation of w rad/s lags by w t (w h)^2 / 12 after t.
// Covers: server/batch/reference.cpp, server/batch/stage_clock.h
// Covers: server/batch/measure.cpp, server/batch/method_choice.h
#include "rt/model/model.h"
#include "server/batch/validation.h"
#include "server/model_io/model_file.h"
#include "server/models/built_in_models.h"
#include "tests/server/batch/never.h"
#include "tests/support/mechanisms.h"

#include <catch2/catch.hpp>

#include <functional>
#include <numbers>
#include <sstream>

using namespace tactus;
using namespace tactus::server;
using tactus::tests::kNever;

namespace {

std::string number(double value) {
  std::ostringstream text;
  text.precision(12);
  text << value;
  return text.str();
}

double stiffnessFor(double inertia, double hertz) {
  return inertia * std::pow(2 * std::numbers::pi * hertz, 2);
}

std::string body(const std::string& name, double mass, double inertia, const std::string& position,
                 const std::string& more = "") {
  const std::string j = number(inertia);
  return R"({"name": ")" + name + R"(", "mass": )" + number(mass) + R"(, "inertia": {"xx": )" + j + R"(, "yy": )" + j +
         R"(, "zz": )" + j + R"(}, "position": )" + position + more + "}";
}

std::string hinge(const std::string& name, const std::string& body_1, const std::string& body_2,
                  const std::string& point_1, const std::string& point_2) {
  return R"({"name": ")" + name + R"(", "body_1": ")" + body_1 + R"(", "body_2": ")" + body_2 +
         R"(", "revolute": {"point_1": )" + point_1 + R"(, "point_2": )" + point_2 +
         R"(, "axis_1": [0, 0, 1], "axis_2": [0, 0, 1]}})";
}

/// A torsion spring on a joint, 1 rad from its rest.
std::string torsion(const std::string& joint, double stiffness, const std::string& more = "") {
  return R"({"name": "spring_)" + joint + R"(", "rotational_spring": {"joint": ")" + joint + R"(", "stiffness": )" +
         number(stiffness) + more + "}}";
}
const std::string kAtOne = R"(, "free_angle": 1)";

std::string model(const std::string& bodies, const std::string& joints, const std::string& forces,
                  const std::string& more = "", const std::string& gravity = "[0, -9.81, 0]") {
  return R"({"name": "m", "gravity": )" + gravity + R"(, "bodies": [)" + bodies + R"(], "joints": [)" + joints +
         R"(], "forces": [)" + forces + "]" + more + "}";
}

/// A rotor of 0.01 kg m^2 on a torsion spring; its mass center never moves.
std::string rotor(double hertz, const std::string& spring = kAtOne, const std::string& more = "") {
  return model(body("rotor", 1, 0.01, "[0, 0, 0]"), hinge("axle", "ground", "rotor", "[0, 0, 0]", "[0, 0, 0]"),
               torsion("axle", stiffnessFor(0.01, hertz), spring), more);
}

/// A mass of 1 kg on a rail with a long spring along it, 50 mm from its rest.
std::string rail(double hertz, double damping = 0, const std::string& more = "", double moved = 0.05,
                 const std::string& law = "") {
  const std::string stiffness = law.empty() ? R"("stiffness": )" + number(stiffnessFor(1, hertz)) : law;
  return model(body("cart", 1, 0.001, "[" + number(moved) + ", 0, 0]"),
               R"({"name": "rail", "body_1": "ground", "body_2": "cart", "prismatic": {"point_1": [0, 0, 0],
                  "point_2": [0, 0, 0], "axis_1": [1, 0, 0], "axis_2": [1, 0, 0]}})",
               R"({"name": "spring", "translational_spring": {"body_1": "ground", "body_2": "cart",
                  "point_1": [-10, 0, 0], "point_2": [0, 0, 0], "free_length": 10, "damping": )" +
                   number(damping) + ", " + stiffness + "}}",
               more);
}

std::string pendulum(const std::string& name, double length, double x) {
  return body(name, 1, 0.4e-2 * length * length, "[" + number(x + length) + ", 0, 0]");
}
std::string pivot(const std::string& name, double length, double x) {
  return hinge("pivot_" + name, "ground", name, "[" + number(x) + ", 0, 0]", "[" + number(-length) + ", 0, 0]");
}
std::string pendulums(double length, double other = 0, const std::string& more = "") {
  std::string bodies = pendulum("bob", length, 0), joints = pivot("bob", length, 0);
  if (other > 0) {
    bodies += ", " + pendulum("small", other, 20);
    joints += ", " + pivot("small", other, 20);
  }
  return model(bodies, joints, "", more);
}

/// An arm without gravity that turns at 2 rad/s into a stop at 1 rad.
std::string arm(double stop_stiffness, double damping = 0) {
  return model(body("arm", 1, 0.1, "[0.5, 0, 0]", R"(, "velocity": [0, 1, 0], "angular_velocity": [0, 0, 2])"),
               hinge("hinge", "ground", "arm", "[0, 0, 0]", "[-0.5, 0, 0]"),
               torsion("hinge", 0.001,
                       R"(, "maximum_stop": {"position": 1, "stiffness": )" + number(stop_stiffness) +
                           R"(, "damping": )" + number(damping) + "}"),
               "", "[0, 0, 0]");
}

const std::string kMotor = R"(, "actuators": [{"name": "motor", "joint_torque": {"joint": "axle"}}])";
const std::string kEncoder = R"(, "sensors": [{"name": "encoder", "joint_angle": {"joint": "axle"}}])";

struct Case {
  std::string name;
  rt::ModelSpec spec;
  bool trusted;
  std::string reason;  ///< in one of the lines of the verdict
  std::int64_t step_us = 1000, until_ms = 1000;
  std::function<void(ValidationOptions&)> change = {};
};

rt::ModelSpec read(const std::string& text) {
  const ModelDocument document = readModelText(text, ModelSyntax::kJson);
  std::string all;
  for (const LocatedFinding& finding : document.findings) all += toString(finding, "m") + '\n';
  INFO(text << '\n' << all);
  REQUIRE(document.valid());
  return document.spec;
}

std::function<void(ValidationOptions&)> tolerance(const std::string& text) {
  return [text](ValidationOptions& options) { options.tolerances.set(text); };
}

void check(const Case& c) {
  const rt::Model built = rt::buildModel(c.spec);
  ValidationOptions options;
  options.step_ns = 1000 * c.step_us;
  options.until_ns = 1'000'000 * c.until_ms;
  if (c.change) c.change(options);
  const ValidationReport report = validate(built, options, kNever, [](const std::string&) {});
  std::string all;
  for (const std::string& reason : report.reasons) all += reason + '\n';
  INFO(c.name << ", " << report.wall_seconds << " s\n" << all);
  CHECK(report.trusted == c.trusted);
  CHECK_THAT(all, Catch::Matchers::Contains(c.reason));
  // The deciding line is one of the findings, and of the kind of the verdict.
  CHECK(report.deciding.rfind(c.trusted ? "ok: " : "no: ", 0) == 0);
}

}  // namespace

TEST_CASE("models whose result is wrong are not trusted, for the right reason", "[server][batch][verdict]") {
  const auto small_rotor = [](double hertz) {
    return model(pendulum("bob", 10, 0) + ", " + body("small", 0.01, 1e-6, "[20, 0, 0]"),
                 pivot("bob", 10, 0) + ", " + hinge("axle", "ground", "small", "[20, 0, 0]", "[0, 0, 0]"),
                 torsion("axle", stiffnessFor(1e-6, hertz), kAtOne));
  };
  const std::vector<Case> cases = {
      {"a rotor turns, its mass center stands", read(rotor(10)), false, "no: rotation: error of rotor", 1000, 2000},
      {"a faster rotor", read(rotor(25)), false, "no: rotation: error of rotor"},
      {"its angle as a joint", read(rotor(10)), false, "no: joint: error of", 1000, 2000},
      {"its rate", read(rotor(25)), false, "no: velocity: error of"},
      {"its sensor", read(rotor(25, kAtOne, kEncoder)), false, "no: sensor: error of encoder"},
      {"the moment of its spring", read(rotor(25)), false, "no: load: error of"},
      {"a cart on a spring of 12 Hz", read(rail(12)), false, "no: position: error of cart"},
      {"a cart on a spring of 100 Hz", read(rail(100)), false, "no: energy: drift"},
      {"a small rotor beside a pendulum of 10 m", read(small_rotor(12)), false, "no: rotation: error of small"},
      {"a pendulum of 4 mm beside one of 10 m", read(pendulums(10, 0.004)), false, "no: position: error of small"},
      {"an arm against a hard stop that comes late", read(arm(1e9)), false, "no: "},
      {"a hard stop with a damper", read(arm(1e8, 1e2)), false, "no: velocity: error of arm"},
      {"a coarse step of the double pendulum", tests::doublePendulum(), false, "no: position: error of", 50'000, 2000},
      {"a coarse step of a body that tumbles", tests::freeBody(20), false, "no: rotation: error of", 20'000, 1000},
      {"a tight tolerance of rotations alone", read(pendulums(1)), false, "no: rotation: error of bob", 1000, 500,
       tolerance("rotation=1e-9")},
      {"a tight tolerance of velocities alone", read(pendulums(1)), false, "no: velocity: error of bob", 1000, 500,
       tolerance("velocity=1e-9")},
      {"a tight tolerance of reactions alone", read(pendulums(1)), false, "no: reaction: error of pivot_bob", 1000, 500,
       tolerance("reaction=1e-9")},
      {"a tight tolerance of loads alone", read(rail(1)), false, "no: load: error of spring", 1000, 500,
       tolerance("load=1e-9")},
      {"a tight tolerance of energy alone", read(pendulums(1)), false, "no: energy: drift", 1000, 500,
       tolerance("energy=1e-9")},
      {"an error that grows too far by the time of use", read(rail(2)), false, "extrapolated to 100 s", 1000, 1000,
       [](ValidationOptions& options) { options.wanted_ns = 100'000'000'000; }},
      {"a rotor that only its input moves", read(rotor(25, "", kMotor)), false, "no: rotation: error of rotor", 1000,
       500,
       [](ValidationOptions& options) {
         options.script = {{101, {2.0}}};
       }},
      {"no reference in the time", read(rail(1)), false, "no: no reference came", 1000, 1000,
       [](ValidationOptions& options) { options.budget_s = 1e-4; }},
      {"two arms of which one whips", tests::chain(4), false, "no: ", 40'000, 4000},
  };
  for (const Case& c : cases) check(c);
}

TEST_CASE("models whose result is right are trusted", "[server][batch][verdict]") {
  const std::string curve = R"("stiffness_curve": {"x": [-0.2, -0.02, 0, 0.02, 0.2], "y": [-30, -1, 0, 1, 30]})";
  const std::vector<Case> cases = {
      {"a slow rotor", read(rotor(1)), true, "ok: rotation"},
      {"a rotor at rest that has a fast spring", read(rotor(25, "", kMotor)), true, "ok: rotation"},
      {"a rotor that its input moves slowly", read(rotor(1, "", kMotor)), true, "ok: joint", 1000, 500,
       [](ValidationOptions& options) {
         options.script = {{101, {0.1}}, {301, {-0.1}}};
       }},
      {"a rotor with an encoder", read(rotor(2, kAtOne, kEncoder)), true, "ok: sensor: error of encoder"},
      {"a damped rotor", read(rotor(3, kAtOne + R"(, "damping": 0.05)")), true, "ok: load"},
      {"a cart on a soft spring", read(rail(2)), true, "ok: position: error of cart"},
      {"a cart on a damped spring", read(rail(5, 20)), true, "ok: load: error of spring"},
      {"a cart on a spring with a curve", read(rail(0, 0.5, "", 0.1, curve)), true, "ok: position"},
      {"a cart at rest", read(rail(50, 0, "", 0)), true, "ok: position"},
      {"a pendulum", read(pendulums(1)), true, "ok: reaction: error of pivot_bob"},
      {"a small pendulum beside a large one", read(pendulums(10, 0.5)), true, "ok: position"},
      {"joints at the mass centers",
       read(model(body("ring", 1, 0.01, "[0, 0, 0]") + ", " + body("wheel", 1, 0.02, "[0, 0, 0]"),
                  hinge("outer", "ground", "ring", "[0, 0, 0]", "[0, 0, 0]") + ", " +
                      hinge("inner", "ring", "wheel", "[0, 0, 0]", "[0, 0, 0]"),
                  torsion("outer", 0.5, kAtOne) + ", " + torsion("inner", 0.3))),
       true, "ok: constraints"},
      {"an arm against a soft stop", read(arm(20)), true, "ok: position: error of arm"},
      {"a soft stop with a damper", read(arm(30, 0.1)), true, "ok: velocity"},
      {"the double pendulum", tests::doublePendulum(), true, "ok: reaction", 5000, 1000},
      {"a redundant four-bar, whose reactions are not determined", tests::fourBar(tests::FourBarReading::kDown), true,
       "not judged, which redundant constraints share, first at t = 0 s", 1000, 500},
      {"a body that tumbles", tests::freeBody(2), true, "ok: rotation", 1000, 1000},
      {"a chain of twelve links, whose references are sparse", tests::chain(12), true, "ok: reaction", 5000, 300},
      {"a ladder of four-bars", tests::ladder(3), true, "ok: velocity", 1000, 200},
      {"a wheel that rolls over a road", tests::rollingRig(), true, "ok: load", 1000, 50},
      {"a vehicle that leaves its bump within a step, so that one of two halvings gains nothing",
       openBuiltInModel("hmmwv_h10").spec, true, "ok: observed order", 1000, 600},
      {"a slow error that stays small over the time of use", read(rail(0.2)), true, "extrapolated to 20 s", 1000, 2000,
       [](ValidationOptions& options) { options.wanted_ns = 20'000'000'000; }},
      {"a thrown body", read(model(body("ball", 1, 0.01, "[0, 0, 0]", R"(, "velocity": [3, 5, 0])"), "", "")), true,
       "ok: position"},
  };
  for (const Case& c : cases) check(c);
}
