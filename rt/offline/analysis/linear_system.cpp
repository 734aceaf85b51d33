#include "rt/offline/analysis/linear_system.h"

#include "rt/mechanics/force_elements.h"
#include "rt/model/model.h"
#include "rt/offline/analysis/linearization.h"

#include <algorithm>

namespace tactus::rt::offline {

namespace {

std::vector<LinearState> statesOf(const Model& model, const std::vector<Coordinate>& chosen) {
  std::vector<LinearState> states;
  for (const Coordinate& c : chosen) states.push_back({nameOf(model, c), unitOf(c)});
  for (const Coordinate& c : chosen) states.push_back({rateNameOf(model, c), std::string(unitOf(c)) + "/s"});
  forEachKind([&](auto kind) {
    if constexpr (kind.kRates > 0)
      for (std::size_t i = 0; i < elementsOf(kind, model).size(); ++i)
        for (int k = 1; k <= kind.kRates; ++k)
          states.push_back({(model.*kind.kNames)[i] + ".internal." + std::to_string(k), "m or rad"});
  });
  return states;
}

}  // namespace

LinearSystem linearSystem(const Model& model, const State& state, const std::vector<double>& input, double t,
                          const Outputs& outputs, const Vector3d& turning, const std::function<void(int)>& progress) {
  const EquationsOfMotion equations(
      model, [&](double, std::span<double> out) { std::copy(input.begin(), input.end(), out.begin()); });
  Linearization at(model, equations.pointOf(state, t), input);
  const int n = at.count(), size = at.size(), inputs = model.actuatorCount();
  LinearSystem system;  // analysis (3)
  system.states = statesOf(model, at.coordinates().chosen());
  system.inputs = model.actuator_names;
  system.coordinates = n;
  system.chosen = at.coordinates().chosen();
  system.motion = at.coordinates().T();
  system.rank = at.coordinates().rank();
  system.redundant_rows = at.system().rows() - system.rank;
  system.driven = drivenMotion(model, input, t);
  system.state = at.values();
  system.rate = at.rate(turning);
  system.A.resize(size, size);
  system.B.resize(size, inputs);
  if (outputs) system.output = outputs(at.stateOf(state, at.at()));
  system.C.resize(system.output.size(), size);
  system.D.resize(system.output.size(), inputs);
  for (int k = 0; k < size; ++k) {
    if (progress) progress(size);
    const Change c = at.changeByStates(VectorXd::Unit(size, k));
    system.A.col(k) = at.rateOf(c, at.internalRateOf(c), turning);
    if (outputs) system.C.col(k) = at.outputsBy(state, outputs, c);
  }
  for (int k = 0; k < inputs; ++k) {
    if (progress) progress(size);
    const Change c = at.changeBy(k);
    system.B.col(k) = at.rateOf(c, at.internalRateOf(c) + at.internalRateBy(k), turning);
    if (outputs) system.D.col(k) = at.outputsBy(state, outputs, c, k);
  }
  return system;
}

void keepInputs(const std::vector<int>& chosen, LinearSystem& system) {
  std::vector<std::string> names;
  for (const int k : chosen) names.push_back(system.inputs[static_cast<std::size_t>(k)]);
  system.inputs = std::move(names);
  system.B = MatrixXd(system.B(Eigen::all, chosen));
  system.D = MatrixXd(system.D(Eigen::all, chosen));
}

}  // namespace tactus::rt::offline
