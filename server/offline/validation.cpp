#include "server/offline/validation.h"

#include "rt/ali3p/settings.h"
#include "rt/mechanics/initial_state.h"
#include "rt/signals/signal_directory.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <numbers>
#include <sstream>

namespace tactus::server {
namespace {

using rt::offline::Ending;
using rt::offline::Problem;
using rt::offline::Sample;
using rt::offline::Trajectory;

/// Samples that are compared, at most; more would only cost time.
constexpr std::int64_t kMostSamples = 500;
/// The reference, relative to which everything else is measured.
const char* const kReference = "mcs-qr";
/// Smallest order of the real-time solver that counts as convergence.
constexpr double kLeastOrder = 1.5;
/// Below this error, relative to the length, an order says nothing: the reference itself is not better.
constexpr double kFloor = 1e-9;

std::vector<std::string> referenceSettings(const char* tolerance) {
  return {"rule=dormand-prince", "adaptive=true", std::string("rtol=") + tolerance, std::string("atol=") + tolerance};
}

double angleBetween(const rt::Vector4d& p, const rt::Vector4d& q) {
  return 2 * std::atan2(rt::multiplyG(p, q).norm(), std::abs(p.dot(q)));
}

/// Differences of one sample to that of the reference at the same time.
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

/// The whole comparison, in the order in which it is done.
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
    const std::int64_t every = (steps + kMostSamples - 1) / kMostSamples;
    for (std::int64_t k = every; k <= steps; k += every)
      times_.push_back(1e-9 * static_cast<double>(k) * static_cast<double>(options.step_ns));
  }

  ValidationReport run() {
    const Trajectory loose = reference("1e-8");
    reference_ = reference("1e-10");
    if (interrupt_) return interrupted();
    report_.reference = std::string(kReference) + ", Dormand-Prince, tolerance 1e-10";
    for (std::size_t k = 0; k < reference_.samples.size(); ++k)
      report_.reference_error =
          std::max(report_.reference_error, differenceOf(model_, loose.samples[k], reference_.samples[k]).position);

    // The real-time solver at the chosen step and two shorter ones, then the others.
    std::vector<std::string> iterations;
    if (options_.iterations > 0) iterations = {"iterations=" + std::to_string(options_.iterations)};
    compare("ali3p", iterations, true);
    for (const std::string& method : options_.against)
      if (!interrupt_) compare(method, {}, false);
    if (interrupt_) return interrupted();
    judge();
    return report_;
  }

 private:
  ValidationReport interrupted() {
    report_.interrupted = true;
    report_.reasons.push_back("interrupted before the end");
    return report_;
  }

  Trajectory reference(const char* tolerance) {
    progress_(std::string("reference, tolerance ") + tolerance);
    Problem problem{model_, start_, {}, 1e-2, times_.back(), times_, &interrupt_, {}};
    Trajectory trajectory = rt::offline::integrate(problem, kReference, referenceSettings(tolerance));
    if (trajectory.ending == Ending::kFailed) throw Error("the reference failed: " + trajectory.failure);
    return trajectory;
  }

  void compare(const std::string& method, const std::vector<std::string>& settings, bool real_time) {
    double previous = 0;
    for (const int division : {1, 2, 4}) {
      if (options_.step_ns % division != 0) continue;
      ValidationRow row;
      row.method = method;
      row.step_ns = options_.step_ns / division;
      progress_(method + ", step " + std::to_string(row.step_ns) + " ns");
      Problem problem{model_,        start_, {},          1e-9 * static_cast<double>(row.step_ns),
                      times_.back(), times_, &interrupt_, {}};
      const auto begin = std::chrono::steady_clock::now();
      const Trajectory trajectory = rt::offline::integrate(problem, method, settings);
      row.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      if (trajectory.ending == Ending::kInterrupted) return;
      row.failure = trajectory.failure;
      const auto steps = static_cast<double>(std::max<std::int64_t>(1, trajectory.statistics.steps));
      row.iterations_a_step = static_cast<double>(trajectory.statistics.newton_iterations) / steps;
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
      if (previous > kFloor * model_.length && row.position_error > 0)
        row.order = std::log2(previous / row.position_error);
      previous = row.failure.empty() ? row.position_error : 0;
      if (real_time && division == 1) describe(trajectory);
      report_.rows.push_back(row);
    }
  }

