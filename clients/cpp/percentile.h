// Percentiles of measured times.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tactus::client {

/// The value that a share of all values does not exceed, by nearest rank: a value that occurred.
/// @param[in,out] values  reordered, not sorted
/// @param[in]     share   0 to 1
/// @returns 0 if there is no value
inline std::int64_t percentileOf(std::vector<std::int64_t>& values, double share) {
  if (values.empty()) return 0;
  const auto count = static_cast<double>(values.size());
  const auto rank = static_cast<std::ptrdiff_t>(std::clamp(std::ceil(share * count), 1.0, count));
  const auto place = values.begin() + (rank - 1);
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

}  // namespace tactus::client
