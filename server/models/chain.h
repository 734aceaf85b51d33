// The built-in model `chain`.
#pragma once

#include "rt/model/model_spec.h"

namespace tactus::server {

/// Makes a chain of equal links (1 kg, 1 m, unit inertia in kg m^2) on spherical joints. It begins at the origin and
/// points along the world x axis; gravity is along -y.
rt::ModelSpec makeChain(int links);

}  // namespace tactus::server
