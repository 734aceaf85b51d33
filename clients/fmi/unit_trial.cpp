#include "clients/fmi/unit_trial.h"

#include "clients/fmi/format/unit_file.h"
#include "clients/fmi/importer/loaded_unit.h"
#include "rt/error.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include <unistd.h>

namespace tactus::fmi {

Terminal::Terminal(const UnitDescription& description) {
  for (const UnitVariable& v : description.variables) {
    if (!v.isScalarNumber()) continue;
    if (v.causality == "input") {
      inputs.push_back(&v);
      input_references.push_back(v.reference);
    } else if (v.causality == "output") {
      outputs.push_back(&v);
      output_references.push_back(v.reference);
      // The default of a variability of Float64 is continuous; others cannot be read in an update.
      if (v.in_updates && (v.variability.empty() || v.variability == "continuous"))
        update_references.push_back(v.reference);
    }
  }
}

std::vector<double> Terminal::at(int step) const {
  std::vector<double> values;
  for (const UnitVariable* v : inputs) {
    const double start = v->start.value_or(0);
    const bool bounded = v->minimum && v->maximum && std::abs(*v->minimum) < 1e9 && std::abs(*v->maximum) < 1e9;
    const double amplitude = 0.1 * (bounded ? *v->maximum - *v->minimum : std::max(1.0, std::abs(start)));
    double value = start + amplitude * (1 - std::abs(step % 40 - 20) / 20.0);
    if (v->minimum) value = std::max(value, *v->minimum);
    if (v->maximum) value = std::min(value, *v->maximum);
    values.push_back(value);
  }
  return values;
}

void ReportPipe::tell(char kind, std::string text) const {
  std::replace(text.begin(), text.end(), '\n', ' ');
  const std::string line = std::string(1, kind) + ' ' + text.substr(0, 2000) + '\n';
  if (::write(file_, line.data(), line.size()) < 0) ::_exit(1);
}

namespace {

class UnitTrial {
 public:
  UnitTrial(const std::string& folder, const UnitDescription& description, double step, const CheckOptions& options,
            CallRecord& record, const ReportPipe& pipe)
      : unit_(folder, description, [&record](std::string_view function) { record.note(function); }),
        d_(description),
        terminal_(description),
        step_(step),
        steps_(options.steps),
        pipe_(pipe) {}

  void run() {
    refusesOtherToken();
    UnitInstance first(unit_, "first", d_.token);
    first.initialize(d_.start_time);
    const std::vector<double> held = advance(first, 0, steps_, false);
    hash(first);
    const std::vector<double> moved = advance(first, steps_, 2 * steps_, true);
    hash(first);
    reportTimes();
    if (d_.saves_states) returnsToStates(first);
    first.reset();
    first.initialize(d_.start_time);
    compare(held, advance(first, 0, steps_, false), "after a reset the unit gives other values with the same inputs");
    if (!d_.once_per_process) alternates(moved);
    first.terminate();
    // Last: the unit has made its one instance.
    if (d_.updates_between_steps && !d_.once_per_process) updatesBetweenSteps(held);
  }

 private:
  void tell(char kind, const std::string& text) const { pipe_.tell(kind, text); }

  void refusesOtherToken() {
    try {
      UnitInstance other(unit_, "other", "{not-the-token}");
      tell('W', "the unit makes an instance with a token that is not its own");
    } catch (const Error&) {}  // as it should be
  }

  /// @returns the outputs of each step, one after the other
  std::vector<double> advance(UnitInstance& instance, int from, int to, bool moves) {
    std::vector<double> all, values(terminal_.outputs.size());
    for (int k = from; k < to; ++k) {
      if (moves) instance.set(terminal_.input_references, terminal_.at(k));
      const std::int64_t begin = steadyNs();
      instance.step(d_.start_time + k * step_, step_);
      times_.push_back(steadyNs() - begin);
      instance.get(terminal_.output_references, values);
      for (std::size_t i = 0; i < values.size(); ++i)
        if (!std::isfinite(values[i]))
          throw Error("output \"" + terminal_.outputs[i]->name + "\" is not finite after step " +
                      std::to_string(k + 1));
      all.insert(all.end(), values.begin(), values.end());
    }
    return all;
  }

  void compare(const std::vector<double>& a, const std::vector<double>& b, const std::string& what) const {
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
      if (std::memcmp(&a[i], &b[i], sizeof a[i]) == 0) continue;
      const std::size_t width = terminal_.outputs.size();
      return tell(
          'E', what + ": output \"" + terminal_.outputs[i % width]->name + "\", step " + std::to_string(i / width + 1));
    }
  }

