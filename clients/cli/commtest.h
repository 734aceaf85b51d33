// `tactus commtest`: tests whether the connection to a server is good enough for inputs at every tick.
#pragma once

#include "tactus/v1/simulation.pb.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tactus::client {

/// The counts of a test of the connection to a server.
struct CommResult {
  std::int64_t ticks = 0;    ///< ticks of the session while it was driven
  std::int64_t fresh = 0;    ///< ticks that had a new input
  std::uint64_t frames = 0;  ///< frames received
  std::uint64_t frames_missed = 0;
  std::uint64_t inputs_sent = 0, inputs_superseded = 0;
  std::vector<std::int64_t> round_trips_ns;  ///< from sending an input to the first frame that used it
  std::vector<std::int64_t> calls_ns;        ///< durations of unary calls

  /// Further counts of a test by datagrams.
  struct Datagrams {
    v1::DeviceLinkCounts inputs;                          ///< counted by the server
    std::uint64_t states_lost = 0, states_overtaken = 0;  ///< counted here
  };
  std::optional<Datagrams> datagrams;

  /// Share of the ticks that had a new input.
  double successRate() const noexcept {
    return ticks > 0 ? static_cast<double>(fresh) / static_cast<double>(ticks) : 0;
  }
};

/// "good" from a success rate of 0.99 on, "fair" from 0.95, "warning" from 0.90, else "not sufficient".
const char* verdictOf(const CommResult& result) noexcept;

/// Adds the subcommand to the program. When it has run, `exit_code` is 0, 1 (not sufficient), 2 (usage) or 3 (server
/// unreachable).
void addCommtestCommand(CLI::App& app, int& exit_code);

}  // namespace tactus::client
