// Covers: rt/math/flush_denormals.h
#include "rt/ali3p/compile_plan.h"
#include "rt/ali3p/step.h"
#include "rt/ali3p/workspace.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/plan/plan.h"

#include "tests/support/mechanisms.h"
#include "tests/support/random_mechanisms.h"

#include <catch2/catch.hpp>

#include <immintrin.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace tactus::rt;
using namespace tactus::tests;

namespace {

// MXCSR without its flags of exceptions: all masked, and round to nearest, round down, or flush denormals to zero.
constexpr unsigned kDefault = 0x1f80, kDown = 0x3f80, kFlush = 0x9fc0, kFlags = 0x3f;

State after(int steps, const ModelSpec& spec, int order, int threads, unsigned mode) {
  const Model model = buildModel(spec);
  const Plan plan = compilePlan(model);
  std::vector<SettingChange> changes;
  if (order == 3) changes.push_back({"third_order", 1});
  const Settings settings = chooseSettings(model, 10'000'000, changes);
  State state = initialState(model).state;
  Workspace ws(model, plan, threads);
  const unsigned outer = _mm_getcsr();
  for (int i = 0; i < steps; ++i) {
    _mm_setcsr(mode);
    const StepReport report = step(model, plan, settings, {}, state, ws);
    const unsigned left = _mm_getcsr();
    _mm_setcsr(outer);
    REQUIRE(report.status == TickStatus::kOk);
    REQUIRE((left & ~kFlags) == mode);
  }
  return state;
}

}  // namespace

TEST_CASE("a step has the same bits whatever the mode of its thread, and leaves that mode", "[rt][ali3p]") {
  for (const ModelSpec& spec : {chain(64), randomTree(8, JointMix::kHinged, 4), fourBar(FourBarReading::kUp)})
    for (const int order : {2, 3})
      for (const int threads : {1, 2}) {
        INFO(spec.name << ", order " << order << ", " << threads << " threads");
        const State expected = after(20, spec, order, threads, kDefault);
        CHECK(after(20, spec, order, threads, kDown).values() == expected.values());
        CHECK(after(20, spec, order, threads, kFlush).values() == expected.values());
      }
}

TEST_CASE("a motion that spreads along a chain begins without denormal numbers", "[rt][ali3p]") {
  for (const int threads : {1, 2}) {
    const State state = after(3, chain(1024), 2, threads, kDefault);
    const auto isDenormal = [](double x) { return std::fpclassify(x) == FP_SUBNORMAL; };
    CHECK(std::count_if(state.values().begin(), state.values().end(), isDenormal) == 0);
    // It does spread: numbers below 1e-300 are there.
    CHECK(std::any_of(state.values().begin(), state.values().end(),
                      [](double x) { return x != 0 && std::abs(x) < 1e-300; }));
  }
}
