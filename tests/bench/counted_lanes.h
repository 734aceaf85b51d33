// Lanes of width one that count their operations: running the kernels of a chain on them counts its floating-point
// operations.
#pragma once

#include "rt/math/lanes.h"

#include <cmath>
#include <cstdint>

namespace tactus::bench {

/// Operations of this process since the last reset.
struct OperationCount {
  std::int64_t additions = 0, multiplications = 0, divisions = 0, roots = 0;
  std::int64_t total() const noexcept { return additions + multiplications + divisions + roots; }
};

inline OperationCount& operations() noexcept {
  static OperationCount count;
  return count;
}

}  // namespace tactus::bench

namespace tactus::rt {

/// One double with the interface of Lanes. Signs, comparisons and copies are free.
template <>
class Lanes<1> {
 public:
  Lanes() = default;
  Lanes(double value) noexcept : v_(value) {}

  static Lanes from(const double* memory) noexcept { return *memory; }
  void to(double* memory) const noexcept { *memory = v_; }

  double operator[](int) const noexcept { return v_; }
  void set(int, double value) noexcept { v_ = value; }

  Lanes& operator+=(const Lanes& b) noexcept { return *this = *this + b; }
  Lanes& operator-=(const Lanes& b) noexcept { return *this = *this - b; }
  Lanes& operator*=(const Lanes& b) noexcept { return *this = *this * b; }
  Lanes& operator/=(const Lanes& b) noexcept { return *this = *this / b; }

  friend Lanes operator+(const Lanes& a, const Lanes& b) noexcept { return ++count().additions, a.v_ + b.v_; }
  friend Lanes operator-(const Lanes& a, const Lanes& b) noexcept { return ++count().additions, a.v_ - b.v_; }
  friend Lanes operator*(const Lanes& a, const Lanes& b) noexcept { return ++count().multiplications, a.v_ * b.v_; }
  friend Lanes operator/(const Lanes& a, const Lanes& b) noexcept { return ++count().divisions, a.v_ / b.v_; }
  friend Lanes operator-(const Lanes& a) noexcept { return -a.v_; }
  friend Lanes sqrt(const Lanes& a) noexcept { return ++count().roots, std::sqrt(a.v_); }
  friend Lanes worst(const Lanes& a, const Lanes& b) noexcept { return b.v_ <= a.v_ ? a : b; }
  friend Lanes minimum(const Lanes& a, const Lanes& b) noexcept { return b.v_ >= a.v_ ? a : b; }
  friend Lanes whereBelow(const Lanes& x, double limit, const Lanes& a, const Lanes& b) noexcept {
    return x.v_ < limit ? a : b;
  }
  friend bool arePositive(const Lanes& a) noexcept { return a.v_ > 0; }

 private:
  static bench::OperationCount& count() noexcept { return bench::operations(); }
  double v_;
};

/// Lanes of width one need no transposition.
template <int N>
void gather(const double* const (&rows)[1], Lanes<1> (&values)[N]) noexcept {
  for (int k = 0; k < N; ++k) values[k] = rows[0][k];
}
inline void gatherThree(const double* const (&rows)[1], Lanes<1> (&values)[3]) noexcept {
  gather(rows, values);
}
template <int N>
void scatter(const Lanes<1> (&values)[N], double* const (&rows)[1]) noexcept {
  for (int k = 0; k < N; ++k) rows[0][k] = values[k][0];
}

}  // namespace tactus::rt
