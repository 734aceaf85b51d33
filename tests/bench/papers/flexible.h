// [MSE] sections 5.2 to 5.5: the flexible four-bar, the lateral buckling and the rotating shaft.
#pragma once

#include "tests/bench/papers/runs.h"

#include <vector>

namespace tactus::bench {

std::vector<Experiment> flexibleExperiments();

}  // namespace tactus::bench
