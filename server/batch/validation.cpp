#include "server/batch/validation.h"

#include "proto/text/duration.h"
#include "rt/ali3p/settings.h"
#include "rt/error.h"
#include "rt/model/model.h"
#include "server/batch/method_choice.h"
#include "server/batch/reference.h"
#include "server/batch/shown.h"
#include "server/batch/stage_clock.h"
#include "server/batch/unique_reactions.h"
#include "server/batch/verdict.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>

namespace tactus::server {
namespace {

using rt::offline::Ending;
using rt::offline::Problem;
using rt::offline::Trajectory;

/// Shares of the budget: of the real-time solver at the chosen step, of each reference of what is left.
constexpr double kSolverShare = 0.4, kReferenceShare = 0.45, kLastShare = 0.7;
/// A reference ends early if it needs this many times its time, as seen after a second or a share of its time.
constexpr double kHopeless = 4, kTrial = 1, kTrialShare = 0.1;

/// All parts of a validation, in the order of their execution.
class Validation {
 public:
  Validation(const rt::Model& model, const ValidationOptions& options, const std::atomic<bool>& interrupt,
             const std::function<void(const std::string&)>& progress)
      : model_(model),
        options_(options),
        interrupt_(interrupt),
        progress_(progress),
        begin_(Clock::now()),
        clock_(interrupt),
        reader_(model),
        motion_(motionOf(model, options.initial_condition, options.script, options.step_ns,
                         sampleTimes(model, options.step_ns, options.until_ns))) {
    report_.until = 1e-9 * static_cast<double>(options.until_ns);
    report_.wanted = std::max(report_.until, 1e-9 * static_cast<double>(options.wanted_ns));
    report_.tolerances = options.tolerances;
    if (options.iterations > 0) solver_.settings = {"iterations=" + std::to_string(options.iterations)};
  }

  ValidationReport run() {
    // The real-time solver first: it shows how far the others have to come.
    const MeasuredRun chosen = runOf(kStepOfTheServer, solver_, 1, kSolverShare * left());
    if (interrupt_) return interrupted();
    makeReferences();
    if (interrupt_) return interrupted();
    if (exact_ == nullptr) {
      report_.rows.push_back(chosen.row);
      findNone();
      return closed();
    }
    std::optional<MeasuredRun> half, quarter;
    for (const int division : {2, 4}) {
      if (options_.step_ns % division != 0) continue;
      (division == 2 ? half : quarter).emplace(runOf(kStepOfTheServer, solver_, division, 0.5 * left()));
      if (interrupt_) return interrupted();
    }
    findScales(quarter ? &*quarter : nullptr);
    if (interrupt_) return interrupted();
    add(chosen, 1);
    judgeErrors(chosen);
    if (half) add(*half, 2);
    if (quarter) add(*quarter, 4);
    const std::size_t own_rows = report_.rows.size();
    for (const std::string& method : options_.against) {
      compare(method);
      if (interrupt_) return interrupted();
    }
    judgeAccuracy({model_, reader_, measures_, limits_, exact_->series, chosen, quarter ? &*quarter : nullptr, own_rows,
                   motion_.begins_anew || !motion_.jumps.empty(), motion_.begins_anew, !options_.script.empty()},
                  report_);
    return closed();
  }

 private:
  using Clock = std::chrono::steady_clock;

  double elapsed() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
  double left() const { return std::max(0.0, options_.budget_s - elapsed()); }

  ValidationReport closed() {
    report_.wall_seconds = elapsed();
    return std::move(report_);
  }

  ValidationReport interrupted() {
    report_.interrupted = true;
    report_.reasons.emplace_back("interrupted before the end");
    return closed();
  }

  /// Reports a stage, with the time that all of it takes at most.
  void tell(const std::string& text) {
    std::ostringstream line;
    line.precision(3);
    line << std::round(elapsed()) << " s of at most " << options_.budget_s << " s: " << text;
    progress_(line.str());
    reported_ = Clock::now();
  }

  std::function<void(double)> progressOf(const std::string& what) {
    return [this, what](double t) {
      if (Clock::now() - reported_ < std::chrono::seconds(2)) return;
      tell(what + ", t = " + shown(t) + " s of " + shown(motion_.times.back()) + " s");
    };
  }

