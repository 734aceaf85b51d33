// ScheduledInputs: inputs of one thread that wait for their tick; neither side ever waits for the other.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace tactus::rt {

/// What happens to an input that is offered for a tick.
enum class ScheduleResult : std::uint8_t {
  kKept,
  kFull,        ///< ignored: there is no room for another one
  kOutOfOrder,  ///< ignored: an input for a later tick waits already
};

/// A ring: one writer thread at a time, one reader thread, and threads that clear it. T is copied by assignment, which
/// must not allocate for values of the size of the prototype.
template <class T>
class ScheduledInputs {
 public:
  static constexpr std::size_t kCapacity = 64;

  explicit ScheduledInputs(const T& prototype) : slots_(kCapacity, Slot{0, prototype}), due_(prototype) {}

  ScheduledInputs(const ScheduledInputs&) = delete;
  ScheduledInputs& operator=(const ScheduledInputs&) = delete;

  /// @rt wait-free, no allocation
  ScheduleResult offer(std::int64_t tick, const T& value) noexcept {
    const std::uint64_t end = end_.load(std::memory_order_relaxed);
    const std::uint64_t waiting = end - begin_.load(std::memory_order_acquire);
    if (waiting == kCapacity) return ScheduleResult::kFull;
    if (waiting > 0 && slots_[(end - 1) % kCapacity].tick > tick) return ScheduleResult::kOutOfOrder;
    Slot& slot = slots_[end % kCapacity];
    slot.tick = tick;
    slot.value = value;
    end_.store(end + 1, std::memory_order_release);
    return ScheduleResult::kKept;
  }

  struct Due {
    const T* value = nullptr;      ///< the last one that was offered for the tick; valid until the next take()
    std::uint64_t superseded = 0;  ///< others for the tick
    std::uint64_t late = 0;        ///< for an earlier tick
  };

  /// Takes the values for `tick` and for earlier ticks; nothing while another thread is in clear(). `counts` tells
  /// whether a value is still valid.
  /// @rt no allocation, at most kCapacity copies, never waits
  template <class Counts>
  Due take(std::int64_t tick, Counts&& counts) noexcept {
    Due due;
    const std::uint64_t end = end_.load(std::memory_order_acquire);
    if (begin_.load(std::memory_order_acquire) >= end || in_use_.exchange(true, std::memory_order_acquire)) return due;
    std::uint64_t begin = begin_.load(std::memory_order_relaxed);
    for (; begin < end && slots_[begin % kCapacity].tick <= tick; ++begin) {
      const Slot& slot = slots_[begin % kCapacity];
      if (!counts(slot.value)) continue;
      if (slot.tick < tick) {
        ++due.late;
        continue;
      }
      if (due.value) ++due.superseded;
      due_ = slot.value;
      due.value = &due_;
    }
    begin_.store(begin, std::memory_order_release);
    in_use_.store(false, std::memory_order_release);
    return due;
  }

  /// Drops all values. Any thread but the reader while it takes; waits until a take() under way has ended.
  void clear() noexcept {
    while (in_use_.exchange(true, std::memory_order_acquire)) std::this_thread::yield();
    begin_.store(end_.load(std::memory_order_acquire), std::memory_order_release);
    in_use_.store(false, std::memory_order_release);
  }

 private:
  struct Slot {
    std::int64_t tick = 0;
    T value;
  };

  std::vector<Slot> slots_;
  T due_;                                            ///< the reader's
  alignas(64) std::atomic<std::uint64_t> begin_{0};  ///< oldest value that waits; moved by whoever has set in_use_
  std::atomic<bool> in_use_{false};                  ///< a thread takes or clears
  alignas(64) std::atomic<std::uint64_t> end_{0};    ///< moved by the writer
};

}  // namespace tactus::rt
