#include "server/batch/sensitivity.h"

#include "rt/error.h"
#include "rt/mechanics/initial_state.h"
#include "rt/offline/analysis/trajectory_sensitivity.h"
#include "rt/offline/core/equations_of_motion.h"
#include "rt/signals/state_outputs.h"

#include <cmath>
#include <deque>
#include <memory>
#include <optional>

namespace tactus::server {

namespace {

using rt::offline::TrajectorySensitivity;

class SensitivityRun {
 public:
  SensitivityRun(const rt::Model& model, const std::vector<VariedParameter>& parameters,
                 const SensitivityOptions& options, const std::atomic<bool>& interrupt)
      : model_(model),
        parameters_(parameters),
        options_(options),
        interrupt_(interrupt),
        directory_(model),
        signals_(options.signals.empty() ? directory_.resolve(model.sensor_names)
                                         : directory_.resolve(options.signals)) {
    for (const int s : signals_) names_.push_back(directory_.signals()[static_cast<std::size_t>(s)].name);
    if (names_.empty()) throw Error("model '" + model.name + "' has no sensors; name signals");
  }

  SensitivityResult run() {
    SensitivityResult result;
    for (const int s : signals_) result.signals.push_back(directory_.signals()[static_cast<std::size_t>(s)]);
    for (std::int64_t k = options_.every; k < options_.ticks; k += options_.every)
      result.times.push_back(options_.settings.timeAt(k));
    result.times.push_back(options_.settings.timeAt(options_.ticks));
    // A linearized tick takes as long as some hundred others: its run counts as half of the work.
    share_ = (options_.linearized ? 0.5 : 1.0) / static_cast<double>(1 + variedRuns());
    result.nominal = trajectoryOf(model_, "the nominal run");
    for (const VariedParameter& parameter : parameters_) addDifferences(parameter, result);
    if (options_.linearized) linearize(result);
    return result;
  }

 private:
  std::size_t variedRuns() const {
    std::size_t count = 0;
    for (const VariedParameter& parameter : parameters_)
      count += parameter.models.size() - (parameter.side == 0 ? 0 : 1);
    return count;
  }

  OfflineRunOptions runOptions() const {
    OfflineRunOptions run;
    run.settings = options_.settings;
    run.ticks = options_.ticks;
    run.initial_condition = options_.initial_condition;
    run.script = options_.script;
    return run;
  }

  void look() const {
    if (interrupt_.load(std::memory_order_relaxed)) throw rt::offline::Interrupted();
  }

  void require(const OfflineRunReport& report, const std::string& what) const {
    if (report.interrupted) throw rt::offline::Interrupted();
    if (report.status != rt::TickStatus::kOk)
      throw Error(what + ": the step to tick " + std::to_string(report.ticks + 1) +
                  " failed: " + rt::toString(report.status));
  }

  bool isRow(std::int64_t tick) const { return tick > 0 && (tick % options_.every == 0 || tick == options_.ticks); }
  /// Of a tick that has one.
  std::int64_t rowOf(std::int64_t tick) const { return (tick + options_.every - 1) / options_.every - 1; }

  /// The signals of a run of a model, rows by signals.
  Eigen::MatrixXd trajectoryOf(const rt::Model& model, const std::string& what) {
    const rt::SignalDirectory directory(model);
    rt::SignalReader reader(directory, directory.resolve(names_));
    Eigen::MatrixXd table(rowOf(options_.ticks) + 1, static_cast<Eigen::Index>(names_.size()));
    std::vector<double> values(names_.size());
    OfflineRunOptions run = runOptions();
    run.observe = [&](const rt::Snapshot& tick) {
      if (!isRow(tick.header.tick)) return;
      reader.read(tick, values);
      table.row(rowOf(tick.header.tick)) = Eigen::Map<const Eigen::RowVectorXd>(values.data(), table.cols());
    };
    require(runOffline(model, run, interrupt_), what);
    done_ += share_;
    options_.progress(done_);
    return table;
  }

