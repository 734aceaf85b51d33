// The experiments of [TAN] on its stiff pendulum.
#pragma once

#include "tests/bench/papers/runs.h"

namespace tactus::bench {

void pendulumStability(const Request& request);  ///< figures 3 to 7, 12, 13
void pendulumTorques(const Request& request);    ///< figures 8 to 10 in figures
void pendulumReactions(const Request& request);  ///< figure 10, the curves

}  // namespace tactus::bench
