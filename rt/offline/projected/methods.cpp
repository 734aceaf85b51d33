// Explicit steps in all coordinates with a projection onto the constraints.
#include "rt/offline/projected/projected_stepper.h"
#include "rt/offline/schools.h"

namespace tactus::rt::offline {

School projectedSchool() {
  return {"projection",
          // name, summary, order, index-3 orders, stability, options, stepper
          {{"projected", "Dormand-Prince in all coordinates, projected onto the constraints after each step; sparse", 5,
            kAsOnOrdinaryEquations, "explicit: up to omega h = 3.3", controlOptions(true),
            makes<ProjectedStepper>(tolerancesOf)}}};
}

}  // namespace tactus::rt::offline
