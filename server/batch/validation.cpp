#include "server/batch/validation.h"

#include "rt/ali3p/settings.h"
#include "rt/error.h"
#include "rt/mechanics/energy.h"
#include "rt/mechanics/initial_state.h"
#include "rt/signals/signal_directory.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <sstream>

namespace tactus::server {
namespace {

using rt::offline::Ending;
using rt::offline::Problem;
using rt::offline::Sample;
using rt::offline::Trajectory;

/// Maximum number of samples to compare.
constexpr std::int64_t kMaxSamples = 500;
/// The method of the reference.
const char* const kReference = "mcs-qr";
/// Minimum order of the real-time solver that counts as convergence.
constexpr double kLeastOrder = 1.5;
/// Maximum energy drift, divided by the tolerance and the maximum kinetic energy.
constexpr double kEnergyShare = 10;
/// The order and the spectrum of an error below this share of the length are not judged: the reference is not more
/// precise.
constexpr double kFloor = 1e-9;

std::vector<std::string> referenceSettings(const char* tolerance) {
  return {"rule=dormand-prince", "adaptive=true", std::string("rtol=") + tolerance, std::string("atol=") + tolerance};
}

double angleBetween(const rt::Vector4d& p, const rt::Vector4d& q) {
  return 2 * std::atan2(rt::multiplyG(p, q).norm(), std::abs(p.dot(q)));
}

/// Differences between a sample and the sample of the reference at the same time.
struct Difference {
  double position = 0, rotation = 0, velocity = 0;
};

Difference differenceOf(const rt::Model& model, const Sample& a, const Sample& b) {
  const rt::StateLayout layout(model);
  const rt::StateView s(layout, a.state.data()), r(layout, b.state.data());
  Difference d;
  for (int i = 0; i < model.bodyCount(); ++i) {
    d.position = std::max(d.position, (s.r(i) - r.r(i)).norm());
    d.rotation = std::max(d.rotation, angleBetween(s.p(i), r.p(i)));
    d.velocity = std::max(d.velocity, (s.v(i) - r.v(i)).norm());
  }
  return d;
}

/// The parts of "NAME:KEY=VALUE:KEY=VALUE".
struct Choice {
  std::string method;
  std::vector<std::string> settings;
};

Choice choiceOf(const std::string& text) {
  std::istringstream parts(text);
  Choice choice;
  std::getline(parts, choice.method, ':');
  for (std::string setting; std::getline(parts, setting, ':');) choice.settings.push_back(setting);
  return choice;
}

std::string milliseconds(double seconds) {
  std::ostringstream text;
  text.precision(6);
  text << 1e3 * seconds << " ms";
  return text.str();
}

/// All parts of a validation, in the order of their execution.
class Validation {
 public:
  Validation(const rt::Model& model, const ValidationOptions& options, const std::atomic<bool>& interrupt,
             const std::function<void(const std::string&)>& progress)
      : model_(model),
        options_(options),
        interrupt_(interrupt),
        progress_(progress),
        start_(rt::initialState(model, rt::findInitialCondition(model, options.initial_condition)).state) {
    const std::int64_t steps = options.until_ns / options.step_ns;
    if (steps < 1 || options.until_ns % options.step_ns != 0)
      throw Error("until: must be a whole number of steps, at least one");
    // An odd number of steps between samples keeps an error visible that alternates from step to step.
    const std::int64_t every = (steps + kMaxSamples - 1) / kMaxSamples | 1;
    for (std::int64_t k = every; k <= steps; k += every)
      times_.push_back(1e-9 * static_cast<double>(k) * static_cast<double>(options.step_ns));
  }

  ValidationReport run() {
    makeReference();
    if (interrupt_) return interrupted();
    // The real-time solver at the chosen step and two shorter ones, then the others.
    std::vector<std::string> iterations;
    if (options_.iterations > 0) iterations = {"iterations=" + std::to_string(options_.iterations)};
    compare("ali3p", {"ali3p", iterations}, true);
    for (const std::string& method : options_.against)
      if (!interrupt_) compare(method, choiceOf(method), false);
    if (interrupt_) return interrupted();
    judge();
    return report_;
  }

 private:
  ValidationReport interrupted() {
    report_.interrupted = true;
    report_.reasons.emplace_back("interrupted before the end");
    return report_;
  }

