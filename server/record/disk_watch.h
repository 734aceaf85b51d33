// DiskWatch: says what threatens a recording before data are lost: a disk that takes nothing, and one that will be
// full.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace tactus::server {

/// How the disk of a recording does.
struct DiskSight {
  std::uint64_t written = 0;            ///< bytes in the file
  std::size_t waiting = 0;              ///< bytes in memory that the disk has not taken
  std::size_t most_waiting = 0;         ///< bytes that memory can hold
  std::optional<std::uint64_t> room{};  ///< bytes that still fit into the file; none: not known
};

/// For one thread. Reads no clock and no disk.
class DiskWatch {
 public:
  using Time = std::chrono::steady_clock::time_point;

  static constexpr std::chrono::seconds kStuck{2};               ///< without a byte written: the disk is stuck,
  static constexpr std::chrono::seconds kAgain{10};              ///< and is reported again after each such time
  static constexpr std::chrono::seconds kEarly{600}, kLate{60};  ///< before the disk is full: reported once each

  /// Looks, about once a second.
  /// @returns what is to be reported now; empty if there is nothing
  std::string look(Time now, const DiskSight& sight);

 private:
  void measure(Time now, const DiskSight& sight);
  std::string stuck(Time now, const DiskSight& sight);
  std::string full(const DiskSight& sight);

  // Bytes a second that the recording makes, and by which the room shrinks, over about ten seconds.
  Time window_{};
  std::optional<std::uint64_t> made_;
  std::optional<std::uint64_t> room_;
  double rate_ = 0, shrinking_ = 0;
  bool measured_ = false;

  Time moved_{};  ///< newest look at which the disk had taken something, or had nothing to take
  std::uint64_t written_ = 0;
  std::optional<Time> told_stuck_;
  std::chrono::seconds told_full_ = std::chrono::seconds::max();  ///< the last of kEarly, kLate that was reported
};

}  // namespace tactus::server
