// Bounds on the papers' experiments that hold a method to an independent reference: the stiff pendulum, the stiff
// double pendulum, the squeezer, the planar pendulum and the slider-crank.
#include "rt/math/worst.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/offline/core/equations_of_motion.h"
#include "rt/offline/integrator.h"
#include "rt/offline/minimal/minimal_stepper.h"
#include "tests/rt/offline/plain_systems.h"
#include "tests/support/closed_forms.h"
#include "tests/support/compare.h"
#include "tests/support/offline_runs.h"
#include "tests/support/paper_mechanisms.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <tuple>

using namespace tactus;
using namespace tactus::tests;
using namespace tactus::rt::offline;
using rt::Vector3d;

namespace {

std::unique_ptr<Stepper> stepperOf(const BarPendulum& system, const std::string& name,
                                   const std::vector<std::string>& settings) {
  const Method& method = findMethod(name);
  return method.make(system, system.rest(), OptionValues(name, method.options, settings));
}

/// theta'' = T0 sin(0.1 t) - 9.8 sin theta by Newmark's rule, as a rule on one number.
std::vector<double> scalarNewmark(double alpha, double beta, double torque, double h, int steps) {
  std::vector<double> angles = {0};
  double angle = 0, rate = 0, acceleration = 0;
  for (int k = 1; k <= steps; ++k) {
    const auto second = [&](double x) { return torque * std::sin(0.1 * h * k) - 9.8 * std::sin(x); };
    const double fixed = angle + h * rate + h * h * (0.5 - beta) * acceleration;
    double next = fixed;
    for (int i = 0; i < 50; ++i)
      next -= (next - fixed - h * h * beta * second(next)) / (1 + h * h * beta * 9.8 * std::cos(next));
    rate += h * ((1 - alpha) * acceleration + alpha * second(next));
    acceleration = second(next);
    angle = next;
    angles.push_back(angle);
  }
  return angles;
}

struct Reference {
  std::vector<double> angle, force;  ///< at every 0.1 s: rad; of the ground along x, N
};

/// The same equation by the classical Runge-Kutta method at 1 ms.
Reference pendulumReference(double torque, double until) {
  Reference found{{0}, {0}};
  double angle = 0, rate = 0;
  const double h = 1e-3;
  const auto second = [torque](double t, double x) { return torque * std::sin(0.1 * t) - 9.8 * std::sin(x); };
  for (int k = 1; k <= std::lround(until / h); ++k) {
    const double t = h * (k - 1);
    const double a1 = second(t, angle), v2 = rate + h / 2 * a1, a2 = second(t + h / 2, angle + h / 2 * rate);
    const double v3 = rate + h / 2 * a2, a3 = second(t + h / 2, angle + h / 2 * v2), v4 = rate + h * a3;
    const double a4 = second(t + h, angle + h * v3);
    angle += h / 6 * (rate + 2 * v2 + 2 * v3 + v4);
    rate += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    if (k % 100 != 0) continue;
    found.angle.push_back(angle);
    found.force.push_back(std::cos(angle) * second(h * k, angle) - std::sin(angle) * rate * rate);
  }
  return found;
}

double largestBend(const std::vector<double>& values) {
  double worst = 0;
  for (std::size_t k = 2; k < values.size(); ++k)
    worst = rt::worst(worst, std::abs(values[k] - 2 * values[k - 1] + values[k - 2]));
  return worst;
}

Trajectory runOn(const rt::Model& model, const std::string& method, double step, double until,
                 const std::vector<double>& times, const std::vector<std::string>& settings) {
  const double whole = step * std::floor(until / step + 1e-9);
  return integrate({model, rt::initialState(model).state, {}, step, whole, times, nullptr, {}}, method, settings);
}

/// Largest distance of an angle or a rate of the first joint from a column, where a sample falls on one of its times.
double errorAgainst(const rt::Model& model, const Trajectory& run, const Series& series, bool rate) {
  double worst = 0;
  std::size_t k = 0;
  for (const Sample& sample : run.samples) {
    while (k < series.t.size() && series.t[k] < sample.t - 1e-9) ++k;
    if (k == series.t.size() || series.t[k] > sample.t + 1e-9) continue;
    const rt::StateView s = viewOf(model, sample);
    worst = rt::worst(worst, std::abs((rate ? s.omega(0)[2] : s.jointDisplacements()[0]) - series.value[k]));
  }
  return worst;
}

}  // namespace

