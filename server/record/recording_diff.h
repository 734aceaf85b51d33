// The first difference between two recordings.
#pragma once

#include "server/record/replay.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tactus::server {

struct DiffReport {
  std::uint64_t compared = 0;            ///< ticks that both recordings hold
  std::uint64_t only_a = 0, only_b = 0;  ///< ticks before the difference that only one recording holds
  std::int64_t last_tick = 0;            ///< newest tick that both recordings hold
  std::optional<Difference> difference;
  bool computed = false;  ///< the values of the difference come from a replay, not from the recordings
  bool same_model = true, same_settings = true, same_build = true;
  std::string problem_a, problem_b;  ///< how an incomplete file ends; empty for a complete one
};

/// Compares, tick by tick, everything that both recordings hold: inputs, signals by name, states, state hashes. If only
/// the hashes differ, both recordings are replayed up to that tick to name the signal, unless another binary made them.
/// @throws Error if a file is not a recording
DiffReport diffRecordings(const std::string& path_a, const std::string& path_b, const v1::BuildStamp& here);

}  // namespace tactus::server
