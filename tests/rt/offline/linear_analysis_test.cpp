// Damping, period error and spectral radius of every method on an oscillator, against independently computed values.
//
// The principal root l of a step gives omega_n = |ln l| / h and xi_n; AD = 100 xi_n, PE = 100 (omega / omega_n - 1).
// Covers: rt/offline/multistep/index_3_solver.cpp
#include "rt/math/worst.h"
#include "rt/offline/multistep/first_order_steppers.h"
#include "rt/offline/newmark/tangent_newmark.h"
#include "rt/offline/rosenbrock/rosenbrock_nystrom.h"
#include "tests/rt/offline/plain_systems.h"

#include <catch2/catch.hpp>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <numbers>
#include <sstream>

using namespace tactus::rt::offline;
using namespace tactus::tests;

namespace {

using Complex = std::complex<double>;

struct Row {
  std::string method;
  double rho_inf, abscissa;
  double damping, period_error;  ///< NaN where only the radius is given
  double radius;
};

std::vector<Row> readRows() {
  std::ifstream file(TACTUS_SOURCE_DIR "/tests/reference/integrators_linear_analysis.csv");
  REQUIRE(file);
  std::vector<Row> rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::vector<std::string> f;
    std::stringstream stream(line);
    for (std::string field; std::getline(stream, field, ',');) f.push_back(field);
    const auto value = [&f](std::size_t i) { return f[i].empty() ? std::nan("") : std::strtod(f[i].c_str(), nullptr); };
    rows.push_back({f[0], value(1), value(2), value(3), value(4), value(5)});
  }
  return rows;
}

/// What one step makes of (x, v) of an oscillator with omega = 1.
Eigen::Matrix2d amplification(double h,
                              const std::function<std::unique_ptr<Stepper>(const Oscillator&, MotionPoint)>& make) {
  const Oscillator oscillator(1);
  Eigen::Matrix2d A;
  for (int k = 0; k < 2; ++k) {
    const auto stepper = make(oscillator, oscillator.pointAt(k == 0, k == 1));
    stepper->advance(h);
    A.col(k) << stepper->point().position[0], stepper->point().velocity[0];
  }
  return A;
}

/// Checks a principal root against a row.
void checkRoot(const Row& row, Complex root, double h) {
  // A root says its phase up to full turns and sign; past pi the table says which one it took.
  const double principal = std::abs(std::arg(root)), turn = 2 * std::numbers::pi;
  double phase = principal;
  const auto distance = [&](double candidate) {
    return std::abs(100 * (h / std::abs(Complex(std::log(std::abs(root)), candidate)) - 1) - row.period_error);
  };
  for (const double candidate : {turn - principal, turn + principal})
    if (distance(candidate) < distance(phase)) phase = candidate;
  const Complex exponent(std::log(std::abs(root)), phase);
  const double damping = -100 * exponent.real() / std::abs(exponent);
  const double period_error = 100 * (h / std::abs(exponent) - 1);
  // Percent. Steps are solved to 1e-10 or to round-off; the relative bound is that of large values.
  CHECK(damping == Approx(row.damping).epsilon(1e-6).margin(row.damping < 1e-4 ? 1e-8 : 1e-9));
  CHECK(period_error == Approx(row.period_error).epsilon(1e-6).margin(1e-8));
}

void checkOneStep(const Row& row, double h, const Eigen::Matrix2d& A) {
  const Eigen::Vector2cd roots = A.eigenvalues();
  // The radii of the table have eight digits at least.
  CHECK(roots.cwiseAbs().maxCoeff() == Approx(row.radius).epsilon(5e-8));
  if (!std::isnan(row.damping)) checkRoot(row, roots[0], h);
}

/// Roots of sum_j (alpha_j + z beta_j) x^{r-j} = (1 - z beta_0) x^r.
std::vector<Complex> rootsOf(const MultistepCoefficients& k, Complex z) {
  const auto r = static_cast<Eigen::Index>(k.alpha.size()) - 1;
  Eigen::MatrixXcd companion = Eigen::MatrixXcd::Zero(r, r);
  for (Eigen::Index j = 0; j < r; ++j) companion(0, j) = (k.alpha[j + 1] + z * k.beta[j + 1]) / (1.0 - z * k.beta[0]);
  for (Eigen::Index j = 1; j < r; ++j) companion(j, j - 1) = 1;
  const Eigen::VectorXcd roots = Eigen::ComplexEigenSolver<Eigen::MatrixXcd>(companion, false).eigenvalues();
  return {roots.begin(), roots.end()};
}

