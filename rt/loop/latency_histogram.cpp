#include "rt/loop/latency_histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tactus::rt {

namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;

}  // namespace

std::size_t LatencyHistogram::bucketOf(std::int64_t duration_ns) noexcept {
  // A value of `bits` bits keeps its leading kSubBits + 1 bits; the octave is what is shifted out.
  const auto value = static_cast<std::uint64_t>(std::max<std::int64_t>(duration_ns, 0));
  const int shift = std::max(static_cast<int>(std::bit_width(value)) - kSubBits - 1, 0);
  const std::size_t bucket = (static_cast<std::size_t>(shift) << kSubBits) + static_cast<std::size_t>(value >> shift);
  return std::min(bucket, kBuckets - 1);
}

std::int64_t LatencyHistogram::middleOf(std::size_t bucket) noexcept {
  // The first two octaves are one bucket a nanosecond.
  if (bucket < (2u << kSubBits)) return static_cast<std::int64_t>(bucket);
  const auto shift = static_cast<int>(bucket >> kSubBits) - 1;
  const auto leading = static_cast<std::int64_t>((bucket & ((1u << kSubBits) - 1)) | (1u << kSubBits));
  return (leading << shift) + (std::int64_t{1} << (shift - 1));
}

void LatencyHistogram::record(std::int64_t duration_ns, std::int64_t tick) noexcept {
  const std::int64_t value = std::max<std::int64_t>(duration_ns, 0);
  const std::uint64_t count = count_.load(kRelaxed);
  if (count == 0 || value < minimum_.load(kRelaxed)) minimum_.store(value, kRelaxed);
  if (count == 0 || value > maximum_.load(kRelaxed)) {
    maximum_.store(value, kRelaxed);
    worst_tick_.store(tick, kRelaxed);
  }
  addRelaxed(sum_, static_cast<double>(value));
  addRelaxed<std::uint64_t>(buckets_[bucketOf(value)], 1);
  count_.store(count + 1, kRelaxed);
}

LatencySummary LatencyHistogram::summary() const noexcept {
  // One copy of the buckets serves all percentiles, so that they are in order.
  std::array<std::uint64_t, kBuckets> copy;
  LatencySummary result;
  for (std::size_t i = 0; i < kBuckets; ++i) {
    result.count += copy[i] = buckets_[i].load(kRelaxed);
    const auto octave = static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(middleOf(i))));
    result.octaves[std::min(octave, kOctaves - 1)] += copy[i];
  }
  if (result.count == 0) return result;

  result.minimum = minimum_.load(kRelaxed);
  result.maximum = std::max(maximum_.load(kRelaxed), result.minimum);
  result.worst_tick = worst_tick_.load(kRelaxed);
  result.mean = sum_.load(kRelaxed) / static_cast<double>(result.count);

  // Nearest rank: the smallest value that at least the share p of all values does not exceed.
  const auto percentile = [&](std::uint64_t per_mille) {
    const std::uint64_t rank = std::max<std::uint64_t>((result.count * per_mille + 999) / 1000, 1);
    std::uint64_t below = 0;
    std::size_t bucket = 0;
    while (bucket + 1 < kBuckets && below + copy[bucket] < rank) below += copy[bucket++];
    return std::clamp(middleOf(bucket), result.minimum, result.maximum);
  };
  result.p50 = percentile(500);
  result.p90 = percentile(900);
  result.p99 = percentile(990);
  result.p999 = percentile(999);
  return result;
}

void LatencyHistogram::clear() noexcept {
  for (auto& bucket : buckets_) bucket.store(0, kRelaxed);
  sum_.store(0, kRelaxed);
  minimum_.store(0, kRelaxed);
  maximum_.store(0, kRelaxed);
  worst_tick_.store(0, kRelaxed);
  count_.store(0, kRelaxed);
}

}  // namespace tactus::rt
