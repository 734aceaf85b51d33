// Verdicts of what a mean over the mechanism would hide, and of what shows in forces before it shows in positions.
// Covers: server/batch/series_reader.cpp
#include "server/batch/validation.h"
#include "server/models/built_in_models.h"
#include "tests/server/batch/verdict_case.h"

#include <catch2/catch.hpp>

using namespace tactus;
using namespace tactus::tests::verdicts;

namespace {

/// A free body that spins about an axis close to its middle one, rad/s.
rt::ModelSpec spinning(double rate) {
  return specOf(model(R"({"name": "top", "mass": 1, "inertia": {"xx": 0.02, "yy": 0.03, "zz": 0.04},
      "position": [0, 0, 0], "angular_velocity": [)" +
                          number(0.05 * rate) + ", " + number(rate) + ", " + number(0.02 * rate) + "]}",
                      "", "", "", "[0, 0, 0]"));
}

/// A crank of 0.2 m that a drive swings by 1 rad, with a free arm at its end.
rt::ModelSpec driven(double rate) {
  const auto moving = [&](double speed, double turn) {
    return R"(, "velocity": [0, )" + number(speed) + R"(, 0], "angular_velocity": [0, 0, )" + number(turn) + "]";
  };
  return specOf(model(body("crank", 1, 0.01, "[0.1, 0, 0]", moving(0.1 * rate, rate)) + ", " +
                          body("tip", 1, 0.01, "[0.6, 0, 0]", moving(0.2 * rate, 0)),
                      hinge("axle", "ground", "crank", "[0, 0, 0]", "[-0.1, 0, 0]") + ", " +
                          hinge("elbow", "crank", "tip", "[0.1, 0, 0]", "[-0.4, 0, 0]"),
                      "",
                      R"(, "drives": [{"name": "feed", "angle": {"joint": "axle"},
                       "harmonic": {"amplitude": 1, "angular_frequency": )" +
                          number(rate) + "}}]"));
}

/// A cart of 10 kg that rolls at 1 m/s, and 10 g on it that swing by a micrometer at 100 Hz.
rt::ModelSpec shakenCart(double damping) {
  const std::string rolling = R"(, "velocity": [1, 0, 0])";
  const auto slide = [](const char* name, const char* body_1, const char* body_2, const char* point, const char* axis) {
    const std::string both = std::string(R"("axis_1": )") + axis + R"(, "axis_2": )" + axis;
    return std::string(R"({"name": ")") + name + R"(", "body_1": ")" + body_1 + R"(", "body_2": ")" + body_2 +
           R"(", "prismatic": {"point_1": )" + point + R"(, "point_2": [0, 0, 0], )" + both + "}}";
  };
  return specOf(
      model(body("cart", 10, 1, "[0, 0, 0]", rolling) + ", " + body("grain", 0.01, 1e-6, "[0, 0.1, 1e-6]", rolling),
            slide("rail", "ground", "cart", "[0, 0, 0]", "[1, 0, 0]") + ", " +
                slide("guide", "cart", "grain", "[0, 0.1, 0]", "[0, 0, 1]"),
            R"({"name": "spring", "translational_spring": {"body_1": "cart", "body_2": "grain",
                        "point_1": [0, 0.1, -1], "point_2": [0, 0, 0], "free_length": 1, "damping": )" +
                number(damping) + R"(, "stiffness": )" + number(stiffnessFor(0.01, 100)) + "}}",
            "", "[0, 0, 0]"));
}

/// An arm that swings down against dry friction, and comes to stick.
rt::ModelSpec stuck(double elastic) {
  return specOf(model(
      body("arm", 1, 0.1, "[0.5, 0, 0]"), hinge("hinge", "ground", "arm", "[0, 0, 0]", "[-0.5, 0, 0]"),
      R"({"name": "friction", "joint_friction": {"joint": "hinge", "limit": 2, "elastic": )" + number(elastic) + "}}"));
}

/// A mass on a rope of 1 m to the origin, let go at a distance.
rt::ModelSpec roped(double distance, double stiffness) {
  return specOf(model(body("bob", 1, 0.01, "[" + number(distance) + ", 0, 0]"), "",
                      R"({"name": "rope", "rope": {"points": [{"body": "ground", "point": [0, 0, 0]},
                        {"body": "bob", "point": [0, 0, 0]}], "free_length": 1, "damping": 10, "stiffness": )" +
                          number(stiffness) + "}}"));
}

/// A heavy arm with a light one at its end.
rt::ModelSpec uneven(double heavy, double light) {
  return specOf(model(
      body("heavy", heavy, 0.08 * heavy, "[0.5, 0, 0]") + ", " + body("light", light, 1e-5 * light, "[1.05, 0, 0]"),
      hinge("first", "ground", "heavy", "[0, 0, 0]", "[-0.5, 0, 0]") + ", " +
          hinge("second", "heavy", "light", "[0.5, 0, 0]", "[-0.05, 0, 0]"),
      ""));
}

/// A pendulum of a milligram and half a millimeter.
rt::ModelSpec tiny() {
  return specOf(model(body("mote", 1e-6, 8e-14, "[0.0005, 0, 0]"),
                      hinge("pin", "ground", "mote", "[0, 0, 0]", "[-0.0005, 0, 0]"), ""));
}

