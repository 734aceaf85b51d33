// SentValues: the values that an input of some actuators leaves as they are. They are those that a stream has sent and
// the server has not refused.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tactus::client {

/// The values of all inputs of a stream, and what each of the last inputs changed. Used under one lock.
class SentValues {
 public:
  /// Positions and values.
  using Changes = std::vector<std::pair<int, double>>;

  /// In the order of the inputs of the stream.
  void begin(std::vector<double> values) {
    newest_ = std::move(values);
    before_ = newest_;
  }

  const std::vector<double>& newest() const noexcept { return newest_; }

  /// The changes of the next input: write them, and then call add(). An input with the same sequence was not sent.
  Changes& next() noexcept {
    Changes& changes = entryAt(count_).changes;
    changes.clear();
    return changes;
  }

  /// Changes values with an input. The number rises from call to call.
  void add(std::uint64_t sequence) {
    entryAt(count_).sequence = sequence;
    apply(entryAt(count_), newest_);
    if (++count_ < kEntries) return;
    apply(entryAt(0), before_);
    oldest_ = (oldest_ + 1) % kEntries;
    --count_;
  }

  /// Takes back what an input changed and no later one has changed again.
  void forget(std::uint64_t sequence) {
    bool found = false;
    for (std::size_t i = 0; i < count_; ++i) {
      Entry& entry = entryAt(i);
      if (entry.sequence != sequence) continue;
      entry.changes.clear();
      found = true;
    }
    if (!found) return;
    newest_ = before_;
    for (std::size_t i = 0; i < count_; ++i) apply(entryAt(i), newest_);
  }

 private:
  // One more than the inputs that can be forgotten; a refusal arrives after a few ticks.
  static constexpr std::size_t kEntries = 257;

  struct Entry {
    std::uint64_t sequence = 0;
    Changes changes;
  };

  Entry& entryAt(std::size_t i) noexcept { return entries_[(oldest_ + i) % kEntries]; }
  static void apply(const Entry& entry, std::vector<double>& values) {
    for (const auto& [position, value] : entry.changes) values[static_cast<std::size_t>(position)] = value;
  }

  std::vector<double> newest_, before_;  ///< before_: without the changes that are kept
  std::array<Entry, kEntries> entries_;  ///< a ring; its memory is used again
  std::size_t oldest_ = 0, count_ = 0;
};

}  // namespace tactus::client
