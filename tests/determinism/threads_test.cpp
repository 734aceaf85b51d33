// The same bits for any number of threads, also where there are more of them than cores.
#include "rt/ali3p/chain_lanes.h"
#include "rt/ali3p/step.h"
#include "rt/mechanics/initial_state.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random_mechanisms.h"

#include <catch2/catch.hpp>

#include <thread>

using namespace tactus;
using namespace tactus::tests;

namespace {

struct Run {
  const rt::Model& model;
  const rt::Plan& plan;
  rt::Settings settings;
  int ticks;

  std::uint64_t hashWith(int threads) const {
    rt::Workspace ws(model, plan, threads);
    REQUIRE(ws.threads == threads);
    rt::State state = rt::initialState(model).state;
    std::vector<double> input(model.actuators.size());
    for (int i = 0; i < ticks; ++i) {
      for (std::size_t k = 0; k < input.size(); ++k) input[k] = std::sin(0.1 * i + static_cast<double>(k));
      const rt::StepReport report = rt::step(model, plan, settings, input, state, ws);
      REQUIRE(report.status == rt::TickStatus::kOk);
    }
    return rt::hashState(state);
  }
};

rt::ModelSpec pushedChain(int bodies) {
  rt::ModelSpec spec = randomChain(bodies, 2, 3);
  rt::ActuatorSpec push;
  push.name = "push";
  push.kind =
      rt::BodyForceSpec{spec.bodies.back().name, rt::Vector3d::Zero(), rt::Vector3d::UnitY(), rt::Frame::kWorld};
  spec.actuators = {push};
  return spec;
}

/// Keeps a core busy while it lives.
class Burner {
 public:
  Burner()
      : thread_([](const std::stop_token& stop) {
          volatile double x = 1;
          while (!stop.stop_requested()) x = x * 1.0000001;
        }) {}

 private:
  std::jthread thread_;
};

}  // namespace

TEST_CASE("1, 2, 3, 4 and 8 threads end in the same bits", "[determinism]") {
  for (const int bodies : {520, 1030}) {
    const rt::Model model = rt::buildModel(pushedChain(bodies));
    const rt::Plan plan = rt::compilePlan(model);
    for (const bool third_order : {false, true}) {
      Run run{model, plan, {}, third_order ? 2 : 5};
      run.settings.third_order = third_order;
      const std::uint64_t expected = run.hashWith(1);
      for (const int threads : {2, 3, 4, 8}) {
        CAPTURE(bodies, third_order, threads);
        CHECK(run.hashWith(threads) == expected);
      }
    }
  }
}

TEST_CASE("threads end in the same bits while others burn the cores", "[determinism]") {
  const rt::Model model = rt::buildModel(pushedChain(512));
  const rt::Plan plan = rt::compilePlan(model);
  const Run run{model, plan, {}, 20};
  const std::uint64_t expected = run.hashWith(1);
  const Burner first, second;
  for (int i = 0; i < 3; ++i) CHECK(run.hashWith(2) == expected);
}

TEST_CASE("threads are no more than share the work, nor more than there are cores", "[determinism]") {
  const auto segments = [](int bodies) { return rt::compilePlan(rt::buildModel(chain(bodies))).chain->segments; };
  CHECK(rt::chooseThreads(segments(256), 4, false) == 1);
  CHECK(rt::chooseThreads(segments(1024), 3, true) == 3);
  CHECK(rt::chooseThreads(segments(1024), 1000, true) == 4);
  if (std::thread::hardware_concurrency() < 4)
    CHECK_THROWS_WITH(rt::chooseThreads(segments(1024), 4, false), Catch::Contains("4 threads are more than"));
}
