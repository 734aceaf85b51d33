// Symmetric 3 x 3 matrices of any scalar, as six numbers.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace tactus::rt {

template <class T>
struct Symmetric3 {
  T xx, yx, zx, yy, zy, zz;

  static Symmetric3 diagonal(const T& d) noexcept { return {d, T(0), T(0), d, T(0), d}; }
  /// The lower triangle of a matrix.
  static Symmetric3 lowerOf(const Eigen::Matrix<T, 3, 3>& m) noexcept {
    return {m(0, 0), m(1, 0), m(2, 0), m(1, 1), m(2, 1), m(2, 2)};
  }

  T trace() const noexcept { return xx + yy + zz; }

  /// The determinant, and the cofactors of which adjugate() is made.
  T determinant() const noexcept {
    return xx * (yy * zz - zy * zy) - yx * (yx * zz - zy * zx) + zx * (yx * zy - yy * zx);
  }

  /// The inverse times the determinant.
  Symmetric3 adjugate() const noexcept {
    return {yy * zz - zy * zy, zx * zy - yx * zz, yx * zy - zx * yy,
            xx * zz - zx * zx, zx * yx - xx * zy, xx * yy - yx * yx};
  }

  Eigen::Matrix<T, 3, 3> full() const noexcept {
    Eigen::Matrix<T, 3, 3> m;
    m << xx, yx, zx, yx, yy, zy, zx, zy, zz;
    return m;
  }

  Symmetric3& operator+=(const Symmetric3& b) noexcept {
    xx += b.xx, yx += b.yx, zx += b.zx, yy += b.yy, zy += b.zy, zz += b.zz;
    return *this;
  }
  friend Symmetric3 operator+(Symmetric3 a, const Symmetric3& b) noexcept { return a += b; }
  friend Symmetric3 operator*(const T& s, const Symmetric3& a) noexcept {
    return {s * a.xx, s * a.yx, s * a.zx, s * a.yy, s * a.zy, s * a.zz};
  }
  friend Eigen::Matrix<T, 3, 1> operator*(const Symmetric3& a, const Eigen::Matrix<T, 3, 1>& x) noexcept {
    return {a.xx * x[0] + a.yx * x[1] + a.zx * x[2], a.yx * x[0] + a.yy * x[1] + a.zy * x[2],
            a.zx * x[0] + a.zy * x[1] + a.zz * x[2]};
  }
};

/// sum + M x, each product added as it comes.
template <class T>
void addProduct(const Eigen::Matrix<T, 3, 3>& m, const Eigen::Matrix<T, 3, 1>& x,
                Eigen::Matrix<T, 3, 1>& sum) noexcept {
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) sum[r] += m(r, c) * x[c];
}

/// sum + M^T x.
template <class T>
void addTransposedProduct(const Eigen::Matrix<T, 3, 3>& m, const Eigen::Matrix<T, 3, 1>& x,
                          Eigen::Matrix<T, 3, 1>& sum) noexcept {
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) sum[r] += m(c, r) * x[c];
}

/// sum - M x.
template <class T>
void subtractProduct(const Eigen::Matrix<T, 3, 3>& m, const Eigen::Matrix<T, 3, 1>& x,
                     Eigen::Matrix<T, 3, 1>& sum) noexcept {
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) sum[r] -= m(r, c) * x[c];
}

/// M S for a full matrix M.
template <class T>
Eigen::Matrix<T, 3, 3> times(const Eigen::Matrix<T, 3, 3>& m, const Symmetric3<T>& s) noexcept {
  Eigen::Matrix<T, 3, 3> result;
  for (int r = 0; r < 3; ++r) {
    result(r, 0) = m(r, 0) * s.xx + m(r, 1) * s.yx + m(r, 2) * s.zx;
    result(r, 1) = m(r, 0) * s.yx + m(r, 1) * s.yy + m(r, 2) * s.zy;
    result(r, 2) = m(r, 0) * s.zx + m(r, 1) * s.zy + m(r, 2) * s.zz;
  }
  return result;
}

/// A - B C of which it is known that the result is symmetric.
template <class T>
Symmetric3<T> minusProduct(const Symmetric3<T>& a, const Eigen::Matrix<T, 3, 3>& b,
                           const Eigen::Matrix<T, 3, 3>& c) noexcept {
  const auto entry = [&](const T& of_a, int row, int column) noexcept -> T {
    return of_a - b(row, 0) * c(0, column) - b(row, 1) * c(1, column) - b(row, 2) * c(2, column);
  };
  return {entry(a.xx, 0, 0), entry(a.yx, 1, 0), entry(a.zx, 2, 0),
          entry(a.yy, 1, 1), entry(a.zy, 2, 1), entry(a.zz, 2, 2)};
}

/// A R^T of which it is known that the result is symmetric.
template <class T>
Symmetric3<T> timesTransposed(const Eigen::Matrix<T, 3, 3>& a, const Eigen::Matrix<T, 3, 3>& R) noexcept {
  const auto entry = [&](int r, int c) noexcept -> T {
    return a(r, 0) * R(c, 0) + a(r, 1) * R(c, 1) + a(r, 2) * R(c, 2);
  };
  return {entry(0, 0), entry(1, 0), entry(2, 0), entry(1, 1), entry(2, 1), entry(2, 2)};
}

/// R diag(d) R^T for a rotation R.
template <class T>
Symmetric3<T> rotated(const Eigen::Matrix<T, 3, 3>& R, const Eigen::Matrix<T, 3, 1>& d) noexcept {
  return timesTransposed<T>(R * d.asDiagonal(), R);
}

/// R S R^T for a rotation R.
template <class T>
Symmetric3<T> rotated(const Eigen::Matrix<T, 3, 3>& R, const Symmetric3<T>& s) noexcept {
  return timesTransposed<T>(times(R, s), R);
}

}  // namespace tactus::rt
