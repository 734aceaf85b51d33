#include "clients/fmi/unit/derivatives.h"

#include "rt/error.h"
#include "rt/offline/analysis/linear_system.h"

#include <algorithm>
#include <cmath>
#include <optional>

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
  engine::ParameterValues values = engine.parameters();
  double& value = values[parameter].value;
  const double here = value, step = kPart * (here == 0 ? 1 : std::abs(here));
  const auto outputsAt = [&](double offset) {
    value = here + offset;
    const engine::Engine::Beginning beginning = engine.beginningWith(values);
    return OutputReader(*beginning.model, indices)(beginning.start);
  };
  const auto outputsIfAllowed = [&](double offset) -> std::optional<Eigen::VectorXd> {
    try {
      return outputsAt(offset);
    } catch (const Error&) { return std::nullopt; }
  };
  // At a limit of the parameter, or of the field that it sets, one side is left.
  const std::optional<Eigen::VectorXd> below = outputsIfAllowed(-step);
  const std::optional<Eigen::VectorXd> above = below ? outputsIfAllowed(step) : outputsAt(step);
  if (below && above) return (*above - *below) / (2 * step);
  const double side = above ? step : -step;
  // The slope at 0 of the parabola through 0, d and 2 d.
  return (4 * (above ? *above : *below) - 3 * outputsAt(0) - outputsAt(2 * side)) / (2 * side);
}

}  // namespace tactus::fmi
