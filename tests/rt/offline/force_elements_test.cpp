// Springs, bushings, drags and drives in every offline method.
#include "rt/model/model.h"
#include "tests/rt/offline/method_run.h"
#include "tests/rt/offline/sprung_mechanism.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <map>

using namespace tactus;
using namespace tactus::tests;
using namespace tactus::rt::offline;

namespace {

using Settings = std::vector<std::string>;

const rt::Model& sprung() {
  static const rt::Model model = rt::buildModel(sprungMechanism());
  return model;
}

constexpr double kUntil = 0.4;

const Trajectory& reference() {
  static const Trajectory tight =
      runOn(sprung(), {}, "mcs-qr", 0.02, kUntil, {"rule=dormand-prince", "adaptive=true", "rtol=1e-12", "atol=1e-12"});
  return tight;
}

/// Those that can be given a step: the library of the references chooses its own.
bool takesSteps(const Method& method) {
  return method.family != "SUNDIALS";
}

/// The literal form of ALi3p is for chains without forces.
bool takesForces(const Method& method) {
  return method.name != "ali3p-literal";
}

/// A fixed step for methods that would choose theirs.
Settings fixedStep(const Method& method) {
  return method.family == "Rosenbrock-Nystrom" || method.name == "projected" ? Settings{"adaptive=false"} : Settings{};
}

}  // namespace

TEST_CASE("every method integrates springs, bushings, drags and drives with its order", "[rt][offline][forces]") {
  // On the index-3 equations stage order 2 is all that is left; the others keep theirs.
  const std::map<std::string, double> orders = {{"mcs-qr", 4}, {"mcs-svd", 4}, {"mcs-eigen", 4},
                                                {"rn4", 4},    {"adams", 4},   {"projected", 5}};
  for (const Method& method : methods()) {
    if (!takesSteps(method) || !takesForces(method)) continue;
    INFO(method.name);
    const auto known = orders.find(method.name);
    const double order = known == orders.end() ? 2 : known->second;
    const double step = order > 2 ? 0.02 : 0.01;
    double errors[2];
    for (const int k : {0, 1}) {
      const Trajectory t = runOn(sprung(), {}, method.name, step / (k + 1), kUntil, fixedStep(method));
      errors[k] = distance(sprung(), t, reference());
    }
    CAPTURE(errors[0], errors[1]);
    CHECK(errors[1] < (order > 2 ? 1e-4 : 5e-3));
    // More is no fault: where rows carry little of the loads, the methods of stage order 2 come close to their own
    // order.
    CHECK(std::log2(errors[0] / errors[1]) > order - (order > 2 ? 0.6 : 0.35));
  }
}

TEST_CASE("two references of different schools agree on springs, bushings, drags and drives", "[rt][offline][forces]") {
  const Trajectory implicit = runOn(sprung(), {}, "rn4", 0.02, kUntil, {"rtol=1e-9", "atol=1e-9"});
  // Its tolerance is 1e-9 a step; local errors add up.
  CHECK(distance(sprung(), implicit, reference()) < 1e-7);
  for (const Method& method : methods()) {
    if (takesSteps(method)) continue;
    INFO(method.name);
    const Trajectory t = runOn(sprung(), {}, method.name, 0.02, kUntil, {"rtol=1e-8", "atol=1e-8"});
    // Multistep solvers miss their tolerance by a factor of ten or so.
    CHECK(distance(sprung(), t, reference()) < 1e-6);
    CHECK(t.worst_position < 1e-6);
  }
}

TEST_CASE("driven rows hold at all levels and the energy balance closes", "[rt][offline][forces]") {
  for (const std::string name : {"newmark-tangent", "central-difference", "mcs-qr", "rn4", "ros2-w"}) {
    INFO(name);
    const Trajectory t = runOn(sprung(), {}, name, 0.005, kUntil, fixedStep(findMethod(name)));
    // Rows are solved to round-off at each level; accelerations are up to 100 m/s^2.
    CHECK(t.worst_position < 1e-11);
    CHECK(t.worst_velocity < 1e-11);
    CHECK(t.worst_acceleration < 1e-9);
    // Works are summed by the trapezoidal rule over steps of 5 ms; ros2-w is the least accurate.
    CHECK(t.energy_drift < (name == "ros2-w" ? 0.2 : 0.02));
    const rt::StateView s(rt::StateLayout(sprung()), t.samples.back().state.data());
    CHECK(s.jointDisplacements()[0] == Approx(-0.4 + 0.4 * std::cos(3 * kUntil)).epsilon(0).margin(1e-11));
    CHECK(std::abs(s.workInput()) > 0.1);
    CHECK(s.workDissipated() > 0.1);
  }
}

TEST_CASE("the torque of a rotational spring counts full turns", "[rt][offline][forces]") {
  const rt::Model model = rt::buildModel(torsionalRotor());
  const double omega = std::sqrt(1 - 0.01), until = 4;
  const double exact = std::exp(-0.1 * until) * 12 / omega * std::sin(omega * until);
  for (const Method& method : methods()) {
    if (!takesForces(method)) continue;
    INFO(method.name);
    const Trajectory t = runOn(model, {}, method.name, 0.01, until, fixedStep(method));
    const rt::StateView s(rt::StateLayout(model), t.samples.back().state.data());
    // A turn that is lost bends the motion by radians; ros2-w, the least accurate, is off by 0.15 rad.
    CHECK(s.jointDisplacements()[0] == Approx(exact).margin(0.2));
  }
}
