// Numbers with N first derivatives, for the exact derivatives of terms that are written once for any scalar. Duals of
// duals have second derivatives.
#pragma once

#include "rt/math/where_below.h"

#include <Eigen/Core>

#include <array>
#include <cmath>
#include <cstddef>
#include <type_traits>

namespace tactus::rt {

template <class T, int N>
struct Dual {
  T value = T(0);
  std::array<T, static_cast<std::size_t>(N)> d = {};  ///< derivative by each variable

  Dual() noexcept = default;
  Dual(const T& constant) noexcept : value(constant) {}  // NOLINT: a number is a constant
  template <class Number>
  requires(std::is_arithmetic_v<Number> && !std::is_same_v<Number, T>) Dual(Number constant)
  noexcept : value(constant) {}  // NOLINT

  /// f(x) of which the value and the slope are known.
  Dual chain(const T& f, const T& slope) const noexcept {
    Dual y(f);
    for (std::size_t i = 0; i < d.size(); ++i) y.d[i] = slope * d[i];
    return y;
  }

  Dual& operator+=(const Dual& y) noexcept { return *this = *this + y; }
  Dual& operator-=(const Dual& y) noexcept { return *this = *this - y; }
  Dual& operator*=(const Dual& y) noexcept { return *this = *this * y; }
  Dual& operator/=(const Dual& y) noexcept { return *this = *this / y; }

  friend Dual operator-(const Dual& x) noexcept { return x.chain(-x.value, T(-1)); }
  friend Dual operator+(const Dual& x, const Dual& y) noexcept {
    Dual z(T(x.value + y.value));
    for (std::size_t i = 0; i < z.d.size(); ++i) z.d[i] = x.d[i] + y.d[i];
    return z;
  }
  friend Dual operator-(const Dual& x, const Dual& y) noexcept {
    Dual z(T(x.value - y.value));
    for (std::size_t i = 0; i < z.d.size(); ++i) z.d[i] = x.d[i] - y.d[i];
    return z;
  }
  friend Dual operator*(const Dual& x, const Dual& y) noexcept {
    Dual z(T(x.value * y.value));
    for (std::size_t i = 0; i < z.d.size(); ++i) z.d[i] = x.d[i] * y.value + x.value * y.d[i];
    return z;
  }
  friend Dual operator/(const Dual& x, const Dual& y) noexcept {
    const T inverse = T(1) / y.value, quotient = x.value * inverse;
    Dual z(quotient);
    for (std::size_t i = 0; i < z.d.size(); ++i) z.d[i] = (x.d[i] - quotient * y.d[i]) * inverse;
    return z;
  }
  friend bool operator<(const Dual& x, const Dual& y) noexcept { return x.value < y.value; }
  friend bool operator>(const Dual& x, const Dual& y) noexcept { return x.value > y.value; }
  friend bool operator==(const Dual& x, const Dual& y) noexcept { return x.value == y.value; }

  friend Dual sqrt(const Dual& x) noexcept {
    using std::sqrt;
    const T root = sqrt(x.value);
    return x.chain(root, T(1) / (root + root));
  }
  /// The choice that the value of x makes, with the derivatives of what it chooses.
  friend Dual whereBelow(const Dual& x, double limit, const Dual& a, const Dual& b) noexcept {
    Dual z(T(whereBelow(x.value, limit, a.value, b.value)));
    for (std::size_t i = 0; i < z.d.size(); ++i) z.d[i] = whereBelow(x.value, limit, a.d[i], b.d[i]);
    return z;
  }
};

}  // namespace tactus::rt

namespace Eigen {

template <class T, int N>
struct NumTraits<tactus::rt::Dual<T, N>> : GenericNumTraits<double> {
  using Real = tactus::rt::Dual<T, N>;
  using NonInteger = Real;
  using Nested = Real;
  using Literal = double;
  enum { RequireInitialization = 1, ReadCost = N, AddCost = N, MulCost = 3 * N };
};

}  // namespace Eigen