  /// Runs a method over the compared times, or as far as it comes in the given time.
  MeasuredRun runOf(const std::string& name, const Choice& choice, int division, double seconds) {
    const std::int64_t step_ns = options_.step_ns / division;
    const double step = motion_.step / division;
    const std::string what = name + ", step " + text::formatDuration(step_ns);
    tell(what);
    clock_.begin(seconds);
    const auto begin = Clock::now();
    const MethodStart& start = motion_.startOf(choice.method);
    const Problem problem{model_,        start.assembly.state, start.input,      step,         motion_.times.back(),
                          motion_.times, &clock_.over(),       progressOf(what), motion_.jumps};
    Trajectory trajectory = rt::offline::integrate(problem, choice.method, choice.settings);
    const double seconds_taken = std::chrono::duration<double>(Clock::now() - begin).count();
    MeasuredRun run = measured(trajectory, reader_);
    run.row.method = name;
    run.row.step_ns = step_ns;
    run.row.wall_seconds = seconds_taken;
    if (poses_.empty()) poses_ = std::move(trajectory.samples);
    return run;
  }

  /// Makes references until two of them cover everything. Errors count from the one that comes farthest; its largest
  /// difference from another one bounds its own error.
  void makeReferences() {
    const std::vector<ReferenceMethod> methods = referencesFor(model_, motion_.step);
    for (const ReferenceMethod& method : methods) {
      const std::string what = "reference " + method.method;
      tell(what);
      const bool is_last = &method == &methods.back();
      const double seconds = (is_last ? kLastShare : kReferenceShare) * left();
      const auto begin = Clock::now();
      double farthest = 0;  // an extrapolated reference begins twice, and its longer step takes less time
      const auto watched = [&, report = progressOf(what)](double t) {
        report(t);
        farthest = std::max(farthest, t);
        const double spent = std::chrono::duration<double>(Clock::now() - begin).count();
        if (!is_last && spent > std::max(kTrial, kTrialShare * seconds) &&
            spent * motion_.times.back() > kHopeless * seconds * farthest)
          clock_.begin(0);
      };
      Reference reference;
      try {
        reference = makeReference(motion_, method, reader_, clock_, seconds, watched);
      } catch (const Error& refusal) {
        reference.text = method.text;
        reference.failure = std::string("not run: ") + refusal.what();
      }
      if (interrupt_) return;
      report_.references.push_back(
          {reference.text, reference.covered, reference.steps, reference.wall_seconds, reference.failure});
      references_.push_back(std::move(reference));
      if (completeOnes(references_, report_.until) == 2) break;
    }
    exact_ = farthest(references_);
    if (exact_ == nullptr) return;
    report_.covered = exact_->covered;
    report_.reference = exact_->text;
    for (const Reference& reference : references_)
      if (&reference != exact_) report_.confirmed = std::max(report_.confirmed, reference.covered);
  }

  void findNone() {
    report_.covered = report_.confirmed = 0;
    for (const ReferenceFigures& reference : report_.references)
      report_.reasons.push_back("no: " + reference.text + ": " +
                                (reference.failure.empty() ? "no sample in its time" : reference.failure));
    report_.deciding = "no: no reference came to the first sample in " + shown(options_.budget_s) +
                       " s; give more time with --budget, or compare a shorter time";
    report_.reasons.insert(report_.reasons.begin(), report_.deciding);
  }

  /// Scales of the whole motion, whatever the budget; its rest as the solver has it with a quarter of the step.
  void findScales(const MeasuredRun* quarter) {
    const std::vector<double> first_not_unique =
        firstNotUnique(model_, motion_.solver.assembly.state, poses_, report_.covered, interrupt_);
    measures_ = measuresOf(model_, reader_, exact_->series, report_.until, first_not_unique);
    if (report_.covered < report_.until * (1 - 1e-9) && quarter != nullptr && quarter->row.failure.empty())
      widenScales(measures_, measuresOf(model_, reader_, quarter->series, report_.until, first_not_unique));
    limits_.resize(measures_.size());
    for (std::size_t i = 0; i < measures_.size(); ++i)
      limits_[i] = options_.tolerances.of(measures_[i].kind) * measures_[i].scale;
    for (std::size_t i = 0; i < measures_.size(); ++i) {
      double most = 0;
      for (const Reference& other : references_)
        if (&other != exact_)
          most = std::max(most, errorOf(measures_[i], differences(measures_[i], exact_->series, other.series)));
      uncertainties_.push_back(most);
      if (measures_[i].kind == Kind::kPosition) report_.reference_error = std::max(report_.reference_error, most);
    }
  }

