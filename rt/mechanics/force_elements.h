// Loads, powers, energy, tangent and internal states of all force elements, for the step and for offline methods. Each
// function is a loop over the kinds of elements/elements.h.
//
// Direct loads depend on the motion alone: drags, air, anti-roll bars. The step evaluates them at the iterate and
// leaves all but drags out of its tangent, because they are soft against the inertia that they act on. Kept elements
// (tyres with slip, friction and brakes, powertrains) are evaluated once for a motion; all functions then use that
// evaluation.
#pragma once

#include "rt/mechanics/elements/elements.h"
#include "rt/state/state.h"

#include <vector>

namespace tactus::rt {

/// Adds all direct loads to `loads` (one a body; torques about the centers of mass, world axes).
/// @param[in] displacements  of State: what the angles of the bars' joints continue
/// @rt no allocation, no throw, fixed work
void addDirectLoads(const Model& model, const BodyMotion* motions, const double* displacements, Load* loads) noexcept;

/// @param[in] displacements  as in addDirectLoads()
/// @rt no allocation, no throw, fixed work
ElementPower directLoadPower(const Model& model, const BodyMotion* motions, const double* displacements) noexcept;

/// Energy that direct loads have stored, J.
/// @rt no allocation, no throw, fixed work
double directLoadEnergy(const Model& model, const BodyMotion* motions, const double* displacements) noexcept;

/// Whether the model has kept elements.
bool hasElements(const Model& model) noexcept;

/// Whether the Model has a force element of any kind.
bool hasForceElements(const Model& model) noexcept;

/// Whether the chain solver knows all force elements of the model.
bool fitsChains(const Model& model) noexcept;

/// @rt no allocation, no throw, bounded work
void evaluateElements(const Model& model, const BodyMotion* motions, const ElementInput& input,
                      ElementStates& elements) noexcept;

/// Evaluates the elements at a State as it stands. Not for the tick: allocates.
ElementStates elementsAt(const Model& model, const StateView& state, const BodyMotion* motions);

/// @rt no allocation, no throw, fixed work
void addElementLoads(const Model& model, const ElementStates& elements, const BodyMotion* motions,
                     Load* loads) noexcept;

/// @rt no allocation, no throw, fixed work
ElementPower powerOf(const Model& model, const ElementStates& elements) noexcept;

/// Adds the energy of each kept element to `sum`, J. Evaluates those that store energy.
/// @rt no allocation, no throw, bounded work
void addElementEnergy(const Model& model, const StateView& state, const BodyMotion* motions, double& sum) noexcept;

/// Writes the internal states at the end of the step.
/// @rt no allocation, no throw, fixed work
void storeInternalStates(const Model& model, const ElementStates& elements, double* internal_states) noexcept;

/// Sets the initial internal states of all elements at this motion: treads without deflection, friction without force.
void beginInternalStates(const Model& model, const BodyMotion* motions, const double* displacements,
                         double* internal_states);

/// Indices of the internal states that are states of first order, s' = g(t, q, u, s), for methods that integrate them
/// in place of the step's own rule; the other values follow from them and from the motion. The step limits such a state
/// by the load. In these methods the part beyond the limit decays at kYieldRate, which makes g continuous. The forces
/// are the same in both cases, because evaluateElements() applies the limit first.
std::vector<int> integratedInternalStates(const Model& model);

/// g of each internal state; 0 for values that are not states of first order.
/// @param[in] elements         evaluated with these internal states and dt = 0
/// @param[in] internal_states  as many values as State has
std::vector<double> internalStateRates(const Model& model, const ElementStates& elements,
                                       const double* internal_states);

/// What force elements add to the inertia of bodies in a step of the trapezoidal rule: (dt^2/4) of their stiffness and
/// (dt/2) of their damping. Calls add(body, mass, inertia): mass in kg, the mean of the three directions; inertia in
/// kg m^2, a matrix in world axes or one number for every axis.
/// @rt no allocation, no throw, fixed work
template <class Add>
void forEachAddedInertia(const Model& model, const ElementStates& elements, double dt, Add&& add) noexcept {
  forEachKind([&](auto kind) noexcept {
    if constexpr (kind.kAddsInertia) {
      const auto& all = elementsOf(kind, model);
      for (std::size_t i = 0; i < all.size(); ++i) {
        if constexpr (kind.kKept)
          kind.addInertia(model, all[i], elements.of(kind)[i], dt, add);
        else
          kind.addInertia(all[i], dt, add);
      }
    }
  });
}

}  // namespace tactus::rt
