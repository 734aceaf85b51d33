// `tactus validate`: may the fixed-step, fixed-iteration result be trusted? The real-time solver and other methods
// beside a tight reference, on one model.
#pragma once

#include "rt/model/model.h"
#include "rt/offline/integrator.h"
#include "server/offline/spectrum.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tactus::server {

struct ValidationOptions {
  std::int64_t step_ns = 1'000'000;
  std::int64_t until_ns = 0;
  int iterations = 0;                ///< of the real-time solver; 0: what the model recommends
  std::vector<std::string> against;  ///< methods run at the same steps: NAME, or NAME:KEY=VALUE:KEY=VALUE
  double tolerance = 1e-3;           ///< largest error of a position that is trusted, relative to the model's length
  std::string initial_condition;
};

/// One method at one step against the reference.
struct ValidationRow {
  std::string method;
  std::int64_t step_ns = 0;
  double position_error = 0;  ///< m, largest of any body at any sample
  double rotation_error = 0;  ///< rad
  double velocity_error = 0;  ///< m/s
  double order = 0;           ///< of the position, from the step before in the list; 0 where there is none
  double energy_drift = 0;    ///< J
  double worst_position = 0, worst_velocity = 0, worst_acceleration = 0;  ///< constraint norms
  double iterations_a_step = 0;
  std::int64_t steps = 0;
  double wall_seconds = 0;
  std::string failure;  ///< when, where and why, or why it was not run; empty if it ran to the end
};

/// Largest differences of a signal to the reference, of each method at the chosen step.
struct SignalError {
  std::string name, unit;
  double size = 0;             ///< largest value in the reference
  std::vector<double> errors;  ///< as many as ValidationReport::compared, the real-time solver first
};

struct ValidationReport {
  std::string reference;              ///< which method, how tight
  double reference_error = 0;         ///< m: its difference to itself at a hundredfold tolerance and longer steps
  std::vector<ValidationRow> rows;    ///< the real-time solver first; its steps from the longest
  std::vector<std::string> compared;  ///< methods that ran at the chosen step
  std::vector<SignalError> signals;
  std::vector<double> t, position_error, energy_drift;  ///< of the real-time solver at the chosen step, over time
  Spectrum spectrum;                                    ///< of the differences of its bodies' positions, m
  bool trusted = false;
  std::vector<std::string> reasons;
  bool interrupted = false;
};

/// Runs everything; `progress` hears what begins. After an interrupt the report holds what was done until then.
/// @throws Error if an option cannot be met, or the reference cannot treat the model
ValidationReport validate(const rt::Model& model, const ValidationOptions& options, const std::atomic<bool>& interrupt,
                          const std::function<void(const std::string&)>& progress);

}  // namespace tactus::server