  /// Errors of the real-time solver at the chosen step: over time, by signal, by frequency.
  void describe(const Trajectory& trajectory) {
    const rt::SignalDirectory directory(model_);
    std::vector<int> indices;
    for (int i = 0; i < static_cast<int>(directory.signals().size()); ++i) indices.push_back(i);
    rt::SignalReader reader(directory, indices);
    rt::Snapshot snapshot(model_);
    std::vector<double> own(indices.size()), exact(indices.size());
    report_.signals.resize(indices.size());
    const auto readInto = [&](const Sample& sample, std::vector<double>& values) {
      snapshot.state = sample.state;
      snapshot.inputs = sample.inputs;
      reader.read(snapshot, values);
    };
    double energy_start = 0;
    const auto total = static_cast<std::size_t>(directory.find("energy.total"));
    for (std::size_t k = 0; k < trajectory.samples.size(); ++k) {
      readInto(reference_.samples[k], exact);
      readInto(trajectory.samples[k], own);
      if (k == 0) energy_start = own[total];
      for (std::size_t i = 0; i < indices.size(); ++i) {
        SignalError& e = report_.signals[i];
        e.error = std::max(e.error, std::abs(own[i] - exact[i]));
        e.size = std::max(e.size, std::abs(exact[i]));
      }
      report_.t.push_back(trajectory.samples[k].t);
      report_.position_error.push_back(differenceOf(model_, trajectory.samples[k], reference_.samples[k]).position);
      report_.energy_drift.push_back(own[total] - energy_start);
    }
    for (std::size_t i = 0; i < indices.size(); ++i) {
      const rt::Signal& signal = directory.signals()[i];
      report_.signals[i].name = signal.name;
      report_.signals[i].unit = signal.unit;
    }
    // Constraint norms and solver numbers are of the method, not of the motion.
    std::erase_if(report_.signals, [](const SignalError& e) {
      return e.name.rfind("constraint.", 0) == 0 || e.name.rfind("solver.", 0) == 0;
    });
    analyseFrequencies();
  }

  /// Discrete Fourier transform of the position error without its mean.
  void analyseFrequencies() {
    const std::size_t n = report_.position_error.size();
    if (n < 8) return;
    double mean = 0;
    for (const double e : report_.position_error) mean += e / static_cast<double>(n);
    double all = 0, fast = 0, largest = 0;
    const double interval = report_.t[2] - report_.t[1];
    for (std::size_t f = 1; f <= n / 2; ++f) {
      std::complex<double> sum = 0;
      for (std::size_t k = 0; k < n; ++k)
        sum += (report_.position_error[k] - mean) *
               std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(f * k % n) / static_cast<double>(n));
      const double power = std::norm(sum);
      all += power;
      if (f > n / 4) fast += power;
      if (power > largest) {
        largest = power;
        report_.dominant_frequency = static_cast<double>(f) / (static_cast<double>(n) * interval);
      }
    }
    if (all > 0) report_.fast_share = fast / all;
  }

  void judge() {
    const ValidationRow& chosen = report_.rows.front();
    bool trusted = true;
    const auto require = [&](bool holds, const std::string& text) {
      report_.reasons.push_back((holds ? "ok: " : "no: ") + text);
      trusted = trusted && holds;
    };
    const auto said = [](const std::string& what, double value, const char* unit, double limit) {
      std::ostringstream text;
      text.precision(3);
      text << what << ' ' << value << unit << ", allowed " << limit << unit;
      return text.str();
    };
    require(chosen.failure.empty(), chosen.failure.empty() ? "ran to the end" : chosen.failure);
    const double limit = options_.tolerance * model_.length;
    require(chosen.position_error <= limit, said("largest error of a position", chosen.position_error, " m", limit));
    require(report_.reference_error <= 0.1 * std::max(chosen.position_error, kFloor * model_.length),
            said("uncertainty of the reference", report_.reference_error, " m",
                 0.1 * std::max(chosen.position_error, kFloor * model_.length)));
    double order = 0;
    for (const ValidationRow& row : report_.rows)
      if (row.method == chosen.method && row.order != 0) order = row.order;
    if (order != 0) {
      std::ostringstream text;
      text.precision(3);
      text << "observed order " << order << ", at least " << kLeastOrder << " wanted";
      require(order >= kLeastOrder, text.str());
    }
    require(chosen.worst_position <= 1e-9 * std::max(1.0, model_.length),
            said("position constraints", chosen.worst_position, " m", 1e-9 * std::max(1.0, model_.length)));
    require(report_.fast_share <= 0.1, said("share of the error at high frequency", report_.fast_share, "", 0.1));
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
  for (const std::string& method : options.against) rt::offline::findMethod(method);
  rt::chooseSettings(model, options.step_ns, options.iterations);
  return Validation(model, options, interrupt, progress).run();
}

}  // namespace tactus::server