  /// The largest share of a limit among the coordinates, whose order is that of the method.
  double shareOfCoordinates(const Series& series) const {
    double most = 0;
    for (std::size_t i = 0; i < measures_.size(); ++i) {
      const Kind kind = measures_[i].kind;
      if (kind != Kind::kPosition && kind != Kind::kRotation && kind != Kind::kJoint) continue;
      most = std::max(most, errorOf(measures_[i], differences(measures_[i], series, exact_->series)) / limits_[i]);
    }
    return most;
  }

  /// Adds the row of a run and its errors. The first row is that of the solver at the chosen step.
  void add(const MeasuredRun& run, int division) {
    ValidationRow row = run.row;
    // The figures of a part look like those of the whole. How far the solver came, the verdict says.
    const bool whole = row.reached >= report_.until * (1 - 1e-9);
    if (!whole && row.failure.empty() && !report_.rows.empty())
      row.failure = "ended at t = " + shown(row.reached) + " s: the budget is spent";
    for (std::size_t i = 0; i < measures_.size(); ++i) {
      const Measure& measure = measures_[i];
      const double most = errorOf(measure, differences(measure, run.series, exact_->series));
      if (measure.kind == Kind::kPosition) row.position_error = std::max(row.position_error, most);
      if (measure.kind == Kind::kRotation) row.rotation_error = std::max(row.rotation_error, most);
      if (measure.kind == Kind::kVelocity && measure.unit == "m/s")
        row.velocity_error = std::max(row.velocity_error, most);
      if (measure.unjudged.empty() && limits_[i] > 0 && most / limits_[i] > row.share) {
        row.share = most / limits_[i];
        row.worst = std::string(toString(measure.kind)) + ' ' + measure.name;
      }
    }
    const double coordinates = shareOfCoordinates(run.series);
    const double before = division == 1 || row.method != last_method_ ? 0 : last_share_;
    if (before > 0 && coordinates > 0 && row.failure.empty()) row.order = std::log2(before / coordinates);
    last_share_ = whole && row.failure.empty() ? coordinates : 0;
    last_method_ = row.method;
    if (division == 1) compareSignals(row, run.series);
    report_.rows.push_back(row);
  }

  void compare(const std::string& text) {
    const Choice choice = choiceOf(text);
    ValidationRow refused;
    refused.method = text;
    refused.step_ns = options_.step_ns;
    if (model_.bodyCount() > kMaxDenseBodies && isDense(choice.method)) {
      refused.failure = "not run: the method factors dense matrices, which take minutes a step for more than " +
                        std::to_string(kMaxDenseBodies) + " bodies";
      report_.rows.push_back(refused);
      return;
    }
    for (const int division : {1, 2, 4}) {
      if (options_.step_ns % division != 0) continue;
      if (left() <= 0) {
        refused.step_ns = options_.step_ns / division;
        refused.failure = "not run: the budget of " + shown(options_.budget_s) + " s is spent";
        report_.rows.push_back(refused);
        return;
      }
      try {
        const MeasuredRun run = runOf(text, choice, division, left());
        if (interrupt_) return;
        add(run, division);
      } catch (const Error& refusal) {
        refused.failure = std::string("not run: ") + refusal.what();
        report_.rows.push_back(refused);
        return;
      }
    }
  }

  /// Computes the maximum difference of every signal from the reference. Of a method that failed, no difference says
  /// how good it is.
  void compareSignals(const ValidationRow& row, const Series& series) {
    const std::size_t n = reader_.indices().size();
    if (report_.signals.empty())
      for (std::size_t i = 0; i < n; ++i) {
        const rt::Signal& signal = reader_.directory().signals()[static_cast<std::size_t>(reader_.indices()[i])];
        SignalError& error = report_.signals.emplace_back();
        error.name = signal.name;
        error.unit = signal.unit;
        for (const std::vector<double>& sample : exact_->series.values)
          error.size = std::max(error.size, std::abs(sample[i]));
      }
    const std::size_t samples = std::min(series.values.size(), exact_->series.values.size());
    report_.compared.push_back(row.method);
    for (std::size_t i = 0; i < n; ++i) {
      double error = 0;
      for (std::size_t k = 1; k < samples; ++k)
        error = std::max(error, std::abs(series.values[k][i] - exact_->series.values[k][i]));
      report_.signals[i].errors.push_back(row.failure.empty() ? error : std::numeric_limits<double>::quiet_NaN());
    }
  }

