// OverrunRule: what a paced run does about grid points that go by before their tick can start, and when it ends.
#pragma once

#include <cstdint>

namespace tactus::rt {

enum class OverrunPolicy : std::uint8_t {
  kStop,     ///< the run ends
  kSkip,     ///< the points are missed, and the next tick starts on the grid
  kCatchUp,  ///< up to `burst` ticks start late, one after the other without a sleep; more points than that are missed
  kSlip,     ///< no point is missed: the grid moves by the lateness
};
const char* toString(OverrunPolicy policy) noexcept;

/// A point of the grid has *passed* if its tick could not start in time: because the tick before ran into it, or
/// because the thread slept past it and the one after. Only passed points count against the limits.
struct OverrunRule {
  OverrunPolicy policy = OverrunPolicy::kSkip;
  std::int64_t burst = 1;            ///< of kCatchUp: ticks that may start late without a sleep between them, 1 or more
  std::int64_t grace_ticks = 0;      ///< what passes up to the end of the first so many ticks of a run is forgiven
  std::int64_t max_consecutive = 0;  ///< points that may pass without a tick in time between them; 0 for any number
  std::int64_t max_total = 0;        ///< points that may pass in a run; 0 for any number
};

/// @throws Error for a negative number, a catch-up without a burst, and limits on kStop, which tolerates none
void checkOverrunRule(const OverrunRule& rule);

}  // namespace tactus::rt
