// The experiments of the papers on the offline methods, one name for each; rt/doc/experiments.md holds the results.
#include "rt/mechanics/initial_state.h"
#include "rt/offline/integrator.h"
#include "rt/offline/minimal/minimal_stepper.h"
#include "rt/offline/newmark/tangent_newmark.h"
#include "tests/rt/offline/plain_systems.h"
#include "tests/support/paper_mechanisms.h"
#include "tests/support/simulation.h"

#include <cmath>
#include <cstdio>
#include <ctime>
#include <map>

using namespace tactus;
using namespace tactus::tests;
using namespace tactus::rt::offline;

namespace {

using Settings = std::vector<std::string>;

/// CPU time of this process, s; independent of other work on the machine.
double cpuSeconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

Trajectory runOn(const rt::Model& model, const std::string& method, double step, double until,
                 const std::vector<double>& times, const Settings& settings) {
  return integrate({model, rt::initialState(model).state, {}, step, until, times, nullptr, {}}, method, settings);
}

std::vector<double> grid(double interval, double until) {
  std::vector<double> times;
  for (long long k = 1; k <= std::llround(until / interval); ++k) times.push_back(static_cast<double>(k) * interval);
  return times;
}

rt::StateView viewOf(const rt::Model& model, const Sample& sample) {
  return {rt::StateLayout(model), sample.state.data()};
}

/// Largest differences of the angle of the first joint, rad, and of the rate of the first body about z, rad/s; infinite
/// if a run ended early.
struct AngleErrors {
  double angle = 0, rate = 0;
};

AngleErrors angleErrors(const rt::Model& model, const Trajectory& run, const Trajectory& reference) {
  AngleErrors e;
  if (run.samples.size() != reference.samples.size()) return {HUGE_VAL, HUGE_VAL};
  for (std::size_t k = 0; k < run.samples.size(); ++k) {
    const rt::StateView a = viewOf(model, run.samples[k]), b = viewOf(model, reference.samples[k]);
    e.angle = std::max(e.angle, std::abs(a.jointDisplacements()[0] - b.jointDisplacements()[0]));
    e.rate = std::max(e.rate, std::abs(a.omega(0)[2] - b.omega(0)[2]));
  }
  return e;
}

// ---- The stiff pendulum of [TAN] ----

double peakAngle(Stepper& stepper, const PointPendulum& pendulum, double h, double until) {
  double peak = 0;
  try {
    for (long long k = 1; k <= std::llround(until / h); ++k) {
      stepper.advance(h);
      peak = std::max(peak, std::abs(pendulum.angleOf(stepper.point())));
    }
  } catch (const StepFailure&) { return HUGE_VAL; }
  return peak;
}

void stiffPendulum() {
  const double reference = 0.01053717;
  const std::map<std::string, std::vector<double>> steps = {{"central-difference", {0.01, 0.1, 0.6, 0.7}},
                                                            {"fox-goodwin", {0.01, 0.1, 0.6, 0.7, 0.78, 0.79}},
                                                            {"trapezoidal", {0.1, 0.7, 0.79, 6}}};
  const PointPendulum pendulum(9.8, 0.1);
  std::printf("scheme              step s  peak rad, 500 s  verdict   newmark-classic\n");
  for (const auto& [scheme, list] : steps)
    for (const double h : list) {
      const bool explicit_rule = scheme == "central-difference";
      const Settings settings = explicit_rule ? Settings{} : Settings{"scheme=" + scheme};
      const auto peak = [&](const std::string& name) {
        const Method& method = findMethod(name);
        const auto stepper =
            method.make(pendulum, pendulum.pointAt(0, 0), OptionValues(name, method.options, settings));
        return peakAngle(*stepper, pendulum, h, 500);
      };
      const double own = peak(explicit_rule ? "central-difference" : "newmark-tangent");
      std::printf("%-18s  %6g  %15.7f  %-8s  ", scheme.c_str(), h, own, own < 10 * reference ? "stable" : "unstable");
      explicit_rule ? void(std::printf("\n")) : void(std::printf("%g\n", peak("newmark-classic")));
    }
  std::printf("\ntorque N m  peak rad, 125.6 s, trapezoidal at 0.1 s\n");
  for (const double torque : {5.0, 6.0, 7.0, 8.0, 9.0}) {
    const PointPendulum loaded(9.8, torque);
    TangentNewmark stepper(loaded, loaded.pointAt(0, 0), {{0.5, 0.25}, 1e-12, 50, false});
    std::printf("%10g  %.6f\n", torque, peakAngle(stepper, loaded, 0.1, 125.6));
  }
}

// ---- The stiff double pendulum of [RN] and [TAN] ----

/// Times of the samples of a run, s, without the start.
std::vector<double> timesOf(const Trajectory& run) {
  std::vector<double> times;
  for (std::size_t k = 1; k < run.samples.size(); ++k) times.push_back(run.samples[k].t);
  return times;
}

void doublePendulumWithDampers() {
  const rt::Model model = rt::buildModel(stiffDoublePendulum());
  std::printf("method  tolerance  theta_1 rad  theta_1' rad/s  steps  rejected  evaluations  CPU s\n");
  for (const std::string method : {"rn4", "ros2-w", "cvode-bdf", "ida"})
    for (const std::string tolerance : {"1e-2", "1e-3", "1e-4", "1e-5"}) {
      const double start = cpuSeconds();
      try {
        const Trajectory run = runOn(model, method, 0.1, 2, {}, {"rtol=" + tolerance, "atol=" + tolerance});
        const double seconds = cpuSeconds() - start;
        const Trajectory exact = runOn(model, "rn4", 0.1, 2, timesOf(run), {"rtol=1e-7", "atol=1e-7"});
        const AngleErrors e = angleErrors(model, run, exact);
        std::printf("%-9s  %5s  %11.2e  %14.2e  %5lld  %8lld  %11lld  %.4f\n", method.c_str(), tolerance.c_str(),
                    e.angle, e.rate, static_cast<long long>(run.statistics.steps),
                    static_cast<long long>(run.statistics.rejected),
                    static_cast<long long>(run.statistics.force_evaluations), seconds);
      } catch (const Error& error) { std::printf("%s: %s\n", method.c_str(), error.what()); }
    }
  std::printf("\nrule                          step s  ending     theta_1 rad  |Phi|    |Phi'|   |Phi''|\n");
  const std::vector<std::pair<std::string, Settings>> rules = {
      {"newmark-tangent", {"scheme=fox-goodwin", "frequencies=false"}},
      {"newmark-tangent", {"begin=unaccelerated", "scheme=fox-goodwin", "frequencies=false"}},
      {"newmark-tangent", {"scheme=trapezoidal", "frequencies=false"}},
      {"newmark-classic", {"scheme=trapezoidal"}},
      {"newmark-classic", {"alpha=0.5001", "beta=0.2507"}}};
  for (const auto& [method, settings] : rules)
    for (const double h : {5e-4, 1e-3, 3e-3, 3.4e-3, 5e-3}) {
      const double until = h * std::floor(2 / h);
      const Trajectory run = runOn(model, method, h, until, {}, settings);
      const Trajectory exact = runOn(model, "rn4", h, until, grid(h, until), {"rtol=1e-7", "atol=1e-7"});
      const AngleErrors e = angleErrors(model, run, exact);
      std::printf("%-15s %-18s  %6g  %-9s  %11.2e  %.1e  %.1e  %.1e\n", method.c_str(), settings.front().c_str(), h,
                  run.ending == Ending::kComplete ? "complete" : "failed", e.angle, run.worst_position,
                  run.worst_velocity, run.worst_acceleration);
    }
}

/// Largest rate of the first body over the last 0.2 s, rad/s, when the motion should have come to rest.
double swingAtTheEnd(const rt::Model& model, const Trajectory& run) {
  double worst = 0;
  for (const Sample& sample : run.samples)
    if (sample.t >= run.samples.back().t - 0.2) worst = std::max(worst, std::abs(viewOf(model, sample).omega(0)[2]));
  return worst;
}

void foxGoodwinLimit() {
  const rt::Model model = rt::buildModel(stiffDoublePendulum());
  std::printf("\nFox-Goodwin, begin=unaccelerated: step s  rate at 30 s, rad/s  least stable step of the run, s\n");
  for (const double h : {3e-3, 3.1e-3, 3.2e-3, 3.4e-3, 5e-3}) {
    const Trajectory run =
        runOn(model, "newmark-tangent", h, h * std::floor(30 / h), {}, {"begin=unaccelerated", "scheme=fox-goodwin"});
    std::printf("%39g  %19.2e  %.3e\n", h, swingAtTheEnd(model, run), run.statistics.step_limit);
  }
}

// ---- Andrews' squeezing mechanism of [TAN] and [MSE] ----

void andrews() {
  const rt::Model model = rt::buildModel(squeezer());
  const std::vector<double> times = grid(1e-3, 0.05);
  const Trajectory reference =
      runOn(model, "mcs-qr", 1e-4, 0.05, times, {"rule=dormand-prince", "adaptive=true", "rtol=1e-10", "atol=1e-10"});
  std::printf(
      "method             step s  ending    beta rad  beta' of 1286 rad/s  balance J  iterations a step  CPU s\n");
  const auto report = [&](const std::string& method, double h, const Settings& settings) {
    const double start = cpuSeconds();
    const Trajectory run = runOn(model, method, h, 0.05, times, settings);
    const double seconds = cpuSeconds() - start;
    const AngleErrors e = angleErrors(model, run, reference);
    std::printf("%-17s  %6g  %-8s  %8.1e  %19.1e  %9.1e  %17.2f  %.2f\n", method.c_str(), h,
                run.ending == Ending::kComplete ? "complete" : "failed", e.angle, e.rate, run.energy_drift,
                static_cast<double>(run.statistics.newton_iterations) /
                    static_cast<double>(std::max<std::int64_t>(1, run.statistics.steps)),
                seconds);
  };
  for (const std::string method : {"lms2", "lms3", "lms4", "ss2", "ss3", "ss4", "bathe", "msstc3", "msstc4", "msstc5",
                                   "mssth3", "mssth4", "mssth5", "esdirk32-4l", "esdirk32-5l", "esdirk43-6l", "ali3p"})
    report(method, 1e-4, {});
  for (const std::string method : {"lms2", "lms3", "lms4", "ss2", "ss3", "ss4", "ali3p"}) report(method, 1e-5, {});
  report("newmark-tangent", 1e-5, {"scheme=fox-goodwin", "frequencies=false"});
  report("newmark-tangent", 1e-5, {"scheme=trapezoidal", "frequencies=false"});
  report("newmark-classic", 1e-5, {"scheme=trapezoidal"});
  report("newmark-classic", 1e-5, {"alpha=0.5001", "beta=0.2507"});
}

// ---- Continuity of the generalised coordinates in [MCS] ----

void continuity() {
  const std::pair<rt::ModelSpec, double> cases[] = {{spatialPendulum(), 1}, {spinTop(), 10}, {spatialSliderCrank(), 5}};
  std::printf(
      "mechanism              basis         step s  end of the last body m   largest turn of the basis a step\n");
  for (const auto& [spec, until] : cases) {
    const rt::Model model = rt::buildModel(spec);
    const EquationsOfMotion equations(model, declaredInput(model));
    const MotionPoint start = equations.pointOf(rt::initialState(model).state, 0);
    for (const bool continuation : {true, false}) {
      MinimalStepper::Settings settings;
      settings.continuation = continuation;
      settings.method = &dormandPrince();
      MinimalStepper stepper(equations, start, settings);
      const double h = 1e-3;
      double turn = 0;
      for (long long k = 1; k <= std::llround(until / h); ++k) {
        const MatrixXd before = stepper.basis();
        stepper.advance(h);
        if (before.cols() == stepper.basis().cols()) turn = std::max(turn, (stepper.basis() - before).norm());
      }
      const Eigen::Vector3d end = stepper.point().position.segment<3>(6 * (model.bodyCount() - 1));
      std::printf("%-21s  %-12s  %6g  %9.6f %9.6f %9.6f  %.4f\n", spec.name.c_str(),
                  continuation ? "continued" : "factorised", h, end[0], end[1], end[2], turn);
    }
  }
}

// ---- Speed on the closed loops of [TAN], section 7 ----

void speed() {
  std::printf("mechanism          method           step s  10 s in, CPU s  energy drift J\n");
  for (const auto& [spec, h] : {std::pair(doubleFourBar(), 0.01),
                                {doubleFourBar(), 0.008},
                                {publishedBricard(), 0.01},
                                {publishedBricard(), 0.002}}) {
    // Time of the ticks alone: the energy is evaluated at the end.
    Simulation simulation(spec, settingsFor(h));
    const double begin = cpuSeconds();
    bool good = true;
    for (long long k = 0; k < std::llround(10 / h) && good; ++k) good = simulation.step().status == rt::TickStatus::kOk;
    const double seconds = cpuSeconds() - begin;
    const rt::Model model = rt::buildModel(spec);
    const double drift = runOn(model, "ali3p", h, 10, {10}, {}).energy_drift;
    std::printf("%-17s  %-15s  %6g  %10.4f  %.2e%s\n", spec.name.c_str(), "ali3p", h, seconds, drift,
                good ? "" : " failed");
    const double start = cpuSeconds();
    const Trajectory run = runOn(model, "newmark-tangent", h, 10, {10}, {"frequencies=false", "tolerance=1e-8"});
    std::printf("%-17s  %-15s  %6g  %10.4f  %.2e %s\n", spec.name.c_str(), "newmark-tangent", h, cpuSeconds() - start,
                run.energy_drift, run.failure.c_str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, void (*)()> experiments = {{"stiff-pendulum", stiffPendulum},
                                                         {"stiff-double-pendulum", doublePendulumWithDampers},
                                                         {"fox-goodwin-limit", foxGoodwinLimit},
                                                         {"squeezer", andrews},
                                                         {"continuity", continuity},
                                                         {"speed", speed}};
  const auto chosen = experiments.find(argc == 2 ? argv[1] : "");
  if (chosen == experiments.end()) {
    std::fprintf(stderr, "paper_experiments: unknown or missing experiment; name one of");
    for (const auto& [name, run] : experiments) std::fprintf(stderr, " %s", name.c_str());
    std::fprintf(stderr, "\n");
    return 2;
  }
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // print each result as soon as it is known
  chosen->second();
  return 0;
}
