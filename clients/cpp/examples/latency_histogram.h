// Percentiles of durations in fixed memory, for runs of any length.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

/// Buckets of 1/64 of an octave: percentiles are right within 1.6 %, the maximum is exact.
class LatencyHistogram {
 public:
  /// @param[in] nanoseconds  negative values, which clocks of their own can give, count as zero
  void add(std::int64_t nanoseconds) noexcept {
    const auto value = static_cast<std::uint64_t>(std::max<std::int64_t>(nanoseconds, 0));
    ++buckets_[bucketOf(value)];
    ++count_;
    maximum_ = std::max(maximum_, value);
  }

  std::uint64_t count() const noexcept { return count_; }
  double maximum() const noexcept { return static_cast<double>(maximum_); }

  /// The value that a share `q` of all does not exceed, ns; 0 if there is none.
  double percentile(double q) const noexcept {
    const auto rank = static_cast<std::uint64_t>(std::ceil(q * static_cast<double>(count_)));
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < buckets_.size(); ++i) {
      seen += buckets_[i];
      if (seen >= std::max<std::uint64_t>(rank, 1)) return std::min(upperEdge(i), maximum());
    }
    return 0.0;
  }

 private:
  static constexpr unsigned kSubBits = 6;

  // Values below 64 have a bucket each; above, the six bits below the leading one choose it.
  static std::size_t bucketOf(std::uint64_t value) noexcept {
    if (value < (1u << kSubBits)) return static_cast<std::size_t>(value);
    const auto shift = static_cast<unsigned>(std::bit_width(value)) - 1 - kSubBits;
    return (static_cast<std::size_t>(shift) << kSubBits) + static_cast<std::size_t>(value >> shift);
  }

  static double upperEdge(std::size_t bucket) noexcept {
    if (bucket < (2u << kSubBits)) return static_cast<double>(bucket);
    const std::size_t shift = (bucket >> kSubBits) - 1;
    const std::size_t leading = (bucket & ((1u << kSubBits) - 1)) + (1u << kSubBits);
    return std::ldexp(static_cast<double>(leading + 1), static_cast<int>(shift)) - 1.0;
  }

  std::array<std::uint64_t, (64 - kSubBits + 1) << kSubBits> buckets_{};
  std::uint64_t count_ = 0;
  std::uint64_t maximum_ = 0;
};