/// The root that begins at 1, followed as z grows along the imaginary axis to i h.
Complex principalRoot(const MultistepCoefficients& k, double h) {
  Complex root = 1;
  for (int step = 1; step <= 400; ++step) {
    const std::vector<Complex> roots = rootsOf(k, Complex(0, h * step / 400));
    root = *std::min_element(roots.begin(), roots.end(),
                             [root](Complex a, Complex b) { return std::abs(a - root) < std::abs(b - root); });
  }
  return root;
}

void checkMultistep(const Row& row, double h, int steps) {
  const MultistepCoefficients k = multistepCoefficients(steps, row.rho_inf);
  double radius = 0;
  for (const Complex root : rootsOf(k, Complex(0, h))) radius = tactus::rt::worst(radius, std::abs(root));
  // At infinite frequency the root is r-fold, and round-off to the power 1/r is what is left of it.
  const bool multiple = row.abscissa >= 1 || row.rho_inf == 1;
  CHECK(radius == Approx(row.radius).margin(multiple ? 2e-3 : 1e-9));
  if (!std::isnan(row.damping)) checkRoot(row, principalRoot(k, h), h);
}

struct Implicit {
  int solves;
  double most_rho_inf;
  std::function<Esdirk(double)> method;
};

std::map<std::string, Implicit> esdirkMethods() {
  std::map<std::string, Implicit> all;
  for (const int n : {2, 3, 4, 5})
    all[n == 2 ? "RHO_BATHE" : "MSSTC" + std::to_string(n)] = {n, 1,
                                                               [n](double p) { return trapezoidalSubsteps(n, p); }};
  for (const int n : {3, 4, 5})
    all["MSSTH" + std::to_string(n)] = {n, n == 5 ? 0.3 : 0.4, [n](double p) { return highOrderSubsteps(n, p); }};
  all["ESDIRK3(2)4L[2]SA"] = {3, 1, [](double) { return kennedyCarpenter("esdirk32-4l"); }};
  all["ESDIRK3(2)5L[2]SA"] = {4, 1, [](double) { return kennedyCarpenter("esdirk32-5l"); }};
  all["ESDIRK4(3)6L[2]SA2"] = {5, 1, [](double) { return kennedyCarpenter("esdirk43-6l"); }};
  return all;
}

const std::map<std::string, NewmarkRule> kNewmark = {{"NEWMARK_TRAPEZOIDAL", {0.5, 0.25}},
                                                     {"NEWMARK_FOX_GOODWIN", {0.5, 1.0 / 12}},
                                                     {"NEWMARK_LINEAR_ACCELERATION", {0.5, 1.0 / 6}}};

/// On a linear oscillator the first iteration is exact already.
constexpr Index3Solver::Settings kTightSolver{1e-10, 50, 0};

/// What a step of y' = z y makes of 1: R(z) = 1 + z b^T (I - z A)^-1 1.
Complex stabilityOf(const Esdirk& table, Complex z) {
  const auto stages = static_cast<Eigen::Index>(table.stages());
  Eigen::MatrixXcd system = Eigen::MatrixXcd::Identity(stages, stages);
  Eigen::VectorXcd b(stages);
  for (Eigen::Index i = 0; i < stages; ++i) {
    const std::vector<double>& row = table.a[static_cast<std::size_t>(i)];
    for (Eigen::Index j = 0; j < static_cast<Eigen::Index>(row.size()); ++j)
      system(i, j) -= z * row[static_cast<std::size_t>(j)];
  }
  for (Eigen::Index j = 0; j < stages; ++j) b[j] = table.a.back()[static_cast<std::size_t>(j)];
  const Eigen::VectorXcd values = system.partialPivLu().solve(Eigen::VectorXcd::Ones(stages));
  return 1.0 + z * b.cwiseProduct(values).sum();
}

/// The same for a Rosenbrock method in the variables of [RN] Theorem 2.1.
Complex stabilityOf(const RosenbrockNystrom& method, Complex z) {
  const Eigen::Index stages = method.m.size();
  Eigen::VectorXcd stage = Eigen::VectorXcd::Zero(stages);
  Complex result = 1;
  for (Eigen::Index i = 0; i < stages; ++i) {
    Complex value = 1, memory = 0;
    for (Eigen::Index j = 0; j < i; ++j) {
      value += method.a(i, j) * stage[j];
      memory += method.c(i, j) * stage[j];
    }
    stage[i] = method.gamma * (z * value + memory) / (1.0 - method.gamma * z);
    result += method.m[i] * stage[i];
  }
  return result;
}

}  // namespace