/// An arm on a torsion spring of 1e4 N m/rad with a damper, half a radian from its rest.
rt::ModelSpec braked(double damping) {
  return specOf(model(body("arm", 1, 0.1, "[0.5, 0, 0]"), hinge("hinge", "ground", "arm", "[0, 0, 0]", "[-0.5, 0, 0]"),
                      torsion("hinge", 1e4, R"(, "free_angle": 0.5, "damping": )" + number(damping))));
}

/// A wheel without a weight that turns about its axis of symmetry in space, which is no axis of coordinates.
rt::ModelSpec balanced(double rate) {
  const double n[3] = {2.0 / 3, 2.0 / 3, 1.0 / 3};
  const auto vector = [&](double length) {
    return "[" + number(length * n[0]) + ", " + number(length * n[1]) + ", " + number(length * n[2]) + "]";
  };
  // 0.1 kg m^2 across the axis, and 0.18 about it.
  const auto inertia = [&](int i, int j) { return number((i == j ? 0.1 : 0) + 0.08 * n[i] * n[j]); };
  return specOf(
      model(R"({"name": "wheel", "mass": 1.3, "inertia": {"xx": )" + inertia(0, 0) + R"(, "yy": )" + inertia(1, 1) +
                R"(, "zz": )" + inertia(2, 2) + R"(, "xy": )" + inertia(0, 1) + R"(, "yz": )" + inertia(1, 2) +
                R"(, "xz": )" + inertia(0, 2) + R"(}, "position": [0.1, 0.2, 0.3], "angular_velocity": )" +
                vector(rate) + "}",
            R"({"name": "axle", "body_1": "ground", "body_2": "wheel", "revolute": {"point_1": [0.1, 0.2, 0.3],
         "point_2": [0, 0, 0], "axis_1": )" +
                vector(1) + R"(, "axis_2": )" + vector(1) + "}}",
            "", "", "[0, 0, 0]"));
}

rt::ModelSpec builtIn(const char* name) {
  return server::openBuiltInModel(name).spec;
}

}  // namespace

TEST_CASE("a wrong angle, force or small part is not trusted, whatever moves beside it", "[server][batch][verdict]") {
  const std::vector<VerdictCase> cases = {
      {"a body that spins at 300 rad/s", spinning(300), false, "no: rotation: error of top", 1000, 500},
      {"a body that turns by 5 rad in a step", spinning(5000), false, "no: energy: drift", 1000, 100},
      {"a driven crank with an arm that whirls", driven(100), false, "no: reaction: error of elbow", 5000, 500},
      {"the torque of its drive", driven(100), false, "no: load: error of feed", 5000, 500},
      {"a micrometer on a cart that rolls a meter", shakenCart(0), false, "no: load: error of spring"},
      {"an arm that sticks to hard dry friction", stuck(1e-6), false, "no: load: error of friction", 5000, 2000},
      {"a rope that snaps taut", roped(0.3, 2000), false, "no: velocity: error of bob"},
      {"a mote with a coarse step", tiny(), false, "no: rotation: error of mote", 2000, 200},
      {"the moment of a damper that takes all within ten steps", braked(1e4), false, "no: load: error of", 1000, 200},
      {"a loop of six revolutes with a coarse step", builtIn("bricard"), false, "no: energy: drift", 100'000, 1000},
      {"a slider-crank near its dead center with a coarse step", builtIn("slider_crank"), false,
       "no: rotation: error of rod", 20'000, 1000},
      {"a stiff damper that no step resolves", builtIn("stiff_double_pendulum"), false,
       "no: reaction: error of joint_1", 1000, 50},
      {"the energy of a stiff damper that no step resolves", builtIn("stiff_double_pendulum"), false,
       "rises without an input", 1000, 50},
  };
  for (const VerdictCase& c : cases) check(c);
}

TEST_CASE("a mechanism of extremes whose result is right is trusted", "[server][batch][verdict]") {
  const std::vector<VerdictCase> cases = {
      {"a body that spins slowly", spinning(20), true, "ok: rotation: error of top", 1000, 500},
      {"a driven crank", driven(5), true, "ok: load: error of feed", 1000, 500},
      {"a micrometer that a damper holds", shakenCart(12), true, "ok: load: error of spring"},
      {"an arm that sticks to soft dry friction", stuck(0.01), true, "ok: load: error of friction", 1000, 2000},
      {"a rope that stays taut", roped(1.002, 500), true, "ok: load: error of rope", 1000, 500},
      {"an arm of ten tons with a tenth of a gram at its end", uneven(1e4, 1e-4), true, "ok: position: error of light"},
      {"a mote with a fine step", tiny(), true, "ok: rotation: error of mote", 200, 100},
      {"a loop of six revolutes, with redundant rows", builtIn("bricard"), true,
       "not judged, which redundant constraints share", 5000, 1000},
      {"a linkage that folds flat, with the reactions left out", builtIn("four_bar_up"), true,
       "ok: reaction: none judged", 10'000, 1500},
      {"a planetary gear with a belt", builtIn("gear_train"), true, "ok: load: error of", 5000, 500},
      {"a steering rack", builtIn("rack_steering"), true, "ok: sensor: error of steering_angle", 1000, 200},
      {"a wheel in balance without a weight", balanced(1.3), true, "ok: reaction: error of axle", 10'000, 200},
      {"a wheel in balance that spins fast", balanced(10), true, "ok: reaction: error of axle", 1000, 500},
      {"a squeezer that spins up", builtIn("andrews_squeezer"), true, "ok: velocity", 100, 10},
  };
  for (const VerdictCase& c : cases) check(c);
}
