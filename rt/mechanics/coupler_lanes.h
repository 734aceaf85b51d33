// Rows that are weighted sums of displacements of bodies, such as the springs of a modal body, side by side.
//
// A part is a body 2 against a body 1 with six coordinates: a dot-2 row along each axis of body 1, and a twist row
// about each. A dot-2 row is linear in its direction and a twist row in its axis, so that a row over several parts is
//
//   phi = sum of w_k phi_k          H = sum of w_k H_k          gamma = sum of w_k gamma_k             (1)
//
// over their coordinates, and lambda times its geometric stiffness the sum of lambda w_k K_k. The coordinates are
// evaluated once for all rows, and the sums of four rows at a time.
#pragma once

#include "rt/mechanics/joint_constraints.h"
#include "rt/mechanics/primitive_lanes.h"
#include "rt/model/limits.h"

#include <array>
#include <vector>

namespace tactus::rt {

/// The couplers of a Model whose terms are dot-2 and twist rows between bodies. The numbers are those of one row after
/// the other, to round-off.
class CouplerLanes {
 public:
  CouplerLanes() = default;
  explicit CouplerLanes(const Model& model);

  /// evaluateCoupler() of all rows in lanes.
  /// @rt no allocation, no throw, fixed work
  void evaluate(const BodyMotion* motions, double* phi, RowJacobian* jacobian) const noexcept;

  /// The values alone, with the same bits.
  /// @rt no allocation, no throw, fixed work
  void evaluateValues(const BodyMotion* motions, double* phi) const noexcept;

  /// couplerGamma() of all rows in lanes.
  /// @rt no allocation, no throw, fixed work
  void evaluateGamma(const BodyMotion* motions, double* gamma) const noexcept;

  /// addGeometricStiffness() of all terms of rows in lanes.
  /// @rt no allocation, no throw, fixed work
  void addGeometricStiffness(const BodyMotion* motions, const double* lambda, Matrix3d* stiffness) const noexcept;

  /// Couplers that are not in lanes, indices into Model::couplers.
  const std::vector<int>& alone() const noexcept { return alone_; }

  static constexpr int kMaxPlaces = 2 + 2 * kMaxFurtherPairs;
  using Scalar = PrimitiveLanes::Scalar;
  using Vector = PrimitiveLanes::Vector;

  /// A body against another one; each lane but the last one is an axis of body 1.
  struct Part {
    PrimitiveLanes along, about;  ///< dot-2 and twist rows
  };
  /// What a part gives to all rows at one motion, axis by lane; of evaluateGamma() the first two are gammas.
  struct Coordinates {
    Scalar along, about;
    Vector translation;             ///< of the dot-2 rows on body 2, and the opposite on body 1
    Vector arm_1, arm_2;            ///< from each body to the point of body 2 in the dot-2 rows; all lanes are equal
    Vector normal;                  ///< of the twist rows on body 1, and the opposite on body 2
  };
  /// A part in four rows.
  struct WeightedPart {
    std::size_t part;
    std::array<int, 2> places;     ///< of both bodies among those of the joint
    Vector translation, rotation;  ///< weights
  };
  /// Four rows over the same parts.
  struct Group {
    int count;  ///< of rows; the lanes beyond repeat the first one
    int pairs;  ///< of bodies, that of the joint itself among them
    std::array<PrimitiveLanes::Indices, kMaxPlaces / 2>
        rows;  ///< of the Jacobian, of each pair; first that of the value
    std::vector<WeightedPart> parts;
  };

 private:
  std::vector<Part> parts_;
  std::vector<Group> groups_;
  std::vector<int> alone_;
  mutable std::vector<Coordinates> coordinates_;        ///< scratch
  mutable std::vector<std::array<Vector, 2>> of_rows_;  ///< scratch: sums of lambda times weights, of each part
};

}  // namespace tactus::rt
