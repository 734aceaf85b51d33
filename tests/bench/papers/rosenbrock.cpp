// [RN]: the stiff double pendulum (figure 2, tables 1 and 2) and the vehicle over its bump (tables 3 and 4, figure 5).
#include "rt/math/worst.h"
#include "rt/model/model.h"
#include "tests/bench/papers/runs.h"
#include "tests/server/models/stiff_vehicle.h"
#include "tests/support/paper_mechanisms.h"

#include "rt/mechanics/initial_state.h"

#include <cmath>

namespace tactus::bench {

namespace {

using namespace rt::offline;

const std::vector<std::string> kTolerances = {"1e-2", "1e-3", "1e-4", "1e-5"};

Settings tolerance(const std::string& value) {
  return {"rtol=" + value, "atol=" + value};
}

// ---- Double pendulum ----

/// The error analysis of the paper for one quantity along a run.
struct ErrorAnalysis {
  double worst = 0, time = 0, value = 0, sum = 0;
  std::size_t count = 0;

  void take(double t, double found, double exact) {
    const double error = std::abs(found - exact);
    sum += error * error;
    ++count;
    if (error <= worst) return;
    worst = error;
    time = t;
    value = std::abs(exact);
  }
  double relative() const { return 100 * worst / value; }
  double mean() const { return std::sqrt(sum / static_cast<double>(count)); }
};

void figure2(const Request& request) {
  Table table(request, "figure2", 1, Compare::kCurve, 1e-6, {"t_s", "theta_1_rad", "rate_1_rad_per_s"});
  const rt::Model model = rt::buildModel(tests::stiffDoublePendulum());
  const double until = request.brief ? 0.2 : 2;
  for (const Sample& sample : runOn(model, "rn4", 0.01, until, grid(0.01, until), tolerance("1e-7")).samples)
    table.row({sample.t, viewOf(model, sample).jointDisplacements()[0], viewOf(model, sample).omega(0)[2]});
}

void tables12(const Request& request) {
  Table table(request, "tables_1_2", 2, Compare::kFigures, 0.02,
              {"method", "tolerance", "t_angle_s", "angle_rad", "angle_percent", "angle_mean_rad", "t_rate_s",
               "rate_rad_per_s", "rate_percent", "rate_mean_rad_per_s", "steps", "rejected", "evaluations", "cpu_s"});
  const rt::Model model = rt::buildModel(tests::stiffDoublePendulum());
  for (const std::string method : {"rn4", "ros2-w", "cvode-bdf", "ida"})
    for (const std::string& value : kTolerances) {
      if (request.brief && (method != "rn4" || value > "1e-3")) continue;
      const double start = cpuSeconds();
      const Trajectory run = runOn(model, method, 0.1, 2, {}, tolerance(value));
      const double seconds = cpuSeconds() - start;
      const Trajectory exact = runOn(model, "rn4", 0.1, 2, timesOf(run), tolerance("1e-7"));
      ErrorAnalysis angle, rate;
      for (std::size_t k = 0; k < run.samples.size(); ++k) {
        const rt::StateView a = viewOf(model, run.samples[k]), b = viewOf(model, exact.samples[k]);
        angle.take(run.samples[k].t, a.jointDisplacements()[0], b.jointDisplacements()[0]);
        rate.take(run.samples[k].t, a.omega(0)[2], b.omega(0)[2]);
      }
      table.row({method, value, angle.time, angle.worst, angle.relative(), angle.mean(), rate.time, rate.worst,
                 rate.relative(), rate.mean(), run.statistics.steps, run.statistics.rejected,
                 run.statistics.force_evaluations, seconds});
    }
}

// ---- Vehicle ----

double chassisHeight(const rt::Model& model, const Sample& sample) {
  return viewOf(model, sample).r(0)[2];
}

/// The vehicle with the ends of its runs and the motion that they should have.
struct Vehicle {
  std::vector<double> ends, times;
  rt::Model model = rt::buildModel(tests::stiffVehicle());
  Trajectory exact;

