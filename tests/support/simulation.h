// Runs the solver of the tick on a description and records signals, for the validation tests.
#pragma once

#include "rt/ali3p/step.h"
#include "rt/ali3p/workspace.h"
#include "rt/model/model_spec.h"
#include "rt/plan/plan.h"
#include "tests/support/compare.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tactus::tests {

/// A mechanism being run, tick by tick.
class Simulation {
 public:
  /// @throws rt::ModelError, Error as the set-up functions do
  Simulation(const rt::ModelSpec& spec, const rt::Settings& settings);

  rt::StepReport step();

  const rt::Model& model() const { return *model_; }
  const rt::Plan& plan() const { return plan_; }
  rt::State& state() { return state_; }
  const rt::State& state() const { return state_; }
  double time() const { return static_cast<double>(state_.tick) * settings_.dt(); }

  std::vector<double>& input() { return input_; }

 private:
  std::shared_ptr<const rt::Model> model_;
  rt::Settings settings_;
  rt::Plan plan_;
  rt::State state_;
  rt::Workspace workspace_;
  std::vector<double> input_;
};

/// Steps of a given length, s, with two iterations up to 2 ms and three above, unless others are asked for.
rt::Settings settingsFor(double dt, int iterations = 0);

/// What a run leaves behind.
class Recording {
 public:
  std::vector<double> t;  ///< s, from 0
  bool ok = true;         ///< every step was; else the recording ends before the first that was not
  rt::StepReport worst;   ///< largest of each number over all steps
  double worst_norm = 0;  ///< largest | |p| - 1 |
  double worst_gap = 0;   ///< largest distance of the two points of a point joint, m

  /// @throws std::out_of_range if the signal was not recorded
  const std::vector<double>& operator[](const std::string& signal) const { return values_.at(signal); }
  Series series(const std::string& signal) const { return {t, values_.at(signal), {}}; }
  const std::map<std::string, std::vector<double>>& values() const { return values_; }

  /// Lowest and highest value of a signal relative to its first.
  double lowestChange(const std::string& signal) const;
  double highestChange(const std::string& signal) const;

 private:
  friend Recording record(const rt::ModelSpec&, const rt::Settings&, double, const std::vector<std::string>&);
  std::map<std::string, std::vector<double>> values_;
};

/// Runs a mechanism from its declared state and records signals (names or globs) at every step.
Recording record(const rt::ModelSpec& spec, const rt::Settings& settings, double until,
                 const std::vector<std::string>& signals);

/// R-error of a vector signal against columns of a reference: largest over the components "x", "y", "z".
///
/// @param signal   stem of the signal, as "A.r"
/// @param column   stem and unit of the columns, as {"rA", "[m]"}
double vectorError(const Recording& recording, const std::string& signal, const Table& reference,
                   const std::pair<std::string, std::string>& column, double t_begin, double t_end,
                   const std::string& components = "xyz");

}  // namespace tactus::tests
