// From the description of a spring to its law.
#pragma once

#include "rt/model/model.h"
#include "rt/model/model_spec.h"

namespace tactus::rt {

/// Curves, stops and side of a spring, if it has any, into its law, which has the constants.
void takeSpringLaw(const SpringLawSpec& spec, CompliantLaw& law, Model& model);

}  // namespace tactus::rt
