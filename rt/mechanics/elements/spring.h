// Springs with curves, stops, one side, or inputs, translational and rotational: force, slopes and energy of their one
// row.
//
// With e the length (or angle) less the free one and the preload p, the tension is F(e) + p + D(rate), limited to one
// side where the spring has one, plus the stops, each k d^n + c dd/dt where it is pressed in by d and never below zero.
#pragma once

#include "rt/mechanics/elements/compliant_row.h"
#include "rt/state/state.h"

namespace tactus::rt {

/// A spring at one length and rate. A tension pulls.
struct SpringForce {
  double total = 0;                  ///< N or N m
  double elastic = 0;                ///< what its energy gives: without dampers, and without a preload that is an input
  double free = 0;                   ///< part of the elastic force that moves with the free length: no stops
  double set = 0;                    ///< preload that is an input
  double by_value = 0, by_rate = 0;  ///< exact slopes of the total
};

struct SpringRow : CompliantRow {
  static bool owns(const CompliantLaw& law) noexcept { return law.spring >= 0 || law.takesInput(); }

  /// @param value  length, m, or angle, rad
  /// @param rate   m/s or rad/s
  /// @rt no allocation, no throw, bounded work
  static SpringForce evaluate(const RowContext& at, double value, double rate) noexcept;

  /// Value and slopes at the motion. A spring that carries nothing keeps its minimum stiffness in the tangent, so that
  /// the row stays solvable.
  static const CompliantLaw& lawAt(const RowContext& at, const double* phi, const double* rate,
                                   CompliantLaw& scratch) noexcept;

  static void dampingForce(const RowContext& at, const double* phi, const double* rate, CompliantLaw& scratch,
                           double* force) noexcept;

  /// Energy that the elastic force has taken up, J; zero at the free length.
  /// @rt no allocation, no throw, bounded work
  static double storedEnergy(const RowContext& at, const double* phi) noexcept;

  static ElementPower power(const RowContext& at, const double* phi, const double* rate) noexcept;
};

/// Work that inputs do in a step by moving free lengths and angles, J: -(mean elastic force) times the move. The force
/// is the mean of both ends: exact for linear springs, of order two for others.
/// @param from, to  both with the inputs at their time
/// @rt no allocation, no throw, bounded work
double freeLengthWork(const Model& model, const StateView& from, const StateView& to) noexcept;

}  // namespace tactus::rt
