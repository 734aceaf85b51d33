// The stiff variant of the vehicle of [RN]: what the test and the experiment of the implicit method run.
#pragma once

#include "server/models/built_in_models.h"

#include <variant>

namespace tactus::tests {

/// Four struts 53 times as stiff: dominant eigenvalue -2.6e5 1/s, as in the paper.
inline rt::ModelSpec stiffVehicle() {
  rt::ModelSpec spec = server::openBuiltInModel("hmmwv").spec;
  for (rt::ForceSpec& force : spec.forces) {
    auto* strut = std::get_if<rt::TranslationalSpringSpec>(&force.kind);
    if (strut == nullptr || strut->stiffness < 1e7) continue;
    strut->stiffness *= 53;
    strut->damping *= 53;
  }
  return spec;
}

}  // namespace tactus::tests
