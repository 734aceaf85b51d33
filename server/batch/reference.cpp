#include "server/batch/reference.h"

#include "rt/error.h"
#include "rt/mechanics/undamped_vibration.h"
#include "rt/model/model.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace tactus::server {
namespace {

using rt::offline::Ending;
using rt::offline::Problem;
using rt::offline::Trajectory;

/// Maximum number of samples to compare, and of numbers in all samples of one run.
constexpr std::int64_t kMaxSamples = 500, kMaxNumbers = 5'000'000, kLeastSamples = 40;
/// Up to these numbers of bodies, methods that factor dense matrices take less time than the others.
constexpr int kExplicitDense = 10, kImplicitDense = 24;
/// An explicit method makes about omega dt / 2 steps in a step of dt, if that is above one; from here on, the model is
/// stiff.
constexpr double kStiff = 40;
/// Above this number of bodies, beams and bushings count as stiff without a computation of their vibrations, whose work
/// rises with the cube.
constexpr int kMaxVibrating = 100;
/// So short a damping time counts no vibration as damped, s.
constexpr double kLongDamping = 1e6;
/// Share of the time of an extrapolated reference for its shorter step, which takes twice the time of the other one.
constexpr double kFineShare = 0.65;

ReferenceMethod minimalCoordinates() {
  return {"mcs-qr",
          {"rule=dormand-prince", "adaptive=true", "rtol=1e-9", "atol=1e-9"},
          0,
          0,
          "mcs-qr, Dormand-Prince in minimal coordinates, tolerance 1e-9"};
}

ReferenceMethod projected() {
  return {
      "projected", {"rtol=1e-8", "atol=1e-8"}, 0, 0, "projected, Dormand-Prince in all coordinates, tolerance 1e-8"};
}

ReferenceMethod rosenbrock() {
  return {"rn4", {"rtol=1e-7", "atol=1e-7"}, 0, 0, "rn4, Rosenbrock-Nystrom in minimal coordinates, tolerance 1e-7"};
}

ReferenceMethod multistep(double division) {
  return {"lms2",
          {"rho_inf=0.8"},
          2,
          division,
          "lms2, a multistep method on the index-3 equations, extrapolated from two steps"};
}

/// Of order 4, of which the index-3 equations leave 2.
ReferenceMethod stages() {
  return {
      "esdirk43-6l", {}, 2, 2, "esdirk43-6l, six stages a step on the index-3 equations, extrapolated from two steps"};
}

/// Whether a spring, a bushing or a beam vibrates so fast that explicit methods make many steps in one of the solver.
bool isStiff(const rt::Model& model, double step) {
  if (model.compliant_laws.empty()) return false;
  if (model.bodyCount() > kMaxVibrating)
    return std::any_of(model.compliant_laws.begin(), model.compliant_laws.end(),
                       [](const rt::CompliantLaw& law) { return law.rows == 6; });
  return rt::fastestUndampedVibration(model, kLongDamping).frequency * step > kStiff;
}

/// 2^p b - a over 2^p - 1, for the same motion with steps h and h / 2.
void extrapolate(const Series& a, double order, Series& b) {
  const double weight = std::pow(2.0, order);
  b.values.resize(std::min(a.values.size(), b.values.size()));
  b.t.resize(b.values.size());
  for (std::size_t k = 0; k < b.values.size(); ++k)
    for (std::size_t i = 0; i < b.values[k].size(); ++i)
      b.values[k][i] = (weight * b.values[k][i] - a.values[k][i]) / (weight - 1);
}

}  // namespace

std::vector<ReferenceMethod> referencesFor(const rt::Model& model, double step) {
  const int bodies = model.bodyCount();
  if (isStiff(model, step)) {
    if (bodies > kImplicitDense) return {multistep(8), stages()};
    return {multistep(8), rosenbrock(), stages()};
  }
  if (bodies > kImplicitDense) return {projected(), multistep(4), stages()};
  return {bodies <= kExplicitDense ? minimalCoordinates() : projected(), rosenbrock(), multistep(4)};
}

std::vector<double> sampleTimes(const rt::Model& model, std::int64_t step_ns, std::int64_t until_ns) {
  const std::int64_t steps = until_ns / step_ns;
  if (steps < 1 || until_ns % step_ns != 0) throw Error("until: must be a whole number of steps, at least one");
  const std::int64_t numbers = std::max(1, rt::StateLayout(model).size());
  const std::int64_t most = std::clamp(kMaxNumbers / numbers, kLeastSamples, kMaxSamples);
  // An odd number of steps between samples keeps an error visible that alternates from step to step.
  const std::int64_t every = (steps + most - 1) / most | 1;
  std::vector<double> times;
  for (std::int64_t k = every; k <= steps; k += every)
    times.push_back(1e-9 * static_cast<double>(k) * static_cast<double>(step_ns));
  const double until = 1e-9 * static_cast<double>(until_ns);
  if (times.empty() || times.back() < until * (1 - 1e-12)) times.push_back(until);
  return times;
}

