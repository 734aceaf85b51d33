#include "rt/mechanics/element_rates.h"

namespace tactus::rt {

std::vector<int> memoryStates(const Model& model) {
  std::vector<int> states;
  for (const SlipTyre& tyre : model.slip_tyres)
    for (int i = 0; i < 2; ++i) states.push_back(tyre.memory + i);
  for (const JointFriction& friction : model.frictions) states.push_back(friction.memory);
  return states;
}

void writeRates(const SlipTyre& tyre, const TyreState& state, const double* memory, double* rates) {
  for (int k = 0; k < 2; ++k) {
    const int at = tyre.memory + k;
    rates[at] = state.tread_rate[k] + kYieldRate * (state.memory[k] - memory[at]);
  }
}

void writeRates(const JointFriction& friction, const FrictionState& state, const double* memory, double* rates) {
  rates[friction.memory] = kYieldRate * (state.rest - memory[friction.memory]);
}

std::vector<double> memoryRates(const Model& model, const ElementStates& elements, const double* memory) {
  std::vector<double> rates(static_cast<std::size_t>(model.memory), 0.0);
  for (std::size_t i = 0; i < model.slip_tyres.size(); ++i)
    writeRates(model.slip_tyres[i], elements.tyres[i], memory, rates.data());
  for (std::size_t i = 0; i < model.frictions.size(); ++i)
    writeRates(model.frictions[i], elements.frictions[i], memory, rates.data());
  return rates;
}

}  // namespace tactus::rt
