// OverrunRule: what a paced run does about deadlines that pass before their tick can start, and when it ends.
#pragma once

#include "rt/word.h"

#include <cstdint>

namespace tactus::rt {

enum class OverrunPolicy : std::uint8_t {
  kStop,     ///< the run ends
  kSkip,     ///< overdue deadlines are missed, and the next tick starts on the grid
  kCatchUp,  ///< up to `burst` ticks start late, one after the other without a sleep; further deadlines are missed
  kSlip,     ///< no deadline is missed: the grid moves by the lateness
  kSafe,     ///< overdue deadlines are missed, and the loop enters the safe state where another policy ends the run:
             ///< beyond a limit, or without limits at the first overdue deadline
};
inline constexpr Word<OverrunPolicy> kOverrunPolicies[] = {{OverrunPolicy::kStop, "stop"},
                                                           {OverrunPolicy::kSkip, "skip"},
                                                           {OverrunPolicy::kCatchUp, "catch-up"},
                                                           {OverrunPolicy::kSlip, "slip"},
                                                           {OverrunPolicy::kSafe, "safe"}};
constexpr const char* toString(OverrunPolicy policy) noexcept {
  return wordOf(kOverrunPolicies, policy);
}

/// A deadline is *overdue* if its tick could not start in time, because the tick before ran past it, or because the
/// thread slept past it and the next one. Only overdue deadlines count towards the limits.
struct OverrunRule {
  OverrunPolicy policy = OverrunPolicy::kSkip;
  std::int64_t burst = 1;            ///< of kCatchUp: consecutive ticks that may start late without a sleep, 1 or more
  std::int64_t grace_ticks = 0;      ///< overdue deadlines during these first ticks of a run do not count
  std::int64_t max_consecutive = 0;  ///< overdue deadlines without a tick in time between them; 0: no limit
  std::int64_t max_total = 0;        ///< overdue deadlines in a run; 0: no limit
};

/// @throws Error for a negative number, a catch-up without a burst, and limits on kStop, which tolerates none
void checkOverrunRule(const OverrunRule& rule);

}  // namespace tactus::rt
