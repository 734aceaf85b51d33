// The newest of many measured times, and their percentiles.
#pragma once

#include "clients/cpp/percentile.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tactus::example {

/// Keeps the newest values only, so that a run may take days. The maximum is that of all values.
class Latencies {
 public:
  explicit Latencies(std::size_t kept = 100'000) : kept_(kept) {}

  /// @param[in] nanoseconds  a negative time, which clocks of two machines can give, counts as zero
  void add(std::int64_t nanoseconds) {
    const std::int64_t value = std::max<std::int64_t>(nanoseconds, 0);
    if (values_.size() < kept_)
      values_.push_back(value);
    else
      values_[count_ % kept_] = value;
    ++count_;
    maximum_ = std::max(maximum_, value);
  }

  std::uint64_t count() const noexcept { return count_; }
  std::int64_t maximum() const noexcept { return maximum_; }

  /// The value that a share of the kept values does not exceed, ns; 0 if there is none.
  std::int64_t percentile(double share) const {
    std::vector<std::int64_t> values = values_;
    return client::percentileOf(values, share);
  }

 private:
  std::size_t kept_;
  std::vector<std::int64_t> values_;
  std::uint64_t count_ = 0;
  std::int64_t maximum_ = 0;
};

}  // namespace tactus::example