  /// The errors of the real-time solver at the chosen step: of every quantity, and over time.
  void judgeErrors(const MeasuredRun& chosen) {
    const std::size_t samples = std::min(chosen.series.t.size(), exact_->series.t.size());
    if (samples < 2) return;
    report_.t.assign(chosen.series.t.begin() + 1, chosen.series.t.begin() + static_cast<std::ptrdiff_t>(samples));
    report_.position_error.assign(samples - 1, 0);
    report_.share_over_time.assign(kKinds - 1, std::vector<double>(samples - 1, 0));
    for (std::size_t i = 0; i < measures_.size(); ++i) {
      const Measure& measure = measures_[i];
      JudgedError e;
      e.kind = measure.kind;
      e.name = measure.name;
      e.unit = measure.unit;
      e.scale = measure.scale;
      e.limit = limits_[i];
      e.uncertainty = uncertainties_[i];
      e.unjudged = measure.unjudged;
      e.unjudged_from = measure.unjudged_from;
      const std::vector<double> errors = differences(measure, chosen.series, exact_->series);
      std::vector<double>& shares = report_.share_over_time[static_cast<std::size_t>(measure.kind)];
      e.error = errorOf(measure, errors);
      if (const auto largest = std::max_element(errors.begin(), errors.end()); largest != errors.end())
        e.at = report_.t[static_cast<std::size_t>(largest - errors.begin())];
      for (std::size_t k = 0; k < errors.size(); ++k) {
        if (measure.kind == Kind::kPosition) report_.position_error[k] = std::max(report_.position_error[k], errors[k]);
        if (e.unjudged.empty() && e.limit > 0) shares[k] = std::max(shares[k], errors[k] / e.limit);
      }
      report_.judged.push_back(e);
    }
    std::stable_sort(report_.judged.begin(), report_.judged.end(), [](const JudgedError& a, const JudgedError& b) {
      if (a.unjudged.empty() != b.unjudged.empty()) return a.unjudged.empty();
      return a.share() > b.share();
    });
    report_.energy_drift.assign(chosen.energy_drift.begin(),
                                chosen.energy_drift.begin() + static_cast<std::ptrdiff_t>(samples) - 1);
    addSpectrum(chosen);
  }

  void addSpectrum(const MeasuredRun& chosen) {
    std::vector<std::vector<double>> series;
    // The last sample may be nearer to the one before than the others.
    const std::size_t all = report_.t.size();
    const bool uneven = all > 1 && report_.t[all - 1] - report_.t[all - 2] < 0.999 * motion_.times.front();
    const std::size_t even = uneven ? all - 1 : all;
    for (const Measure& measure : measures_)
      if (measure.kind == Kind::kPosition)
        for (const int signal : measure.signals) {
          std::vector<double>& values = series.emplace_back();
          for (std::size_t k = 1; k <= even; ++k)
            values.push_back(chosen.series.values[k][static_cast<std::size_t>(signal)] -
                             exact_->series.values[k][static_cast<std::size_t>(signal)]);
        }
    report_.spectrum = spectrumOf(series, motion_.times.front());
  }

  const rt::Model& model_;
  const ValidationOptions& options_;
  const std::atomic<bool>& interrupt_;
  const std::function<void(const std::string&)>& progress_;
  Clock::time_point begin_, reported_{};
  StageClock clock_;
  SeriesReader reader_;
  Motion motion_;
  Choice solver_{kStepOfTheServer, {}};
  std::vector<rt::offline::Sample> poses_;  ///< of the real-time solver at the chosen step
  std::vector<Reference> references_;       ///< exact_ points into it
  const Reference* exact_ = nullptr;        ///< the reference that came farthest
  std::vector<Measure> measures_;
  std::vector<double> limits_, uncertainties_;  ///< of each measure, in its unit
  std::string last_method_;
  double last_share_ = 0;
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
  if (!(options.budget_s > 0)) throw Error("budget: must be above 0 s");
  rt::chooseSettings(model, options.step_ns, options.iterations);
  return Validation(model, options, interrupt, progress).run();
}

}  // namespace tactus::server
