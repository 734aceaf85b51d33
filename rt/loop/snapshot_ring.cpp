#include "rt/loop/snapshot_ring.h"

#include "rt/error.h"
#include "rt/loop/futex.h"
#include "rt/loop/time_source.h"

#include <algorithm>
#include <array>
#include <bit>
#include <climits>
#include <cstring>
#include <string>
#include <type_traits>

namespace tactus::rt {

namespace {

constexpr auto kRelease = std::memory_order_release;
constexpr auto kAcquire = std::memory_order_acquire;

static_assert(std::is_trivially_copyable_v<SnapshotHeader>);
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

constexpr std::size_t kHeaderWords = (sizeof(SnapshotHeader) + 7) / 8;
constexpr std::size_t kHeader = 1;                      // first word of the header in a slot
constexpr std::size_t kState = kHeader + kHeaderWords;  // first word of the state
constexpr std::size_t kCacheLine = 8;                   // words
constexpr std::size_t kPrefetched = 64 * kCacheLine;    // words; hardware prefetch covers the rest

using HeaderWords = std::array<std::uint64_t, kHeaderWords>;

// Lowest bit of the signal.
constexpr std::uint32_t kSleeper = 1;

// Version of a slot: 2 i when it holds publication i, 2 i - 1 while that is being written.
constexpr std::uint64_t complete(std::uint64_t index) {
  return 2 * index;
}
constexpr std::uint64_t inWork(std::uint64_t index) {
  return 2 * index - 1;
}

}  // namespace

SnapshotRing::SnapshotRing(const Snapshot& prototype, std::size_t capacity)
    : capacity_(capacity),
      state_size_(prototype.state.size()),
      inputs_size_(prototype.inputs.size()),
      history_size_(prototype.input_history.size()),
      slot_words_((kState + state_size_ + inputs_size_ + history_size_ + kCacheLine - 1) / kCacheLine * kCacheLine) {
  if (capacity < 2) throw Error("ring capacity = " + std::to_string(capacity) + ": must be 2 or more");
  words_ = std::make_unique<Word[]>(capacity_ * slot_words_);
}

void SnapshotRing::prefetchNext() const noexcept {
  const Word* const next = slot(newest_.load(std::memory_order_relaxed) + 1);
  for (std::size_t i = 0; i < std::min(slot_words_, kPrefetched); i += kCacheLine) __builtin_prefetch(next + i, 1);
}

std::uint64_t SnapshotRing::publish(const SnapshotHeader& header, std::span<const double> state,
                                    std::span<const double> inputs, std::span<const double> input_history) noexcept {
  const std::uint64_t index = newest_.load(std::memory_order_relaxed) + 1;
  Word* const word = slot(index);

  // A reader that sees any of the following words also sees that the slot is being written.
  word[0].store(inWork(index), std::memory_order_relaxed);
  HeaderWords header_words{};
  std::memcpy(header_words.data(), &header, sizeof header);
  for (std::size_t i = 0; i < kHeaderWords; ++i) word[kHeader + i].store(header_words[i], kRelease);
  Word* const values = word + kState;
  for (std::size_t i = 0; i < state_size_; ++i) values[i].store(std::bit_cast<std::uint64_t>(state[i]), kRelease);
  for (std::size_t i = 0; i < inputs_size_; ++i) {
    values[state_size_ + i].store(std::bit_cast<std::uint64_t>(inputs[i]), kRelease);
  }
  Word* const history = values + state_size_ + inputs_size_;
  for (std::size_t i = 0; i < history_size_; ++i) {
    const double value = input_history.empty() ? 0.0 : input_history[i];
    history[i].store(std::bit_cast<std::uint64_t>(value), kRelease);
  }
  word[0].store(complete(index), kRelease);
  newest_.store(index, kRelease);

  // Signal the publication; a system call only if a reader sleeps.
  const std::uint32_t before = signal_.exchange(static_cast<std::uint32_t>(index) << 1, std::memory_order_acq_rel);
  if (before & kSleeper) futexWake(signal_, INT_MAX);
  return index;
}

std::uint64_t SnapshotRing::newest(Snapshot& out) const {
  // A copy fails only if the producer has gone round the whole ring meanwhile.
  for (;;) {
    const std::uint64_t index = newestIndex();
    if (index == 0) return 0;
    if (read(index, out).result == ReadResult::kOk) return index;
  }
}

SnapshotRing::Read SnapshotRing::read(std::uint64_t index, Snapshot& out) const {
  const Word* const word = slot(index);
  const std::uint64_t version = word[0].load(kAcquire);
  if (index == 0 || version < complete(index)) return {ReadResult::kNotYet};

  if (version == complete(index)) {
    out.state.resize(state_size_);
    out.inputs.resize(inputs_size_);
    out.input_history.resize(history_size_);
    HeaderWords header_words;
    for (std::size_t i = 0; i < kHeaderWords; ++i) header_words[i] = word[kHeader + i].load(kAcquire);
    const Word* const values = word + kState;
    for (std::size_t i = 0; i < state_size_; ++i) out.state[i] = std::bit_cast<double>(values[i].load(kAcquire));
    for (std::size_t i = 0; i < inputs_size_; ++i) {
      out.inputs[i] = std::bit_cast<double>(values[state_size_ + i].load(kAcquire));
    }
    for (std::size_t i = 0; i < history_size_; ++i) {
      out.input_history[i] = std::bit_cast<double>(values[state_size_ + inputs_size_ + i].load(kAcquire));
    }
    // The acquire loads are ordered before this one.
    if (word[0].load(std::memory_order_relaxed) == version) {
      std::memcpy(static_cast<void*>(&out.header), header_words.data(), sizeof out.header);
      return {ReadResult::kOk};
    }
  }

  // The oldest publication that can still be in the ring.
  const std::uint64_t next = newestIndex() + 1;
  const std::uint64_t oldest = next > capacity_ ? next - capacity_ : 1;
  return {ReadResult::kOverwritten, oldest > index ? oldest - index : 1};
}

WaitResult SnapshotRing::waitNewer(std::uint64_t index, std::chrono::nanoseconds timeout) const noexcept {
  const std::int64_t deadline = timeout.count() < 0 ? kNever : monotonicTime().now() + timeout.count();
  for (bool in_time = true;;) {
    // The signal is read before the condition: a publication in between changes it, and the futex does not sleep.
    std::uint32_t signal = signal_.load(kAcquire);
    if (newestIndex() > index) return WaitResult::kNewer;
    if (closed_.load(kAcquire)) return WaitResult::kClosed;
    if (!in_time) return WaitResult::kTimeout;
    if (!(signal & kSleeper) && !signal_.compare_exchange_strong(signal, signal | kSleeper, std::memory_order_acq_rel))
      continue;
    in_time = futexWait(signal_, signal | kSleeper, deadline);
  }
}

void SnapshotRing::close() noexcept {
  closed_.store(true, kRelease);
  // Change the signal, so that no reader that has read it before falls asleep.
  signal_.fetch_xor(1u << 31, std::memory_order_acq_rel);
  futexWake(signal_, INT_MAX);
}

}  // namespace tactus::rt
