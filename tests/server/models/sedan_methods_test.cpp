// The car on tyres with slip, with its brakes and engine, by methods of every school: they agree with the tick.
#include "rt/math/worst.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/offline/integrator.h"
#include "server/models/built_in_models.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace tactus;
using namespace tactus::rt::offline;

TEST_CASE("steered and braked, the car moves the same way by methods of every school", "[server][models][sedan]") {
  const rt::Model model = rt::buildModel(server::openBuiltInModel("sedan").spec);
  const rt::State start = rt::initialState(model, rt::findInitialCondition(model, "driving_10")).state;
  const auto driver = [&](double t, std::span<double> values) {
    declaredInput(model)(t, values);
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (model.actuator_names[k] == "steering") values[k] = 1.5 * std::min(t / 0.05, 1.0);
      if (model.actuator_names[k] == "brake") values[k] = 0.4 * std::min(t / 0.05, 1.0);
    }
  };
  const rt::StateLayout layout(model);
  const auto run = [&](const std::string& method, double step, const std::vector<std::string>& settings) {
    Trajectory t = integrate({model, start, driver, step, 0.1, {0.05, 0.1}, nullptr, {}}, method, settings);
    INFO(t.failure);
    REQUIRE(t.ending == Ending::kComplete);
    return t;
  };
  const Trajectory tick = run("ali3p", 1e-4, {});
  struct Case {
    const char* method;
    double step, bound;  ///< s; m
    std::vector<std::string> settings;
  };
  // A method of order 2 at 1 ms is off by some micrometres, as the tick is.
  for (const Case& c : {Case{"ali3p", 1e-3, 2e-5, {}},
                        {"newmark-tangent", 1e-3, 5e-6, {}},
                        {"central-difference", 5e-4, 2e-6, {}},
                        {"lms2", 1e-3, 5e-6, {}},
                        {"esdirk43-6l", 2e-3, 1e-6, {}},
                        {"mcs-qr", 1e-3, 1e-7, {}},
                        {"rn4", 0.05, 1e-6, {"rtol=1e-5", "atol=1e-5"}},
                        {"adams", 0.05, 2e-6, {"rtol=1e-5", "atol=1e-5"}}}) {
    INFO(c.method);
    const Trajectory t = run(c.method, c.step, c.settings);
    double worst = 0;
    for (std::size_t k = 0; k < t.samples.size(); ++k)
      for (int i = 0; i < model.bodyCount(); ++i)
        worst = rt::worst(worst, (rt::StateView(layout, t.samples[k].state.data()).r(i) -
                                  rt::StateView(layout, tick.samples[k].state.data()).r(i))
                                     .norm());
    CHECK(worst < c.bound);
  }
}
