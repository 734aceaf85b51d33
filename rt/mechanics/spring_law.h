// Springs with curves, stops, one side, or inputs: force, slopes and energy of their one row.
//
// With e the length (or angle) less the free one and the preload p, the tension is F(e) + p + D(rate), limited to one
// side where the spring has one, plus the stops, each k d^n + c dd/dt where it is pressed in by d and never below zero.
#pragma once

#include "rt/model/model.h"
#include "rt/state/state.h"

namespace tactus::rt {

/// A spring at one length and rate. A tension pulls.
struct SpringForce {
  double total = 0;                  ///< N or N m
  double elastic = 0;                ///< what its energy gives: without dampers, and without a preload that is an input
  double free = 0;                   ///< of the elastic force, what moves with the free length: the stops left out
  double set = 0;                    ///< preload that is an input
  double by_value = 0, by_rate = 0;  ///< exact slopes of the total
};

/// @param law    one row; not of a tyre
/// @param input  value of each actuator
/// @rt no allocation, no throw, bounded work
SpringForce evaluateSpring(const Model& model, const CompliantLaw& law, const double* input, double value,
                           double rate) noexcept;

/// Energy that its elastic force has taken up, J; zero at the free length.
/// @rt no allocation, no throw, bounded work
double springEnergy(const Model& model, const CompliantLaw& law, const double* input, double value) noexcept;

/// Work that inputs do in a step by moving free lengths and angles, J: -(mean elastic force) times the move. The force
/// is that of the two ends: exact for linear springs, of order two for others.
/// @param from, to  both with the inputs at their time
/// @rt no allocation, no throw, bounded work
double freeLengthWork(const Model& model, const StateView& from, const StateView& to) noexcept;

}  // namespace tactus::rt
