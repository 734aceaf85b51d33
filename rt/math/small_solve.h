// Solves with small symmetric matrices of fixed size: fixed work, no allocation, no pivoting.
#pragma once

#include "rt/math/lanes.h"

#include <Eigen/Core>

/// Before a loop of few turns whose bounds depend on those of the loop around it: compilers leave such ones rolled.
#ifdef __clang__
#define TACTUS_UNROLL _Pragma("clang loop unroll(full)")
#else
#define TACTUS_UNROLL _Pragma("GCC unroll 8")
#endif

namespace tactus::rt {

/// Inverse of a symmetric 3 x 3 matrix by cofactors; only its lower triangle is read.
/// @returns false if the determinant is not above zero; `inverse` is then unspecified
inline bool invertSymmetric3(const Eigen::Matrix3d& m, Eigen::Matrix3d& inverse) noexcept {
  const double a = m(0, 0), b = m(1, 0), c = m(2, 0), d = m(1, 1), e = m(2, 1), f = m(2, 2);
  const double c00 = d * f - e * e, c10 = c * e - b * f, c20 = b * e - c * d;
  const double det = a * c00 + b * c10 + c * c20;
  const double s = 1.0 / det;
  inverse(0, 0) = c00 * s;
  inverse(1, 0) = inverse(0, 1) = c10 * s;
  inverse(2, 0) = inverse(0, 2) = c20 * s;
  inverse(1, 1) = (a * f - c * c) * s;
  inverse(2, 1) = inverse(1, 2) = (b * c - a * e) * s;
  inverse(2, 2) = (a * d - b * b) * s;
  return det > 0;
}

/// True if a symmetric 3 x 3 matrix is positive definite (leading minors); only its lower triangle is read.
inline bool isPositiveDefinite3(const Eigen::Matrix3d& m) noexcept {
  const double a = m(0, 0), b = m(1, 0), c = m(2, 0), d = m(1, 1), e = m(2, 1), f = m(2, 2);
  const double det = a * (d * f - e * e) - b * (b * f - c * e) + c * (b * e - c * d);
  return a > 0 && a * d - b * b > 0 && det > 0;
}

/// LDL^T of a symmetric N x N matrix in place, column-major with leading dimension `ld`; reads and writes the lower
/// triangle. Afterwards the strict lower triangle holds L, and the diagonal holds 1 / D. T: double or Lanes.
/// @returns the smallest pivot, or one that is not a number; if it is not above zero, the matrix is unspecified
template <int N, class T>
inline T factorLdlt(T* m, int ld) noexcept {
  T min_pivot = m[0];
  TACTUS_UNROLL
  for (int j = 0; j < N; ++j) {
    T* column = m + j * ld;
    const T pivot = column[j];
    min_pivot = minimum(min_pivot, pivot);
    const T inverse = 1.0 / pivot;
    column[j] = inverse;
    TACTUS_UNROLL
    for (int k = j + 1; k < N; ++k) {
      const T scaled = column[k] * inverse;
      TACTUS_UNROLL
      for (int i = k; i < N; ++i) m[k * ld + i] -= scaled * column[i];
    }
    TACTUS_UNROLL
    for (int i = j + 1; i < N; ++i) column[i] *= inverse;
  }
  return min_pivot;
}

/// Solves L D L^T x = b in place with the factors of factorLdlt().
template <int N, class T>
inline void solveLdlt(const T* factors, int ld, T* x) noexcept {
  TACTUS_UNROLL
  for (int j = 0; j < N; ++j) TACTUS_UNROLL
  for (int i = j + 1; i < N; ++i) x[i] -= factors[j * ld + i] * x[j];
  TACTUS_UNROLL
  for (int j = 0; j < N; ++j) x[j] *= factors[j * ld + j];
  TACTUS_UNROLL
  for (int j = N - 1; j >= 0; --j) TACTUS_UNROLL
  for (int i = j + 1; i < N; ++i) x[j] -= factors[j * ld + i] * x[i];
}

}  // namespace tactus::rt
