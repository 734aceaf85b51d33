// LatestValue: hands the newest complete value of one thread to another; neither ever waits.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace tactus::rt {

/// A triple buffer: one writer thread at a time, one reader thread.
///
/// The writer fills its own buffer and exchanges it for the one in the middle; the reader exchanges its own for the
/// middle when that is new. No buffer is ever seen by both, so a value cannot be torn. T is copied by assignment,
/// which must not allocate for values of the size of the prototype.
template <class T>
class LatestValue {
 public:
  /// Sizes all three buffers like `prototype`.
  explicit LatestValue(const T& prototype) : slots_{Slot{prototype}, Slot{prototype}, Slot{prototype}} {}

  LatestValue(const LatestValue&) = delete;
  LatestValue& operator=(const LatestValue&) = delete;

  /// Makes `value` the newest. @rt wait-free, no allocation
  void offer(const T& value) noexcept {
    Slot& slot = slots_[back_];
    slot.value = value;
    slot.serial = ++offered_;
    back_ = middle_.exchange(back_ | kFresh, std::memory_order_acq_rel) & kIndex;
  }

  struct Taken {
    const T* value;            ///< the newest, valid until the next take(); null if nothing is new
    std::uint64_t superseded;  ///< values offered since the last take() and replaced before this one
  };

  /// The newest value, once. @rt wait-free, no allocation
  Taken take() noexcept {
    // Looking before exchanging keeps the cache line shared while nothing is new.
    if (!(middle_.load(std::memory_order_relaxed) & kFresh)) return {nullptr, 0};
    front_ = middle_.exchange(front_, std::memory_order_acq_rel) & kIndex;
    const Slot& slot = slots_[front_];
    const std::uint64_t superseded = slot.serial - taken_ - 1;
    taken_ = slot.serial;
    return {&slot.value, superseded};
  }

 private:
  static constexpr std::uint32_t kIndex = 3, kFresh = 4;

  struct alignas(64) Slot {
    T value;
    std::uint64_t serial = 0;  ///< counts the offers, from 1
  };

  std::array<Slot, 3> slots_;
  alignas(64) std::atomic<std::uint32_t> middle_{1};  ///< index of the buffer in the middle, and kFresh
  alignas(64) std::uint32_t back_ = 0;                ///< the writer's buffer
  std::uint64_t offered_ = 0;
  alignas(64) std::uint32_t front_ = 2;  ///< the reader's buffer
  std::uint64_t taken_ = 0;
};

}  // namespace tactus::rt
