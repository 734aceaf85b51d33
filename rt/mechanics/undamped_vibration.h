// How fast the compliant rows of a mechanism vibrate where no damper of their own holds them. For set-up, not for a
// tick.
#pragma once

namespace tactus::rt {

struct Model;

/// A vibration of the springs, bushings and tyres that are damped too little.
struct UndampedVibration {
  double frequency = 0;  ///< rad/s, of the fastest one; 0 without such a row
  int joint = -1;        ///< the joint whose row stores most of its energy; -1 without such a row
};

/// The fastest vibration of the compliant rows with C - damping_time K not positive semidefinite, at the assembled
/// initial state, with the rigid rows as constraints and the other compliant rows taken away. A spring counts with the
/// largest slope of its curve and its stops that is damped too little. The result is a lower bound that power iteration
/// brings within a percent.
/// @param damping_time  s
/// @throws Error if the initial state cannot be assembled
UndampedVibration fastestUndampedVibration(const Model& model, double damping_time);

}  // namespace tactus::rt
