#include "tests/bench/papers/runs.h"

#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"

#include <cmath>

namespace tactus::bench {

using namespace rt::offline;

Trajectory runOn(const rt::Model& model, const std::string& method, double step, double until,
                 const std::vector<double>& times, const Settings& settings) {
  return integrate({model, rt::initialState(model).state, {}, step, until, times, nullptr, {}}, method, settings);
}

double wholeSteps(double step, double until) {
  return step * std::floor(until / step + 1e-9);
}

std::vector<double> timesOf(const Trajectory& run) {
  std::vector<double> times;
  for (std::size_t k = 1; k < run.samples.size(); ++k) times.push_back(run.samples[k].t);
  return times;
}

const char* endingOf(const Trajectory& run) {
  return run.ending == Ending::kComplete ? "complete" : "fails";
}

}  // namespace tactus::bench
