// Trajectory: the result of a run.
#pragma once

#include "rt/offline/core/stepper.h"

#include <string>
#include <vector>

namespace tactus::rt::offline {

/// One kept instant.
struct Sample {
  double t = 0;
  std::vector<double> state;   ///< laid out as State, so that a SignalReader reads it
  std::vector<double> inputs;  ///< inputs of the actuators at t
  double position_violation = 0, velocity_violation = 0, acceleration_violation = 0;  ///< Euclidean norms
  std::vector<double> own;  ///< figures of the method, in the order of Trajectory::own_names
};

enum class Ending { kComplete, kInterrupted, kFailed };

struct Trajectory {
  std::vector<Sample> samples;         ///< the start first
  std::vector<std::string> own_names;  ///< names of the figures that the method adds to each sample
  Statistics statistics;
  Ending ending = Ending::kComplete;
  std::string failure;  ///< time, place and reason, if it failed
  double energy_start = 0, energy_end = 0;
  double energy_drift = 0;  ///< maximum change of energy.total since the start, J
  double worst_position = 0, worst_velocity = 0, worst_acceleration = 0;  ///< maximum violations over all steps
};

}  // namespace tactus::rt::offline
