#include "rt/mechanics/force_elements.h"

#include "rt/model/model.h"

#include <algorithm>

namespace tactus::rt {

namespace {

/// f(kind, element) for every direct load.
template <class F>
void forEachDirectLoad(const Model& model, F&& f) noexcept {
  forEachKind([&](auto kind) noexcept {
    if constexpr (!kind.kKept)
      for (const auto& element : elementsOf(kind, model)) f(kind, element);
  });
}

/// f(kind, element, evaluation) for every kept element.
template <class States, class F>
void forEachKept(const Model& model, States& elements, F&& f) noexcept {
  forEachKind([&](auto kind) noexcept {
    if constexpr (kind.kKept) {
      auto evaluation = elements.of(kind).begin();
      for (const auto& element : elementsOf(kind, model)) f(kind, element, *evaluation++);
    }
  });
}

/// f(index, evaluation) for every element of a kept kind. store(i): memory for the evaluation of element i, and for
/// those of the next three where four are evaluated at once.
template <class Kind, class Store, class F>
void evaluateAll(Kind kind, const ElementContext& at, Store&& store, F&& f) noexcept {
  const auto& all = elementsOf(kind, at.model);
  std::size_t i = 0;
  if constexpr (kind.kInFours)
    for (; i + 4 <= all.size() && kind.fitFour(&all[i]); i += 4) {
      auto* const four = store(i);
      kind.evaluateFour(&all[i], at, four);
      for (std::size_t k = 0; k < 4; ++k) f(i + k, four[k]);
    }
  for (; i < all.size(); ++i) {
    auto& one = *store(i);
    one = kind.evaluate(all[i], at);
    f(i, one);
  }
}

}  // namespace

void addDirectLoads(const Model& model, const BodyMotion* motions, const double* displacements, Load* loads) noexcept {
  const ElementContext at{model, motions, {displacements, nullptr, {}, 0}};
  forEachDirectLoad(model, [&](auto kind, const auto& element) noexcept {
    kind.addLoad(element, kind.evaluate(element, at), at, loads);
  });
}

ElementPower directLoadPower(const Model& model, const BodyMotion* motions, const double* displacements) noexcept {
  const ElementContext at{model, motions, {displacements, nullptr, {}, 0}};
  ElementPower sum;
  forEachDirectLoad(model, [&](auto kind, const auto& element) noexcept {
    const ElementPower power = kind.power(element, kind.evaluate(element, at));
    sum.dissipated += power.dissipated;
    sum.input += power.input;
  });
  return sum;
}

double directLoadEnergy(const Model& model, const BodyMotion* motions, const double* displacements) noexcept {
  const ElementContext at{model, motions, {displacements, nullptr, {}, 0}};
  double sum = 0;
  forEachDirectLoad(model, [&](auto kind, const auto& element) noexcept {
    if constexpr (kind.kStoresEnergy) sum += kind.storedEnergy(element, kind.evaluate(element, at));
  });
  return sum;
}

bool hasElements(const Model& model) noexcept {
  bool any = false;
  forEachKind([&](auto kind) noexcept { any = any || (kind.kKept && !elementsOf(kind, model).empty()); });
  return any;
}

bool hasForceElements(const Model& model) noexcept {
  bool any = false;
  forEachKind([&](auto kind) noexcept { any = any || !elementsOf(kind, model).empty(); });
  return any;
}

bool fitsChains(const Model& model) noexcept {
  bool fits = true;
  forEachKind([&](auto kind) noexcept { fits = fits && (kind.kInChains || elementsOf(kind, model).empty()); });
  return fits;
}

void evaluateElements(const Model& model, const BodyMotion* motions, const ElementInput& input,
                      ElementStates& elements) noexcept {
  const ElementContext at{model, motions, input};
  forEachKind([&](auto kind) noexcept {
    if constexpr (kind.kKept)
      evaluateAll(
          kind, at, [&](std::size_t i) noexcept { return elements.of(kind).data() + i; },
          [](std::size_t, const auto&) noexcept {});
  });
}

ElementStates elementsAt(const Model& model, const StateView& state, const BodyMotion* motions) {
  ElementStates elements(model);
  const std::span<const double> input(state.input(), model.actuators.size());
  evaluateElements(model, motions, {state.jointDisplacements(), state.internalStates(), input, 0}, elements);
  return elements;
}

void addElementLoads(const Model& model, const ElementStates& elements, const BodyMotion* motions,
                     Load* loads) noexcept {
  const ElementContext at{model, motions, {nullptr, nullptr, {}, 0}};
  forEachKept(model, elements, [&](auto kind, const auto& element, const auto& evaluation) noexcept {
    kind.addLoad(element, evaluation, at, loads);
  });
}

ElementPower powerOf(const Model& model, const ElementStates& elements) noexcept {
  ElementPower sum;
  forEachKept(model, elements, [&](auto kind, const auto& element, const auto& evaluation) noexcept {
    const ElementPower power = kind.power(element, evaluation);
    sum.dissipated += power.dissipated;
    sum.input += power.input;
  });
  return sum;
}

void addElementEnergy(const Model& model, const StateView& state, const BodyMotion* motions, double& sum) noexcept {
  const std::span<const double> input(state.input(), model.actuators.size());
  const ElementContext at{model, motions, {state.jointDisplacements(), state.internalStates(), input, 0}};
  forEachKind([&](auto kind) noexcept {
    if constexpr (kind.kKept && kind.kStoresEnergy) {
      typename decltype(kind)::Evaluation four[4];
      evaluateAll(
          kind, at, [&](std::size_t) noexcept { return four; },
          [&](std::size_t i, const auto& evaluation) noexcept {
            sum += kind.storedEnergy(elementsOf(kind, model)[i], evaluation);
          });
    }
  });
}

void storeInternalStates(const Model& model, const ElementStates& elements, double* internal_states) noexcept {
  forEachKept(model, elements, [&](auto kind, const auto& element, const auto& evaluation) noexcept {
    if constexpr (kind.kInternalStates > 0) kind.storeStates(element, evaluation, internal_states);
  });
}

void beginInternalStates(const Model& model, const BodyMotion* motions, const double* displacements,
                         double* internal_states) {
  std::fill_n(internal_states, model.internal_states, 0.0);
  const ElementContext at{model, motions, {displacements, nullptr, {}, 0}};
  forEachKind([&](auto kind) {
    if constexpr (kind.kInternalStates > 0)
      for (const auto& element : elementsOf(kind, model)) kind.beginStates(element, at, internal_states);
  });
}

std::vector<int> integratedInternalStates(const Model& model) {
  std::vector<int> states;
  forEachKind([&](auto kind) {
    if constexpr (kind.kRates > 0)
      for (const auto& element : elementsOf(kind, model))
        for (int k = 0; k < kind.kRates; ++k) states.push_back(kind.firstState(element) + k);
  });
  return states;
}

std::vector<double> internalStateRates(const Model& model, const ElementStates& elements,
                                       const double* internal_states) {
  std::vector<double> rates(static_cast<std::size_t>(model.internal_states), 0.0);
  forEachKept(model, elements, [&](auto kind, const auto& element, const auto& evaluation) noexcept {
    if constexpr (kind.kRates > 0) kind.writeRates(element, evaluation, internal_states, rates.data());
  });
  return rates;
}

}  // namespace tactus::rt
