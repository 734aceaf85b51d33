// What elements remember, as states of first order: for methods that integrate it in place of the step's own rule.
//
//   m' = g(t, q, u, m):   the tread of a tyre is dragged and carried away, the rest of a friction stays
//
// Both have a limit that depends on the load. The step holds them there; here what is beyond counts for nothing and is
// taken back at kYieldRate, which makes g continuous. Forces are the same in both: evaluateElements() limits first.
#pragma once

#include "rt/mechanics/element_loads.h"

#include <vector>

namespace tactus::rt {

/// 1/s. A friction that slides at a rate v is ahead of its rest by v over this; where it stops, by the deceleration
/// over the square of this.
inline constexpr double kYieldRate = 1000;

/// Which values of the internal states in State are such states; the others follow from them and from the motion.
std::vector<int> integratedInternalStates(const Model& model);

/// Writes g of one element's states. @param[in] internal states, rates  as many values as State has
void writeRates(const SlipTyre& tyre, const TyreState& state, const double* internal_states, double* rates);
void writeRates(const JointFriction& friction, const FrictionState& state, const double* internal_states,
                double* rates);

/// g of each value of the internal states; 0 where it is no state.
/// @param[in] elements  evaluated with this internal states and dt = 0
/// @param[in] internal states    as many values as State has
std::vector<double> internalStateRates(const Model& model, const ElementStates& elements,
                                       const double* internal_states);

}  // namespace tactus::rt
