// The ticks of the built-in car: no allocation and no lock, and the same bits for any number of threads.
#include "rt/ali3p/compile_plan.h"
#include "rt/ali3p/solver_choice.h"
#include "rt/loop/tick_loop.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/plan/plan.h"
#include "server/models/built_in_models.h"
#include "tests/support/no_alloc_guard.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

using namespace tactus;
using namespace tactus::tests;

namespace {

struct Car {
  rt::Model model = rt::buildModel(server::openBuiltInModel("sedan").spec);
  rt::Plan plan = rt::compilePlan(model);
  rt::Settings settings = rt::chooseSettings(model);
  rt::State initial = rt::initialState(model).state;
};

/// Drives the car for some ticks with its whole range of every input.
void drive(rt::TickLoop& loop, rt::ActuatorInput& input, const rt::Model& model, int ticks) {
  for (int n = 1; n <= ticks; ++n) {
    input.sequence = static_cast<std::uint64_t>(n);
    for (std::size_t k = 0; k < input.values.size(); ++k) {
      const rt::Actuator& actuator = model.actuators[k];
      const double high = std::min(actuator.maximum, 1.0), low = std::max(actuator.minimum, -1.0);
      input.values[k] = 0.5 * (low + high) + 0.5 * (high - low) * std::sin(0.01 * n + static_cast<double>(k));
    }
    loop.inputs().offer(input);
    loop.tick();
  }
}

}  // namespace

TEST_CASE("500 driven ticks of the car allocate nothing and take no lock", "[server][realtime]") {
  const Car car;
  rt::TickLoop loop(car.model, car.plan, car.settings, car.initial, {});
  rt::ActuatorInput input(car.model);
  loop.warmUp();
  GuardCounts counts;
  {
    NoAllocGuard guard;
    drive(loop, input, car.model, 500);
    counts = guard.counts();
  }
  REQUIRE_FALSE(loop.faulted());
  CHECK(counts.allocations == 0);
  CHECK(counts.releases == 0);
  CHECK(counts.locks == 0);
  CHECK(counts.system_calls == 0);
}

TEST_CASE("the car driven by third-order steps has the same bits with one thread and with two",
          "[server][determinism]") {
  Car car;
  car.settings.third_order = true;
  REQUIRE(rt::maxThreads(car.plan, car.settings) == 2);
  std::uint64_t hashes[2];
  for (const int threads : {1, 2}) {
    rt::LoopOptions options;
    options.threads = threads;
    rt::TickLoop loop(car.model, car.plan, car.settings, car.initial, options);
    rt::ActuatorInput input(car.model);
    loop.warmUp();
    drive(loop, input, car.model, 200);
    REQUIRE_FALSE(loop.faulted());
    hashes[threads - 1] = rt::hashState(loop.state());
  }
  CHECK(hashes[0] == hashes[1]);
}

TEST_CASE("plain steps of the car are for one thread", "[server][models]") {
  const Car car;
  CHECK(rt::maxThreads(car.plan, car.settings) == 1);
}