  explicit Vehicle(std::vector<double> wanted) : ends(std::move(wanted)), times(grid(0.05, ends.back())) {
    if (ends.front() < 0.05) times.insert(times.begin(), ends.front());
    exact = runOn(model, "rn4", 0.1, ends.back(), times, tolerance("1e-8"));
  }
};

/// A run to the last of the wanted ends, with one row at each of them: what was done and needed so far.
void vehicleRows(Table& table, const Vehicle& vehicle, const std::string& method, const std::string& value) {
  const auto& [ends, times, model, exact] = vehicle;
  // integrate() reports each step; the errors are known when the run has ended.
  struct Reached {
    std::int64_t steps;
    double seconds;
  };
  std::vector<Reached> reached;
  std::int64_t steps = 0;
  const double start = cpuSeconds();
  const auto progress = [&](double t) {
    ++steps;
    if (reached.size() < ends.size() && t >= ends[reached.size()] - 1e-9)
      reached.push_back({steps, cpuSeconds() - start});
  };
  const Trajectory run = integrate(
      {model, rt::initialState(model).state, {}, 0.1, ends.back(), times, nullptr, progress}, method, tolerance(value));
  for (std::size_t k = 0; k < reached.size(); ++k) {
    double error = 0;
    for (std::size_t i = 0; i < run.samples.size() && run.samples[i].t < ends[k] + 1e-9; ++i)
      error = rt::worst(error, std::abs(chassisHeight(model, run.samples[i]) - chassisHeight(model, exact.samples[i])));
    table.row({value, ends[k], reached[k].steps, error, reached[k].seconds});
  }
}

const std::vector<std::string> kVehicleColumns = {"tolerance", "end_s", "steps", "chassis_error_m", "cpu_s"};

void explicitVehicle(const Request& request, const std::string& name, const std::string& value) {
  Table table(request, name, 2, Compare::kFigures, 0.05, kVehicleColumns);
  const Vehicle vehicle(request.brief ? std::vector<double>{0.002} : std::vector<double>{0.002, 1, 2, 3, 4});
  vehicleRows(table, vehicle, "adams", value);
}

// One table for each tolerance, because each takes a quarter of an hour.
void table3at2(const Request& request) {
  explicitVehicle(request, "table_3_at_1e-2", "1e-2");
}
void table3at3(const Request& request) {
  explicitVehicle(request, "table_3_at_1e-3", "1e-3");
}
void table3at4(const Request& request) {
  explicitVehicle(request, "table_3_at_1e-4", "1e-4");
}
void table3at5(const Request& request) {
  explicitVehicle(request, "table_3_at_1e-5", "1e-5");
}

void table4(const Request& request) {
  Table table(request, "table_4", 2, Compare::kFigures, 0.05, kVehicleColumns);
  const Vehicle vehicle(request.brief ? std::vector<double>{0.5} : std::vector<double>{0.5, 1, 2, 3, 4});
  for (const std::string& value : kTolerances)
    if (!request.brief || value == "1e-2") vehicleRows(table, vehicle, "rn4", value);
}

void figure5(const Request& request) {
  Table table(request, "figure5", 1, Compare::kFigures, 1e-3, {"number", "t_s", "step_s", "chassis_z_m"});
  const rt::Model model = rt::buildModel(tests::stiffVehicle());
  const Trajectory run = runOn(model, "rn4", 0.1, request.brief ? 0.6 : 5, {}, tolerance("1e-3"));
  // The steps before the end of a brief run are cut to reach it.
  const std::size_t end = run.samples.size() - (request.brief ? 3 : 0);
  for (std::size_t k = 1; k < end; ++k)
    table.row({static_cast<std::int64_t>(k), run.samples[k].t, run.samples[k].t - run.samples[k - 1].t,
               chassisHeight(model, run.samples[k])});
}

}  // namespace

std::vector<Experiment> rosenbrockExperiments() {
  return {{"figure2", figure2},           {"tables_1_2", tables12},       {"table_4", table4},
          {"figure5", figure5},           {"table_3_at_1e-3", table3at3}, {"table_3_at_1e-2", table3at2},
          {"table_3_at_1e-4", table3at4}, {"table_3_at_1e-5", table3at5}};
}

}  // namespace tactus::bench
