// Rows and loads at the iterate, and the right side of the position solve.
#pragma once

#include "rt/ali3p/tree/workspace.h"
#include "rt/state/state.h"

#include <span>

namespace tactus::rt {

struct Model;

/// Writes the conditions of a step: input, drives, and the displacements and internal states at its beginning.
/// @param end    of the step, s since tick 0: the time of the drives
/// @param input  value of each actuator at that time
/// @rt no allocation, no throw, bounded work
void beginStep(const Model& model, double dt, double end, std::span<const double> input, const State& from,
               TreeConditions& conditions) noexcept;

/// Rows and their Jacobian at the iterate: rows.phi, rows.jacobian but for rows that go by parts. Phi of a driven row
/// is its distance from the drive.
/// @rt no allocation, no throw, fixed work
void evaluateConstraints(const Model& model, const TreeIterate& iterate, const TreeConditions& conditions,
                         TreeRows& rows) noexcept;

/// The rest of rows.jacobian, which formTangent() and factor() read.
/// @rt no allocation, no throw, fixed work
void completeJacobian(TreeRows& rows) noexcept;

/// Writes the values of the compliant rows at the beginning of the step, conditions.start_phi, which follow from `from`
/// alone. Uses the motions of the iterate as scratch. Does nothing for a model without compliant rows.
/// @rt no allocation, no throw, fixed work
/// @source derived, rt/doc/ali3p.md section 9
void recordStart(const Model& model, const State& from, TreeIterate& iterate, const TreeRows& rows,
                 TreeConditions& conditions) noexcept;

/// Right sides of the rows at acceleration level: rows.gamma.
/// @param of_elastic_sections  false: those of sections of compliant joints stay as they are
/// @rt no allocation, no throw, fixed work
void evaluateGamma(const Model& model, const TreeIterate& iterate, TreeRows& rows,
                   bool of_elastic_sections = true) noexcept;

/// Loads of actuators, body loads and elements at the motions of the iterate.
/// @rt no allocation, no throw, fixed work
void evaluateLoads(const Model& model, const BodyMotion* motions, const TreeConditions& conditions,
                   TreeLoads& loads) noexcept;

/// Minus the residual of each body's equations of motion into the bodies' part of `unknowns`, N and N m, world axes.
/// @rt no allocation, no throw, fixed work
/// @source [DCA3] Eq. (12) projected by G/2, see rt/doc/ali3p.md section 2
void bodyRightSide(const Model& model, const TreeIterate& iterate, const TreeRows& rows, const TreeLoads& loads,
                   TreeUnknowns& unknowns) noexcept;

/// Adds `sign` times the damping force of compliant rows at rows.rates to their multipliers: -1 before a
/// projection and 1 after it keep the multipliers consistent with the velocities. The whole law is not evaluated anew:
/// a stiff law would turn the error of phi that the Newton iterations have left into a force error, while the
/// multiplier is second-order accurate.
/// @rt no allocation, no throw, fixed work
void addDamping(const Model& model, double sign, const TreeConditions& conditions, const TreeRows& rows,
                TreeIterate& iterate) noexcept;

/// Right side of the position solve: bodyRightSide(); for rigid rows -phi + `leak` * epsilon * lambda, ali3p (15); for
/// compliant rows their compliance times the difference of lambda and the force of their law, ali3p (28). Reads the
/// rates that evaluateDampedRates() left.
/// @rt no allocation, no throw, fixed work
/// @source derived; rt/doc/ali3p.md sections 3 and 9
void positionRightSide(const Model& model, double leak, const TreeIterate& iterate, const TreeConditions& conditions,
                       const TreeRows& rows, const TreeLoads& loads, const TreeTangent& tangent,
                       TreeUnknowns& unknowns) noexcept;

/// Adds to the sums of parts of the Plan. The sum of the newest part stays in a register, because an addition in memory
/// waits for the store of the one before it. The destructor stores this sum.
class PartSums {
 public:
  explicit PartSums(std::vector<double>& of_parts) noexcept : of_parts_(of_parts.data()), sum_(of_parts[0]) {}
  PartSums(const PartSums&) = delete;
  PartSums& operator=(const PartSums&) = delete;
  ~PartSums() { of_parts_[part_] = sum_; }

  /// @rt no allocation, no throw, fixed work
  void add(int part, double value) noexcept {
    if (part != part_) {
      of_parts_[part_] = sum_;
      part_ = part;
      sum_ = of_parts_[part];
    }
    sum_ += value;
  }

 private:
  double* of_parts_;
  int part_ = 0;
  double sum_;
};

/// The root of the sum of the squares of all parts, in their order: see TreeRows::squares.
/// @rt no allocation, no throw, fixed work
double normOfSquares(const std::vector<double>& squares) noexcept;

/// |phi|, Euclidean, of the rows that have to vanish.
/// @rt no allocation, no throw, fixed work
double positionViolation(const TreeRows& rows) noexcept;

}  // namespace tactus::rt