Motion motionOf(const rt::Model& model, const std::string& initial_condition,
                const std::vector<rt::ScriptedInput>& script, std::int64_t step_ns, std::vector<double> times) {
  const double step = 1e-9 * static_cast<double>(step_ns);
  std::vector<double> jumps;
  // A row that changes nothing is no jump.
  std::vector<double> before = rt::ActuatorInput(model).values;
  for (const rt::ScriptedInput& row : script) {
    const double at = static_cast<double>(row.tick - 1) * step;
    if (row.tick > 1 && row.values != before && at < times.back() * (1 - 1e-12)) jumps.push_back(at);
    before = row.values;
  }
  const bool begins_anew =
      !script.empty() && script.front().tick == 1 && script.front().values != rt::ActuatorInput(model).values;
  return {model,
          startOf(model, kStepOfTheServer, initial_condition, script, step_ns),
          startOf(model, "", initial_condition, script, step_ns),
          begins_anew,
          std::move(jumps),
          step,
          std::move(times)};
}

std::string kinksOf(const rt::Model& model, double until) {
  std::string kinks;
  const auto add = [&](bool has, const char* what) {
    if (has) kinks += (kinks.empty() ? "" : ", ") + std::string(what);
  };
  bool stops = false, curves = false;
  for (const rt::Spring& spring : model.springs) {
    stops = stops || spring.minimum_stop || spring.maximum_stop || spring.only != rt::SpringSide::kBoth;
    curves = curves || !spring.stiffness.x.empty() || !spring.damping.x.empty();
  }
  const std::vector<double> ends = tableEnds(model);
  add(std::any_of(ends.begin(), ends.end(), [&](double t) { return t > 0 && t < until; }), "ends of tables");
  add(stops, "stops");
  add(curves, "curves");
  add(!model.roads.empty(), "roads");
  add(!model.frictions.empty(), "friction");
  add(!model.slip_tyres.empty() || !model.tyres.empty(), "tyres");
  add(!model.powertrains.empty(), "powertrains");
  return kinks;
}

Reference makeReference(const Motion& motion, const ReferenceMethod& method, SeriesReader& reader, StageClock& clock,
                        double seconds, const std::function<void(double t)>& progress) {
  const auto begin = std::chrono::steady_clock::now();
  Reference reference;
  reference.text = method.text;
  reference.extrapolated = method.error_order > 0;
  const auto run = [&](double step, const std::vector<double>& times) {
    const MethodStart& start = motion.startOf(method.method);
    const Problem problem{motion.model, start.assembly.state, start.input, step,        times.back(),
                          times,        &clock.over(),        progress,    motion.jumps};
    Trajectory trajectory = rt::offline::integrate(problem, method.method, method.settings);
    reference.interrupted = reference.interrupted || trajectory.ending == Ending::kInterrupted;
    if (trajectory.ending == Ending::kFailed) reference.failure = trajectory.failure;
    reference.steps += trajectory.statistics.steps;
    return reader.read(trajectory);
  };
  if (method.error_order > 0) {
    // The fine step first: it decides how far the reference comes.
    clock.begin(kFineShare * seconds);
    reference.series = run(motion.step / method.division, motion.times);
    const auto reached = static_cast<std::ptrdiff_t>(reference.series.t.size()) - 1;
    clock.begin((1 - kFineShare) * seconds);
    if (reached > 0) {
      const Series coarse =
          run(2 * motion.step / method.division, {motion.times.begin(), motion.times.begin() + reached});
      extrapolate(coarse, method.error_order, reference.series);
    }
  } else {
    clock.begin(seconds);
    // A method that chooses its steps needs no more than one a sample.
    reference.series = run(motion.times.front(), motion.times);
  }
  if (!reference.series.t.empty()) reference.covered = reference.series.t.back();
  reference.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return reference;
}

std::ptrdiff_t completeOnes(const std::vector<Reference>& references, double until) {
  return std::count_if(references.begin(), references.end(),
                       [&](const Reference& reference) { return reference.covered >= until * (1 - 1e-9); });
}

const Reference* farthest(const std::vector<Reference>& references) {
  const Reference* best = nullptr;
  for (const Reference& reference : references)
    if (reference.covered > 0 && (best == nullptr || reference.covered > best->covered * (1 + 1e-9) ||
                                  (reference.covered > best->covered * (1 - 1e-9) && best->extrapolated)))
      best = &reference;
  return best;
}

}  // namespace tactus::server
