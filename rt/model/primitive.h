// The constants of a constraint primitive.
#pragma once

#include "rt/model/elements/element.h"

#include <Eigen/Core>

#include <cstdint>

namespace tactus::rt {

/// The constraint primitives of which every joint is made ([RN] section 3; signs and scaling are ours).
enum class PrimitiveKind : std::uint8_t {
  kPoint,     ///< 3 rows: x_1 - x_2 = 0
  kDistance,  ///< 1 row:  (d.d - L^2) / (2 L) = 0, d = x_2 - x_1
  kDot1,      ///< 1 row:  a_1 . a_2 = 0
  kDot2,      ///< 1 row:  a_1 . d = 0
  kLength,    ///< 1 row:  |d|
  kAngle,     ///< 1 row:  angle from b_1 to b_2 about a_1, plus length; a_1 and a_2 are parallel
  kTwist,     ///< 1 row:  (a_1 . a_2 - b_1 . b_2) / 2
  kRolling,   ///< 1 row:  t_1 . d - length - rho_1 angle, as of kAngle
  kGear,      ///< 1 row:  rho_1 angle_1 + rho_2 angle_2, from d to b_1 and from d to b_2 about a_1, normal to all
  kSection,   ///< 6 rows: motion from a section of a beam to the next one; a and b are axes 1 and 2 of the sections
};

/// Maximum number of rows of one primitive.
inline constexpr int kMaxPrimitiveRows = 6;

constexpr int rowsOf(PrimitiveKind kind) noexcept {
  return kind == PrimitiveKind::kSection ? 6 : kind == PrimitiveKind::kPoint ? 3 : 1;
}

/// One primitive between two bodies. Vectors are fixed in body axes (world axes on ground).
struct Primitive {
  PrimitiveKind kind;
  int body_1, body_2;                                       ///< indices, or kGround
  int row;                                                  ///< first row among all rows of the Model
  Vector3d s_1, s_2;                                        ///< points, m
  Vector3d a_1, a_2;                                        ///< unit directions
  double length;                                            ///< of kDistance, m; of kAngle, rad
  Vector3d b_1 = Vector3d::Zero(), b_2 = Vector3d::Zero();  ///< second directions of kAngle, kTwist and kSection
  int displacement = -1;  ///< of kAngle and kRolling: index of its displacement in State; of kGear the first of two
  // Of kRolling and kGear.
  Vector3d t_1 = Vector3d::Zero();  ///< way, fixed in body 1
  double rho_1 = 0, rho_2 = 0;      ///< m a radian

  template <typename Visit>
  void constants(Visit& visit) const {
    visit.structure(kind, body_1, body_2);
    visit.numbers(s_1, s_2, a_1, a_2, length, b_1, b_2);
    visit.structure(displacement);
    visit.numbers(t_1, rho_1, rho_2);
    visit.layout(row);
  }
};

}  // namespace tactus::rt
