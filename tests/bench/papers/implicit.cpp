// [MSE] section 4, the linear analysis (figures 2 to 7), and section 5.1, the squeezer with the paper's own step for
// each stage (figures 9 to 12 and its part of figure 28). The flexible mechanisms are in flexible.cpp.
#include "rt/math/worst.h"
#include "rt/model/model.h"
#include "rt/offline/multistep/coefficients.h"
#include "rt/signals/signal_reader.h"
#include "tests/bench/papers/flexible.h"
#include "tests/bench/papers/implicit_cases.h"
#include "tests/bench/papers/runs.h"
#include "tests/support/compare.h"
#include "tests/support/paper_mechanisms.h"

#include <Eigen/Dense>
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>

namespace tactus::bench {

namespace {

using namespace rt::offline;
using Complex = std::complex<double>;

/// A method of the paper: n implicit solves a step.
struct Formula {
  std::string name;
  int solves;
  std::vector<double> rho_inf;
  int multistep = 0;                      ///< number of steps, or 0
  std::function<Esdirk(double)> tableau;  ///< of the others
};

const std::vector<Formula>& formulas() {
  const std::vector<double> tunable = {0, 0.2, 0.4, 0.6, 0.8};
  static const std::vector<Formula> all = {
      {"lms2", 1, tunable, 2, {}},
      {"lms3", 1, tunable, 3, {}},
      {"lms4", 1, tunable, 4, {}},
      {"bathe", 2, tunable, 0, [](double p) { return trapezoidalSubsteps(2, p); }},
      {"msstc3", 3, tunable, 0, [](double p) { return trapezoidalSubsteps(3, p); }},
      {"msstc4", 4, tunable, 0, [](double p) { return trapezoidalSubsteps(4, p); }},
      {"msstc5", 5, tunable, 0, [](double p) { return trapezoidalSubsteps(5, p); }},
      {"mssth3", 3, {0}, 0, [](double p) { return highOrderSubsteps(3, p); }},
      {"mssth4", 4, {0}, 0, [](double p) { return highOrderSubsteps(4, p); }},
      {"mssth5", 5, {0}, 0, [](double p) { return highOrderSubsteps(5, p); }},
      {"esdirk32-4l", 3, {0}, 0, [](double) { return kennedyCarpenter("esdirk32-4l"); }},
      {"esdirk32-5l", 4, {0}, 0, [](double) { return kennedyCarpenter("esdirk32-5l"); }},
      {"esdirk43-6l", 5, {0}, 0, [](double) { return kennedyCarpenter("esdirk43-6l"); }}};
  return all;
}

// ---- Linear analysis ----

/// R(z) = 1 + z b (1 - z A)^-1 (1, ..., 1).
Complex stability(const Esdirk& method, Complex z) {
  const Eigen::Index n = method.stages();
  Eigen::MatrixXcd A = Eigen::MatrixXcd::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (std::size_t j = 0; j < method.a[static_cast<std::size_t>(i)].size(); ++j)
      A(i, static_cast<Eigen::Index>(j)) = method.a[static_cast<std::size_t>(i)][j];
  const Eigen::VectorXcd stages =
      (Eigen::MatrixXcd::Identity(n, n) - z * A).partialPivLu().solve(Eigen::VectorXcd::Ones(n));
  return 1.0 + z * (A.row(n - 1) * stages)(0);
}

/// Roots of sum_j (alpha_j + z beta_j) x^{r-j} = (1 - z beta_0) x^r.
std::vector<Complex> rootsOf(const MultistepCoefficients& k, Complex z) {
  const auto r = static_cast<Eigen::Index>(k.alpha.size()) - 1;
  Eigen::MatrixXcd companion = Eigen::MatrixXcd::Zero(r, r);
  for (Eigen::Index j = 0; j < r; ++j) {
    const auto i = static_cast<std::size_t>(j) + 1;
    companion(0, j) = (k.alpha[i] + z * k.beta[i]) / (1.0 - z * k.beta[0]);
  }
  for (Eigen::Index j = 1; j < r; ++j) companion(j, j - 1) = 1;
  const Eigen::VectorXcd roots = Eigen::ComplexEigenSolver<Eigen::MatrixXcd>(companion, false).eigenvalues();
  return {roots.begin(), roots.end()};
}

/// The characteristic roots of a formula at h omega.
class Spectrum {
 public:
  Spectrum(const Formula& formula, double rho_inf) {
    if (formula.multistep > 0)
      multistep_ = multistepCoefficients(formula.multistep, rho_inf);
    else
      tableau_ = formula.tableau(rho_inf);
  }
  std::vector<Complex> at(double h) const {
    return multistep_.alpha.empty() ? std::vector{stability(tableau_, Complex(0, h))}
                                    : rootsOf(multistep_, Complex(0, h));
  }

