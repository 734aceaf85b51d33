// How the loads and the internal states of tyres with slip, friction and powertrains follow motion and internal states:
// what implicit methods need.
#pragma once

#include "rt/mechanics/body_loads.h"
#include "rt/mechanics/element_rates.h"

#include <vector>

namespace tactus::rt {

/// Indices of internal states are those of State's internal states, only of integratedInternalStates().
struct ElementDerivatives {
  struct LoadByInternalState {
    int loaded, internal_states;
    Vector6d value;
  };
  struct RateByMotion {
    int internal_states, moved;
    Vector6d by_position, by_velocity;
  };
  struct RateByInternalState {
    int internal_states, by;
    double value;
  };
  std::vector<BodyLoadDerivative> loads;
  std::vector<LoadByInternalState> loads_by_internal_state;
  std::vector<RateByMotion> rates_by_motion;
  std::vector<RateByInternalState> rates_by_internal_state;
};

/// Every dependence of the elements' loads and internal states rates on motion and internal states, by central
/// differences of the laws themselves: exact but for round-off, about 1e-9 of the largest, where a law has a
/// derivative; a mean where it has a kink. Reads r, R, v and omega_w.
/// @param[in] input  as for evaluateElements(), with dt = 0
ElementDerivatives differentiateElements(const Model& model, const BodyMotion* motions, const ElementInput& input);

}  // namespace tactus::rt
