// Springs on weighted sums of displacements: compliant rows over more than two bodies.
#pragma once

#include "rt/model/model_spec.h"

namespace tactus::tests {

/// Bodies a, b, c and d with hinges from a to b and from c to d, and a coupler of both angles. Then springs with random
/// weights: seven on b, c and d against a, three on b against d.
rt::ModelSpec modeSprings();

}  // namespace tactus::tests
