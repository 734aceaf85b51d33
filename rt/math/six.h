// Six numbers in registers: translation and rotation of a body, or one side of a row of a Jacobian.
#pragma once

#include "rt/math/lanes.h"

#include <Eigen/Core>

namespace tactus::rt {

/// Four and two. Every operation works number by number, but for dot().
class Six {
 public:
  TACTUS_INLINE static Six zero() noexcept { return {Four{0, 0, 0, 0}, Two{0, 0}}; }
  TACTUS_INLINE static Six load(const double* from) noexcept {
    Six six;
    __builtin_memcpy(&six.four_, from, sizeof six.four_);
    __builtin_memcpy(&six.two_, from + 4, sizeof six.two_);
    return six;
  }
  TACTUS_INLINE static Six of(const Eigen::Vector3d& translation, const Eigen::Vector3d& rotation) noexcept {
    return {Four{translation[0], translation[1], translation[2], rotation[0]}, Two{rotation[1], rotation[2]}};
  }
  TACTUS_INLINE void store(double* to) const noexcept {
    __builtin_memcpy(to, &four_, sizeof four_);
    __builtin_memcpy(to + 4, &two_, sizeof two_);
  }

  TACTUS_INLINE Six& operator+=(const Six& b) noexcept {
    four_ += b.four_;
    two_ += b.two_;
    return *this;
  }
  TACTUS_INLINE Six& operator-=(const Six& b) noexcept {
    four_ -= b.four_;
    two_ -= b.two_;
    return *this;
  }
  TACTUS_INLINE friend Six operator+(const Six& a, const Six& b) noexcept {
    return {a.four_ + b.four_, a.two_ + b.two_};
  }
  TACTUS_INLINE friend Six operator-(const Six& a, const Six& b) noexcept {
    return {a.four_ - b.four_, a.two_ - b.two_};
  }
  TACTUS_INLINE friend Six operator*(double s, const Six& a) noexcept { return {s * a.four_, s * a.two_}; }

  /// a . b + c . d: a row times the motions of its two bodies.
  TACTUS_INLINE friend double dots(const Six& a, const Six& b, const Six& c, const Six& d) noexcept {
    const Four four = a.four_ * b.four_ + c.four_ * d.four_;
    const Two two = a.two_ * b.two_ + c.two_ * d.two_;
    const Two half = Two{four[0], four[1]} + Two{four[2], four[3]} + two;
    return half[0] + half[1];
  }

 private:
  friend class SixTwice;
  using Four = Register<4>::Type;
  typedef double Two __attribute__((vector_size(16)));

  Six() = default;
  TACTUS_INLINE Six(Four four, Two two) noexcept : four_(four), two_(two) {}

  Four four_;
  Two two_;
};

/// Two Sixes behind each other in three vectors, as the two sides of a row of a Jacobian are in memory.
class SixTwice {
 public:
  TACTUS_INLINE SixTwice(const Six& a, const Six& b) noexcept
      : low_(a.four_),
        middle_{a.two_[0], a.two_[1], b.four_[0], b.four_[1]},
        high_{b.four_[2], b.four_[3], b.two_[0], b.two_[1]} {}

  /// The products with twelve numbers; the sum of the four lanes is the sum of the twelve products.
  TACTUS_INLINE Lanes<4> products(const double* numbers) const noexcept {
    Register<4>::Type low, middle, high;
    __builtin_memcpy(&low, numbers, sizeof low);
    __builtin_memcpy(&middle, numbers + 4, sizeof middle);
    __builtin_memcpy(&high, numbers + 8, sizeof high);
    return Lanes<4>(low_ * low + middle_ * middle + high_ * high);
  }

 private:
  Register<4>::Type low_, middle_, high_;
};

/// R s, a column of R in one register.
TACTUS_INLINE Eigen::Vector3d rotate(const Eigen::Matrix3d& R, const Eigen::Vector3d& s) noexcept {
  using Four = Register<4>::Type;
  Four x, y, z;  // the last of x and y is not read, nor the first of z before its shuffle: loads stay within R
  __builtin_memcpy(&x, R.data(), sizeof x);
  __builtin_memcpy(&y, R.data() + 3, sizeof y);
  __builtin_memcpy(&z, R.data() + 5, sizeof z);
  const Four sum = x * s[0] + y * s[1] + __builtin_shufflevector(z, z, 1, 2, 3, 3) * s[2];
  return {sum[0], sum[1], sum[2]};
}

}  // namespace tactus::rt
