#include "rt/ali3p/step_end.h"
#include "rt/model/model.h"

#include "rt/mechanics/initial_state.h"
#include "tests/support/mechanisms.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

using namespace tactus::rt;
using namespace tactus::tests;

TEST_CASE("a state is finite only if each of its values is", "[rt][ali3p]") {
  // Lengths around the number of partial sums.
  for (const int links : {1, 2, 3, 5}) {
    State state = initialState(buildModel(chain(links))).state;
    CHECK(isFinite(state));
    for (double& value : state.values())
      for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                               -std::numeric_limits<double>::infinity()}) {
        const double good = value;
        value = bad;
        CHECK_FALSE(isFinite(state));
        value = good;
      }
    state.values().front() = std::numeric_limits<double>::max();
    state.values().back() = std::numeric_limits<double>::max();
    CHECK(isFinite(state));
  }
}

TEST_CASE("an input of minus zero is stored as zero", "[rt][ali3p]") {
  ModelSpec spec = doublePendulum();
  ActuatorSpec push;
  push.name = "push";
  push.kind = BodyForceSpec{spec.bodies[0].name, Vector3d::Zero(), Vector3d::UnitX(), Frame::kWorld};
  spec.actuators.push_back(push);
  State state = initialState(buildModel(spec)).state;
  const double minus_zero = -0.0;
  storeInput(std::span(&minus_zero, 1), state);
  CHECK_FALSE(std::signbit(state.input()[0]));
  const double value = -2.5;
  storeInput(std::span(&value, 1), state);
  CHECK(state.input()[0] == value);
}

TEST_CASE("work is the mean power times the step", "[rt][ali3p]") {
  const Model model = buildModel(doublePendulum());
  State from = initialState(model).state, to = from;
  from.workInput() = 3;
  from.powerInput() = 10;
  to.powerInput() = 30;
  from.workDissipated() = 1;
  from.powerDissipated() = 4;
  to.powerDissipated() = 8;
  integrateWork(model, 0.5, from, to);
  CHECK(to.workInput() == 3 + 0.5 * 20);
  CHECK(to.workDissipated() == 1 + 0.5 * 6);
}
