// What follows from the list of force elements: which elements are kept, which fit chains, energy and internal states.
// Covers: rt/mechanics/elements/elements.h, rt/mechanics/elements/force_element.h, rt/mechanics/energy.cpp
#include "rt/mechanics/force_elements.h"
#include "rt/model/model.h"

#include "rt/mechanics/energy.h"
#include "rt/mechanics/initial_state.h"
#include "tests/support/mechanisms.h"

#include <catch2/catch.hpp>

#include <set>

using namespace tactus;
using namespace tactus::tests;

TEST_CASE("only drags fit chains, and only kept elements are evaluated ahead", "[rt][mechanics][elements]") {
  rt::Model model;
  CHECK(rt::fitsChains(model));
  CHECK_FALSE(rt::hasElements(model));
  model.drags.resize(1);
  CHECK(rt::fitsChains(model));
  CHECK_FALSE(rt::hasElements(model));
  rt::Model windy = model, braked = model;
  windy.air_loads.resize(1);
  CHECK_FALSE(rt::fitsChains(windy));
  CHECK_FALSE(rt::hasElements(windy));
  braked.frictions.resize(1);
  CHECK_FALSE(rt::fitsChains(braked));
  CHECK(rt::hasElements(braked));
}

TEST_CASE("internal states of all elements have places of their own", "[rt][mechanics][elements]") {
  const rt::Model model = rt::buildModel(rollingRig());
  std::set<int> taken;
  int values = 0;
  rt::forEachKind([&](auto kind) {
    if constexpr (kind.kInternalStates > 0)
      for (const auto& element : rt::elementsOf(kind, model)) {
        values += kind.kInternalStates;
        for (int k = 0; k < kind.kInternalStates; ++k) taken.insert(kind.firstState(element) + k);
      }
  });
  CHECK(values == model.internal_states);
  CHECK(static_cast<int>(taken.size()) == values);
  CHECK(*taken.begin() == 0);
  for (const int state : rt::integratedInternalStates(model)) CHECK(taken.count(state) == 1);
}

TEST_CASE("elements that begin at a motion carry no load along the road and no friction", "[rt][mechanics][elements]") {
  const rt::Model model = rt::buildModel(rollingRig());
  const rt::State state = rt::initialState(model).state;
  std::vector<rt::BodyMotion> motions;
  for (int i = 0; i < model.bodyCount(); ++i) {
    motions.push_back(rt::bodyMotion(state.view(), i));
    motions.back().v.setZero();
    motions.back().omega_w.setZero();
  }
  std::vector<double> states(static_cast<std::size_t>(model.internal_states), 77.0);
  rt::beginInternalStates(model, motions.data(), state.view().jointDisplacements(), states.data());
  const std::vector<double> input(model.actuators.size(), 0.0);
  rt::ElementStates elements(model);
  rt::evaluateElements(model, motions.data(), {state.view().jointDisplacements(), states.data(), input, 0}, elements);
  for (const rt::TyreState& tyre : elements.of(rt::SlipTyreElement{})) {
    CHECK(tyre.load > 0);
    CHECK(tyre.ratio == 0);
    CHECK(tyre.angle == 0);
  }
  // An angle that has turned in the declared state is unwrapped: round-off of its difference.
  for (const rt::FrictionState& friction : elements.of(rt::JointFrictionElement{}))
    CHECK(std::abs(friction.force) <= 1e-9 * (1 + friction.limit));
}

TEST_CASE("the energy of a mechanism contains what its elements store", "[rt][mechanics][elements]") {
  const rt::Model model = rt::buildModel(rollingRig());
  const rt::State state = rt::initialState(model).state;
  std::vector<rt::BodyMotion> motions;
  for (int i = 0; i < model.bodyCount(); ++i) motions.push_back(rt::bodyMotion(state.view(), i));
  double stored = 0;
  rt::addElementEnergy(model, state.view(), motions.data(), stored);
  CHECK(stored > 0);
  rt::Model without = model;
  without.slip_tyres.clear();
  without.slip_tyre_names.clear();
  CHECK(rt::energyOf(model, state.view()).potential - rt::energyOf(without, state.view()).potential == Approx(stored));
}
