#include "rt/offline/integrator.h"

#include "rt/model/check_model.h"
#include "rt/model/model.h"
#include "rt/offline/core/equations_of_motion.h"
#include "rt/offline/core/run_recorder.h"
#include "rt/offline/core/saddle_point.h"
#include "rt/offline/schools.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <optional>
#include <sstream>
#include <utility>

namespace tactus::rt::offline {

namespace {

/// A time counts as a whole number of steps if it differs from one by at most this many steps.
constexpr double kGridTolerance = 1e-6;

std::int64_t stepsTo(double time, double step, const char* what) {
  const double steps = time / step;
  const std::int64_t whole = std::llround(steps);
  if (!(std::abs(steps - static_cast<double>(whole)) <= kGridTolerance * std::max(1.0, steps)) || whole < 0) {
    std::ostringstream text;
    text << what << ' ' << time << " s is not a whole number of steps of " << step << " s";
    throw Error(text.str());
  }
  return whole;
}

/// A time at which the run must stop: after every step of a method with a fixed step, else at each time to keep.
struct Stop {
  double t;
  bool keep;
  bool jump = false;  ///< of the input
};

std::vector<Stop> fixedStops(const Problem& problem) {
  const std::int64_t steps = stepsTo(problem.until, problem.step, "until");
  std::vector<bool> keep(static_cast<std::size_t>(steps) + 1, problem.times.empty());
  for (const double time : problem.times) {
    const std::int64_t step = stepsTo(time, problem.step, "time");
    if (step <= steps) keep[static_cast<std::size_t>(step)] = true;
  }
  std::vector<Stop> stops;
  for (std::int64_t k = 1; k <= steps; ++k)
    stops.push_back({static_cast<double>(k) * problem.step, keep[static_cast<std::size_t>(k)]});
  return stops;
}

std::vector<Stop> chosenStops(const Problem& problem) {
  std::vector<Stop> stops;
  for (const double time : problem.times)
    if (time > 0 && time < problem.until) stops.push_back({time, true});
  stops.push_back({problem.until, problem.times.empty() || problem.times.back() == problem.until});
  for (const double jump : problem.jumps) {
    const double near = kGridTolerance * problem.step;
    if (jump <= near || jump >= problem.until - near) continue;
    const auto at = std::lower_bound(stops.begin(), stops.end(), jump - near,
                                     [](const Stop& stop, double t) { return stop.t < t; });
    if (at->t <= jump + near)
      at->jump = true;
    else
      stops.insert(at, {jump, false, true});
  }
  return stops;
}

/// The input of a problem; read in the middle between two jumps as soon as a method begins anew at them.
class HeldInput {
 public:
  explicit HeldInput(const Problem& problem)
      : given_(problem.input ? problem.input : declaredInput(problem.model)), jumps_(problem.jumps) {}

  /// Reads the input from now on between the last jump that is not after `t` and the next one.
  void hold(double t) {
    const double slack = 1e-9 * std::max(1.0, t);
    const auto next = std::upper_bound(jumps_.begin(), jumps_.end(), t + slack);
    const double begin = next == jumps_.begin() ? 0 : *std::prev(next);
    at_ = next == jumps_.end() ? begin + 1 : 0.5 * (begin + *next);
  }
  void operator()(double t, std::span<double> values) const { given_(at_.value_or(t), values); }

