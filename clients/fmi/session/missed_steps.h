// The steps of a unit whose results are not there in time.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>

namespace tactus::fmi {

/// Counts each missed step once, whichever of two threads finds it first: the thread that makes the steps, or the
/// thread that watches the ticks meanwhile. A step is named by the tick that it reads, a multiple of `every`; its
/// result is due `delay` ticks later.
class MissedSteps {
 public:
  MissedSteps(std::int64_t every, std::int64_t delay) : every_(every), delay_(delay), counted_(-every) {}

  /// The steps begin anew, after a start or a reset.
  void restart();
  /// A step that reads tick `at` begins. @param epoch  of that tick
  void begin(std::int64_t at, std::uint64_t epoch);
  /// The result of the step is there, or never comes.
  void end();

  /// The results of the steps `first` to `last` are missing. @returns how many of them count from now on
  std::int64_t count(std::int64_t first, std::int64_t last);
  /// There is a tick of this number. @returns how many results count as missing from now on: that of the step that is
  /// being made, if it is due by this tick, and those of the steps that it holds up
  std::int64_t look(std::int64_t tick, std::uint64_t epoch);

 private:
  std::int64_t countUpTo(std::int64_t first, std::int64_t last);

  const std::int64_t every_, delay_;
  std::mutex mutex_;
  std::optional<std::int64_t> made_;  ///< the step that is being made
  std::uint64_t epoch_ = 0;           ///< of the tick that this step reads
  std::int64_t counted_;              ///< the newest step that counts as missed
};

}  // namespace tactus::fmi
