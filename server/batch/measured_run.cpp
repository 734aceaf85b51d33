#include "server/batch/measured_run.h"

#include <algorithm>

namespace tactus::server {

MeasuredRun measured(const rt::offline::Trajectory& trajectory, SeriesReader& reader) {
  MeasuredRun run;
  ValidationRow& row = run.row;
  row.failure = trajectory.failure;
  row.steps = trajectory.statistics.steps;
  row.iterations_a_step = static_cast<double>(trajectory.statistics.newton_iterations) /
                          static_cast<double>(std::max<std::int64_t>(1, row.steps));
  row.energy_drift = trajectory.energy_drift;
  row.worst_position = trajectory.worst_position;
  row.worst_velocity = trajectory.worst_velocity;
  row.worst_acceleration = trajectory.worst_acceleration;
  row.reached = trajectory.samples.back().t;
  run.series = reader.read(trajectory);
  const auto total = static_cast<std::size_t>(reader.find("energy.total"));
  for (std::size_t k = 1; k < run.series.values.size(); ++k)
    run.energy_drift.push_back(run.series.values[k][total] - run.series.values[0][total]);
  return run;
}

}  // namespace tactus::server
