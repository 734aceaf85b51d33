// A bushing: constant stiffness and damping in up to six rows, with preloads that actuators can set. A spring without
// curves, stops, inputs or a limit to one sign has the same law in one row.
#pragma once

#include "rt/mechanics/elements/compliant_row.h"

namespace tactus::rt {

struct BushingRows : CompliantRow {
  static bool owns(const CompliantLaw& law) noexcept { return law.linear(); }

  /// The law of the Model, with what inputs add to its preload.
  /// @rt no allocation, no throw, fixed work
  static const CompliantLaw& lawAt(const RowContext& at, const double* phi, const double* rate,
                                   CompliantLaw& scratch) noexcept;

  static void dampingForce(const RowContext&, const CompliantLaw& law, const double*, const double* rate,
                           double* force) noexcept {
    linearDamping(law, rate, force);
  }

  /// preload (phi - rest) + (phi - rest) K (phi - rest) / 2; a preload that is an input stores nothing.
  /// @rt no allocation, no throw, fixed work
  static double storedEnergy(const RowContext& at, const double* phi) noexcept;

  /// @rt no allocation, no throw, fixed work
  static ElementPower power(const RowContext& at, const double* phi, const double* rate) noexcept;
};

}  // namespace tactus::rt
