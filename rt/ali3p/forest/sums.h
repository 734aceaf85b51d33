// From sums over lanes to the totals of a part, lane after lane.
#pragma once

#include "rt/ali3p/forest/workspace.h"
#include "rt/math/worst.h"

namespace tactus::rt {

TACTUS_INLINE void takeMotion(const ForestSums& sums, ForestTotals& totals) noexcept {
  totals.increment = 0;
  for (int level = 0; level < 3; ++level) totals.squares[level] = 0;
  for (int lane = 0; lane < ForestGroup::kLanes; ++lane) {
    for (int level = 0; level < 3; ++level) totals.squares[level] += sums.squares[level][lane];
    totals.increment = worst(totals.increment, sums.increment[lane]);
  }
}

TACTUS_INLINE void takeFactors(const ForestSums& sums, ForestTotals& totals) noexcept {
  totals.least = 1;
  totals.gain = 0;
  for (int lane = 0; lane < ForestGroup::kLanes; ++lane) {
    totals.least = minimum(totals.least, sums.least[lane]);
    totals.gain = worst(totals.gain, sums.gain[lane]);
  }
  totals.limited = static_cast<int>(sums.limited);
}

}  // namespace tactus::rt