// ---- Stiff pendulum ----

TEST_CASE("with a singular mass matrix newmark-tangent equals the same rule on the angle", "[rt][offline][paper]") {
  // rad. A tangent coordinate is an angle up to the square of what the pendulum turns in a step.
  struct Row {
    const char* scheme;
    double beta, h, bound;
  };
  for (const Row& row :
       {Row{"fox-goodwin", 1.0 / 12, 0.01, 1e-8}, Row{"fox-goodwin", 1.0 / 12, 0.1, 1e-8},
        Row{"fox-goodwin", 1.0 / 12, 0.6, 1e-7}, Row{"fox-goodwin", 1.0 / 12, 0.78, 1e-4},
        Row{"trapezoidal", 0.25, 0.1, 1e-8}, Row{"trapezoidal", 0.25, 0.79, 1e-7}, Row{"trapezoidal", 0.25, 6, 2e-7}}) {
    INFO(row.scheme << ' ' << row.h);
    const BarPendulum pendulum(9.8, 0.1);
    const auto stepper =
        stepperOf(pendulum, "newmark-tangent", {std::string("scheme=") + row.scheme, "frequencies=false"});
    const int steps = static_cast<int>(120 / row.h);
    const std::vector<double> scalar = scalarNewmark(0.5, row.beta, 0.1, row.h, steps);
    double worst = 0;
    for (int k = 1; k <= steps; ++k) {
      stepper->advance(row.h);
      worst = rt::worst(worst, std::abs(stepper->point().position[2] - scalar[static_cast<std::size_t>(k)]));
    }
    CHECK(worst < row.bound);
  }
}

// Where the table of the case above exceeds 1e-8 rad, the swing is to blame: a tangent coordinate is the chord of the
// way that the pendulum turns in a step, and a chord differs from its arc by the third power. So a tenth of the swing
// leaves a thousandth, below 1e-8 rad at every stable step.
TEST_CASE("the difference between newmark-tangent and the rule on the angle falls with the third power of the swing",
          "[rt][offline][paper]") {
  const auto difference = [](const char* scheme, double beta, double h, double torque) {
    const BarPendulum pendulum(9.8, torque);
    const auto stepper = stepperOf(pendulum, "newmark-tangent", {std::string("scheme=") + scheme, "frequencies=false"});
    const int steps = static_cast<int>(120 / h);
    const std::vector<double> scalar = scalarNewmark(0.5, beta, torque, h, steps);
    double worst = 0;
    for (int k = 1; k <= steps; ++k) {
      stepper->advance(h);
      worst = rt::worst(worst, std::abs(stepper->point().position[2] - scalar[static_cast<std::size_t>(k)]));
    }
    return worst;
  };
  for (const auto& [scheme, beta, h] : {std::tuple("fox-goodwin", 1.0 / 12, 0.6),
                                        {"fox-goodwin", 1.0 / 12, 0.7},
                                        {"trapezoidal", 0.25, 0.79},
                                        {"trapezoidal", 0.25, 6.0}}) {
    INFO(scheme << ' ' << h);
    const double whole = difference(scheme, beta, h, 0.1), tenth = difference(scheme, beta, h, 0.01);
    CHECK(tenth < 1e-8);  // rad, the bound for every stable step
    CHECK(whole / tenth == Approx(1000).epsilon(0.1));
  }
  CHECK(difference("fox-goodwin", 1.0 / 12, 0.78, 0.001) < 1e-8);  // beside the limit of 0.782 s
}

TEST_CASE("central differences are stable and unstable where the table of the stiff pendulum says",
          "[rt][offline][paper]") {
  for (const double h : {0.01, 0.1, 0.6, 0.7}) {
    const BarPendulum pendulum(9.8, 0.1);
    const auto stepper = stepperOf(pendulum, "central-difference", {});
    double peak = 0;
    for (int k = 0; k < std::lround(500 / h); ++k) {
      stepper->advance(h);
      peak = rt::worst(peak, std::abs(stepper->point().position[2]));
    }
    // Unstable: above ten times the true peak, 0.0105372 rad.
    CHECK((peak < 0.105372) == (h < 0.65));
  }
}

