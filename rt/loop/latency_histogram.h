// LatencyHistogram: durations in log-linear buckets; bounded memory, a resolution of 1/32 of the value.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tactus::rt {

/// Adds to a counter that one thread writes and others read: a load and a store, no locked instruction.
template <class T>
void addRelaxed(std::atomic<T>& counter, T amount) noexcept {
  counter.store(counter.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
}

/// Octaves of a logarithmic histogram: number k holds the values from 2^(k-1) to 2^k - 1 ns, number 0 the values of 0
/// ns, the last one all longer values.
inline constexpr std::size_t kOctaves = 41;

/// Summary of a histogram. Durations in ns; zero if nothing was recorded.
struct LatencySummary {
  std::uint64_t count = 0;
  std::int64_t minimum = 0, p50 = 0, p90 = 0, p99 = 0, p999 = 0, maximum = 0;
  std::int64_t worst_tick = 0;  ///< the first tick that reached the maximum
  double mean = 0;
  std::array<std::uint64_t, kOctaves> octaves{};  ///< `count` values in all
};

/// One thread records; any thread can compute a summary. Buckets are 1 ns wide below 64 ns; above, each octave has 32
/// buckets, up to 2^40 ns (18 minutes). The last bucket takes all longer values.
class LatencyHistogram {
 public:
  /// @rt O(1), no allocation, no locked instruction
  void record(std::int64_t duration_ns, std::int64_t tick) noexcept;

  /// Percentiles by the nearest-rank rule, each the middle of its bucket: within 1/64 of the exact value. A value that
  /// is recorded at the same time may be missing.
  LatencySummary summary() const noexcept;

  /// Not while another thread records.
  void clear() noexcept;

  static std::size_t bucketOf(std::int64_t duration_ns) noexcept;
  static std::int64_t middleOf(std::size_t bucket) noexcept;

 private:
  static constexpr int kSubBits = 5;  // 32 buckets an octave
  static constexpr int kMaxBits = 40;
  static constexpr std::size_t kBuckets = static_cast<std::size_t>((kMaxBits - kSubBits + 1) << kSubBits);

  std::array<std::atomic<std::uint64_t>, kBuckets> buckets_{};
  std::atomic<double> sum_{0};  ///< cannot overflow
  std::atomic<std::int64_t> minimum_{0}, maximum_{0}, worst_tick_{0};
  std::atomic<std::uint64_t> count_{0};
};

}  // namespace tactus::rt
