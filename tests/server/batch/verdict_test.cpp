// Models that a validation must trust and models that it must not, each with the reason. The limits follow from the
// step: of the real-time solver, of order 2, the angle of an oscillation of w rad/s lags by w t (w h)^2 / 12 after t.
// Covers: server/batch/stage_clock.h, server/batch/method_choice.h
#include "server/batch/verdict.h"
#include "server/batch/validation.h"
#include "server/models/built_in_models.h"
#include "tests/server/batch/verdict_case.h"
#include "tests/support/mechanisms.h"

#include <catch2/catch.hpp>

using namespace tactus;
using namespace tactus::server;
using namespace tactus::tests;
using namespace tactus::tests::verdicts;

TEST_CASE("models whose result is wrong are not trusted, for the right reason", "[server][batch][verdict]") {
  const auto small_rotor = [](double hertz) {
    return model(pendulum("bob", 10, 0) + ", " + body("small", 0.01, 1e-6, "[20, 0, 0]"),
                 pivot("bob", 10, 0) + ", " + hinge("axle", "ground", "small", "[20, 0, 0]", "[0, 0, 0]"),
                 torsion("axle", stiffnessFor(1e-6, hertz), kAtOne));
  };
  const std::vector<VerdictCase> cases = {
      {"a rotor turns, its mass center stands", specOf(rotor(10)), false, "no: rotation: error of rotor", 1000, 2000},
      {"a faster rotor", specOf(rotor(25)), false, "no: rotation: error of rotor"},
      {"the first time at which its angle is wrong", specOf(rotor(25)), false,
       "exceed what is allowed first at t = 0.0"},
      {"its angle as a joint", specOf(rotor(10)), false, "no: joint: error of", 1000, 2000},
      {"its rate", specOf(rotor(25)), false, "no: velocity: error of"},
      {"its sensor", specOf(rotor(25, kAtOne, kEncoder)), false, "no: sensor: error of encoder"},
      {"the moment of its spring", specOf(rotor(25)), false, "no: load: error of"},
      {"a cart on a spring of 12 Hz", specOf(rail(12)), false, "no: position: error of cart"},
      {"a cart on a spring of 100 Hz", specOf(rail(100)), false, "no: energy: drift"},
      {"a small rotor beside a pendulum of 10 m", specOf(small_rotor(12)), false, "no: rotation: error of small"},
      {"a pendulum of 4 mm beside one of 10 m", specOf(pendulums(10, 0.004)), false, "no: position: error of small"},
      {"an arm against a hard stop that comes late", specOf(arm(1e9)), false, "no: velocity: error of arm"},
      {"a hard stop with a damper", specOf(arm(1e8, 1e2)), false, "no: velocity: error of arm"},
      {"a coarse step of the double pendulum", doublePendulum(), false, "no: position: error of", 50'000, 2000},
      {"a coarse step of a body that tumbles", freeBody(20), false, "no: rotation: error of", 20'000, 1000},
      {"a tight tolerance of rotations alone", specOf(pendulums(1)), false, "no: rotation: error of bob", 1000, 500,
       tolerance("rotation=1e-9")},
      {"a tight tolerance of velocities alone", specOf(pendulums(1)), false, "no: velocity: error of bob", 1000, 500,
       tolerance("velocity=1e-9")},
      {"a tight tolerance of reactions alone", specOf(pendulums(1)), false, "no: reaction: error of pivot_bob", 1000,
       500, tolerance("reaction=1e-9")},
      {"a tight tolerance of loads alone", specOf(rail(1)), false, "no: load: error of spring", 1000, 500,
       tolerance("load=1e-9")},
      {"a tight tolerance of energy alone", specOf(pendulums(1)), false, "no: energy: drift", 1000, 500,
       tolerance("energy=1e-9")},
      {"an error that grows too far by the time of use", specOf(rail(2)), false, "extrapolated to 100 s", 1000, 1000,
       [](ValidationOptions& options) { options.wanted_ns = 100'000'000'000; }},
      {"errors that begin late, over the time of use", specOf(rotor(2, "", kMotor)), false,
       "no: errors begin late or have fewer than 8 samples, so that their growth is not known", 1000, 500,
       [](ValidationOptions& options) {
         options.script = {{401, {2.0}}};
         options.wanted_ns = 1'000'000'000'000;
       }},
      {"errors of seven samples, over the time of use", doublePendulum(), false, "as t^3: ", 50'000, 350,
       [](ValidationOptions& options) { options.wanted_ns = 60'000'000'000; }},
      {"a rotor that only its input moves", specOf(rotor(25, "", kMotor)), false, "no: rotation: error of rotor", 1000,
       500,
       [](ValidationOptions& options) {
         options.script = {{101, {2.0}}};
       }},
      {"no reference in the time", specOf(rail(1)), false, "no: no reference came", 1000, 1000,
       [](ValidationOptions& options) { options.budget_s = 1e-4; }},
      {"a chain that whips", chain(4), false, "no: position: error of link", 40'000, 4000},
  };
  for (const VerdictCase& c : cases) check(c);
}

TEST_CASE("models whose result is right are trusted", "[server][batch][verdict]") {
  const std::string curve = R"("stiffness_curve": {"x": [-0.2, -0.02, 0, 0.02, 0.2], "y": [-30, -1, 0, 1, 30]})";
  const std::vector<VerdictCase> cases = {
      {"a slow rotor", specOf(rotor(1)), true, "ok: rotation"},
      {"a rotor at rest that has a fast spring", specOf(rotor(25, "", kMotor)), true, "ok: rotation"},
      {"a rotor that its input moves slowly", specOf(rotor(1, "", kMotor)), true, "ok: joint", 1000, 500,
       [](ValidationOptions& options) {
         options.script = {{101, {0.1}}, {301, {-0.1}}};
       }},
      {"a rotor with an encoder", specOf(rotor(2, kAtOne, kEncoder)), true, "ok: sensor: error of encoder"},
      {"a damped rotor", specOf(rotor(3, kAtOne + R"(, "damping": 0.05)")), true, "ok: load"},
      {"a cart on a soft spring", specOf(rail(2)), true, "ok: position: error of cart"},
      {"a pendulum that the table of a drive moves and leaves",
       specOf(pendulums(1, 0, R"(, "drives": [{"name": "lift", "angle": {"joint": "pivot_bob"}, "table": {
         "times": [0, 0.3, 0.6], "values": [0, 1, 0.5]}}])")),
       true, "ok: reaction: error of pivot_bob", 10'000, 1000},
      {"a cart on a damped spring", specOf(rail(5, 20)), true, "ok: load: error of spring"},
      {"a cart on a spring with a curve", specOf(rail(0, 0.5, "", 0.1, curve)), true, "ok: position"},
      {"a cart at rest", specOf(rail(50, 0, "", 0)), true, "ok: position"},
      {"a pendulum", specOf(pendulums(1)), true, "ok: reaction: error of pivot_bob"},
      {"a small pendulum beside a large one", specOf(pendulums(10, 0.5)), true, "ok: position"},
      {"joints at the mass centers",
       specOf(model(body("ring", 1, 0.01, "[0, 0, 0]") + ", " + body("wheel", 1, 0.02, "[0, 0, 0]"),
                    hinge("outer", "ground", "ring", "[0, 0, 0]", "[0, 0, 0]") + ", " +
                        hinge("inner", "ring", "wheel", "[0, 0, 0]", "[0, 0, 0]"),
                    torsion("outer", 0.5, kAtOne) + ", " + torsion("inner", 0.3))),
       true, "ok: constraints"},
      {"an arm against a soft stop", specOf(arm(20)), true, "ok: position: error of arm"},
      {"a soft stop with a damper", specOf(arm(30, 0.1)), true, "ok: velocity"},
      {"the double pendulum", doublePendulum(), true, "ok: reaction", 5000, 1000},
      {"a redundant four-bar, whose reactions are not determined", fourBar(FourBarReading::kDown), true,
       "not judged, which redundant constraints share, first at t = 0 s", 1000, 500},
      {"a body that tumbles", freeBody(2), true, "ok: rotation", 1000, 1000},
      {"a chain of twelve links, whose references are sparse", chain(12), true, "ok: reaction", 5000, 300},
      {"a ladder of four-bars", ladder(3), true, "ok: velocity", 1000, 200},
      {"a wheel that rolls over a road", rollingRig(), true, "ok: load", 1000, 50},
      {"a vehicle that leaves its bump within a step, so that one of two halvings gains nothing",
       openBuiltInModel("hmmwv_h10").spec, true, "ok: observed order", 1000, 600},
      {"a slow error that stays small over the time of use", specOf(rail(0.2)), true, "extrapolated to 20 s", 1000,
       2000, [](ValidationOptions& options) { options.wanted_ns = 20'000'000'000; }},
      {"a thrown body", specOf(model(body("ball", 1, 0.01, "[0, 0, 0]", R"(, "velocity": [3, 5, 0])"), "", "")), true,
       "ok: position"},
  };
  for (const VerdictCase& c : cases) check(c);
}

TEST_CASE("the difference of two references counts for a model whose mass centers stand", "[server][batch][verdict]") {
  ValidationOptions options;
  options.step_ns = 1'000'000;
  options.until_ns = 100'000'000;
  options.budget_s = 1200;  // a verdict, not the speed of a busy or instrumented machine
  const ValidationReport report =
      validate(rt::buildModel(specOf(rotor(5))), options, kNever, [](const std::string&) {});
  CHECK(report.reference_error == 0);
  const std::string difference = differenceOfReferences(report);
  CAPTURE(difference);
  CHECK_THAT(difference, Catch::Contains(" of what is allowed ("));
  CHECK_THAT(difference, !Catch::Contains("(position"));
  CHECK_THAT(difference, !Catch::Contains("up to 0 "));
}
