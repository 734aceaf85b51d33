// What [DCA3] section 5 measures.
#pragma once

#include "tests/bench/papers/runs.h"

namespace tactus::bench {

void phases(const Request& request);   ///< figure 12a: cost of a step and of its phases over the number of bodies
void threads(const Request& request);  ///< figures 12b, 13 and 14: threads

}  // namespace tactus::bench