  /// Runs a method over the compared times and reports its progress every two seconds.
  Trajectory runTo(const std::string& what, const Choice& choice, double step) {
    progress_(what);
    auto reported = std::chrono::steady_clock::now();
    Problem problem{model_, start_, {}, step, times_.back(), times_, &interrupt_, {}};
    problem.progress = [&](double t) {
      if (std::chrono::steady_clock::now() - reported < std::chrono::seconds(2)) return;
      reported = std::chrono::steady_clock::now();
      std::ostringstream text;
      text.precision(3);
      text << what << ": t = " << t << " s of " << times_.back() << " s";
      progress_(text.str());
    };
    return rt::offline::integrate(problem, choice.method, choice.settings);
  }

  /// Makes the reference twice, with other tolerances and steps. Their difference bounds the error of the looser one.
  void makeReference() {
    const double interval = times_.front();
    report_.reference = std::string(kReference) + ", Dormand-Prince, tolerance 1e-10";
    Trajectory loose = runTo("reference, tolerance 1e-8", {kReference, referenceSettings("1e-8")}, interval);
    if (!interrupt_)
      reference_ = runTo("reference, tolerance 1e-10", {kReference, referenceSettings("1e-10")}, interval / 2);
    if (interrupt_) return;
    for (const Trajectory* run : {&loose, &reference_})
      if (run->ending == Ending::kFailed) throw Error("the reference failed: " + run->failure);
    for (std::size_t k = 0; k < reference_.samples.size(); ++k)
      report_.reference_error =
          std::max(report_.reference_error, differenceOf(model_, loose.samples[k], reference_.samples[k]).position);
  }

  void compare(const std::string& name, const Choice& choice, bool real_time) {
    double previous = 0;
    for (const int division : {1, 2, 4}) {
      if (options_.step_ns % division != 0) continue;
      ValidationRow row;
      row.method = name;
      row.step_ns = options_.step_ns / division;
      const double step = 1e-9 * static_cast<double>(row.step_ns);
      Trajectory trajectory;
      const auto begin = std::chrono::steady_clock::now();
      try {
        trajectory = runTo(name + ", step " + milliseconds(step), choice, step);
      } catch (const Error& refusal) {
        if (real_time) throw;
        row.failure = std::string("not run: ") + refusal.what();
        report_.rows.push_back(row);
        return;
      }
      row.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      if (trajectory.ending == Ending::kInterrupted) return;
      row.failure = trajectory.failure;
      row.steps = trajectory.statistics.steps;
      row.iterations_a_step = static_cast<double>(trajectory.statistics.newton_iterations) /
                              static_cast<double>(std::max<std::int64_t>(1, row.steps));
      row.energy_drift = trajectory.energy_drift;
      row.worst_position = trajectory.worst_position;
      row.worst_velocity = trajectory.worst_velocity;
      row.worst_acceleration = trajectory.worst_acceleration;
      for (std::size_t k = 0; k < trajectory.samples.size(); ++k) {
        const Difference d = differenceOf(model_, trajectory.samples[k], reference_.samples[k]);
        row.position_error = std::max(row.position_error, d.position);
        row.rotation_error = std::max(row.rotation_error, d.rotation);
        row.velocity_error = std::max(row.velocity_error, d.velocity);
      }
      if (previous > kFloor * model_.length && row.position_error > 0 && row.failure.empty())
        row.order = std::log2(previous / row.position_error);
      previous = row.failure.empty() ? row.position_error : 0;
      if (division == 1) compareSignals(name, trajectory);
      if (real_time && division == 1) describe(trajectory);
      report_.rows.push_back(row);
    }
  }

  /// Computes the maximum difference of every signal from the reference.
  void compareSignals(const std::string& name, const Trajectory& trajectory) {
    const rt::SignalDirectory directory(model_);
    std::vector<int> indices;
    for (int i = 0; i < static_cast<int>(directory.signals().size()); ++i) {
      // Constraint norms and solver figures describe the method, not the motion.
      const std::string& signal = directory.signals()[static_cast<std::size_t>(i)].name;
      if (signal.rfind("constraint.", 0) != 0 && signal.rfind("solver.", 0) != 0) indices.push_back(i);
    }
    rt::SignalReader reader(directory, indices);
    rt::Snapshot snapshot(model_);
    const auto readInto = [&](const Sample& sample, std::vector<double>& values) {
      snapshot.state = sample.state;
      snapshot.inputs = sample.inputs;
      reader.read(snapshot, values);
    };
    const std::size_t n = indices.size();
    if (report_.signals.empty())
      for (const int i : indices) {
        const rt::Signal& signal = directory.signals()[static_cast<std::size_t>(i)];
        report_.signals.push_back({signal.name, signal.unit, 0, {}});
      }
    std::vector<double> own(n), exact(n), errors(n, 0);
    for (std::size_t k = 0; k < trajectory.samples.size(); ++k) {
      readInto(reference_.samples[k], exact);
      readInto(trajectory.samples[k], own);
      for (std::size_t i = 0; i < n; ++i) {
        errors[i] = std::max(errors[i], std::abs(own[i] - exact[i]));
        report_.signals[i].size = std::max(report_.signals[i].size, std::abs(exact[i]));
      }
    }
    report_.compared.push_back(name);
    for (std::size_t i = 0; i < n; ++i) report_.signals[i].errors.push_back(errors[i]);
  }

