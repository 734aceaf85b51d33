// How the loads and the internal states of force elements follow motion and internal states: what implicit methods
// need.
#pragma once

#include "rt/mechanics/force_elements.h"

#include <vector>

namespace tactus::rt {

/// Every dependence of the direct loads on the motion of the bodies, exact. Reads r, R, v and omega_w.
std::vector<BodyLoadDerivative> differentiateDirectLoads(const Model& model, const BodyMotion* motions,
                                                         const double* displacements);

/// Indices of internal states are indices into State's internal states, only of integratedInternalStates().
struct ElementDerivatives {
  struct LoadByInternalState {
    int loaded, internal_state;
    Vector6d value;
  };
  struct RateByMotion {
    int internal_state, moved;
    Vector6d by_position, by_velocity;
  };
  struct RateByInternalState {
    int internal_state, by;
    double value;
  };
  std::vector<BodyLoadDerivative> loads;
  std::vector<LoadByInternalState> loads_by_internal_state;
  std::vector<RateByMotion> rates_by_motion;
  std::vector<RateByInternalState> rates_by_internal_state;
};

/// Every dependence of the loads and rates of kept elements on motion and internal states, by central differences of
/// the laws themselves: exact but for round-off, about 1e-9 of the largest, where a law has a derivative; a mean where
/// it has a kink. Reads r, R, v and omega_w.
/// @param[in] input  as for evaluateElements(), with dt = 0
ElementDerivatives differentiateElements(const Model& model, const BodyMotion* motions, const ElementInput& input);

}  // namespace tactus::rt
