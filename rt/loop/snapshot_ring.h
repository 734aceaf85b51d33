// SnapshotRing: the tick publishes Snapshots, any number of readers copy them; the tick never waits for a reader.
#pragma once

#include "rt/state/snapshot.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tactus::rt {

enum class ReadResult : std::uint8_t {
  kOk,
  kOverwritten,  ///< the producer has reused the slot
  kNotYet,       ///< not published
};

enum class WaitResult : std::uint8_t { kNewer, kTimeout, kClosed };

/// Broadcast ring of the newest publications, one seqlock a slot.
///
/// Publications are numbered 1, 2, 3, ...; number i lies in slot i mod capacity. The cost of publishing does not
/// depend on the number of readers, except for one futex call when a reader sleeps in waitNewer(). If several readers
/// sleep, put a ReaderWaker in between: then a publication wakes one thread at most.
///
/// A slot is an array of 64-bit atomics, written with release and read with acquire order: on x86 these are plain
/// moves, and a torn copy shows in the slot's version.
class SnapshotRing {
 public:
  /// Slots for Snapshots of the shape of `prototype`. @throws Error if capacity is below 2
  SnapshotRing(const Snapshot& prototype, std::size_t capacity);

  SnapshotRing(const SnapshotRing&) = delete;
  SnapshotRing& operator=(const SnapshotRing&) = delete;

  // ---- the producer: one thread at a time ----

  /// Prefetches the beginning of the next slot. The slot was written a whole ring ago and has left the cache; its lines
  /// arrive while the step is computed, and publish() need not wait for them.
  /// @rt wait-free; a fixed number of prefetches
  void prefetchNext() const noexcept;

  /// Copies one Snapshot into the next slot and makes it the newest. A missing history is filled with zeros.
  /// @returns its publication index
  /// @rt wait-free, no allocation, at most one system call, and that only if a reader sleeps
  std::uint64_t publish(const SnapshotHeader& header, std::span<const double> state, std::span<const double> inputs,
                        std::span<const double> input_history = {}) noexcept;

  // ---- readers: any thread. A Snapshot that does not have the ring's shape is resized by the first read. ----

  /// Index of the newest publication; 0 before the first.
  std::uint64_t newestIndex() const noexcept { return newest_.load(std::memory_order_acquire); }

  /// Copies the newest publication. @returns its index; 0 if there is none yet, and `out` is untouched
  std::uint64_t newest(Snapshot& out) const;

  struct Read {
    ReadResult result;
    std::uint64_t lost = 0;  ///< of kOverwritten: publications from `index` on that are gone; continue at index + lost
  };

  /// Copies publication `index`, from 1. `out` is unspecified unless the result is kOk.
  Read read(std::uint64_t index, Snapshot& out) const;

  /// Sleeps until there is a publication after `index`, or until the timeout; a negative timeout means to wait forever.
  /// After close(), publications after `index` still give kNewer.
  WaitResult waitNewer(std::uint64_t index, std::chrono::nanoseconds timeout) const noexcept;

  /// Ends every wait, now and later. Publishing and reading continue.
  void close() noexcept;

  std::size_t capacity() const noexcept { return capacity_; }

 private:
  using Word = std::atomic<std::uint64_t>;

  Word* slot(std::uint64_t index) const noexcept { return words_.get() + (index % capacity_) * slot_words_; }

  std::size_t capacity_;
  std::size_t state_size_, inputs_size_, history_size_;
  std::size_t slot_words_;  ///< version, header, state, inputs and their history, rounded up to whole cache lines
  std::unique_ptr<Word[]> words_;
  alignas(64) std::atomic<std::uint64_t> newest_{0};
  mutable std::atomic<std::uint32_t> signal_{0};  ///< changes with each publication; lowest bit: a reader sleeps
  std::atomic<bool> closed_{false};
};

}  // namespace tactus::rt
