#include "clients/fmi/unit/derivatives.h"

#include "rt/offline/analysis/linear_system.h"

#include <algorithm>
#include <cmath>

namespace tactus::fmi {
namespace {

/// Reads outputs of states of a model.
class OutputReader {
 public:
  OutputReader(const rt::Model& model, const std::vector<int>& indices)
      : directory_(model), reader_(directory_, indices), snapshot_(model) {}

  Eigen::VectorXd operator()(const rt::State& state) {
    snapshot_.state = state.values();
    std::copy_n(state.view().input(), snapshot_.inputs.size(), snapshot_.inputs.begin());
    Eigen::VectorXd values(static_cast<Eigen::Index>(reader_.indices().size()));
    reader_.read(snapshot_, {values.data(), reader_.indices().size()});
    return values;
  }

 private:
  const rt::SignalDirectory directory_;
  rt::SignalReader reader_;
  rt::Snapshot snapshot_;
};

}  // namespace

Eigen::MatrixXd outputsByInputs(const engine::Engine& engine, const std::vector<int>& indices) {
  const rt::Model& model = engine.modelInForce();
  OutputReader reader(model, indices);
  const auto read = [&](const rt::State& state) { return reader(state); };
  const double time = static_cast<double>(engine.tick()) * 1e-9 * static_cast<double>(engine.periodNs());
  return rt::offline::linearSystem(model, engine.state(), {engine.inputs().begin(), engine.inputs().end()}, time, read)
      .D;
}

Eigen::VectorXd initialOutputsByParameter(const engine::Engine& engine, const std::vector<int>& indices,
                                          std::size_t parameter) {
  // The error of the difference is a square of this, that of the assembly, 1e-12, is divided by it.
  constexpr double kPart = 1e-5;
  const rt::Parameter& declared = engine.model().parameters[parameter];
  engine::ParameterValues values = engine.parameters();
  double& value = values[parameter].value;
  const double here = value, step = kPart * (here == 0 ? 1 : std::abs(here));
  const double low = std::max(here - step, declared.minimum.value_or(here - step));
  const double high = std::min(here + step, declared.maximum.value_or(here + step));
  const auto outputsAt = [&](double one) {
    value = one;
    const engine::Engine::Beginning beginning = engine.beginningWith(values);
    return OutputReader(*beginning.model, indices)(beginning.start);
  };
  const Eigen::VectorXd above = outputsAt(high);
  if (low == high) return Eigen::VectorXd::Zero(above.size());
  return (above - outputsAt(low)) / (high - low);
}

}  // namespace tactus::fmi
