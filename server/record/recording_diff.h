// The first difference between two recordings.
#pragma once

#include "server/record/replay.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tactus::server {

struct DiffReport {
  std::uint64_t compared = 0;            ///< ticks that are in both
  std::uint64_t only_a = 0, only_b = 0;  ///< ticks up to the difference that are in one of them
  std::int64_t last_tick = 0;            ///< of the last one that is in both
  std::optional<Difference> difference;
  bool computed = false;  ///< the values of the difference were not recorded, but come from a replay
  bool same_model = true, same_settings = true, same_build = true;
};

/// Compares tick by tick what both have: inputs, signals by name, states, state hashes. A recording that holds its
/// inputs only is replayed up to a difference of hashes, to name the signal, unless another binary made it.
/// @throws Error if a file is no recording
DiffReport diffRecordings(const std::string& path_a, const std::string& path_b, const v1::BuildStamp& here);

}  // namespace tactus::server
