// [MSE] sections 5.2 to 5.5 on the built-in mechanisms: figures 14 to 16 (flexible four-bar), 18 to 20 (lateral
// buckling), 22 to 27 (rotating shaft and orders) and the part of figure 28 that belongs to them.
//
// A brief run follows a few methods over the first windows; a row never depends on what comes after its window.
#include "tests/bench/papers/flexible.h"

#include "tests/bench/papers/flexible_runs.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>

namespace tactus::bench {

namespace {

/// The method whose finer run the others are compared with, as in the paper.
const ImplicitCase kReference{"esdirk43-6l", 5, ""};

const FlexibleSubject kFourBar{"flexible_four_bar", "bc.6", true, {}, nullptr, 0, {4, 6, 4}};
const FlexibleSubject kBlade{"lateral_buckling", "blade.10", true, {"blade.element_10.q_3", "blade.element_11.q_3"}};

/// Integral of the speed of the shaft, [MSE] Eq. (25), rad.
double shaftAngle(double t) {
  const auto rise = [](double since, double duration) {  // integral of (1 - cos(pi t / duration)) / 2, then of 1
    if (since <= 0) return 0.0;
    if (since > duration) return since - duration / 2;
    return since / 2 - duration / (2 * std::numbers::pi) * std::sin(std::numbers::pi * since / duration);
  };
  return 48 * rise(t, 0.5) + 24 * rise(t - 1, 0.25);
}

const FlexibleSubject kShaft{"rotating_shaft", "shaft.8", false, {}, shaftAngle, 1.25};

/// A number of a curve: four digits are more than a picture shows.
Cell plotted(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return Cell(text);
}

bool isBrief(const ImplicitCase& c) {
  return (c.method == "lms2" && c.rho_inf == "0") || (c.method == "lms4" && c.rho_inf == "0.6") ||
         c.method == "mssth3" || c.method == "ali3p";
}

std::vector<ImplicitCase> casesFor(const Request& request) {
  std::vector<ImplicitCase> cases = flexibleCases();
  if (request.brief) std::erase_if(cases, [](const ImplicitCase& c) { return !isBrief(c); });
  return cases;
}

/// Windows that a request computes: the first ones, if it is brief.
std::vector<Window> windowsFor(const Request& request, std::vector<Window> all, std::size_t brief) {
  if (request.brief) all.resize(brief);
  return all;
}

/// The step nearest to every multiple of an interval.
std::vector<std::size_t> everyOther(const History& run, double interval) {
  std::vector<std::size_t> chosen;
  double next = 0;
  for (std::size_t k = 0; k < run.t.size(); ++k) {
    if (run.t[k] < next - 1e-9) continue;
    chosen.push_back(k);
    next += interval;
  }
  return chosen;
}

// ---- Flexible four-bar, figures 14 to 16 ----

/// Runs with one step of a solve: a row for each window, and curves.
void fourBar(const Request& request, const std::string& name, const std::string& curves, double step,
             const std::vector<Window>& windows, double interval) {
  Table table(request, name, 4, Compare::kFigures, 0.05,
              {"method", "rho_inf", "from_s", "to_s", "ending", "theta_difference_percent", "omega_rms_rad_per_s",
               "omega_ripple_rad_per_s"});
  Table curve(request, curves, 3, Compare::kCurve, 0.02, {"method", "rho_inf", "t_s", "theta_rad", "omega_rad_per_s"});
  const FlexibleMechanism mechanism(kFourBar);
  const History reference = mechanism.run(kReference, 2e-3, windows.back().to + 0.1);
  for (const ImplicitCase& c : casesFor(request)) {
    const History run = mechanism.run(c, step, windows.back().to);
    for (const Window& w : windows) {
      if (run.end() < w.from + 0.2) break;
      table.row({c.method, c.rho_inf, w.from, w.to, endingIn(run, w), differencePercent(run, reference, 0, w),
                 rms(run, 1, w), ripple(run, 1, w)});
    }
    for (const std::size_t k : everyOther(run, interval))
      if (!request.brief || run.t[k] < 3)  // before the passage, which magnifies round-off
        curve.row({c.method, c.rho_inf, plotted(run.t[k]), plotted(run.value[0][k]), plotted(run.value[1][k])});
  }
}

// The bars are in line at 3.1 s and on each other at 8.4 s.

void fourBarCoarse(const Request& request) {
  fourBar(request, "figures_14_15", "curves_14_15", 4e-3, windowsFor(request, {{0, 3}, {3, 4}, {4, 8}, {8, 12}}, 2),
          0.08);
}

void fourBarFine(const Request& request) {
  fourBar(request, "figure_16", "curves_16", 1e-3, windowsFor(request, {{0, 1}, {1, 3}, {3, 4}}, 1), 4.0 / 150);
}

// ---- Lateral buckling, figures 18 to 20 ----

void buckling(const Request& request) {
  Table table(request, "figures_18_to_20", 5, Compare::kFigures, 0.05,
              {"step_of_solve_s", "method", "rho_inf", "from_s", "to_s", "ending", "theta_difference_percent",
               "omega_rms_rad_per_s", "force_rms_N", "energy_end_J"});
  Table curve(request, "curves_18_to_20", 3, Compare::kCurve, 0.02,
              {"method", "rho_inf", "t_s", "theta_rad", "omega_rad_per_s", "force_N"});
  const std::vector<Window> windows = windowsFor(request, {{0, 0.2}, {0.2, 0.4}, {0.4, 0.6}, {0.6, 0.8}}, 1);
  const FlexibleMechanism mechanism(kBlade);
  constexpr double kStep = 1e-3, kFine = 2e-4;  // s
  const History reference = mechanism.run(kReference, kFine, windows.back().to + 0.01);
  const auto rows = [&](double step, const ImplicitCase& c, const History& run) {
    for (const Window& w : windows) {
      if (run.failed && run.end() < w.from + 0.02) break;
      std::size_t last = 0;
      while (last + 1 < run.t.size() && run.t[last + 1] <= w.to + 1e-9) ++last;
      table.row({step, c.method, c.rho_inf, w.from, w.to, endingIn(run, w), differencePercent(run, reference, 0, w),
                 rms(run, 1, w), rms(run, 2, w), run.energy[last]});
    }
  };
  rows(kFine, kReference, reference);
  for (const ImplicitCase& c : casesFor(request)) {
    const History run = mechanism.run(c, kStep, windows.back().to);
    rows(kStep, c, run);
    for (const std::size_t k : everyOther(run, 5e-3))
      curve.row({c.method, c.rho_inf, plotted(run.t[k]), plotted(run.value[0][k]), plotted(run.value[1][k]),
                 plotted(run.value[2][k])});
  }
}

// ---- Rotating shaft, figures 22 to 27 ----

void shaft(const Request& request) {
  Table table(request, "figures_22_to_24", 4, Compare::kFigures, 0.05,
              {"method", "rho_inf", "from_s", "to_s", "ending", "u_difference_percent", "v_difference_percent",
               "a_difference_percent"});
  Table curve(request, "curves_22_to_24", 3, Compare::kCurve, 0.02,
              {"method", "rho_inf", "t_s", "u_m", "v_m_per_s", "a_m_per_s2"});
  const std::vector<Window> windows = windowsFor(request, {{0, 0.5}, {0.5, 1.25}, {1.25, 2.5}}, 1);
  const FlexibleMechanism mechanism(kShaft);
  constexpr double kStep = 1e-3, kFine = 2e-4;  // s
  const History reference = withDifferences(mechanism.run(kReference, kFine, windows.back().to + 0.01));
  for (const ImplicitCase& c : casesFor(request)) {
    const History run = mechanism.run(c, kStep, windows.back().to);
    for (const Window& w : windows) {
      if (run.failed && run.end() < w.from + 0.02) break;
      table.row({c.method, c.rho_inf, w.from, w.to, endingIn(run, w), differencePercent(run, reference, 0, w),
                 differencePercent(run, reference, 1, w), differencePercent(run, reference, 2, w)});
    }
    for (const std::size_t k : everyOther(run, 0.02))
      curve.row({c.method, c.rho_inf, plotted(run.t[k]), plotted(run.value[0][k]), plotted(run.value[1][k]),
                 plotted(run.value[2][k])});
  }
}

bool isHigher(const ImplicitCase& c) {
  return c.method.starts_with("mssth") || c.method.starts_with("esdirk");
}

void orders(const Request& request, const std::string& name, bool higher) {
  Table table(request, name, 4, Compare::kFigures, 0.05,
              {"method", "rho_inf", "until_s", "step_of_solve_s", "ending", "u_error", "v_error", "a_error", "u_order",
               "v_order", "a_order", "cpu_s"});
  // Each run is judged over its first part and as a whole.
  std::vector<double> horizons = {0.3, 0.75};
  std::vector<double> steps = {2e-3, 1e-3, 5e-4};
  if (higher) steps.push_back(2.5e-4);  // closer to the limit, where a higher order shows
  if (request.brief) {
    horizons.resize(1);
    steps.resize(2);
  }
  const FlexibleMechanism mechanism(kShaft);
  const History reference = withDifferences(mechanism.run(kReference, 1e-4, horizons.back() + 2.5e-3));
  for (const ImplicitCase& c : casesFor(request)) {
    if (isHigher(c) != higher) continue;
    std::vector<std::array<double, 3>> before(horizons.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const History run = mechanism.run(c, steps[i], horizons.back());
      for (std::size_t part = 0; part < horizons.size(); ++part) {
        const Window window{0, horizons[part]};
        std::array<double, 3> errors{};
        std::vector<Cell> row = {c.method, c.rho_inf, horizons[part], steps[i], endingIn(run, window)};
        for (std::size_t k = 0; k < 3; ++k) row.emplace_back(errors[k] = relativeError(run, reference, k, window));
        for (std::size_t k = 0; k < 3; ++k)
          row.push_back(i == 0 ? Cell("") : Cell(std::log2(before[part][k] / errors[k])));
        row.emplace_back(run.cpu_s);
        before[part] = errors;
        table.row(row);
      }
    }
  }
}

void secondOrders(const Request& request) {
  orders(request, "figures_25a_to_27a", false);
}

void higherOrders(const Request& request) {
  orders(request, "figures_25b_to_27b", true);
}

// ---- Figure 28 ----

void iterations(const Request& request) {
  Table table(request, "figure_28", 5, Compare::kFigures, 0.05,
              {"mechanism", "step_of_solve_s", "method", "rho_inf", "until_s", "ending", "iterations_of_solve"});
  struct Part {
    const FlexibleSubject& subject;
    double until, steps[2];
  };
  for (const Part& part :
       {Part{kFourBar, 3.3, {8e-3, 4e-3}}, Part{kBlade, 0.1, {1e-3, 2.5e-4}}, Part{kShaft, 0.3, {1e-3, 5e-4}}}) {
    const FlexibleMechanism mechanism(part.subject);
    for (const double step : part.steps)
      for (const ImplicitCase& c : casesFor(request)) {
        if (request.brief && step != part.steps[0]) continue;
        const History run = mechanism.run(c, step, part.until);
        table.row({part.subject.model, step, c.method, c.rho_inf, part.until, endingIn(run, {0, part.until}),
                   run.iterations_of_solve});
      }
  }
}

}  // namespace

std::vector<Experiment> flexibleExperiments() {
  return {{"figures_14_15", fourBarCoarse}, {"figure_16", fourBarFine},           {"figures_18_to_20", buckling},
          {"figures_22_to_24", shaft},      {"figures_25a_to_27a", secondOrders}, {"figures_25b_to_27b", higherOrders},
          {"figure_28", iterations}};
}

}  // namespace tactus::bench
