#pragma once

#include "rt/model/model_spec.h"

namespace tactus::server {

/// A chain of `links` equal links (1 kg, 1 m, unit inertia) on spherical joints, hung at the origin and held out
/// along the world x axis.
rt::ModelSpec makeChain(int links);

}  // namespace tactus::server
