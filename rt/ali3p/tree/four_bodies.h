// Bodies of a tree four at a time: their numbers between memory and lanes.
#pragma once

#include "rt/ali3p/tree/workspace.h"
#include "rt/math/lane_transpose.h"

#include <algorithm>
#include <cstddef>
#include <type_traits>

namespace tactus::rt {

struct FourBodies {
  static constexpr int kLanes = 4;
  using Scalar = Lanes<kLanes>;
  using Vector3 = Eigen::Matrix<Scalar, 3, 1>;
  using Vector4 = Eigen::Matrix<Scalar, 4, 1>;
  using Matrix3 = Eigen::Matrix<Scalar, 3, 3>;

  std::size_t index[kLanes];

  /// Bodies of a list from `first` on; beyond the last one, that one again.
  TACTUS_INLINE FourBodies(const std::vector<int>& bodies, std::size_t first) noexcept {
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      index[lane] = static_cast<std::size_t>(bodies[std::min(first + lane, bodies.size() - 1)]);
  }
  /// Numbers of each from `offset` on, in an array of elements of `stride` numbers.
  template <int N>
  TACTUS_INLINE void read(const double* array, int stride, int offset, Scalar (&values)[N]) const noexcept {
    const double* rows[kLanes];
    for (int lane = 0; lane < kLanes; ++lane)
      rows[lane] = array + static_cast<std::size_t>(stride) * index[lane] + offset;
    gather(rows, values);
  }
  template <int N>
  TACTUS_INLINE void write(const Scalar (&values)[N], double* array, int stride, int offset) const noexcept {
    double* rows[kLanes];
    for (int lane = 0; lane < kLanes; ++lane)
      rows[lane] = array + static_cast<std::size_t>(stride) * index[lane] + offset;
    scatter(values, rows);
  }
};

template <int Rows, int Columns>
TACTUS_INLINE void put(const Eigen::Matrix<FourBodies::Scalar, Rows, Columns>& from, FourBodies::Scalar* to) noexcept {
  for (int k = 0; k < Rows * Columns; ++k) to[k] = from.data()[k];
}

// Elements as plain numbers. Where each member stands follows from the types; the assertions hold what the kernels rely
// on beyond that.
inline constexpr std::size_t kNumber = sizeof(double);
static_assert(std::is_standard_layout_v<BodyMotion>);
static_assert(std::is_standard_layout_v<RotationIterate>);
static_assert(std::is_standard_layout_v<Body>);
static_assert(std::is_standard_layout_v<Load>);
static_assert(std::is_standard_layout_v<BodyTangent>);
inline constexpr int kMotionR = offsetof(BodyMotion, r) / kNumber, kMotionRotation = offsetof(BodyMotion, R) / kNumber;
inline constexpr int kMotionV = offsetof(BodyMotion, v) / kNumber,
                     kMotionOmega = offsetof(BodyMotion, omega_w) / kNumber;
inline constexpr int kMotionA = offsetof(BodyMotion, a) / kNumber,
                     kMotionAlpha = offsetof(BodyMotion, alpha_w) / kNumber;
inline constexpr int kMotionNumbers = sizeof(BodyMotion) / kNumber;
static_assert(kMotionNumbers == kMotionAlpha + 3, "BodyMotion is written as a whole: it may have no further member");
inline constexpr int kRates = offsetof(RotationIterate, omega) / kNumber;
inline constexpr int kRotationStride = sizeof(RotationIterate) / kNumber;
static_assert(offsetof(RotationIterate, alpha) / kNumber == kRates + 3, "omega and alpha are moved as six numbers");
inline constexpr int kP = offsetof(RotationIterate, p) / kNumber, kPPrev = offsetof(RotationIterate, p_prev) / kNumber;
inline constexpr int kSpin = offsetof(RotationIterate, spin) / kNumber,
                     kDrift = offsetof(RotationIterate, drift) / kNumber;
static_assert(kP == 0 && kPPrev == 4 && kSpin == 8 && kDrift == 12, "p to drift are moved as sixteen numbers");
inline constexpr int kBodyNumbers = sizeof(Body) / kNumber;
static_assert(offsetof(Body, inertia) == kNumber && kBodyNumbers == 10, "mass and inertia are moved as ten numbers");
inline constexpr int kLoadNumbers = sizeof(Load) / kNumber;
static_assert(offsetof(Load, torque) == 3 * kNumber && kLoadNumbers == 6, "force and torque are moved as six numbers");
inline constexpr int kTangentNumbers = sizeof(BodyTangent) / kNumber,
                     kInverse = offsetof(BodyTangent, w_mass) / kNumber;
static_assert(offsetof(BodyTangent, J_hat) == kNumber && kInverse == 10, "m_hat and J_hat are moved as ten numbers");
static_assert(offsetof(BodyTangent, w_J) / kNumber == kInverse + 1, "w_mass and w_J are moved as ten numbers");

template <class Element>
TACTUS_INLINE double* numbersOf(std::vector<Element>& elements) noexcept {
  return reinterpret_cast<double*>(elements.data());
}
template <class Element>
TACTUS_INLINE const double* numbersOf(const std::vector<Element>& elements) noexcept {
  return reinterpret_cast<const double*>(elements.data());
}

}  // namespace tactus::rt
