// `tactus validate`: can the result with a fixed step and fixed iterations be trusted? Compares the real-time solver
// and other methods with a precise reference on one model.
#pragma once

#include "rt/model/model.h"
#include "rt/offline/integrator.h"
#include "server/batch/spectrum.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tactus::server {

struct ValidationOptions {
  std::int64_t step_ns = 1'000'000;
  std::int64_t until_ns = 0;
  int iterations = 0;                ///< iterations of the real-time solver; 0: as the model recommends
  std::vector<std::string> against;  ///< further methods at the same steps: NAME, or NAME:KEY=VALUE:KEY=VALUE
  double tolerance = 1e-3;           ///< maximum trusted position error, divided by the length of the model
  std::string initial_condition;
};

/// One method with one step, compared with the reference.
struct ValidationRow {
  std::string method;
  std::int64_t step_ns = 0;
  double position_error = 0;  ///< m, maximum over bodies and samples
  double rotation_error = 0;  ///< rad
  double velocity_error = 0;  ///< m/s
  double order = 0;  ///< order of the position error between the previous step in the list and this one; 0: unknown
  double energy_drift = 0;                                                ///< J
  double worst_position = 0, worst_velocity = 0, worst_acceleration = 0;  ///< constraint norms
  double iterations_a_step = 0;
  std::int64_t steps = 0;
  double wall_seconds = 0;
  std::string failure;  ///< time, place and reason of a failure, or why the method was not run; else empty
};

/// Maximum difference between a signal and its reference, for each method at the chosen step.
struct SignalError {
  std::string name, unit;
  double size = 0;             ///< maximum magnitude in the reference
  std::vector<double> errors;  ///< in the order of ValidationReport::compared
};

struct ValidationReport {
  std::string reference;              ///< method and tolerance
  double reference_error = 0;         ///< m, difference between the reference and one with 100 times its tolerance
  std::vector<ValidationRow> rows;    ///< the real-time solver first; longest step first
  std::vector<std::string> compared;  ///< methods that ran at the chosen step
  std::vector<SignalError> signals;
  std::vector<double> t, position_error, energy_drift;  ///< real-time solver at the chosen step, over time
  Spectrum spectrum;                                    ///< spectrum of its position errors, m
  bool trusted = false;
  std::vector<std::string> reasons;
  bool interrupted = false;
};

/// Runs the reference and all methods. After an interrupt the report holds the results so far.
/// @param[in] progress  called with a line of text when a run begins, and every two seconds
/// @throws Error if an option is invalid, or if the reference cannot treat the model
ValidationReport validate(const rt::Model& model, const ValidationOptions& options, const std::atomic<bool>& interrupt,
                          const std::function<void(const std::string&)>& progress);

}  // namespace tactus::server
