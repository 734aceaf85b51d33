// `tactus validate`: can the result with a fixed step and fixed iterations be trusted? Compares everything that the
// real-time solver gives with two independent references on one model, over the duration that is asked for.
#pragma once

#include "rt/offline/integrator.h"
#include "rt/state/actuator_input.h"
#include "server/batch/growth.h"
#include "server/batch/measure.h"
#include "server/batch/spectrum.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tactus::rt {
struct Model;
}

namespace tactus::server {

struct ValidationOptions {
  std::int64_t step_ns = 1'000'000;
  std::int64_t until_ns = 0;         ///< to compare
  std::int64_t wanted_ns = 0;        ///< to extrapolate to; 0: until_ns
  int iterations = 0;                ///< iterations of the real-time solver; 0: as the model recommends
  std::vector<std::string> against;  ///< further methods at the same steps: NAME, or NAME:KEY=VALUE:KEY=VALUE
  Tolerances tolerances;
  std::string initial_condition;
  std::vector<rt::ScriptedInput> script;  ///< its ticks are steps of `step_ns`
  double budget_s = 60;                   ///< for everything together
};

/// One method with one step, compared with the reference.
struct ValidationRow {
  std::string method;
  std::int64_t step_ns = 0;
  double position_error = 0;  ///< m, maximum over bodies and samples
  double rotation_error = 0;  ///< rad
  double velocity_error = 0;  ///< m/s
  double share = 0;           ///< largest error of any kind, divided by its limit
  std::string worst;          ///< the kind and the name of that error
  double order = 0;  ///< order of the errors of coordinates between the previous step in the list and this one; 0:
                     ///< unknown
  double energy_drift = 0;                                                ///< J
  double worst_position = 0, worst_velocity = 0, worst_acceleration = 0;  ///< constraint norms
  double iterations_a_step = 0;
  std::int64_t steps = 0;
  double reached = 0;  ///< s
  double wall_seconds = 0;
  std::string failure;  ///< time, place and reason of a failure, or why the method was not run; else empty
};

/// Maximum difference between a signal and its reference, for each method at the chosen step.
struct SignalError {
  std::string name, unit;
  double size = 0;             ///< maximum magnitude in the reference
  std::vector<double> errors;  ///< in the order of ValidationReport::compared; NaN of a method that failed
};

/// One judged quantity of the real-time solver at the chosen step.
struct JudgedError {
  Kind kind = Kind::kPosition;
  std::string name, unit;
  double error = 0;          ///< maximum or root of the mean square over the samples, in its unit, see errorOf()
  double limit = 0;          ///< tolerance x scale
  double scale = 0;          ///< see measure.h
  double uncertainty = 0;    ///< difference of the two references, in the same way
  double at = 0;             ///< s, when the difference is largest
  std::string unjudged;      ///< why it is only shown; else empty
  double unjudged_from = 0;  ///< s, the first pose at which the motion does not determine it

  double share() const { return limit > 0 ? error / limit : 0; }
};

/// What a reference came to.
struct ReferenceFigures {
  std::string text;
  double covered = 0;  ///< s
  std::int64_t steps = 0;
  double wall_seconds = 0;
  std::string failure;
};

struct ValidationReport {
  std::string reference;                     ///< the one that errors count from
  std::vector<ReferenceFigures> references;  ///< in the order of their execution
  double reference_error = 0;                ///< m, largest difference of a position between two references
  std::vector<ValidationRow> rows;           ///< the real-time solver first; longest step first
  std::vector<std::string> compared;         ///< methods that ran at the chosen step
  std::vector<SignalError> signals;
  std::vector<JudgedError> judged;  ///< every quantity, the largest share of its limit first
  Tolerances tolerances;
  double covered = 0, confirmed = 0;   ///< s: by one reference, by two
  double until = 0, wanted = 0;        ///< s: asked for; to extrapolate to
  Growth error_growth, energy_growth;  ///< of the largest share; of the energy drift as a share of its limit
  std::vector<double> t, position_error, energy_drift;  ///< real-time solver at the chosen step, over time
  std::vector<std::vector<double>> share_over_time;     ///< by Kind but kEnergy: largest share of a limit
  Spectrum spectrum;                                    ///< spectrum of its position errors, m
  bool trusted = false;  ///< every finding holds, and two references cover all that was asked for
  bool partly = false;   ///< every finding holds, but two references cover a part alone
  std::string deciding;  ///< the finding that decides
  std::vector<std::string> reasons;
  bool interrupted = false;
  double wall_seconds = 0;

  /// Whether two references cover all that was asked for.
  bool complete() const { return confirmed >= until * (1 - 1e-9); }
};

/// Runs the references and all methods. After an interrupt the report holds the results so far.
/// @param[in] progress  called with a line of text when a run begins, and every two seconds
/// @throws Error if an option is invalid, or if no reference can treat the model
ValidationReport validate(const rt::Model& model, const ValidationOptions& options, const std::atomic<bool>& interrupt,
                          const std::function<void(const std::string&)>& progress);

}  // namespace tactus::server