TEST_CASE("under torques of 5 to 9 N m the tangent space keeps angle and reaction, and the classic rule loses both",
          "[rt][offline][paper]") {
  for (const double torque : {5.0, 6.0, 7.0, 8.0, 9.0}) {
    INFO(torque);
    const Reference exact = pendulumReference(torque, 125.6);
    const double peak = *std::max_element(exact.angle.begin(), exact.angle.end());
    const BarPendulum pendulum(9.8, torque);
    const auto stepper = stepperOf(pendulum, "newmark-tangent", {"scheme=trapezoidal", "frequencies=false"});
    std::vector<double> force = {0};
    const std::vector<double> scalar = scalarNewmark(0.5, 0.25, torque, 0.1, 1256);
    double worst = 0, highest = 0, from_scalar = 0;
    for (std::size_t k = 1; k <= 1256; ++k) {
      stepper->advance(0.1);
      const double angle = stepper->point().position[2];
      worst = rt::worst(worst, std::abs(angle - exact.angle[k]));
      highest = rt::worst(highest, angle);
      from_scalar = rt::worst(from_scalar, std::abs(angle - scalar[k]));
      force.push_back(-stepper->point().lambda[0]);
    }
    // The published bounds are 2 % of the peak and three times the bend. Peaks meet the first; the rule itself turns
    // the free swing, of 3 rad/s, too slowly by (0.1 * 3)^2 / 12, which takes 6 % at every time.
    CHECK(highest == Approx(peak).epsilon(0.02));
    CHECK(worst < 0.06 * peak);
    CHECK(from_scalar < 2e-3 * peak);  // chords for angles
    CHECK(largestBend(force) < 3 * largestBend(exact.force));

    const auto classic = stepperOf(pendulum, "newmark-classic", {"scheme=trapezoidal"});
    std::vector<double> alternating = {0};
    bool failed = false;
    for (int k = 1; k <= 5000 && !failed; ++k) {
      try {
        classic->advance(0.1);
      } catch (const StepFailure&) { failed = true; }
      alternating.push_back(-classic->point().lambda[0]);
    }
    CHECK((failed || largestBend(alternating) > 1000 * largestBend(exact.force)));
  }
}

// ---- Stiff double pendulum ----

TEST_CASE("rn4 on the stiff double pendulum agrees with two angles by Radau", "[rt][offline][paper]") {
  const rt::Model model = rt::buildModel(stiffDoublePendulum());
  const Table table = Table::reference("stiff_double_pendulum.csv");
  const std::vector<double> times = grid(0.01, 2);
  // The runs that the errors of the paper's tables are measured with.
  const Trajectory fine = runOn(model, "rn4", 0.1, 2, times, {"rtol=1e-7", "atol=1e-7"});
  // rad and rad/s: the tolerance, and thirty times it for rates that begin with 1e6 rad/s^2.
  CHECK(errorAgainst(model, fine, table.series("theta1[rad]"), false) < 1e-7);
  CHECK(errorAgainst(model, fine, table.series("theta1dot[rad/s]"), true) < 3e-6);
  for (const double tolerance : {1e-2, 1e-3, 1e-4, 1e-5}) {
    const std::string text = std::to_string(tolerance);
    const Trajectory run = runOn(model, "rn4", 0.1, 2, times, {"rtol=" + text, "atol=" + text});
    CHECK(errorAgainst(model, run, table.series("theta1[rad]"), false) <= 10 * tolerance);
    CHECK(errorAgainst(model, run, table.series("theta1dot[rad/s]"), true) <= 10 * tolerance);
  }
}

TEST_CASE("Fox-Goodwin in the tangent space follows the stiff double pendulum for 10 s", "[rt][offline][paper]") {
  const rt::Model model = rt::buildModel(stiffDoublePendulum());
  const Series angle = Table::reference("stiff_double_pendulum.csv").series("theta1[rad]");
  const Trajectory run = runOn(model, "newmark-tangent", 5e-4, 10, grid(0.05, 10),
                               {"scheme=fox-goodwin", "begin=unaccelerated", "frequencies=false"});
  CHECK(run.ending == Ending::kComplete);
  CHECK(errorAgainst(model, run, angle, false) <= 1e-2);  // rad: the published bound
  CHECK(run.worst_position <= 1e-12);
  CHECK(run.worst_velocity <= 1e-12);
  CHECK(run.worst_acceleration <= 1e-9);
}

