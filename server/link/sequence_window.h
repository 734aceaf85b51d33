// SequenceWindow: which numbers of a sender have arrived. It tells a duplicate from a number that was overtaken.
#pragma once

#include <cstdint>
#include <utility>

namespace tactus::server {

class SequenceWindow {
 public:
  enum class Verdict : std::uint8_t {
    kFresh,      ///< above all before
    kDuplicate,  ///< has arrived before
    kOvertaken,  ///< a newer one has arrived before it
    kOld,        ///< further back than the window: it may have arrived before
  };

  /// Numbers back from the newest of which it is known whether they have arrived.
  static constexpr std::uint64_t kReach = 64;

  /// Records an authentic number, from 1. The first one may be any.
  Verdict record(std::uint64_t number) noexcept {
    if (first_ == 0) {
      first_ = newest_ = number;
      seen_ = 1;
      return Verdict::kFresh;
    }
    if (number > newest_) {
      const std::uint64_t step = number - newest_;
      if (std::exchange(expects_gap_, false))
        first_ = number;
      else
        lost_ += step - 1;
      seen_ = step < kReach ? seen_ << step | 1 : 1;
      newest_ = number;
      return Verdict::kFresh;
    }
    const std::uint64_t back = newest_ - number;
    if (back >= kReach) return Verdict::kOld;
    if (seen_ >> back & 1) return Verdict::kDuplicate;
    seen_ |= std::uint64_t{1} << back;
    if (number > first_) --lost_;
    return Verdict::kOvertaken;
  }

  /// Numbers between the first and the newest, but for expected gaps, that have not arrived. One that arrives too late
  /// for the window, or after an expected gap behind it, stays counted.
  std::uint64_t lost() const noexcept { return lost_; }

  /// The numbers that the next fresh one leaves out do not count as lost.
  void expectGap() noexcept { expects_gap_ = true; }

  std::uint64_t newest() const noexcept { return newest_; }

 private:
  std::uint64_t first_ = 0;  ///< or the first one after the newest expected gap
  std::uint64_t newest_ = 0, lost_ = 0;
  bool expects_gap_ = false;
  std::uint64_t seen_ = 0;  ///< bit k: number newest - k has arrived
};

}  // namespace tactus::server
