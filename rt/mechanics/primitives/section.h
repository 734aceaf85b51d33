// Section: the motion from a section of a beam on body 1 to the next section on body 2. Six rows, m and rad: chord and
// rotation in the axes halfway between. Axes 1, 2 and 3 of section i are a_i, b_i and a_i x b_i.
//
//   phi   = z                                                         (1)
//   H     = dz, with dx_i = dr_i + dphi_i x s_i                       (2)
//   gamma = -(H u)' at constant u = (v_1, omega_1, v_2, omega_2)      (3)
//
// z, dz and H u are (1) to (5) of math/section_pair.h. Their derivatives are those of their terms, computed along with
// them (math/dual.h).
//
// It adds no geometric stiffness to its bodies: nodes of a beam are thin, so that the limit of that stiffness (ali3p
// (11)) would cut it off at almost every node, and without it the error of the tick is the same.
#pragma once

#include "rt/math/dual.h"
#include "rt/math/section_pair.h"
#include "rt/mechanics/primitives/primitive.h"

namespace tactus::rt {

/// Where a body is, for any scalar.
template <class T>
struct SectionBody {
  Eigen::Matrix<T, 3, 1> r;
  Eigen::Matrix<T, 3, 3> R;
};

/// What is fixed in the bodies of a primitive: points and frames of its sections, body axes.
template <class T>
struct FixedSections {
  Eigen::Matrix<T, 3, 1> s_1, s_2;
  Eigen::Matrix<T, 3, 3> frame_1, frame_2;
};

/// Axes a, b and a x b as columns.
template <class T>
TACTUS_INLINE Eigen::Matrix<T, 3, 3> sectionFrame(const Eigen::Matrix<T, 3, 1>& a,
                                                  const Eigen::Matrix<T, 3, 1>& b) noexcept {
  Eigen::Matrix<T, 3, 3> frame;
  frame << a, b, a.cross(b);
  return frame;
}

/// The rows between two sections, for any scalar.
template <class T>
struct SectionRows {
  using Vector = Eigen::Matrix<T, 3, 1>;
  using Jacobian = Eigen::Matrix<T, 6, 12>;

  Vector s_1, s_2;
  SectionPair<T> pair;

  template <class Fixed>
  SectionRows(const FixedSections<Fixed>& fixed, const SectionBody<T>& b_1, const SectionBody<T>& b_2) noexcept
      : s_1(b_1.R * fixed.s_1.template cast<T>()),
        s_2(b_2.R * fixed.s_2.template cast<T>()),
        pair({b_1.r + s_1, b_1.R * fixed.frame_1.template cast<T>()},
             {b_2.r + s_2, b_2.R * fixed.frame_2.template cast<T>()}) {}

  /// (2)
  Jacobian jacobian() const noexcept {
    Jacobian H = pair.jacobian();
    moveToCenter(s_1, 0, H);
    moveToCenter(s_2, 6, H);
    return H;
  }

  /// H u, from the velocities of the bodies.
  Eigen::Matrix<T, 6, 1> rate(const Vector& v_1, const Vector& omega_1, const Vector& v_2,
                              const Vector& omega_2) const noexcept {
    return pair.rate(v_2 + omega_2.cross(s_2) - v_1 - omega_1.cross(s_1), omega_1, omega_2);
  }

 private:
  /// Adds dx = dphi x s of one section to its columns of dphi.
  static void moveToCenter(const Vector& s, int first, Jacobian& H) noexcept {
    for (int row = 0; row < 3; ++row) {
      const Vector h = H.template block<1, 3>(row, first).transpose();
      H.template block<1, 3>(row, first + 3) += s.cross(h).transpose();
    }
  }
};

/// A body on its way: derivative 0 is by time.
template <class T>
SectionBody<Dual<T, 1>> movingSectionBody(const SectionBody<T>& at, const Eigen::Matrix<T, 3, 1>& v,
                                          const Eigen::Matrix<T, 3, 1>& omega) noexcept {
  SectionBody<Dual<T, 1>> body{at.r.template cast<Dual<T, 1>>(), at.R.template cast<Dual<T, 1>>()};
  for (int row = 0; row < 3; ++row) {
    body.r[row].d[0] = v[row];
    const int next = (row + 1) % 3, last = (row + 2) % 3;
    for (int col = 0; col < 3; ++col)
      body.R(row, col).d[0] = omega[next] * at.R(last, col) - omega[last] * at.R(next, col);
  }
  return body;
}

/// (3), from bodies on their way.
template <class T>
Eigen::Matrix<T, 6, 1> sectionGamma(const FixedSections<T>& fixed, const SectionBody<T>& b_1, const SectionBody<T>& b_2,
                                    const Eigen::Matrix<T, 3, 1>& v_1, const Eigen::Matrix<T, 3, 1>& omega_1,
                                    const Eigen::Matrix<T, 3, 1>& v_2, const Eigen::Matrix<T, 3, 1>& omega_2) noexcept {
  using D = Dual<T, 1>;
  const SectionRows<D> rows(fixed, movingSectionBody(b_1, v_1, omega_1), movingSectionBody(b_2, v_2, omega_2));
  const Eigen::Matrix<D, 6, 1> rate =
      rows.rate(v_1.template cast<D>(), omega_1.template cast<D>(), v_2.template cast<D>(), omega_2.template cast<D>());
  Eigen::Matrix<T, 6, 1> gamma;
  for (int row = 0; row < 6; ++row) gamma[row] = -rate[row].d[0];
  return gamma;
}

struct SectionPrimitive : PrimitiveRows {
  static constexpr PrimitiveKind kKind = PrimitiveKind::kSection;
  static constexpr int kRows = 6;
  static constexpr bool kInLanes = true;

  static void rows(const Primitive& p, const BodyMotion* motions, double* phi, RowJacobian* jacobian) noexcept;
  static void gamma(const Primitive& p, const BodyMotion* motions, double* gamma) noexcept;
  static void addStiffness(const Primitive&, const BodyMotion*, const double*, Matrix3d*) noexcept {}
  static RowDerivatives derivatives(const Primitive& p, const BodyMotion* motions) noexcept;
  static Matrix12d reactionDerivative(const Primitive& p, const BodyMotion* motions, const double* lambda) noexcept;
};

}  // namespace tactus::rt
