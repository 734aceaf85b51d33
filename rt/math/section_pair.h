// The strain of a beam between two of its sections, with its Jacobian, for any scalar: double, or Dual.
//
// A section has a point x and a frame Q (section axes to world; axis 1 along the beam). With the rotation psi from Q_1
// to Q_2, the mid frame R_m = Q_1 exp(psi/2) and the chord D = R_m^T (x_2 - x_1),
//
//   z = (B D; psi)                                                                                  (1)
//   B = f 1 + g psi psi^T,  f = (|psi|/2) / sin(|psi|/2),  g = (1 - f) / |psi|^2                      (2)
//
// is the logarithm of the motion from one section to the other: constant along a helix, so that states of constant
// strain are exact for any angle. z is the same after any common motion of both sections. For increments (dx, dphi) of
// the sections in world axes, with a = R_m^T dphi_1, b = R_m^T dphi_2 and p = tan(|psi|/4) psi/|psi|:
//
//   dpsi = B (b - a)                                                                                (3)
//   dD   = R_m^T (dx_2 - dx_1) + D x m,   m = (a + b) / 2 - p x (b - a) / 2                           (4)
//   d(B D) = B dD + (f1 D psi^T + g1 (psi.D) psi psi^T + g ((psi.D) 1 + psi D^T)) dpsi                (5)
//   f1 = f'/|psi|,  g1 = g'/|psi|
//
// (3) to (5) give the rate of z as well, from the velocities of the points and the angular velocities of the sections.
//
// Source: own derivation; (1) is the two-node helicoidal interpolation of Borri and Bottasso, Int. J. Numer. Meth. Eng.
// 37 (1994), in its relative form.
#pragma once

#include "rt/math/where_below.h"

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <cmath>

namespace tactus::rt {

/// Point and frame of a section, world axes.
template <class T>
struct SectionPose {
  Eigen::Matrix<T, 3, 1> x;
  Eigen::Matrix<T, 3, 3> Q;
};

template <class T>
struct SectionPair {
  using Vector = Eigen::Matrix<T, 3, 1>;
  using Matrix = Eigen::Matrix<T, 3, 3>;

  Matrix R_m;        ///< mid frame, world
  Vector D, psi, p;  ///< mid frame; rotation below a half turn
  T f, g, f1, g1;    ///< of (2) and (5)

  /// @rt no allocation, no throw, fixed work
  SectionPair(const SectionPose<T>& s_1, const SectionPose<T>& s_2) noexcept {
    using std::sqrt;
    T c;
    Vector s;
    halfAngle(s_1.Q.transpose() * s_2.Q, c, s);
    const T x = s.dot(s), beyond = T(1) + c;
    // f = asin|s| / |s| = 2 atan(t) / |s| with t = |s| / (1 + c), the tangent of |psi|/4. The sum is over that of
    // |psi|/16.
    const T inverse = T(1) / beyond, fraction_1 = T(1) / (T(1) + sqrt(inverse + inverse));
    const T eighth = x * inverse * inverse * fraction_1 * fraction_1;
    const T fraction_2 = T(1) / (T(1) + sqrt(T(1) + eighth));
    f = T(8) * inverse * fraction_1 * fraction_2 * overTangent(eighth * fraction_2 * fraction_2);
    psi = s * (f + f);
    p = s * inverse;
    const T quarter = f * f * x;  // |psi|^2 / 4
    // y / sin y in powers of y^2 = |psi|^2 / 4, from a_1 on.
    static constexpr double a[] = {1.0 / 6,
                                   7.0 / 360,
                                   31.0 / 15120,
                                   127.0 / 604800,
                                   73.0 / 3421440,
                                   1414477.0 / 653837184000,
                                   8191.0 / 37362124800,
                                   16931177.0 / 762187345920000,
                                   5749691557.0 / 2554547108585472000};
    T sum = T(0), slope = T(0), curvature = T(0);
    for (int k = 8; k >= 0; --k) {
      // Horner's rule for the sum over a[k] y^2k and its first derivative, and for that of y times it.
      slope = slope * quarter + sum;
      sum = sum * quarter + T(a[k]);
      curvature = curvature * quarter + T(a[k] * (k + 1));
    }
    // Beyond |psi| = 0.63 the closed forms lose no digits.
    constexpr double kNear = 0.1;
    const T square_inverse = T(0.25) / quarter;
    g = whereBelow(quarter, kNear, T(-0.25) * sum, (T(1) - f) * square_inverse);
    f1 = whereBelow(quarter, kNear, T(0.5) * curvature, f * (T(1) - f * c) * square_inverse);
    g1 = whereBelow(quarter, kNear, T(-0.125) * slope, -(f1 + g + g) * square_inverse);
    // Q_1 turned by half of psi, whose quaternion is (1 + c, s) at length one.
    const T w = sqrt((T(1) + c) * T(0.5));
    const Vector h = s / (w + w);
    R_m = s_1.Q * turn(w, h);
    D = R_m.transpose() * (s_2.x - s_1.x);
  }

