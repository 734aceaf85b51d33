#include "server/cli/limit_options.h"

#include "proto/text/duration_option.h"
#include "rt/error.h"
#include "server/cli/cpu_list.h"

#include <CLI/CLI.hpp>

#include <set>
#include <string>

namespace tactus::server {

void addLimitOptions(CLI::App& command, LimitArguments& a) {
  command
      .add_option("--client-priority", a.client_priority,
                  "Highest real-time priority of sessions that clients create; default: that of --priority")
      ->check(CLI::Range(0, 99));
  command.add_option("--client-cpu", a.client_cpus,
                     "Cores for the tick threads of sessions that clients create; default: any");
  text::addPeriod(command, "--client-period", a.client_period_ns,
                  "Shortest real time of a tick in sessions that clients create");
  std::string shares;
  const Limits usual;
  for (Quota Limits::*const member : kQuotas) {
    const Quota& quota = usual.*member;
    shares += (shares.empty() ? "" : ", ") + std::string(quota.kind) + "=" + std::to_string(quota.share);
  }
  command.add_option("--share", a.shares,
                     "KIND=N: maximum that one identity below the role admin may have at a time; default: " + shares);
  command
      .add_option("--disk-reserve", a.disk_reserve_mib,
                  "MiB that recordings leave free on their disk: no recording starts with less, and each ends before")
      ->check(CLI::Range(0, 1 << 30))
      ->capture_default_str();
}

Limits limitsOf(const LimitArguments& arguments, int priority) {
  Limits limits;
  limits.host.priority = arguments.client_priority.value_or(priority);
  if (!arguments.client_cpus.empty()) limits.host.cpus = parseCpuList(arguments.client_cpus);
  limits.host.period_ns = arguments.client_period_ns;
  limits.disk_reserve = arguments.disk_reserve_mib << 20;
  std::set<std::string> kinds;
  for (const std::string& share : arguments.shares) {
    const std::string kind = share.substr(0, share.find('='));
    if (!kinds.insert(kind).second) throw Error("--share " + share + ": " + kind + " has a share already; give one");
    setShare(limits, share);
  }
  return limits;
}

}  // namespace tactus::server
