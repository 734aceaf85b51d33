// How the loads and the memory of tyres with slip, friction and powertrains follow motion and memory: what implicit
// methods need.
#pragma once

#include "rt/mechanics/body_loads.h"
#include "rt/mechanics/element_rates.h"

#include <vector>

namespace tactus::rt {

/// Indices of memory are those of State's memory, only of memoryStates().
struct ElementDerivatives {
  struct LoadByMemory {
    int loaded, memory;
    Vector6d value;
  };
  struct RateByMotion {
    int memory, moved;
    Vector6d by_position, by_velocity;
  };
  struct RateByMemory {
    int memory, by;
    double value;
  };
  std::vector<BodyLoadDerivative> loads;
  std::vector<LoadByMemory> loads_by_memory;
  std::vector<RateByMotion> rates_by_motion;
  std::vector<RateByMemory> rates_by_memory;
};

/// Every dependence of the elements' loads and memory rates on motion and memory, by central differences of the laws
/// themselves: exact but for round-off, about 1e-9 of the largest, where a law has a derivative; a mean where it has a
/// kink. Reads r, R, v and omega_w.
/// @param[in] input  as for evaluateElements(), with dt = 0
ElementDerivatives differentiateElements(const Model& model, const BodyMotion* motions, const ElementInput& input);

}  // namespace tactus::rt
