// The Bricard mechanism of the multibody benchmarks: five rods of 1 m and 1 kg between six revolute joints. One
// freedom, although 30 rows hold 30 coordinates: one row is redundant at every pose.
#pragma once

#include "rt/model/model_spec.h"

namespace tactus::tests {

rt::ModelSpec bricard();

}  // namespace tactus::tests