TEST_CASE("the classic trapezoidal rule loses the reactions of the stiff double pendulum, a little damping keeps them",
          "[rt][offline][paper]") {
  const rt::Model model = rt::buildModel(stiffDoublePendulum());
  const auto forces = [&](const char* alpha, const char* beta) {
    const Trajectory run =
        runOn(model, "newmark-classic", 1e-3, 10, {}, {std::string("alpha=") + alpha, std::string("beta=") + beta});
    double early = 0, late = 0;
    for (const Sample& sample : run.samples) {
      const double size = groundForce(model, sample).norm();
      if (sample.t > 0.1 && sample.t < 0.2) early = rt::worst(early, size);
      if (sample.t > run.samples.back().t - 0.1) late = rt::worst(late, size);
    }
    return std::tuple(run.ending == Ending::kComplete, late / early);
  };
  for (const auto& [alpha, beta] : {std::pair("0.5", "0.25"), {"0.5000005", "0.2500006"}}) {
    INFO(alpha);
    const auto [complete, growth] = forces(alpha, beta);
    CHECK_FALSE(complete);
    CHECK(growth > 10);
  }
  const auto [complete, growth] = forces("0.5001", "0.2507");
  CHECK(complete);
  CHECK(growth < 1);
}

// ---- Squeezer ----

TEST_CASE("Newmark in the tangent space follows the squeezer, and stays stable with long steps",
          "[rt][offline][paper]") {
  const rt::Model model = rt::buildModel(squeezer());
  const Series beta = Table::reference("andrews_squeezer.csv").series("beta[rad]");
  // The published bounds of joint F, 7 mm from the axis, are for 2e-6 s and 1e-6 s; ten and twenty times the step meet
  // them.
  for (const auto& [scheme, bound] : {std::pair("fox-goodwin", 5e-6), {"trapezoidal", 1e-5}}) {
    const Trajectory run = runOn(model, "newmark-tangent", 2e-5, 0.05, grid(1e-4, 0.05),
                                 {std::string("scheme=") + scheme, "frequencies=false"});
    CHECK(0.007 * errorAgainst(model, run, beta, false) <= bound);
  }
  for (const double h : {5e-4, 6e-4, 1e-3}) {
    INFO(h);
    const Trajectory run = runOn(model, "newmark-tangent", h, 0.05, {}, {"scheme=fox-goodwin", "frequencies=false"});
    CHECK(run.ending == Ending::kComplete);
    for (std::size_t k = 1; k < run.samples.size(); ++k) {
      const double rate = viewOf(model, run.samples[k]).omega(0)[2];
      CHECK(rate > 0);     // always forward
      CHECK(rate < 2600);  // rad/s: twice the true maximum
    }
  }
  // The classic rule with a little damping; without any its rates oscillate, but it does not fail.
  for (const char* beta_text : {"0.25", "0.2507"}) {
    const Trajectory run = runOn(model, "newmark-classic", 1e-4, 0.05, grid(1e-4, 0.05),
                                 {std::string("alpha=") + (beta_text == std::string("0.25") ? "0.5" : "0.5001"),
                                  std::string("beta=") + beta_text});
    CHECK(run.ending == Ending::kComplete);
    CHECK(0.007 * errorAgainst(model, run, beta, false) < 1e-4);  // m: twice what is seen at this step
  }
  // It fails at 5e-4 s, a step that the tangent space takes, and there a little damping does not save it.
  for (const auto& [alpha, beta_text, completes] :
       {std::tuple("0.5", "0.25", false), {"0.5001", "0.2507", false}, {"0.55", "0.28", true}}) {
    INFO(alpha);
    const Trajectory run = runOn(model, "newmark-classic", 5e-4, 0.05, {},
                                 {std::string("alpha=") + alpha, std::string("beta=") + beta_text});
    CHECK((run.ending == Ending::kComplete) == completes);
  }
}

