// Covers: rt/ali3p/chain/lanes_4.cpp, rt/ali3p/chain/lanes_8.cpp
#include "rt/ali3p/chain/lanes.h"
#include "rt/ali3p/compile_plan.h"
#include "rt/ali3p/workspace.h"
#include "rt/model/model.h"

#include "rt/ali3p/step.h"
#include "rt/error.h"
#include "rt/mechanics/initial_state.h"
#include "tests/support/random_mechanisms.h"
#include "tests/support/simulation.h"

#include <catch2/catch.hpp>

using namespace tactus;
using namespace tactus::tests;

namespace {

/// A force on the last body, and drags on some of the bodies.
void addInputLoads(rt::ModelSpec& spec) {
  rt::ActuatorSpec pull;
  pull.name = "pull";
  pull.kind =
      rt::BodyForceSpec{spec.bodies.back().name, rt::Vector3d(0.1, 0.2, 0.3), rt::Vector3d::UnitZ(), rt::Frame::kWorld};
  spec.actuators.push_back(pull);
  for (std::size_t i = 0; i < spec.bodies.size(); i += 3)
    spec.forces.push_back({"drag_" + std::to_string(i), "", rt::BodyDragSpec{spec.bodies[i].name, 0.3, 0.05}});
}

}  // namespace

TEST_CASE("four and eight lanes give the same bits", "[rt][ali3p][chain]") {
  for (int n : {33, 130, 530}) {
    rt::ModelSpec spec = randomChain(n, 3, static_cast<std::uint64_t>(n));
    addInputLoads(spec);
    const rt::Model model = rt::buildModel(spec);
    const rt::Plan plan = rt::compilePlan(model);
    if (rt::widestLanes(*plan.chain) < 8) {
      WARN("this machine has no AVX-512: not compared");
      return;
    }
    rt::Workspace four(model, plan), eight(model, plan);
    four.solver.chain = rt::ChainWorkspace(model, *plan.chain, 4, 1);
    rt::State a = rt::initialState(model).state, b = a;
    const std::vector<double> input(model.actuators.size(), 1.5);
    for (const bool third_order : {false, true}) {
      rt::Settings settings = settingsFor(2e-3);
      settings.third_order = third_order;
      for (int i = 0; i < 50; ++i) {
        REQUIRE(rt::step(model, plan, settings, input, a, four).status == rt::TickStatus::kOk);
        REQUIRE(rt::step(model, plan, settings, input, b, eight).status == rt::TickStatus::kOk);
      }
      CHECK(rt::hashState(a) == rt::hashState(b));
    }
  }
}

TEST_CASE("lanes have four segments, or eight where their number and the machine allow it", "[rt][ali3p][chain]") {
  const rt::Model model = rt::buildModel(randomChain(9, 2, 1));
  const rt::Chain short_chain = *rt::findChain(model);
  REQUIRE(short_chain.segments == 4);
  CHECK(rt::widestLanes(short_chain) == 4);
  CHECK(rt::makeChainLanes(short_chain, 4)->width() == 4);
  CHECK_THROWS_WITH(rt::makeChainLanes(short_chain, 8), Catch::Contains("4 segments cannot run in 8 lanes"));
  CHECK_THROWS_AS(rt::makeChainLanes(short_chain, 3), tactus::Error);
}