  /// Records errors and energy of the real-time solver over time, and the spectrum of its errors.
  void describe(const Trajectory& trajectory) {
    const rt::StateLayout layout(model_);
    std::vector<std::vector<double>> differences(static_cast<std::size_t>(3 * model_.bodyCount()));
    rt::State state(model_);
    for (std::size_t k = 0; k < trajectory.samples.size(); ++k) {
      const Sample &own = trajectory.samples[k], &exact = reference_.samples[k];
      report_.t.push_back(own.t);
      report_.position_error.push_back(differenceOf(model_, own, exact).position);
      state.values() = own.state;
      report_.energy_drift.push_back(rt::energyOf(model_, state.view()).total - trajectory.energy_start);
      const rt::StateView a(layout, own.state.data()), b(layout, exact.state.data());
      for (int i = 0; i < 3 * model_.bodyCount(); ++i)
        differences[static_cast<std::size_t>(i)].push_back(a.r(i / 3)[i % 3] - b.r(i / 3)[i % 3]);
    }
    report_.spectrum = spectrumOf(differences, times_.front());
  }

  void judge() {
    const ValidationRow& chosen = report_.rows.front();
    bool trusted = true;
    const auto require = [&](bool holds, const std::string& text) {
      report_.reasons.push_back((holds ? "ok: " : "no: ") + text);
      trusted = trusted && holds;
    };
    const auto compared = [](const std::string& what, double value, const char* unit, double limit) {
      std::ostringstream text;
      text.precision(3);
      text << what << ' ' << value << unit << ", allowed " << limit << unit;
      return text.str();
    };
    require(chosen.failure.empty(), chosen.failure.empty() ? "ran to the end" : chosen.failure);
    const double limit = options_.tolerance * model_.length;
    require(chosen.position_error <= limit, compared("maximum position error", chosen.position_error, " m", limit));
    require(report_.reference_error <= 0.1 * std::max(chosen.position_error, kFloor * model_.length),
            compared("uncertainty of the reference", report_.reference_error, " m",
                     0.1 * std::max(chosen.position_error, kFloor * model_.length)));
    double order = 0;
    for (const ValidationRow& row : report_.rows)
      if (row.method == chosen.method && row.order != 0) order = row.order;
    if (order != 0) {
      std::ostringstream text;
      text.precision(3);
      text << "observed order " << order << ", required " << kLeastOrder;
      require(order >= kLeastOrder, text.str());
    }
    require(chosen.worst_position <= 1e-9 * std::max(1.0, model_.length),
            compared("position constraints", chosen.worst_position, " m", 1e-9 * std::max(1.0, model_.length)));
    if (chosen.position_error > kFloor * model_.length)
      require(report_.spectrum.fast_share <= 0.1,
              compared("share of the error at high frequency", report_.spectrum.fast_share, "", 0.1));
    double moving = 0;
    for (const SignalError& signal : report_.signals)
      if (signal.name == "energy.kinetic") moving = signal.size;
    const double energy_limit = kEnergyShare * std::max(options_.tolerance * moving, kFloor);
    require(chosen.energy_drift <= energy_limit, compared("energy drift", chosen.energy_drift, " J", energy_limit));
    report_.trusted = trusted;
  }

  const rt::Model& model_;
  const ValidationOptions& options_;
  const std::atomic<bool>& interrupt_;
  const std::function<void(const std::string&)>& progress_;
  rt::State start_;
  std::vector<double> times_;
  Trajectory reference_;
  ValidationReport report_;
};

}  // namespace

ValidationReport validate(const rt::Model& model, const ValidationOptions& options, const std::atomic<bool>& interrupt,
                          const std::function<void(const std::string&)>& progress) {
  for (const std::string& text : options.against) {
    const Choice choice = choiceOf(text);
    const rt::offline::Method& method = rt::offline::findMethod(choice.method);
    rt::offline::OptionValues(method.name, method.options, choice.settings);
  }
  rt::chooseSettings(model, options.step_ns, options.iterations);
  return Validation(model, options, interrupt, progress).run();
}

}  // namespace tactus::server
