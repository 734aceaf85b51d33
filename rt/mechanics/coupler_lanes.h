// Rows that are weighted sums of displacements of bodies, such as the springs of a modal body, side by side.
//
// A part is a body 2 against a body 1 with six coordinates: a dot-2 row along each axis of body 1, and a twist row
// about each. A dot-2 row is linear in its direction and a twist row in its axis, so that a row over several parts is
//
//   phi = sum of w_k phi_k          H = sum of w_k H_k          gamma = sum of w_k gamma_k             (1)
//
// over their coordinates. The coordinates are evaluated once for all rows. Products with H go by them as well, so that
// a Jacobian of the rows is needed for a factorization alone; it is written four rows at a time.
#pragma once

#include "rt/mechanics/joint_constraints.h"
#include "rt/mechanics/primitive_lanes.h"
#include "rt/mechanics/weighted_rows.h"
#include "rt/model/limits.h"

#include <algorithm>
#include <array>
#include <vector>

namespace tactus::rt {

/// The compliant couplers of a Model whose terms are dot-2 and twist rows between bodies. The numbers are those of one
/// row after the other, to round-off.
class CouplerLanes {
 public:
  CouplerLanes() = default;
  explicit CouplerLanes(const Model& model);

  /// Values of all rows in lanes, and the coordinates for the members below.
  /// @rt no allocation, no throw, fixed work
  void evaluate(const BodyMotion* motions, double* phi) const noexcept;

  /// Jacobian of all rows in lanes where evaluate() was called.
  /// @rt no allocation, no throw, fixed work
  void writeJacobian(RowJacobian* jacobian) const noexcept;

  /// H times the velocities, or the accelerations, of the bodies, with H where evaluate() was called.
  /// @rt no allocation, no throw, fixed work
  void rates(const BodyMotion* motions, double* of_rows) const noexcept;
  void accelerations(const BodyMotion* motions, double* of_rows) const noexcept;

  /// Subtracts H^T lambda from the right sides of the bodies, six numbers each.
  /// @rt no allocation, no throw, fixed work
  void subtractReactions(const double* lambda, double* right_sides) const noexcept;

  /// The values alone, with the same bits.
  /// @rt no allocation, no throw, fixed work
  void evaluateValues(const BodyMotion* motions, double* phi) const noexcept;

  /// couplerGamma() of all rows in lanes.
  /// @rt no allocation, no throw, fixed work
  void evaluateGamma(const BodyMotion* motions, double* gamma) const noexcept;

  const std::vector<int>& rows() const noexcept { return rows_; }
  bool has(int row) const noexcept { return std::find(rows_.begin(), rows_.end(), row) != rows_.end(); }

  /// Couplers that are not in lanes, indices into Model::couplers.
  const std::vector<int>& alone() const noexcept { return alone_; }

  static constexpr int kMaxPlaces = 2 + 2 * kMaxFurtherPairs;
  using Scalar = PrimitiveLanes::Scalar;
  using Vector = PrimitiveLanes::Vector;

  /// A body against another one; each lane but the last one is an axis of body 1.
  struct Part {
    PrimitiveLanes along, about;  ///< dot-2 and twist rows
  };
  /// What a part gives to the Jacobian of all rows at one motion, axis by lane.
  struct Coordinates {
    Vector translation;   ///< of the dot-2 rows on body 2, and the opposite on body 1
    Vector arm_1, arm_2;  ///< from each body to the point of body 2 in the dot-2 rows; all lanes are equal
    Vector normal;        ///< of the twist rows on body 1, and the opposite on body 2
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
  /// Numbers of a part in numbers_.
  void put(std::size_t part, const Scalar& along, const Scalar& about) const noexcept;
  /// @tparam Linear, Angular  members of BodyMotion
  template <auto Linear, auto Angular>
  void times(const BodyMotion* motions, double* of_rows) const noexcept;

  std::vector<Part> parts_;
  std::vector<Group> groups_;
  WeightedRows weights_;
  std::vector<int> alone_, rows_;
  mutable std::vector<double> numbers_;           ///< scratch: three axes of each part along, then about
  mutable std::vector<Coordinates> coordinates_;  ///< written by evaluate()
};

}  // namespace tactus::rt