TEST_CASE("Fox-Goodwin at 2e-6 s and the trapezoidal rule at 1e-6 s reach the published error of the squeezer",
          "[rt][offline][paper][slow]") {
  const rt::Model model = rt::buildModel(squeezer());
  const Series beta = Table::reference("andrews_squeezer.csv").series("beta[rad]");
  for (const auto& [scheme, h, bound] : {std::tuple("fox-goodwin", 2e-6, 5e-6), {"trapezoidal", 1e-6, 1e-5}}) {
    const Trajectory run = runOn(model, "newmark-tangent", h, 0.05, grid(1e-4, 0.05),
                                 {std::string("scheme=") + scheme, "frequencies=false"});
    CHECK(0.007 * errorAgainst(model, run, beta, false) <= bound);
  }
}

TEST_CASE("multistep methods track the rate of the squeezer's crank and bound its balance", "[rt][offline][paper]") {
  const rt::Model model = rt::buildModel(squeezer());
  const Series rate = Table::reference("andrews_squeezer.csv").series("betadot[rad/s]");
  for (const std::string method : {"lms2", "lms3", "lms4", "ss2", "ss3", "ss4"}) {
    INFO(method);
    const Trajectory run = runOn(model, method, 1e-4, 0.05, {}, {"rho_inf=0.6"});
    CHECK(run.ending == Ending::kComplete);
    // rad/s: 1 % of the maximum, the bound for a tenth of this step.
    CHECK(errorAgainst(model, run, rate, true) <= 12.86);
    CHECK(run.energy_drift < 0.02);  // J, of 1.1 J that the motor gives: twice what is seen
  }
}

TEST_CASE("composite and higher-order methods gain or lose energy on the squeezer as published",
          "[rt][offline][paper]") {
  const rt::Model model = rt::buildModel(squeezer());
  struct Row {
    const char* method;
    int solves;
    const char* rho_inf;
    bool grows;
  };
  for (const Row& row :
       {Row{"msstc5", 5, "rho_inf=0", true}, Row{"mssth3", 3, "rho_inf=0", true}, Row{"mssth4", 4, "rho_inf=0", true},
        Row{"esdirk32-4l", 3, "", true}, Row{"bathe", 2, "rho_inf=0.6", false}, Row{"msstc4", 4, "rho_inf=0", false},
        Row{"mssth5", 5, "rho_inf=0", false}, Row{"esdirk43-6l", 5, "", false}}) {
    INFO(row.method);
    const std::vector<std::string> settings =
        *row.rho_inf == 0 ? std::vector<std::string>{} : std::vector<std::string>{row.rho_inf};
    const Trajectory run = runOn(model, row.method, row.solves * 1e-4, 0.05, {}, settings);
    CHECK(run.ending == Ending::kComplete);
    CHECK((run.energy_end > run.energy_start) == row.grows);
  }
}

// ---- Minimal coordinates ----

TEST_CASE("minimal coordinates follow the closed form of the planar pendulum without turning back",
          "[rt][offline][paper]") {
  const PointPendulum pendulum(9.81);
  for (const bool continuation : {true, false}) {
    MinimalStepper::Settings settings;
    settings.method = &dormandPrince();
    settings.continuation = continuation;
    settings.tolerances = {1e-10, 1e-10, true};
    MinimalStepper stepper(pendulum, pendulum.pointAt(std::numbers::pi / 2, 0), settings);
    double error = 0, turn = 0, fastest = 0;
    int flips = 0;
    while (stepper.point().t < 10) {
      const MatrixXd before = stepper.basis();
      const double t = stepper.point().t;
      stepper.advance(std::min(0.01, 10 - t));
      const double angle = pendulumFromHorizontal(stepper.point().t, 9.81);
      error = rt::worst(error, (stepper.point().position - Eigen::Vector2d(std::sin(angle), -std::cos(angle))).norm());
      fastest = rt::worst(fastest, stepper.point().velocity.norm());
      turn = rt::worst(turn, (stepper.basis() - before).norm());
      if ((before.transpose() * stepper.basis())(0, 0) < 0) ++flips;
    }
    CHECK(error <= 1e-8);  // m: the published bound for this tolerance
    if (continuation) {
      CHECK(flips == 0);
      CHECK(turn <= 0.01 * fastest * (1 + 1e-6));  // the pendulum's own turn in the longest step
    } else {
      CHECK(flips > 0);
    }
  }
}

