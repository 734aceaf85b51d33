// EnergyGrowthWatch: tells the streams and the log when the energy of a session begins to grow without an input.
#pragma once

#include "rt/loop/tick_loop.h"
#include "server/session/session_feed.h"
#include "server/session/session_setup.h"

#include <atomic>
#include <cstdint>
#include <string>

namespace tactus::server {

/// By how much the energy has grown since which tick, and what to do, in words; empty if it does not grow.
std::string describeEnergyGrowth(const rt::EnergyReport& energy);

/// Thread-safe. The tick posts nothing; the owner of the loop calls look() between ticks.
class EnergyGrowthWatch {
 public:
  /// All three must outlive this object.
  EnergyGrowthWatch(const SessionSpec& spec, const rt::TickLoop& loop, SessionFeed& feed)
      : spec_(spec), loop_(loop), feed_(feed) {}

  /// Posts an event and logs a line if the energy has begun to grow since the last look.
  void look();

 private:
  const SessionSpec& spec_;
  const rt::TickLoop& loop_;
  SessionFeed& feed_;
  std::atomic<std::int64_t> known_{-1};  ///< the tick since which the energy is known to grow; -1: it does not
};

}  // namespace tactus::server
