// Rows of a whole mechanism, side by side: primitives of one kind go through the same arithmetic four at a time, each
// in a lane of a vector. The terms are those of joint_constraints.h, and so are the numbers, to round-off.
#pragma once

#include "rt/mechanics/coupler_lanes.h"
#include "rt/mechanics/joint_constraints.h"
#include "rt/mechanics/primitive_lanes.h"

#include <vector>

namespace tactus::rt {

class RowLanes {
 public:
  RowLanes() = default;
  /// @param without  primitives that are left out; empty: none
  explicit RowLanes(const Model& model, const std::vector<bool>& without = {});

  /// Leaves out lanes and primitives without a row that `has` contains. What shares lanes stays together, so that the
  /// order of sums over the rows of a body stays.
  /// @param has  of each row of the Model
  void keep(const Model& model, const std::vector<bool>& has);

  /// evaluateAllRows()
  /// @rt no allocation, no throw, fixed work
  void evaluate(const Model& model, const BodyMotion* motions, const double* displacements, double* phi,
                RowJacobian* jacobian) const noexcept;

  /// evaluate(), but for the Jacobian of couplers in lanes, which CouplerLanes::writeJacobian() completes.
  /// @rt no allocation, no throw, fixed work
  void evaluateByParts(const Model& model, const BodyMotion* motions, const double* displacements, double* phi,
                       RowJacobian* jacobian) const noexcept;

  /// The couplers in lanes, for products by their parts.
  const CouplerLanes& couplers() const noexcept { return couplers_; }

  /// The values alone, with the same bits, of the rows of compliant joints; of the other rows some are written, others
  /// stay.
  /// @rt no allocation, no throw, fixed work
  void evaluateCompliantValues(const Model& model, const BodyMotion* motions, const double* displacements,
                               double* phi) const noexcept;

  /// evaluateGamma() of every primitive and couplerGamma() of every coupler: one value a row.
  /// @param of_elastic_sections  false: the rows of sections of compliant joints stay as they are
  /// @rt no allocation, no throw, fixed work
  void evaluateGamma(const Model& model, const BodyMotion* motions, double* gamma,
                     bool of_elastic_sections = true) const noexcept;

  /// addGeometricStiffness() of every primitive and every term of a coupler, but not of those in lanes.
  /// @param lambda     of all rows
  /// @param stiffness  one a body; added to
  /// @rt no allocation, no throw, fixed work
  void addGeometricStiffness(const Model& model, const BodyMotion* motions, const double* lambda,
                             Matrix3d* stiffness) const noexcept;

 private:
  std::vector<PrimitiveLanes> groups_;
  std::vector<bool> elastic_sections_;  ///< of each group: sections of compliant joints only
  CouplerLanes couplers_;
  std::vector<int> alone_;            ///< primitives of other kinds
  std::vector<int> alone_compliant_;  ///< those of compliant joints
};

}  // namespace tactus::rt