TEST_CASE("minimal coordinates and Newmark's rule follow the slider-crank", "[rt][offline][paper]") {
  const rt::Model model = rt::buildModel(spatialSliderCrank());
  const Series slider = Table::reference("slider_crank.csv").series("slider_x[m]");
  const auto errorOf = [&](const Trajectory& run) {
    double worst = 0;
    std::size_t k = 0;
    for (const Sample& sample : run.samples) {
      while (k + 1 < slider.t.size() && slider.t[k] < sample.t - 1e-9) ++k;
      if (std::abs(slider.t[k] - sample.t) < 1e-9)
        worst = rt::worst(worst, std::abs(viewOf(model, sample).r(2)[0] - slider.value[k]));
    }
    return worst;
  };
  // m: the published bounds. That of the paper's 1e-5 s is met at 5e-4 s, for a fiftieth of the time.
  CHECK(errorOf(runOn(model, "mcs-qr", 5e-4, 5, grid(0.005, 5), {"rule=dormand-prince"})) <= 1e-7);
  const std::vector<std::string> fox_goodwin = {"scheme=fox-goodwin", "frequencies=false"};
  const std::vector<std::string> trapezoidal = {"scheme=trapezoidal", "frequencies=false"};
  CHECK(errorOf(runOn(model, "newmark-tangent", 5e-4, 5, grid(0.005, 5), fox_goodwin)) <= 1e-4);
  CHECK(errorOf(runOn(model, "newmark-tangent", 1e-4, 0.5, grid(0.005, 0.5), fox_goodwin)) <= 1e-6);
  // At 1e-3 s Newmark's rules miss 1e-4 m: their tangent coordinates are those of all three bodies, not the crank's
  // angle, on which that bound was calibrated.
  CHECK(errorOf(runOn(model, "newmark-tangent", 1e-3, 5, grid(0.005, 5), fox_goodwin)) <= 1.2e-4);
  CHECK(errorOf(runOn(model, "newmark-tangent", 1e-3, 5, grid(0.005, 5), trapezoidal)) <= 3e-4);

  // q1' keeps its sign, and no step turns the basis by more than 0.1.
  const EquationsOfMotion equations(model, declaredInput(model));
  MinimalStepper stepper(equations, equations.pointOf(rt::initialState(model).state, 0), {});
  double turn = 0;
  for (int k = 0; k < 5000; ++k) {
    const MatrixXd before = stepper.basis();
    stepper.advance(1e-3);
    turn = rt::worst(turn, (stepper.basis() - before).norm());
    CHECK(stepper.generalizedVelocity()[0] > 0);
  }
  CHECK(turn < 0.1);  // the published bound; the crank turns by up to 0.02 rad in a step
}

TEST_CASE(
    "minimal coordinates follow the spatial pendulum, keep its length and turn their basis no faster than it turns",
    "[rt][offline][paper]") {
  const rt::Model model = rt::buildModel(spatialPendulum());
  const Table reference = Table::reference("spatial_pendulum.csv");
  const Series x = reference.series("x[m]"), y = reference.series("y[m]"), z = reference.series("z[m]");
  const EquationsOfMotion equations(model, declaredInput(model));
  MinimalStepper::Settings settings;
  settings.method = &dormandPrince();
  MinimalStepper stepper(equations, equations.pointOf(rt::initialState(model).state, 0), settings);
  constexpr double kStep = 1e-3, kLength = 0.08;
  double error = 0, stretch = 0, turn = 0, fastest = 0;
  for (std::size_t k = 1; k <= 200; ++k) {
    for (int step = 0; step < 5; ++step) {
      const MatrixXd before = stepper.basis();
      stepper.advance(kStep);
      turn = rt::worst(turn, (stepper.basis() - before).norm());
      fastest = rt::worst(fastest, stepper.point().velocity.head<3>().norm());
      stretch = rt::worst(stretch, std::abs(stepper.point().position.head<3>().norm() - kLength));
    }
    REQUIRE(x.t[k] == Approx(stepper.point().t).epsilon(0).margin(1e-9));  // the table has every 5 ms
    error =
        rt::worst(error, (stepper.point().position.head<3>() - Vector3d(x.value[k], y.value[k], z.value[k])).norm());
  }
  // m, m, and the turn of the line in a step with half of it again: the published bounds.
  CHECK(error <= 1e-5);
  CHECK(stretch <= 1e-12);
  CHECK(turn <= 1.5 * kStep * fastest / kLength);
}
