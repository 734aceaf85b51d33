// The constants of a joint: its primitives, its rows and their law.
#pragma once

#include "rt/model/primitive.h"

#include <array>
#include <cstdint>
#include <vector>

namespace tactus::rt {

enum class JointKind : std::uint8_t;  // elements/elements.h

/// What the rows of a joint have to satisfy.
enum class LawKind : std::uint8_t {
  kRigid,      ///< phi = 0
  kDriven,     ///< phi = value of a drive
  kCompliant,  ///< lambda = preload + K (phi - rest) + C d(phi)/dt
};

/// A joint: consecutive primitives, hence consecutive rows.
struct Joint {
  JointKind kind;
  int body_1, body_2;
  int first_primitive, primitive_count;
  int first_row, row_count;
  Vector3d point_1, point_2;  ///< where its reaction is reported; zero for kDot1
  int displacement = -1;      ///< index of its angle in State, or -1
  // Of joints with an angle or a travel: unit axis; of those with an angle, the direction from which it counts.
  Vector3d axis_1, axis_2;
  Vector3d zero_1, zero_2;
  double initial_angle;
  LawKind law = LawKind::kRigid;
  int law_index = -1;                  ///< into Model::compliant_laws or Model::drives
  bool has_travel = false;             ///< point 2 travels along axis 1 from point 1
  int coupler = -1;                    ///< index into Model::couplers of a joint whose one row is a sum of terms, or -1
  int first_pair = 0, pair_count = 0;  ///< of a coupler: range of its further bodies in Model::extra_body_pairs

  bool compliant() const noexcept { return law == LawKind::kCompliant; }

  template <typename Visit>
  void constants(Visit& visit) const {
    visit.structure(kind, body_1, body_2, first_primitive, primitive_count);
    visit.numbers(axis_1, zero_1, zero_2, initial_angle);
    visit.structure(law, law_index);
    visit.layout(first_row, row_count, displacement);
  }
};

/// Two further bodies of a joint with more than two, or kGround. The Jacobian of its row for them lies behind those of
/// all rows, in the order of Model::extra_body_pairs.
struct BodyPair {
  int body_1, body_2;

  template <typename Visit>
  void constants(Visit& visit) const {
    visit.layout(body_1, body_2);
  }
};

/// The terms of a row over several bodies, whose joint has no primitives of its own: of a coupler, or of a rope.
struct Coupler {
  int joint;
  std::vector<Primitive> terms;  ///< kRolling: t_1 is ratio times the axis, or rho_1 minus the ratio; one row in all
  /// For both bodies of each term: the index among the bodies of the joint and of its extra pairs, two for each pair;
  /// -1 for ground.
  std::vector<std::array<int, 2>> places;
};

}  // namespace tactus::rt
