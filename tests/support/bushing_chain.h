// A beam as a chain of bushings: many compliant joints of six rows.
#pragma once

#include "rt/model/model_spec.h"

namespace tactus::tests {

/// A steel cantilever of 1 m along x with a square section of 16 mm: n bushings at mid-element, the first one on
/// ground; bodies node_1 ... node_n, the last of half an element. Released with gravity from its straight pose, no
/// damping.
rt::ModelSpec cantileverOfBushings(int n);

}  // namespace tactus::tests
