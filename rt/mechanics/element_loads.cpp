#include "rt/mechanics/element_loads.h"

#include <algorithm>

namespace tactus::rt {

bool hasElements(const Model& model) noexcept {
  return !model.slip_tyres.empty() || !model.frictions.empty() || !model.powertrains.empty();
}

void evaluateElements(const Model& model, const BodyMotion* motions, const ElementInput& input,
                      ElementStates& elements) noexcept {
  for (std::size_t i = 0; i < model.slip_tyres.size(); ++i) {
    const SlipTyre& tyre = model.slip_tyres[i];
    elements.tyres[i] =
        evaluateSlipTyre(model, tyre, motions[tyre.body], input.internal_states + tyre.internal_states, input.dt);
  }
  for (std::size_t i = 0; i < model.frictions.size(); ++i) {
    const JointFriction& friction = model.frictions[i];
    elements.frictions[i] = evaluateFriction(model, friction, motions, input.displacements,
                                             input.internal_states + friction.internal_states, input.values);
  }
  for (std::size_t i = 0; i < model.powertrains.size(); ++i)
    elements.powertrains[i] = evaluatePowertrain(model, model.powertrains[i], motions, input.values);
}

ElementStates elementsOf(const Model& model, const StateView& state, const BodyMotion* motions) {
  ElementStates elements(model);
  const std::span<const double> input(state.input(), model.actuators.size());
  evaluateElements(model, motions, {state.jointDisplacements(), state.internalStates(), input, 0}, elements);
  return elements;
}

void addElementLoads(const Model& model, const ElementStates& elements, const BodyMotion* motions,
                     Load* loads) noexcept {
  for (std::size_t i = 0; i < model.slip_tyres.size(); ++i) {
    Load& load = loads[model.slip_tyres[i].body];
    load.force += elements.tyres[i].on_body.force;
    load.torque += elements.tyres[i].on_body.torque;
  }
  for (std::size_t i = 0; i < model.frictions.size(); ++i)
    addFrictionLoad(model, model.frictions[i], elements.frictions[i], motions, loads);
  for (std::size_t i = 0; i < model.powertrains.size(); ++i)
    addPowertrainLoad(model, model.powertrains[i], elements.powertrains[i], motions, loads);
}

ElementPower powerOf(const ElementStates& elements) noexcept {
  ElementPower power;
  for (const TyreState& tyre : elements.tyres) power.dissipated += tyre.dissipated;
  for (const FrictionState& friction : elements.frictions) power.dissipated += friction.dissipated;
  for (const PowertrainState& powertrain : elements.powertrains) power.input += powertrain.power;
  return power;
}

void storeInternalStates(const Model& model, const ElementStates& elements, double* internal_states) noexcept {
  for (std::size_t i = 0; i < model.slip_tyres.size(); ++i)
    std::copy_n(elements.tyres[i].internal_states, kSlipTyreInternalStates,
                internal_states + model.slip_tyres[i].internal_states);
  for (std::size_t i = 0; i < model.frictions.size(); ++i)
    internal_states[model.frictions[i].internal_states] = elements.frictions[i].rest;
}

void beginInternalStates(const Model& model, const BodyMotion* motions, const double* displacements,
                         double* internal_states) {
  std::fill_n(internal_states, model.internal_states, 0.0);
  for (const JointFriction& friction : model.frictions) {
    const Joint& joint = model.joints[static_cast<std::size_t>(friction.joint)];
    internal_states[friction.internal_states] =
        friction.along_axis ? jointTravel(joint, motions) : displacements[joint.displacement];
  }
}

}  // namespace tactus::rt