TEST_CASE("steps of ESDIRK methods have the damping, period error and radius of the linear analysis",
          "[rt][offline][linear]") {
  const auto all = esdirkMethods();
  int checked = 0;
  for (const Row& row : readRows()) {
    const auto found = all.find(row.method);
    if (found == all.end() || row.rho_inf > found->second.most_rho_inf) continue;
    INFO(row.method << " rho_inf " << row.rho_inf << " at " << row.abscissa);
    const double h = row.abscissa * found->second.solves * 2 * std::numbers::pi;
    // The solver's unknowns are accelerations, which grow with the frequency; beyond 1e5 only round-off would be seen.
    if (h > 1e4) continue;
    checkOneStep(row, h, amplification(h, [&](const Oscillator& system, const MotionPoint& start) {
                   return std::make_unique<EsdirkStepper>(system, start, found->second.method(row.rho_inf),
                                                          kTightSolver);
                 }));
    ++checked;
  }
  CHECK(checked > 270);
}

TEST_CASE("formulas of ESDIRK and Rosenbrock methods have the radius of the linear analysis at every frequency",
          "[rt][offline][linear]") {
  const auto all = esdirkMethods();
  int checked = 0, stiff = 0;
  for (const Row& row : readRows()) {
    double h = row.abscissa * 2 * std::numbers::pi, radius = -1;
    if (const auto found = all.find(row.method); found != all.end() && row.rho_inf <= found->second.most_rho_inf) {
      h *= found->second.solves;
      radius = std::abs(stabilityOf(found->second.method(row.rho_inf), Complex(0, h)));
    } else if (row.method == "RN4" || row.method == "ROS2W") {
      h *= row.method == "RN4" ? 4 : 2;
      radius = std::abs(stabilityOf(row.method == "RN4" ? rn4() : ros2w(), Complex(0, h)));
    }
    if (radius < 0) continue;
    INFO(row.method << " rho_inf " << row.rho_inf << " at " << row.abscissa);
    // The radii have eight digits. Of L-stable methods at 1e6 the radius is what is left of terms that cancel:
    // round-off of 1e-16, times the 1e8 that some MSSTH coefficients reach. Seen: 9e-9.
    CHECK(radius == Approx(row.radius).epsilon(1e-7).margin(2e-8));
    ++checked;
    stiff += h > 1e4 ? 1 : 0;
  }
  CHECK(checked > 320);
  CHECK(stiff > 35);
}

TEST_CASE("formulas of multistep methods have the damping, period error and radius of the linear analysis",
          "[rt][offline][linear]") {
  int checked = 0;
  for (const Row& row : readRows()) {
    if (row.method.rfind("LMS", 0) != 0 && row.method.rfind("SS", 0) != 0) continue;
    INFO(row.method << " rho_inf " << row.rho_inf << " at " << row.abscissa);
    checkMultistep(row, row.abscissa * 2 * std::numbers::pi, row.method.back() - '0');
    ++checked;
  }
  CHECK(checked > 150);
}

TEST_CASE("steps of Newmark's rule have the damping, period error and radius of the linear analysis",
          "[rt][offline][linear]") {
  int checked = 0;
  for (const Row& row : readRows()) {
    const auto found = kNewmark.find(row.method);
    if (found == kNewmark.end()) continue;
    INFO(row.method << " at " << row.abscissa);
    const double h = row.abscissa * 2 * std::numbers::pi;
    if (h > 1e4) continue;
    checkOneStep(row, h, amplification(h, [&](const Oscillator& system, const MotionPoint& start) {
                   return std::make_unique<TangentNewmark>(system, start,
                                                           TangentNewmark::Settings{found->second, 1e-10, 50, false});
                 }));
    ++checked;
  }
  CHECK(checked > 20);
}

TEST_CASE("steps of Rosenbrock-Nystrom methods have the damping, period error and radius of the linear analysis",
          "[rt][offline][linear]") {
  const std::map<std::string, std::pair<int, const RosenbrockNystrom*>> all = {{"RN4", {4, &rn4()}},
                                                                               {"ROS2W", {2, &ros2w()}}};
  int checked = 0;
  for (const Row& row : readRows()) {
    const auto found = all.find(row.method);
    if (found == all.end()) continue;
    INFO(row.method << " at " << row.abscissa);
    const auto [stages, method] = found->second;
    const double h = row.abscissa * stages * 2 * std::numbers::pi;
    if (h > 1e4) continue;
    RosenbrockStepper::Settings settings;
    settings.method = method;
    settings.tolerances.adaptive = false;
    checkOneStep(row, h, amplification(h, [&](const Oscillator& system, const MotionPoint& start) {
                   return std::make_unique<RosenbrockStepper>(system, start, settings);
                 }));
    ++checked;
  }
  CHECK(checked == 16);
}