  /// Differences of second order of two steps, extrapolated.
  void addDifferences(const VariedParameter& parameter, SensitivityResult& result) {
    const std::vector<double> shares = sharesOfRuns(parameter.side);
    std::vector<Eigen::MatrixXd> tables;
    for (std::size_t k = 0; k < shares.size(); ++k)
      tables.push_back(shares[k] == 0
                           ? result.nominal
                           : trajectoryOf(parameter.models[k], "the run with '" + parameter.name + "' changed by " +
                                                                   std::to_string(shares[k]) + " steps"));
    Eigen::MatrixXd coarse, fine;
    if (parameter.side == 0) {
      coarse = (tables[0] - tables[1]) / (2 * parameter.step);
      fine = (tables[2] - tables[3]) / parameter.step;
    } else {
      const double h = parameter.side * parameter.step;
      const Eigen::MatrixXd quarter = tables[3] - tables[0], half = tables[1] - tables[0],
                            whole = tables[2] - tables[0];
      coarse = (4 * half - whole) / h;
      fine = (4 * quarter - half) / (0.5 * h);
    }
    result.values.emplace_back((4 * fine - coarse) / 3);
    result.errors.emplace_back((fine - coarse).cwiseAbs());
  }

  /// A model with another value, its beginning and its signals.
  struct Side {
    Side(const rt::Model& varied, const std::string& initial, const std::vector<std::string>& names)
        : model(varied),
          start(rt::initialState(varied, rt::findInitialCondition(varied, initial)).state),
          outputs(varied, names) {}
    const rt::Model& model;
    const rt::State start;
    rt::StateOutputs outputs;
  };

  /// Takes linearized values in place of the differences, which become their error.
  void linearize(SensitivityResult& result) {
    for (const std::string& name : names_) rt::requireStateSignal(name);
    std::deque<Side> sides;
    std::vector<rt::offline::VariedModel> varied;
    for (const VariedParameter& parameter : parameters_) {
      const std::vector<double> shares = rt::offline::sharesOf(parameter.side);
      rt::offline::VariedModel& all = varied.emplace_back();
      for (std::size_t k = 0; k < shares.size(); ++k) {
        Side& side = sides.emplace_back(parameter.models[k], options_.initial_condition, names_);
        all.push_back({&side.model, &side.start, side.outputs.function(), shares[k] * parameter.step});
      }
    }
    std::optional<TrajectorySensitivity> along;
    rt::State state(model_);
    std::vector<Eigen::MatrixXd> tables(parameters_.size(),
                                        Eigen::MatrixXd(result.nominal.rows(), result.nominal.cols()));
    OfflineRunOptions run = runOptions();
    run.observe = [&](const rt::Snapshot& tick) {
      look();
      state.values() = tick.state;
      state.tick = tick.header.tick;
      try {
        if (!along)
          along.emplace(model_, state, tick.inputs, varied);
        else
          along->advance(state, options_.settings.timeAt(state.tick), tick.inputs);
      } catch (const Error& error) {
        throw Error(std::string(error.what()) + ", at tick " + std::to_string(state.tick));
      }
      if (!isRow(state.tick)) return;
      const Eigen::MatrixXd row = along->outputs();
      for (std::size_t p = 0; p < tables.size(); ++p)
        tables[p].row(rowOf(state.tick)) = row.col(static_cast<Eigen::Index>(p));
      options_.progress(0.5 + 0.5 * static_cast<double>(state.tick) / static_cast<double>(options_.ticks));
    };
    require(runOffline(model_, run, interrupt_), "the nominal run");
    for (std::size_t p = 0; p < tables.size(); ++p) {
      result.errors[p] = (tables[p] - result.values[p]).cwiseAbs();
      result.values[p] = std::move(tables[p]);
    }
  }

  const rt::Model& model_;
  const std::vector<VariedParameter>& parameters_;
  const SensitivityOptions& options_;
  const std::atomic<bool>& interrupt_;
  const rt::SignalDirectory directory_;
  const std::vector<int> signals_;
  std::vector<std::string> names_;
  double share_ = 0, done_ = 0;
};

}  // namespace

double stepOf(double value, double relative_step) noexcept {
  return relative_step * (value == 0 ? 1 : std::abs(value));
}

std::vector<double> sharesOfRuns(int side) {
  std::vector<double> shares = rt::offline::sharesOf(side);
  if (side == 0) shares.insert(shares.end(), {0.5, -0.5});
  if (side != 0) shares.push_back(0.25 * side);
  return shares;
}

SensitivityResult sensitivityOf(const rt::Model& model, const std::vector<VariedParameter>& parameters,
                                const SensitivityOptions& options, const std::atomic<bool>& interrupt) {
  if (options.linearized)
    for (const std::string& name : options.signals)
      if (!rt::SignalDirectory::isGlob(name)) rt::requireStateSignal(name);
  return SensitivityRun(model, parameters, options, interrupt).run();
}

}  // namespace tactus::server
