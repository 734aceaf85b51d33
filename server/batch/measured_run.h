// A run of a method with one step, as a comparison sees it.
#pragma once

#include "rt/offline/core/trajectory.h"
#include "server/batch/measure.h"
#include "server/batch/validation.h"

#include <vector>

namespace tactus::server {

/// A run of a method with one step, over the samples of the comparison.
struct MeasuredRun {
  ValidationRow row;
  Series series;
  std::vector<double> energy_drift;  ///< J, at the samples after the start
};

/// The figures of a trajectory, without the name, the step and the time of the run.
MeasuredRun measured(const rt::offline::Trajectory& trajectory, SeriesReader& reader);

}  // namespace tactus::server
