#include "rt/loop/overrun.h"

#include "rt/error.h"

#include <string>

namespace tactus::rt {

void checkOverrunRule(const OverrunRule& rule) {
  if (rule.grace_ticks < 0)
    throw Error("overrun grace = " + std::to_string(rule.grace_ticks) + ": must not be negative");
  if (rule.max_consecutive < 0 || rule.max_total < 0)
    throw Error("an overrun limit must be 0 for no limit, or positive");
  if (rule.policy == OverrunPolicy::kCatchUp && rule.burst < 1)
    throw Error("catch-up " + std::to_string(rule.burst) + ": must be 1 tick or more");
  if (rule.policy == OverrunPolicy::kStop && (rule.max_consecutive > 0 || rule.max_total > 0))
    throw Error("the policy stop tolerates no overrun: limits go with the other policies");
}

}  // namespace tactus::rt
