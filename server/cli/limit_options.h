// The options of `serve` that limit what clients may take.
#pragma once

#include "server/config.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tactus::server {

struct LimitArguments {
  std::optional<int> client_priority;
  std::string client_cpus;
  std::int64_t client_period_ns = HostLimits{}.period_ns;
  std::uint64_t disk_reserve_mib = Limits{}.disk_reserve >> 20;
  std::vector<std::string> shares;
};

void addLimitOptions(CLI::App& command, LimitArguments& arguments);

/// @param priority  that of the session of the server: default of --client-priority
/// @throws Error naming the option
Limits limitsOf(const LimitArguments& arguments, int priority);

}  // namespace tactus::server
