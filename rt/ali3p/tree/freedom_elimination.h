// The elimination of a body by the freedoms of the joint that carries it: one formula for one body and for four beside
// each other.
#pragma once

#include "rt/ali3p/tree/freedom_geometry.h"

#include <algorithm>

namespace tactus::rt {

/// Below this square of the volume that its unit normals span, a joint has lost the independence of its rows.
inline constexpr double kLeastVolume = 1e-12;

template <class T>
TACTUS_INLINE T component(const Twist<T>& t, int k) noexcept {
  switch (k) {
    case 0: return t.linear.x;
    case 1: return t.linear.y;
    case 2: return t.linear.z;
    case 3: return t.angular.x;
    case 4: return t.angular.y;
    default: return t.angular.z;
  }
}

/// A symmetric 6 x 6 matrix: the rows of its lower triangle, one behind the other.
template <class T>
struct Symmetric6 {
  static constexpr int kNumbers = 21;
  T numbers[kNumbers];

  static constexpr int placeOf(int r, int c) noexcept { return r >= c ? r * (r + 1) / 2 + c : c * (c + 1) / 2 + r; }
  TACTUS_INLINE T& at(int r, int c) noexcept { return numbers[placeOf(r, c)]; }
  TACTUS_INLINE const T& at(int r, int c) const noexcept { return numbers[placeOf(r, c)]; }

  TACTUS_INLINE Twist<T> times(const Twist<T>& x) const noexcept {
    const auto row = [&](int r) noexcept {
      return at(r, 0) * x.linear.x + at(r, 1) * x.linear.y + at(r, 2) * x.linear.z + at(r, 3) * x.angular.x +
             at(r, 4) * x.angular.y + at(r, 5) * x.angular.z;
    };
    return {{row(0), row(1), row(2)}, {row(3), row(4), row(5)}};
  }
};

/// What the elimination of one body leaves for its solves and for the body that carries it.
template <class T, int Freedoms>
struct FreedomElimination {
  static constexpr int kSize = std::max(Freedoms, 1);
  T pivot[kSize * kSize];  ///< factors of D, column-major
  Twist<T> K[kSize];       ///< columns of M S D^-1
  Symmetric6<T> N;
  T least;  ///< above zero if all pivots are, and the normals are independent

  /// @param M  the tangent of the body with what its children have left
  TACTUS_INLINE void eliminate(const FreedomGeometry<T, Freedoms>& joint, const Symmetric6<T>& M) noexcept {
    N = M;
    least = minimum(joint.least - T(kLeastVolume), T(1.0));
    if constexpr (Freedoms > 0) {
      Twist<T> U[kSize];
      for (int i = 0; i < Freedoms; ++i) U[i] = M.times(turnAbout(joint.arm, joint.freedom[i]));
      // D and its factors: ali3p (43)
      for (int i = 0; i < Freedoms; ++i) {
        const Three<T> moment = momentAbout(joint.arm, U[i]);
        for (int j = i; j < Freedoms; ++j) pivot[i * kSize + j] = joint.freedom[j].dot(moment);
      }
      least = minimum(least, factorLdlt<kSize>(pivot, kSize));
      TACTUS_UNROLL
      for (int r = 0; r < 6; ++r) {
        T z[kSize];
        for (int i = 0; i < Freedoms; ++i) z[i] = component(U[i], r);
        solveLdlt<kSize>(pivot, kSize, z);
        for (int i = 0; i < Freedoms; ++i) {
          T* to = r < 3 ? &K[i].linear.x : &K[i].angular.x;
          to[r % 3] = z[i];
        }
      }
      // N, ali3p (43)
      TACTUS_UNROLL
      for (int c = 0; c < 6; ++c) TACTUS_UNROLL
      for (int r = c; r < 6; ++r)
        for (int i = 0; i < Freedoms; ++i) N.at(r, c) -= component(U[i], r) * component(K[i], c);
    }
  }
};

/// X^T N X, ali3p (44): [A, B; B^T, C] becomes [A, B', C'] with B' = B - A [d] and C' = C - B^T [d] + [d] B'.
template <class T>
TACTUS_INLINE Symmetric6<T> atCarrier(const Three<T>& d, const Symmetric6<T>& N) noexcept {
  Three<T> row[3], b[3];
  for (int i = 0; i < 3; ++i) row[i] = Three<T>{N.at(i, 0), N.at(i, 1), N.at(i, 2)}.cross(d);
  Three<T> of_b[3];  // columns of B
  for (int j = 0; j < 3; ++j) of_b[j] = {N.at(3 + j, 0), N.at(3 + j, 1), N.at(3 + j, 2)};
  b[0] = {of_b[0].x - row[0].x, of_b[0].y - row[1].x, of_b[0].z - row[2].x};  // columns of B'
  b[1] = {of_b[1].x - row[0].y, of_b[1].y - row[1].y, of_b[1].z - row[2].y};
  b[2] = {of_b[2].x - row[0].z, of_b[2].y - row[1].z, of_b[2].z - row[2].z};
  const Three<T> turned[3] = {d.cross(b[0]), d.cross(b[1]), d.cross(b[2])};
  const Three<T> crossed[3] = {of_b[0].cross(d), of_b[1].cross(d), of_b[2].cross(d)};
  Symmetric6<T> to;
  TACTUS_UNROLL
  for (int i = 0; i < 3; ++i) {
    TACTUS_UNROLL
    for (int j = i; j < 3; ++j) to.at(i, j) = N.at(i, j);
  }
  for (int j = 0; j < 3; ++j) {
    to.at(0, 3 + j) = b[j].x;
    to.at(1, 3 + j) = b[j].y;
    to.at(2, 3 + j) = b[j].z;
  }
  to.at(3, 3) = N.at(3, 3) - crossed[0].x + turned[0].x;
  to.at(3, 4) = N.at(4, 3) - crossed[0].y + turned[1].x;
  to.at(3, 5) = N.at(5, 3) - crossed[0].z + turned[2].x;
  to.at(4, 4) = N.at(4, 4) - crossed[1].y + turned[1].y;
  to.at(4, 5) = N.at(5, 4) - crossed[1].z + turned[2].y;
  to.at(5, 5) = N.at(5, 5) - crossed[2].z + turned[2].z;
  return to;
}

}  // namespace tactus::rt
