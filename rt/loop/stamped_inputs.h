// StampedInputs: values of one thread that wait for the tick that they name; neither side ever waits for the other.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tactus::rt {

/// What becomes of a value that names its tick.
enum class Stamping : std::uint8_t {
  kKept,
  kFull,     ///< as many wait as there is room for
  kFalling,  ///< one for a later tick waits already
};

/// A ring: one writer thread at a time, one reader thread. T is copied by assignment, which must not allocate for
/// values of the size of the prototype.
template <class T>
class StampedInputs {
 public:
  static constexpr std::size_t kCapacity = 64;

  explicit StampedInputs(const T& prototype) : slots_(kCapacity, Slot{0, prototype}), due_(prototype) {}

  StampedInputs(const StampedInputs&) = delete;
  StampedInputs& operator=(const StampedInputs&) = delete;

  /// @rt wait-free, no allocation
  Stamping offer(std::int64_t tick, const T& value) noexcept {
    const std::uint64_t end = end_.load(std::memory_order_relaxed);
    const std::uint64_t waiting = end - begin_.load(std::memory_order_acquire);
    if (waiting == kCapacity) return Stamping::kFull;
    if (waiting > 0 && slots_[(end - 1) % kCapacity].tick > tick) return Stamping::kFalling;
    Slot& slot = slots_[end % kCapacity];
    slot.tick = tick;
    slot.value = value;
    end_.store(end + 1, std::memory_order_release);
    return Stamping::kKept;
  }

  struct Due {
    const T* value = nullptr;      ///< of the tick, the last one that names it; valid until the next take()
    std::uint64_t superseded = 0;  ///< others that named it
    std::uint64_t late = 0;        ///< named a tick before it
  };

  /// Takes those for `tick` and those before; `counts` says of a value whether it still has a right to be one.
  /// @rt no allocation, at most kCapacity copies
  template <class Counts>
  Due take(std::int64_t tick, Counts&& counts) noexcept {
    Due due;
    const std::uint64_t end = end_.load(std::memory_order_acquire);
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
    return due;
  }

  /// Of the reader: nothing waits any more.
  void clear() noexcept { begin_.store(end_.load(std::memory_order_acquire), std::memory_order_release); }

 private:
  struct Slot {
    std::int64_t tick = 0;
    T value;
  };

  std::vector<Slot> slots_;
  T due_;                                            ///< the reader's
  alignas(64) std::atomic<std::uint64_t> begin_{0};  ///< of those that wait; moved by the reader
  alignas(64) std::atomic<std::uint64_t> end_{0};    ///< moved by the writer
};

}  // namespace tactus::rt