  void hash(UnitInstance& instance) const {
    if (const UnitVariable* v = d_.find(kHashVariable); v && (v->type == "String" || v->type == "UInt64"))
      tell('H', instance.stateHash(v->reference));
  }

  void returnsToStates(UnitInstance& instance) {
    void* const state = instance.saveState();
    const std::vector<double> once = advance(instance, 2 * steps_, 3 * steps_, true);
    instance.restoreState(state);
    compare(once, advance(instance, 2 * steps_, 3 * steps_, true), "a restored state goes on with other values");
    if (d_.serializes_states) {
      const std::vector<char> bytes = instance.serialize(state);
      void* const read = instance.deserialize(bytes);
      if (instance.serialize(read) != bytes) tell('E', "a state that was written and read is written differently");
      instance.restoreState(read);
      compare(once, advance(instance, 2 * steps_, 3 * steps_, true),
              "a state that was written and read goes on with other values");
      instance.freeState(read);
    }
    instance.freeState(state);
  }

  /// Two instances in turn; the second one has the inputs of the run before.
  void alternates(const std::vector<double>& moved) {
    UnitInstance one(unit_, "one", d_.token), two(unit_, "two", d_.token);
    one.initialize(d_.start_time);
    two.initialize(d_.start_time);
    std::vector<double> values;
    for (int k = 0; k < 2 * steps_; ++k) {
      advance(one, k, k + 1, true);
      const std::vector<double> row = advance(two, k, k + 1, k >= steps_);
      if (k >= steps_) values.insert(values.end(), row.begin(), row.end());
    }
    compare(moved, values, "an instance gives other values while another one steps in turn with it");
    one.terminate();
    two.terminate();
  }

  /// An instance whose internal steps are heard and whose steps are ended early gives the values of one without.
  void updatesBetweenSteps(const std::vector<double>& held) {
    double begin = 0, last = 0;
    int calls = 0;
    std::string problem;
    const auto on_update = [&](const UnitInstance::Update& update) -> std::optional<double> {
      ++calls;
      const double rounding = 1e-6 * step_;
      if (problem.empty() && (update.time < last - rounding || update.time > begin + step_ + rounding))
        problem = "is called at t = " + std::to_string(update.time) + " s, outside of the step or back in time";
      if (update.get_allowed) {
        std::vector<double> values(terminal_.update_references.size());
        update.instance.get(terminal_.update_references, values);
      }
      last = update.time;
      if (d_.returns_early && !update.may_return && update.step_finished)
        problem = "is called without the offer of an early return, though the description provides it";
      // What is left of the step is another size.
      return update.may_return && d_.variable_step ? std::optional<double>(update.time) : std::nullopt;
    };
    UnitInstance heard(unit_, "heard", d_.token, on_update, terminal_.update_references);
    heard.initialize(d_.start_time);
    std::vector<double> all, values(terminal_.outputs.size());
    for (int k = 0; k < steps_; ++k) {
      const double end = d_.start_time + (k + 1) * step_;
      begin = last = d_.start_time + k * step_;
      double time = begin;
      // Each early return makes an internal step at least.
      for (int part = 0; end - time > 1e-6 * step_; ++part) {
        const auto reached = heard.stepOrReturn(time, end - time);
        if (reached && (*reached <= time || *reached > end || part > 1'000'000))
          return tell('E', "an early return ends at t = " + std::to_string(*reached) + " s, outside of its step");
        time = reached.value_or(end);
      }
      heard.get(terminal_.output_references, values);
      all.insert(all.end(), values.begin(), values.end());
    }
    if (calls == 0) problem = "is never called, though the description provides it";
    if (!problem.empty()) tell('E', "intermediateUpdate " + problem);
    compare(held, all, "with intermediate updates and early returns the unit gives other values");
    heard.terminate();
  }

  void reportTimes() {
    std::sort(times_.begin(), times_.end());
    tell('T', std::to_string(times_[times_.size() / 2]) + ' ' + std::to_string(times_.back()));
  }

  LoadedUnit unit_;
  const UnitDescription& d_;
  const Terminal terminal_;
  const double step_;
  const int steps_;
  const ReportPipe& pipe_;
  std::vector<std::int64_t> times_;
};

}  // namespace

void tryUnit(const std::string& folder, const UnitDescription& description, double step, const CheckOptions& options,
             CallRecord& record, const ReportPipe& pipe) {
  UnitTrial(folder, description, step, options, record, pipe).run();
}

}  // namespace tactus::fmi
