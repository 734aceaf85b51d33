// Numbers of the segments of a Chain side by side: each quantity has a row, one number a segment, so that a lane group
// writes or reads one vector.
#pragma once

#include "rt/math/lanes.h"
#include "rt/math/symmetric3.h"

#include <cstddef>
#include <vector>

namespace tactus::rt {

class SegmentRows {
 public:
  SegmentRows() = default;
  /// All zero. A row begins with one number for ground and ends with those of one more lane group.
  SegmentRows(int rows, int segments)
      : stride_((segments + 3 * kLine - 1) / kLine * kLine), lines_(static_cast<std::size_t>(rows * stride_ / kLine)) {}

  int stride() const noexcept { return stride_; }  ///< from a row to the next
  double* at(int row, int segment) noexcept {
    return reinterpret_cast<double*>(lines_.data()) + row * stride_ + kLine + segment;
  }
  const double* at(int row, int segment) const noexcept {
    return reinterpret_cast<const double*>(lines_.data()) + row * stride_ + kLine + segment;
  }

  // Vectors: rows that follow each other.
  Eigen::Vector3d vector(int row, int segment) const noexcept {
    const double* x = at(row, segment);
    return {x[0], x[stride_], x[2 * stride_]};
  }
  void setVector(int row, int segment, const Eigen::Vector3d& value) noexcept {
    for (int k = 0; k < 3; ++k) *at(row + k, segment) = value[k];
  }

 private:
  static constexpr int kLine = 8;  ///< doubles of a cache line
  struct alignas(64) Line {
    double values[kLine] = {};
  };
  int stride_ = 0;
  std::vector<Line> lines_;
};

/// The vector of W segments.
template <int W>
TACTUS_INLINE Eigen::Matrix<Lanes<W>, 3, 1> lanesAt(const SegmentRows& rows, int row, int segment) noexcept {
  const double* x = rows.at(row, segment);
  const std::ptrdiff_t stride = rows.stride();
  return {Lanes<W>::from(x), Lanes<W>::from(x + stride), Lanes<W>::from(x + 2 * stride)};
}

template <int W>
TACTUS_INLINE void putLanes(const Eigen::Matrix<Lanes<W>, 3, 1>& value, int row, int segment,
                            SegmentRows& rows) noexcept {
  double* x = rows.at(row, segment);
  const std::ptrdiff_t stride = rows.stride();
  for (int k = 0; k < 3; ++k) value[k].to(x + k * stride);
}

template <int W>
TACTUS_INLINE void putLanes(const Symmetric3<Lanes<W>>& value, int row, int segment, SegmentRows& rows) noexcept {
  double* x = rows.at(row, segment);
  const std::ptrdiff_t stride = rows.stride();
  value.xx.to(x), value.yx.to(x + stride), value.zx.to(x + 2 * stride);
  value.yy.to(x + 3 * stride), value.zy.to(x + 4 * stride), value.zz.to(x + 5 * stride);
}

}  // namespace tactus::rt