 private:
  MultistepCoefficients multistep_;
  Esdirk tableau_;
};

void linear(const Request& request) {
  Table table(request, "figures_2_to_7", 3, Compare::kFigures, 1e-4,
              {"method", "rho_inf", "step_per_solve_and_period", "damping_percent", "period_error_percent", "radius"});
  for (const Formula& formula : formulas())
    for (const double rho_inf : formula.rho_inf) {
      if (request.brief && rho_inf != 0.6 && formula.rho_inf.size() > 1) continue;
      const Spectrum spectrum(formula, rho_inf);
      const double unit = 2 * std::numbers::pi * formula.solves;
      // Damping and period of the root that begins at 1, followed with its phase up to a fifth of a period a solve.
      Complex root = 1;
      double phase = 0;
      constexpr int kSubsteps = 20;
      for (int k = 1; k <= 20 * kSubsteps; ++k) {
        const double abscissa = 0.01 * k / kSubsteps;
        const std::vector<Complex> roots = spectrum.at(abscissa * unit);
        const Complex next = *std::min_element(
            roots.begin(), roots.end(), [&](Complex a, Complex b) { return std::abs(a - root) < std::abs(b - root); });
        phase += std::arg(next / root);
        root = next;
        if (k % kSubsteps != 0) continue;
        const Complex exponent(std::log(std::abs(root)), phase);
        double radius = 0;
        for (const Complex r : roots) radius = rt::worst(radius, std::abs(r));
        table.row({formula.name, rho_inf, abscissa, -100 * exponent.real() / std::abs(exponent),
                   100 * (abscissa * unit / std::abs(exponent) - 1), radius});
      }
      // Longer steps have a radius alone.
      for (const double abscissa : {0.3, 0.5, 1.0, 2.0, 5.0, 10.0, 100.0}) {
        double radius = 0;
        for (const Complex r : spectrum.at(abscissa * unit)) radius = rt::worst(radius, std::abs(r));
        table.row({formula.name, rho_inf, abscissa, "", "", radius});
      }
    }
}

// ---- Squeezer ----

/// Rate of the crank and energy balance, [MSE] Eq. (23), along a run.
struct Record {
  std::vector<double> t, rate, balance;
  double end_of_run = 0;
};

Record recordOf(const rt::Model& model, const Trajectory& run) {
  constexpr double kTorque = 0.033;  // N m
  const rt::SignalDirectory directory(model);
  rt::SignalReader reader(directory, directory.resolve({"energy.kinetic", "energy.potential"}));
  rt::Snapshot snapshot(model);
  std::vector<double> energies(2);
  Record record;
  double start = 0;
  for (const Sample& sample : run.samples) {
    snapshot.state = sample.state;
    reader.read(snapshot, energies);
    const rt::StateView s = viewOf(model, sample);
    const double rest = energies[0] + energies[1] - kTorque * s.jointDisplacements()[0];
    if (record.t.empty()) start = rest;
    record.t.push_back(sample.t);
    record.rate.push_back(s.omega(0)[2]);
    record.balance.push_back(rest - start);
  }
  record.end_of_run = run.samples.back().t;
  return record;
}

Trajectory squeezerRun(const rt::Model& model, const ImplicitCase& c, double step_of_solve, double until) {
  const double h = c.solves * step_of_solve;
  Settings settings;
  if (!c.rho_inf.empty()) settings.push_back("rho_inf=" + c.rho_inf);
  return runOn(model, c.method, h, wholeSteps(h, until), {}, settings);
}

/// Of five parts of the run, the mean of the balance: a trend is seen, a swing is not.
std::vector<double> trendOf(const Record& record) {
  std::vector<double> sums(5, 0), counts(5, 0);
  for (std::size_t k = 0; k < record.t.size(); ++k) {
    const auto part = std::min<std::size_t>(4, static_cast<std::size_t>(5 * record.t[k] / 0.05));
    sums[part] += record.balance[k];
    counts[part] += 1;
  }
  for (std::size_t k = 0; k < 5; ++k) sums[k] = counts[k] > 0 ? sums[k] / counts[k] : std::nan("");
  return sums;
}

void squeezer(const Request& request) {
  Table table(
      request, "figures_9_to_12", 3, Compare::kFigures, 0.05,
      {"step_of_solve_s", "method", "rho_inf", "ending", "rate_error_rad_per_s", "t_of_error_s", "balance_J_1",
       "balance_J_2", "balance_J_3", "balance_J_4", "balance_J_5", "balance_end_J", "iterations_of_solve", "cpu_s"});
  const rt::Model model = rt::buildModel(tests::squeezer());
  const tests::Series exact = tests::Table::reference("andrews_squeezer.csv").series("betadot[rad/s]");
  for (const double step : {1e-4, 1e-5})
    for (const ImplicitCase& c : implicitCases()) {
      if (request.brief && step < 5e-5) continue;
      const double start = cpuSeconds();
      const Trajectory run = squeezerRun(model, c, step, 0.05);
      const double seconds = cpuSeconds() - start;
      const Record record = recordOf(model, run);
      double error = 0, time = 0;
      for (std::size_t k = 0; k < record.t.size(); ++k) {
        const double e = std::abs(record.rate[k] - tests::valueAt(exact, record.t[k]));
        if (e <= error) continue;
        error = e;
        time = record.t[k];
      }
      const std::vector<double> trend = trendOf(record);
      table.row({step, c.method, c.rho_inf, endingOf(run), error, time, trend[0], trend[1], trend[2], trend[3],
                 trend[4], record.balance.back(),
                 static_cast<double>(run.statistics.newton_iterations) /
                     static_cast<double>(std::max<std::int64_t>(1, run.statistics.steps * c.solves)),
                 seconds});
    }
}

void squeezerCurves(const Request& request) {
  Table table(request, "figures_9_10", 3, Compare::kCurve, 0.02,
              {"method", "rho_inf", "t_s", "omega_rad_per_s", "balance_J"});
  const rt::Model model = rt::buildModel(tests::squeezer());
  for (const ImplicitCase& c : implicitCases()) {
    if (request.brief && c.solves < 5) continue;
    const Record record = recordOf(model, squeezerRun(model, c, 1e-4, 0.05));
    // About fifty points of each curve.
    const std::size_t stride = static_cast<std::size_t>(std::max(1, 10 / c.solves));
    for (std::size_t k = 0; k < record.t.size(); k += stride)
      table.row({c.method, c.rho_inf, record.t[k], record.rate[k], record.balance[k]});
  }
}

}  // namespace

std::vector<Experiment> implicitExperiments() {
  std::vector<Experiment> all = {
      {"figures_2_to_7", linear}, {"figures_9_to_12", squeezer}, {"figures_9_10", squeezerCurves}};
  for (const Experiment& experiment : flexibleExperiments()) all.push_back(experiment);
  return all;
}

}  // namespace tactus::bench
