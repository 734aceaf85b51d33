#include "rt/loop/overrun.h"

#include "rt/error.h"

#include <string>

namespace tactus::rt {

const char* toString(OverrunPolicy policy) noexcept {
  switch (policy) {
    case OverrunPolicy::kStop: return "stop";
    case OverrunPolicy::kSkip: return "skip";
    case OverrunPolicy::kCatchUp: return "catch-up";
    case OverrunPolicy::kSlip: return "slip";
  }
  return "unknown";
}

void checkOverrunRule(const OverrunRule& rule) {
  if (rule.grace_ticks < 0)
    throw Error("overrun grace = " + std::to_string(rule.grace_ticks) + ": must not be negative");
  if (rule.max_consecutive < 0 || rule.max_total < 0) throw Error("an overrun limit must be 0 for none, or above");
  if (rule.policy == OverrunPolicy::kCatchUp && rule.burst < 1)
    throw Error("catch-up " + std::to_string(rule.burst) + ": must be 1 tick or more");
  if (rule.policy == OverrunPolicy::kStop && (rule.max_consecutive > 0 || rule.max_total > 0))
    throw Error("the policy stop tolerates no overrun: limits go with skip, catch-up and slip");
}

}  // namespace tactus::rt
