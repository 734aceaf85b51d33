// Section: the motion from a section of a beam on body 1 to the next section on body 2. Six rows, m and rad: chord and
// rotation in the axes halfway between. Axes 1, 2 and 3 of section i are a_i, b_i and a_i x b_i.
//
//   phi   = z                                                         (1)
//   H     = dz, with dx_i = dr_i + dphi_i x s_i                       (2)
//   gamma = -H' u, u = (v_1, omega_1, v_2, omega_2)                   (3)
//
// z and dz are (1) to (5) of math/section_pair.h. The derivatives of H are those of its terms, computed along with them
// (math/dual.h).
//
// It adds no geometric stiffness to its bodies: nodes of a beam are thin, so that the limit of that stiffness (ali3p
// (11)) would cut it off at almost every node, and without it the error of the tick is the same.
#pragma once

#include "rt/mechanics/primitives/primitive.h"

namespace tactus::rt {

struct SectionPrimitive : PrimitiveRows {
  static constexpr PrimitiveKind kKind = PrimitiveKind::kSection;
  static constexpr int kRows = 6;

  static void rows(const Primitive& p, const BodyMotion* motions, double* phi, RowJacobian* jacobian) noexcept;
  static void gamma(const Primitive& p, const BodyMotion* motions, double* gamma) noexcept;
  static void addStiffness(const Primitive&, const BodyMotion*, const double*, Matrix3d*) noexcept {}
  static RowDerivatives derivatives(const Primitive& p, const BodyMotion* motions) noexcept;
  static Matrix12d reactionDerivative(const Primitive& p, const BodyMotion* motions, const double* lambda) noexcept;
};

}  // namespace tactus::rt
