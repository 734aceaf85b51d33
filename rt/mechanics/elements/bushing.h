// Rows with a linear law: constant stiffness and damping in up to six rows, with preloads that actuators can set.
// Bushings have it, and springs without curves, stops, inputs or a limit to one sign.
#pragma once

#include "rt/mechanics/elements/compliant_row.h"

namespace tactus::rt {

struct LinearRows : CompliantRow {
  static bool owns(const CompliantLaw& law) noexcept { return law.linear(); }

  /// The law of the Model, with what inputs add to its preload.
  /// @rt no allocation, no throw, fixed work
  static const CompliantLaw& lawAt(const RowContext& at, const double* phi, const double* rate,
                                   CompliantLaw& scratch) noexcept;

  static void dampingForce(const RowContext& at, const double*, const double* rate, CompliantLaw&,
                           double* force) noexcept {
    linearDamping(at.law, rate, force);
  }

  /// preload (phi - rest) + (phi - rest) K (phi - rest) / 2; a preload that is an input stores nothing.
  /// @rt no allocation, no throw, fixed work
  static double storedEnergy(const RowContext& at, const double* phi) noexcept;

  /// @rt no allocation, no throw, fixed work
  static ElementPower power(const RowContext& at, const double* phi, const double* rate) noexcept;
};

}  // namespace tactus::rt
