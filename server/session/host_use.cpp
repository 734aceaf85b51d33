#include "server/session/host_use.h"

#include "rt/ali3p/settings.h"
#include "server/wire/request_error.h"

#include <algorithm>
#include <string>

namespace tactus::server {

namespace {

// What lies beyond is no period (ns) and no priority, which sessionSettings() and sessionClock() say.
constexpr double kShortestPeriod = 1000;
constexpr int kHighestPriority = 99;

/// By the clock on the wall, ns; 0 if the session does not sleep.
double wallPeriod(const SessionSpec& spec) {
  if (!spec.clock.paced() || spec.period_ns < 0) return 0;
  const std::int64_t period = spec.period_ns > 0 ? spec.period_ns : rt::chooseSettings(*spec.model, 0).period_ns;
  return static_cast<double>(period) / spec.clock.scale;
}

}  // namespace

void limitHostUse(SessionSpec& spec, const HostLimits& limits, bool named_priority) {
  int& priority = spec.realtime.priority;
  if (!named_priority) priority = std::min(priority, limits.priority);
  if (priority > limits.priority && priority <= kHighestPriority)
    throw RequestError(Reason::kLimitExceeded, "priority",
                       "this server allows clients a priority of " + std::to_string(limits.priority) + " at most",
                       "ask for less, or start the server with a higher --client-priority");
  std::vector<int>& cpus = spec.realtime.cpus;
  if (!limits.cpus.empty()) {
    for (std::size_t i = 0; i < cpus.size(); ++i)
      if (std::find(limits.cpus.begin(), limits.cpus.end(), cpus[i]) == limits.cpus.end())
        throw RequestError(Reason::kLimitExceeded, "cpus[" + std::to_string(i) + "]",
                           "this server does not allow clients core " + std::to_string(cpus[i]),
                           "leave cpus out for the cores that --client-cpu of the server names");
    if (cpus.empty()) cpus = limits.cpus;
  }
  const double period = wallPeriod(spec);
  if (period >= kShortestPeriod && period < static_cast<double>(limits.period_ns))
    throw RequestError(
        Reason::kLimitExceeded, "period_ns",
        "this server allows clients a period of " + std::to_string(limits.period_ns) + " ns of real time at least",
        "ask for a longer period, or start the server with a shorter --client-period; the clocks lockstep "
        "and free-run have no such limit");
}

}  // namespace tactus::server
