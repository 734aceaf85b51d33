// The verdict of a validation: which errors hold their limits, and what decides.
#pragma once

#include "server/batch/measure.h"
#include "server/batch/measured_run.h"
#include "server/batch/validation.h"

#include <string>
#include <vector>

namespace tactus::server {

/// What a verdict follows from, beside the figures in the report.
struct Evidence {
  const rt::Model& model;
  const SeriesReader& reader;
  const std::vector<Measure>& measures;
  const std::vector<double>& limits;  ///< of each measure, in its unit
  const Series& exact;                ///< the reference
  const MeasuredRun& chosen;          ///< the real-time solver at the chosen step
  const MeasuredRun* quarter;         ///< and at a quarter of it; null: not run
  std::size_t own_rows;               ///< of the report, the first ones: the real-time solver; then other methods
  bool inputs_jump;                   ///< at the start or later, before the end
  bool begins_anew;                   ///< whether the first input differs from the initial values of the actuators
  bool has_inputs;                    ///< from a file, whether they change anything or not
};

/// By how much the references differ, as a share of what is allowed: "up to 0.3 of what is allowed (rotation rotor)".
/// Empty without a second reference.
std::string differenceOfReferences(const ValidationReport& report);

/// Sets the verdict, its reasons, what decides, and the growth of errors and energy.
void judgeAccuracy(const Evidence& evidence, ValidationReport& report);

}  // namespace tactus::server