 private:
  InputSignal given_;
  const std::vector<double>& jumps_;
  std::optional<double> at_;
};

/// The sum of the work of two steppers of one run; the rest is that of the later one, or the larger of both.
Statistics together(const Statistics& a, const Statistics& b) {
  Statistics sum = b;
  sum.steps += a.steps;
  sum.rejected += a.rejected;
  sum.newton_iterations += a.newton_iterations;
  sum.factorizations += a.factorizations;
  sum.force_evaluations += a.force_evaluations;
  sum.partitions += a.partitions;
  sum.omega_max = std::max(a.omega_max, b.omega_max);
  sum.condition = std::max(a.condition, b.condition);
  sum.error_estimate = std::max(a.error_estimate, b.error_estimate);
  return sum;
}

void requireSensible(const Problem& problem) {
  if (!(problem.step > 0 && std::isfinite(problem.step))) throw Error("step: must be above 0 s");
  if (!(problem.until >= 0 && std::isfinite(problem.until))) throw Error("until: must not be negative");
  for (std::size_t i = 1; i < problem.times.size(); ++i)
    if (!(problem.times[i] > problem.times[i - 1])) throw Error("times: must rise");
}

/// Names the body with the largest acceleration in the last good motion.
std::string whereIn(const Model& model, const MotionPoint& last) {
  if (model.bodies.empty() || !last.acceleration.allFinite()) return {};
  int worst = 0;
  double most = -1;
  for (int i = 0; i < model.bodyCount(); ++i) {
    const double size = last.acceleration.segment<6>(6 * i).norm();
    if (size > most) most = size, worst = i;
  }
  std::ostringstream text;
  text << "; in the last good motion body '" << model.body_names[static_cast<std::size_t>(worst)]
       << "' accelerates most, by " << most << " m/s^2 or rad/s^2";
  return text.str();
}

bool isFinite(const MotionPoint& point) {
  return point.position.allFinite() && point.velocity.allFinite() && point.acceleration.allFinite() &&
         point.lambda.allFinite() && point.internal_states.allFinite();
}

}  // namespace

const std::vector<Method>& methods() {
  static const std::vector<Method> all = [] {
    std::vector<Method> list;
    for (const School& school : schools())
      for (Method method : school.methods) {
        method.family = school.family;
        list.push_back(std::move(method));
      }
    return list;
  }();
  return all;
}

const Method& findMethod(const std::string& name) {
  std::vector<std::string> names;
  for (const Method& method : methods()) {
    if (method.name == name) return method;
    names.push_back(method.name);
  }
  const std::string nearest = nearestName(name, names);
  std::string known;
  for (const std::string& n : names) known += ' ' + n;
  throw Error("integrator '" + name + "' is not known; " +
              (nearest.empty() ? "there are" + known : "did you mean '" + nearest + "'?"));
}

Trajectory integrate(const Problem& problem, const std::string& name, const std::vector<std::string>& settings) {
  const Method& method = findMethod(name);
  requireSensible(problem);
  const OptionValues options(method.name, method.options, settings);
  HeldInput input(problem);
  const InputSignal signal = [&input](double t, std::span<double> values) { input(t, values); };
  // What records the samples is not interrupted within one.
  const EquationsOfMotion equations(problem.model, signal, problem.interrupt), recorded(problem.model, signal);
  Trajectory trajectory;
  RunRecorder recorder(recorded, problem.start, trajectory);
  std::unique_ptr<Stepper> stepper;
  try {
    stepper = method.make(equations, recorded.pointOf(problem.start, 0), options);
  } catch (const Interrupted&) {
    trajectory.ending = Ending::kInterrupted;
    return trajectory;
  }
  const bool chooses = stepper->choosesSteps();
  if (chooses && !problem.jumps.empty()) input.hold(0);
  Statistics before;
  const std::vector<Stop> stops = chooses ? chosenStops(problem) : fixedStops(problem);

  trajectory.own_names = stepper->ownNames();
  trajectory.samples.front().own = stepper->ownValues();
  const bool every_step = problem.times.empty();
  double t = 0;
  try {
    for (const Stop& stop : stops) {
      while (t < stop.t && trajectory.ending == Ending::kComplete) {
        const double left = stop.t - t;
        stepper->advance(std::min(left, chooses ? problem.step : left));
        MotionPoint point = stepper->point();
        if (!isFinite(point)) throw StepFailure("the motion is no longer finite");
        // Round-off in a sum of steps must not let the run miss a stop.
        const bool there = stop.t - point.t <= kGridTolerance * std::min(left, problem.step);
        if (there) point.t = stop.t;
        t = point.t;
        const bool keep = there ? stop.keep : every_step;
        recorder.take(point, keep);
        if (keep) trajectory.samples.back().own = stepper->ownValues();
        if (problem.progress) problem.progress(t);
        if (problem.interrupt && problem.interrupt->load(std::memory_order_relaxed))
          trajectory.ending = Ending::kInterrupted;
      }
      if (trajectory.ending != Ending::kComplete) break;
      if (!stop.jump) continue;
      MotionPoint point = stepper->point();
      point.t = stop.t;
      input.hold(stop.t);
      settleAccelerations(equations, point);
      before = together(before, stepper->statistics());
      stepper = method.make(equations, point, options);
    }
  } catch (const Interrupted&) { trajectory.ending = Ending::kInterrupted; } catch (const StepFailure& failure) {
    // A library reports an interrupted evaluation as a failure of its own.
    const bool interrupted = problem.interrupt && problem.interrupt->load(std::memory_order_relaxed);
    trajectory.ending = interrupted ? Ending::kInterrupted : Ending::kFailed;
    std::ostringstream text;
    text << method.name << " stopped at t = " << t << " s, after " << before.steps + stepper->statistics().steps
         << " steps: " << failure.what() << whereIn(problem.model, stepper->point());
    if (!interrupted) trajectory.failure = text.str();
  }
  trajectory.statistics = together(before, stepper->statistics());
  return trajectory;
}

}  // namespace tactus::rt::offline