  /// B v, (2)
  Vector timesB(const Vector& v) const noexcept { return f * v + (g * psi.dot(v)) * psi; }

  /// z of (1): 0 to 2 the chord, 3 to 5 the rotation.
  Eigen::Matrix<T, 6, 1> value() const noexcept {
    Eigen::Matrix<T, 6, 1> z;
    z.template head<3>() = timesB(D);
    z.template tail<3>() = psi;
    return z;
  }

  /// z' from x_2' - x_1' and the angular velocities of both sections, world axes: the Jacobian times the velocities,
  /// without the Jacobian.
  Eigen::Matrix<T, 6, 1> rate(const Vector& chord_rate, const Vector& omega_1, const Vector& omega_2) const noexcept {
    const Vector turning = R_m.transpose() * (omega_2 - omega_1), mean = R_m.transpose() * (omega_1 + omega_2);
    const Vector psi_rate = timesB(turning);  // (3)
    const Vector m = T(0.5) * (mean - p.cross(turning));
    const Vector D_rate = R_m.transpose() * chord_rate + D.cross(m);  // (4)
    const T along = psi.dot(D), turned = psi.dot(psi_rate);
    Eigen::Matrix<T, 6, 1> z;
    z.template head<3>() = timesB(D_rate) + (f1 * turned) * D + ((g1 * along) * turned + g * D.dot(psi_rate)) * psi +
                           (g * along) * psi_rate;  // (5)
    z.template tail<3>() = psi_rate;
    return z;
  }

  /// dz by (dx_1, dphi_1, dx_2, dphi_2).
  Eigen::Matrix<T, 6, 12> jacobian() const noexcept {
    const Matrix B = matrixB(), back = R_m.transpose();
    const T along = psi.dot(D);
    const Matrix by_psi =
        (f1 * D + (g1 * along) * psi) * psi.transpose() + g * (psi * D.transpose()) + diagonal(g * along);
    const Matrix turning = f * by_psi + (g * (by_psi * psi)) * psi.transpose();  // times B
    const Matrix half = T(0.5) * crossRows(B, D);
    const Matrix turned = B * back;  // of the chord, and of the rotation
    // (4), (5): m = (1 + p~) a/2 + (1 - p~) b/2
    const Matrix mean = half * back, difference = (crossRows(half, p) - turning) * back;
    Eigen::Matrix<T, 6, 12> H;
    H.template block<3, 3>(0, 0) = -turned;
    H.template block<3, 3>(0, 3) = mean + difference;
    H.template block<3, 3>(0, 6) = turned;
    H.template block<3, 3>(0, 9) = mean - difference;
    H.template block<3, 3>(3, 0).setZero();
    H.template block<3, 3>(3, 3) = -turned;  // (3)
    H.template block<3, 3>(3, 6).setZero();
    H.template block<3, 3>(3, 9) = turned;
    return H;
  }

 private:
  Matrix matrixB() const noexcept { return g * (psi * psi.transpose()) + diagonal(f); }

  static Matrix diagonal(const T& x) noexcept {
    Matrix m = Matrix::Zero();
    for (int i = 0; i < 3; ++i) m(i, i) = x;
    return m;
  }

  /// M [a]: the cross product of each row with a.
  static Matrix crossRows(const Matrix& M, const Vector& a) noexcept {
    Matrix product;
    for (int row = 0; row < 3; ++row) product.row(row) = Vector(M.row(row).transpose()).cross(a).transpose();
    return product;
  }

  static Matrix skewOf(const Vector& a) noexcept {
    Matrix m;
    m << T(0), -a[2], a[1], a[2], T(0), -a[0], -a[1], a[0], T(0);
    return m;
  }

  static Matrix turn(const T& w, const Vector& h) noexcept {
    Matrix R = T(2) * (h * h.transpose()) + diagonal(w * w - h.dot(h));
    R += (w + w) * skewOf(h);
    return R;
  }

  /// Quaternion (c, s) of a rotation matrix, c > 0. Loses digits as the angle comes near a half turn, where a strain
  /// has no meaning.
  static void halfAngle(const Matrix& A, T& c, Vector& s) noexcept {
    using std::sqrt;
    constexpr double kHalfTurn = 1e-12;
    const T four = T(1) + (A(0, 0) + A(1, 1) + A(2, 2));  // times c^2
    c = sqrt(whereBelow(four, kHalfTurn, T(kHalfTurn), four)) * T(0.5);
    s = (T(0.25) / c) * Vector(A(2, 1) - A(1, 2), A(0, 2) - A(2, 0), A(1, 0) - A(0, 1));
  }

  /// atan(t) / t from t^2, which is at most tan(pi/16)^2.
  static T overTangent(const T& square) noexcept {
    T sum = T(0);
    for (int k = 11; k >= 0; --k) sum = T((k % 2 == 0 ? 1.0 : -1.0) / (2 * k + 1)) + sum * square;
    return sum;
  }
};

}  // namespace tactus::rt
