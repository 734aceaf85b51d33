// [TAN] sections 6 and 7: the stiff double pendulum (figures 15 to 22), the squeezer (figures 24 to 27) and the closed
// loops (tables 3 and 4). The stiff pendulum is in stiff_pendulum.cpp.
#include "rt/math/worst.h"
#include "rt/model/model.h"
#include "tests/bench/papers/stiff_pendulum.h"
#include "tests/support/compare.h"
#include "tests/support/paper_mechanisms.h"
#include "tests/support/simulation.h"

#include <cmath>

namespace tactus::bench {

namespace {

using namespace rt::offline;
using rt::Vector3d;

// ---- Stiff double pendulum ----

double angle1(const rt::Model& model, const Sample& sample) {
  return viewOf(model, sample).jointDisplacements()[0];
}

const std::vector<std::pair<std::string, Settings>>& classicRules() {
  static const std::vector<std::pair<std::string, Settings>> rules = {
      {"0.5 0.25", {"alpha=0.5", "beta=0.25"}},
      {"0.5000005 0.2500006", {"alpha=0.5000005", "beta=0.2500006"}},
      {"0.5001 0.2507", {"alpha=0.5001", "beta=0.2507"}},
      {"0.75 0.390625", {"alpha=0.75", "beta=0.390625"}}};
  return rules;
}

void classicDoublePendulum(const Request& request) {
  Table table(request, "figures_15_16", 1, Compare::kFigures, 0.2,
              {"rule", "end_s", "angle_error_rad", "force_x_N", "force_y_N", "bend_of_force_N"});
  const rt::Model model = rt::buildModel(tests::stiffDoublePendulum());
  const tests::Table exact = tests::Table::reference("stiff_double_pendulum.csv");
  for (const auto& [name, settings] : classicRules()) {
    if (request.brief && name.front() == '0' && name != "0.75 0.390625") continue;
    const Trajectory run = runOn(model, "newmark-classic", 1e-3, 10, {}, settings);
    double error = 0, x = 0, y = 0, bend = 0;
    std::vector<Vector3d> forces;
    const tests::Series reference = exact.series("theta1[rad]");
    for (const Sample& sample : run.samples) {
      forces.push_back(groundForce(model, sample));
      error = rt::worst(error, std::abs(angle1(model, sample) - tests::valueAt(reference, sample.t)));
      // Past the transient of the start.
      if (sample.t < 0.2) continue;
      x = rt::worst(x, std::abs(forces.back()[0]));
      y = rt::worst(y, std::abs(forces.back()[1]));
      const std::size_t n = forces.size();
      bend = rt::worst(bend, (forces[n - 1] - 2 * forces[n - 2] + forces[n - 3]).norm());
    }
    table.row({name, run.samples.back().t, error, x, y, bend});
  }
}

void classicReactions(const Request& request) {
  Table table(
      request, "figure16", 1, Compare::kCurve, 0.2,
      {"t_s", "angle_rad", "force_x_N", "force_y_N", "angle_damped_rad", "force_x_damped_N", "force_y_damped_N"});
  const rt::Model model = rt::buildModel(tests::stiffDoublePendulum());
  const double until = request.brief ? 0.5 : 2;
  const Trajectory first = runOn(model, "newmark-classic", 1e-3, until, {}, classicRules()[1].second);
  const Trajectory damped = runOn(model, "newmark-classic", 1e-3, until, {}, classicRules()[3].second);
  for (std::size_t k = 0; k < first.samples.size(); k += 5) {
    const Vector3d a = groundForce(model, first.samples[k]), b = groundForce(model, damped.samples[k]);
    table.row({first.samples[k].t, angle1(model, first.samples[k]), a[0], a[1], angle1(model, damped.samples[k]), b[0],
               b[1]});
  }
}

void foxGoodwinDoublePendulum(const Request& request) {
  Table table(request, "figures_17_to_22", 2, Compare::kCurve, 0.01,
              {"begin", "t_s", "angle_rad", "position_violation", "velocity_violation", "acceleration_violation",
               "omega_rad_per_s", "angle_exact_rad"});
  const rt::Model model = rt::buildModel(tests::stiffDoublePendulum());
  const tests::Table exact = tests::Table::reference("stiff_double_pendulum.csv");
  const tests::Series reference = exact.series("theta1[rad]");
  for (const std::string begin : {"accelerated", "unaccelerated"}) {
    Settings settings = {"scheme=fox-goodwin"};
    if (begin == "unaccelerated") settings.push_back("begin=unaccelerated");
    const double until = request.brief ? 0.5 : 10;
    // The steps of figure 17 and, begun without acceleration, of figure 22.
    const Trajectory run = runOn(model, "newmark-tangent", 5e-4, until, grid(0.05, until), settings);
    for (const Sample& sample : run.samples)
      table.row({begin, sample.t, angle1(model, sample), sample.position_violation, sample.velocity_violation,
                 sample.acceleration_violation, sample.own.empty() ? 0 : sample.own[0],
                 tests::valueAt(reference, sample.t)});
  }
}

void rulesOnDoublePendulum(const Request& request) {
  Table table(request, "double_pendulum_rules", 3, Compare::kFigures, 0.05,
              {"method", "rule", "step_s", "ending", "angle_error_rad", "position_violation", "velocity_violation",
               "acceleration_violation"});
  const rt::Model model = rt::buildModel(tests::stiffDoublePendulum());
  const tests::Series reference = tests::Table::reference("stiff_double_pendulum.csv").series("theta1[rad]");
  const std::vector<std::tuple<std::string, std::string, Settings>> rules = {
      {"newmark-tangent", "fox-goodwin", {"scheme=fox-goodwin", "frequencies=false"}},
      {"newmark-tangent",
       "fox-goodwin unaccelerated",
       {"begin=unaccelerated", "scheme=fox-goodwin", "frequencies=false"}},
      {"newmark-tangent", "trapezoidal", {"scheme=trapezoidal", "frequencies=false"}},
      {"newmark-classic", "0.5 0.25", {"scheme=trapezoidal"}},
      {"newmark-classic", "0.5001 0.2507", {"alpha=0.5001", "beta=0.2507"}}};
  for (const auto& [method, rule, settings] : rules)
    for (const double h : {5e-4, 1e-3, 3e-3, 3.4e-3, 5e-3}) {
      if (request.brief && (h < 2e-3 || rule == "0.5 0.25" || rule == "trapezoidal" || rule == "fox-goodwin")) continue;
      const Trajectory run = runOn(model, method, h, wholeSteps(h, 2), {}, settings);
      double error = 0;
      for (const Sample& sample : run.samples)
        error = rt::worst(error, std::abs(angle1(model, sample) - tests::valueAt(reference, sample.t)));
      table.row(
          {method, rule, h, endingOf(run), error, run.worst_position, run.worst_velocity, run.worst_acceleration});
    }
}

void foxGoodwinLimit(const Request& request) {
  Table table(request, "fox_goodwin_limit", 1, Compare::kFigures, 0.2,
              {"step_s", "rate_at_30_s_rad_per_s", "stable_step_s"});
  const rt::Model model = rt::buildModel(tests::stiffDoublePendulum());
  for (const double h : {3e-3, 3.1e-3, 3.2e-3, 3.4e-3, 5e-3}) {
    if (request.brief && h < 4e-3) continue;
    const Trajectory run =
        runOn(model, "newmark-tangent", h, wholeSteps(h, 30), {}, {"begin=unaccelerated", "scheme=fox-goodwin"});
    // The motion should have come to rest.
    double worst = 0;
    for (const Sample& sample : run.samples)
      if (sample.t >= run.samples.back().t - 0.2) worst = rt::worst(worst, std::abs(viewOf(model, sample).omega(0)[2]));
    table.row({h, worst, run.statistics.step_limit});
  }
}

// ---- Squeezer ----

/// The joint F, at 7 mm on the crank.
Vector3d jointF(const rt::Model& model, const Sample& sample) {
  const double beta = viewOf(model, sample).jointDisplacements()[0];
  return 0.007 * Vector3d(std::cos(beta), std::sin(beta), 0);
}

void squeezerRules(const Request& request) {
  Table table(request, "squeezer", 3, Compare::kFigures, 0.05,
              {"method", "rule", "step_s", "ending", "F_error_m", "beta_error_rad", "rate_error_rad_per_s",
               "least_rate_rad_per_s", "balance_J", "omega_max_rad_per_s", "cpu_s"});
  const rt::Model model = rt::buildModel(tests::squeezer());
  const tests::Table exact = tests::Table::reference("andrews_squeezer.csv");
  const tests::Series beta = exact.series("beta[rad]"), rate = exact.series("betadot[rad/s]");
  const auto row = [&](const std::string& method, const std::string& rule, double h, const Settings& settings) {
    // From 5e-6 s down the frequencies cost more than they tell.
    Settings all = settings;
    const bool has_frequencies = method == "newmark-tangent" && h > 5e-6;
    if (method == "newmark-tangent") all.push_back(has_frequencies ? "frequencies=true" : "frequencies=false");
    const double start = cpuSeconds(), until = wholeSteps(h, 0.05);
    // The samples of the reference stand at multiples of 1e-4 s.
    const Trajectory run = runOn(model, method, h, until, h < 1e-4 ? grid(1e-4, until) : std::vector<double>{}, all);
    const double seconds = cpuSeconds() - start;
    double f = 0, b = 0, r = 0, least = HUGE_VAL;
    for (const Sample& sample : run.samples) {
      const double found = viewOf(model, sample).jointDisplacements()[0], spin = viewOf(model, sample).omega(0)[2];
      if (sample.t > 0) least = std::min(least, spin);
      const double samples = sample.t / 1e-4;
      if (std::abs(samples - std::round(samples)) > 1e-6) continue;
      const double true_beta = tests::valueAt(beta, sample.t);
      f = rt::worst(f, (jointF(model, sample) - 0.007 * Vector3d(std::cos(true_beta), std::sin(true_beta), 0)).norm());
      b = rt::worst(b, std::abs(found - true_beta));
      r = rt::worst(r, std::abs(spin - tests::valueAt(rate, sample.t)));
    }
    table.row({method, rule, h, endingOf(run), f, b, r, least, run.energy_drift, run.statistics.omega_max, seconds});
  };
  const Settings fox_goodwin = {"scheme=fox-goodwin"}, trapezoidal = {"scheme=trapezoidal"};
  for (const double h : {5e-4, 6e-4, 1e-3, 1e-4, 1e-5, 2e-6})
    if (!request.brief || h > 5e-5) row("newmark-tangent", "fox-goodwin", h, fox_goodwin);
  for (const double h : {1e-4, 1e-5, 1e-6})
    if (!request.brief || h > 5e-5) row("newmark-tangent", "trapezoidal", h, trapezoidal);
  for (const double h : {1e-4, 1e-5, 2e-6}) {
    if (request.brief && h < 5e-5) continue;
    row("newmark-classic", "0.5 0.25", h, trapezoidal);
    row("newmark-classic", "0.5001 0.2507", h, {"alpha=0.5001", "beta=0.2507"});
  }
}

void squeezerCurves(const Request& request) {
  Table table(request, "figures_24_to_27", 2, Compare::kCurve, 0.02,
              {"step_s", "t_s", "F_x_m", "F_y_m", "omega_rad_per_s"});
  const rt::Model model = rt::buildModel(tests::squeezer());
  for (const double h : {5e-4, 6e-4, 2e-5}) {
    if (request.brief && h < 1e-4) continue;
    // In place of 2e-6 s, whose figures are in the table: the curves are the same to the eye.
    const double until = wholeSteps(h, 0.05);
    const Trajectory run = runOn(model, "newmark-tangent", h, until,
                                 h < 1e-4 ? grid(2e-4, until) : std::vector<double>{}, {"scheme=fox-goodwin"});
    for (const Sample& sample : run.samples) {
      const Vector3d f = jointF(model, sample);
      table.row({h, sample.t, f[0], f[1], sample.own.empty() ? 0 : sample.own[0]});
    }
  }
}

// ---- Closed loops ----

void closedLoops(const Request& request) {
  Table table(request, "tables_3_4", 3, Compare::kFigures, 0.05,
              {"mechanism", "method", "step_s", "energy_drift_J", "cpu_s"});
  for (const auto& [spec, h] : {std::pair(tests::doubleFourBar(), 0.01),
                                {tests::doubleFourBar(), 0.008},
                                {tests::publishedBricard(), 0.01},
                                {tests::publishedBricard(), 0.002}}) {
    const rt::Model model = rt::buildModel(spec);
    // Time of the ticks alone: the energy is evaluated at the end.
    tests::Simulation simulation(spec, tests::settingsFor(h));
    const double begin = cpuSeconds();
    bool good = true;
    for (long long k = 0; k < std::llround(10 / h) && good; ++k) good = simulation.step().status == rt::TickStatus::kOk;
    const double seconds = cpuSeconds() - begin;
    if (!good) throw Error("a step of " + spec.name + " failed");
    table.row({spec.name, "ali3p", h, runOn(model, "ali3p", h, 10, {10}, {}).energy_drift, seconds});
    if (request.brief) continue;
    const double start = cpuSeconds();
    const Trajectory run = runOn(model, "newmark-tangent", h, 10, {10}, {"frequencies=false", "tolerance=1e-8"});
    table.row({spec.name, "newmark-tangent", h, run.energy_drift, cpuSeconds() - start});
  }
}

}  // namespace

std::vector<Experiment> tangentExperiments() {
  return {{"stiff_pendulum", pendulumStability},
          {"figures_8_to_10", pendulumTorques},
          {"figure10", pendulumReactions},
          {"figures_15_16", classicDoublePendulum},
          {"figure16", classicReactions},
          {"figures_17_to_22", foxGoodwinDoublePendulum},
          {"double_pendulum_rules", rulesOnDoublePendulum},
          {"fox_goodwin_limit", foxGoodwinLimit},
          {"figures_24_to_27", squeezerCurves},
          {"tables_3_4", closedLoops},
          {"squeezer", squeezerRules}};
}

}  // namespace tactus::bench
