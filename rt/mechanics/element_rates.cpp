#include "rt/mechanics/element_rates.h"

namespace tactus::rt {

std::vector<int> integratedInternalStates(const Model& model) {
  std::vector<int> states;
  for (const SlipTyre& tyre : model.slip_tyres)
    for (int i = 0; i < 2; ++i) states.push_back(tyre.internal_states + i);
  for (const JointFriction& friction : model.frictions) states.push_back(friction.internal_states);
  return states;
}

void writeRates(const SlipTyre& tyre, const TyreState& state, const double* internal_states, double* rates) {
  for (int k = 0; k < 2; ++k) {
    const int at = tyre.internal_states + k;
    rates[at] = state.tread_rate[k] + kYieldRate * (state.internal_states[k] - internal_states[at]);
  }
}

void writeRates(const JointFriction& friction, const FrictionState& state, const double* internal_states,
                double* rates) {
  rates[friction.internal_states] = kYieldRate * (state.rest - internal_states[friction.internal_states]);
}

std::vector<double> internalStateRates(const Model& model, const ElementStates& elements,
                                       const double* internal_states) {
  std::vector<double> rates(static_cast<std::size_t>(model.internal_states), 0.0);
  for (std::size_t i = 0; i < model.slip_tyres.size(); ++i)
    writeRates(model.slip_tyres[i], elements.tyres[i], internal_states, rates.data());
  for (std::size_t i = 0; i < model.frictions.size(); ++i)
    writeRates(model.frictions[i], elements.frictions[i], internal_states, rates.data());
  return rates;
}

}  // namespace tactus::rt
