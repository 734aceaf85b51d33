// The built-in models `cantilever` and `beam_chain`.
#pragma once

#include "rt/model/model_spec.h"

namespace tactus::server {

/// A horizontal steel cantilever, 1 m long, 16 mm square, let go under gravity along -y.
rt::ModelSpec makeCantilever(int elements);

/// A steel wire of elements of 0.1 m, 8 mm thick, held by a spherical joint at the origin and let go from the
/// horizontal.
rt::ModelSpec makeBeamChain(int elements);

}  // namespace tactus::server
