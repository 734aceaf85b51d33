// Lanes: four doubles that go through the same arithmetic at once, as a scalar type of Eigen.
#pragma once

#include <Eigen/Core>

#include <immintrin.h>

namespace tactus::rt {

inline constexpr int kLanes = 4;

/// A scalar of four independent values. Every operation works lane by lane and rounds as the same one on doubles.
class Lanes {
 public:
  using Vector = double __attribute__((vector_size(8 * kLanes)));

  Lanes() = default;
  Lanes(double value) noexcept : v_{value, value, value, value} {}
  Lanes(double a, double b, double c, double d) noexcept : v_{a, b, c, d} {}
  explicit Lanes(Vector v) noexcept : v_(v) {}

  double operator[](int lane) const noexcept { return v_[lane]; }
  void set(int lane, double value) noexcept { v_[lane] = value; }
  const Vector& vector() const noexcept { return v_; }

  Lanes& operator+=(const Lanes& b) noexcept { return v_ += b.v_, *this; }
  Lanes& operator-=(const Lanes& b) noexcept { return v_ -= b.v_, *this; }
  Lanes& operator*=(const Lanes& b) noexcept { return v_ *= b.v_, *this; }
  Lanes& operator/=(const Lanes& b) noexcept { return v_ /= b.v_, *this; }

  friend Lanes operator+(const Lanes& a, const Lanes& b) noexcept { return Lanes(a.v_ + b.v_); }
  friend Lanes operator-(const Lanes& a, const Lanes& b) noexcept { return Lanes(a.v_ - b.v_); }
  friend Lanes operator*(const Lanes& a, const Lanes& b) noexcept { return Lanes(a.v_ * b.v_); }
  friend Lanes operator/(const Lanes& a, const Lanes& b) noexcept { return Lanes(a.v_ / b.v_); }
  friend Lanes operator-(const Lanes& a) noexcept { return Lanes(-a.v_); }

 private:
  Vector v_;
};

inline Lanes sqrt(const Lanes& a) noexcept {
  return Lanes(Lanes::Vector(_mm256_sqrt_pd(a.vector())));
}

/// The larger of each pair; where one is not a number, that one.
inline Lanes worst(const Lanes& a, const Lanes& b) noexcept {
  return Lanes(b.vector() <= a.vector() ? a.vector() : b.vector());
}

/// The smaller of each pair; where `b` is not a number, `b`.
inline Lanes least(const Lanes& a, const Lanes& b) noexcept {
  return Lanes(b.vector() >= a.vector() ? a.vector() : b.vector());
}

/// Sum over the lanes, in a fixed order.
inline double sum(const Lanes& a) noexcept {
  return (a[0] + a[1]) + (a[2] + a[3]);
}

}  // namespace tactus::rt

template <>
struct Eigen::NumTraits<tactus::rt::Lanes> : Eigen::GenericNumTraits<double> {
  using Real = tactus::rt::Lanes;
  using NonInteger = tactus::rt::Lanes;
  using Nested = tactus::rt::Lanes;
  using Literal = double;
  enum { RequireInitialization = 0, ReadCost = 1, AddCost = 1, MulCost = 1 };
};

// Factors may be doubles.
template <class Operation>
struct Eigen::ScalarBinaryOpTraits<double, tactus::rt::Lanes, Operation> {
  using ReturnType = tactus::rt::Lanes;
};
template <class Operation>
struct Eigen::ScalarBinaryOpTraits<tactus::rt::Lanes, double, Operation> {
  using ReturnType = tactus::rt::Lanes;
};
