// Lanes: several doubles that go through the same arithmetic at once, as a scalar type of Eigen.
#pragma once

#include "rt/math/worst.h"

#include <Eigen/Core>

#include <immintrin.h>

#include <cmath>

/// Lanes are only worth their name in registers: a call would pass them through memory, or, between code for different
/// instruction sets, not at all.
#define TACTUS_INLINE [[gnu::always_inline]] inline

namespace tactus::rt {

/// The register of W doubles.
template <int W>
struct Register;
template <>
struct Register<4> {
  typedef double Type __attribute__((vector_size(32)));
};
template <>
struct Register<8> {
  typedef double Type __attribute__((vector_size(64)));
};

/// A scalar of W independent values, 4 or 8. Every operation works lane by lane and rounds as the same one on doubles.
template <int W>
class Lanes {
 public:
  using Vector = typename Register<W>::Type;

  Lanes() = default;
  TACTUS_INLINE Lanes(double value) noexcept {
    if constexpr (W == 8)
      v_ = Vector{value, value, value, value, value, value, value, value};
    else
      v_ = Vector{value, value, value, value};
  }
  TACTUS_INLINE explicit Lanes(Vector v) noexcept : v_(v) {}

  /// W neighboring doubles of memory, wherever they stand.
  TACTUS_INLINE static Lanes from(const double* memory) noexcept {
    Lanes lanes;
    __builtin_memcpy(&lanes.v_, memory, sizeof lanes.v_);
    return lanes;
  }
  TACTUS_INLINE void to(double* memory) const noexcept { __builtin_memcpy(memory, &v_, sizeof v_); }

  TACTUS_INLINE double operator[](int lane) const noexcept { return v_[lane]; }
  TACTUS_INLINE void set(int lane, double value) noexcept { v_[lane] = value; }
  TACTUS_INLINE const Vector& vector() const noexcept { return v_; }

  TACTUS_INLINE Lanes& operator+=(const Lanes& b) noexcept { return v_ += b.v_, *this; }
  TACTUS_INLINE Lanes& operator-=(const Lanes& b) noexcept { return v_ -= b.v_, *this; }
  TACTUS_INLINE Lanes& operator*=(const Lanes& b) noexcept { return v_ *= b.v_, *this; }
  TACTUS_INLINE Lanes& operator/=(const Lanes& b) noexcept { return v_ /= b.v_, *this; }

  TACTUS_INLINE friend Lanes operator+(const Lanes& a, const Lanes& b) noexcept { return Lanes(a.v_ + b.v_); }
  TACTUS_INLINE friend Lanes operator-(const Lanes& a, const Lanes& b) noexcept { return Lanes(a.v_ - b.v_); }
  TACTUS_INLINE friend Lanes operator*(const Lanes& a, const Lanes& b) noexcept { return Lanes(a.v_ * b.v_); }
  TACTUS_INLINE friend Lanes operator/(const Lanes& a, const Lanes& b) noexcept { return Lanes(a.v_ / b.v_); }
  TACTUS_INLINE friend Lanes operator-(const Lanes& a) noexcept { return Lanes(-a.v_); }

  TACTUS_INLINE friend Lanes sqrt(const Lanes& a) noexcept {
    if constexpr (W == 4) return Lanes(Vector(_mm256_sqrt_pd(a.v_)));
    Lanes root;
    for (int i = 0; i < W; ++i) root.v_[i] = std::sqrt(a.v_[i]);
    return root;
  }

  /// The larger of each pair; not a number where one of them is not.
  TACTUS_INLINE friend Lanes worst(const Lanes& a, const Lanes& b) noexcept {
    const Vector larger = b.v_ <= a.v_ ? a.v_ : b.v_;
    return Lanes(a.v_ != a.v_ ? a.v_ : larger);
  }
  /// The smaller of each pair; where `b` is not a number, `b`.
  TACTUS_INLINE friend Lanes minimum(const Lanes& a, const Lanes& b) noexcept {
    return Lanes(b.v_ >= a.v_ ? a.v_ : b.v_);
  }

  /// `a` in the lanes where x < limit, else `b`.
  TACTUS_INLINE friend Lanes whereBelow(const Lanes& x, double limit, const Lanes& a, const Lanes& b) noexcept {
    return Lanes(x.v_ < Lanes(limit).v_ ? a.v_ : b.v_);
  }

  /// Whether all lanes are; a lane that is not a number is not.
  TACTUS_INLINE friend bool arePositive(const Lanes& a) noexcept {
    const Vector zero{};
    if constexpr (W == 8)
      return _mm512_cmp_pd_mask(a.v_, zero, _CMP_GT_OQ) == 0xFF;
    else
      return _mm256_movemask_pd(_mm256_cmp_pd(a.v_, zero, _CMP_GT_OQ)) == 0xF;
  }

 private:
  Vector v_;
};

}  // namespace tactus::rt

template <int W>
struct Eigen::NumTraits<tactus::rt::Lanes<W>> : Eigen::GenericNumTraits<double> {
  using Real = tactus::rt::Lanes<W>;
  using NonInteger = tactus::rt::Lanes<W>;
  using Nested = tactus::rt::Lanes<W>;
  using Literal = double;
  enum { RequireInitialization = 0, ReadCost = 1, AddCost = 1, MulCost = 1 };
};

// Factors may be doubles.
template <int W, class Operation>
struct Eigen::ScalarBinaryOpTraits<double, tactus::rt::Lanes<W>, Operation> {
  using ReturnType = tactus::rt::Lanes<W>;
};
template <int W, class Operation>
struct Eigen::ScalarBinaryOpTraits<tactus::rt::Lanes<W>, double, Operation> {
  using ReturnType = tactus::rt::Lanes<W>;
};
