#include "clients/fmi/unit/derivatives.h"

#include "rt/offline/analysis/linear_system.h"

#include <algorithm>

namespace tactus::fmi {

Eigen::MatrixXd outputsByInputs(const engine::Engine& engine, const std::vector<int>& indices) {
  const rt::Model& model = engine.modelInForce();
  const rt::SignalDirectory directory(model);
  rt::SignalReader reader(directory, indices);
  rt::Snapshot snapshot(model);
  const auto read = [&](const rt::State& state) {
    snapshot.state = state.values();
    std::copy_n(state.view().input(), snapshot.inputs.size(), snapshot.inputs.begin());
    Eigen::VectorXd values(static_cast<Eigen::Index>(indices.size()));
    reader.read(snapshot, {values.data(), indices.size()});
    return values;
  };
  const double time = static_cast<double>(engine.tick()) * 1e-9 * static_cast<double>(engine.periodNs());
  return rt::offline::linearSystem(model, engine.state(), {engine.inputs().begin(), engine.inputs().end()}, time, read)
      .D;
}

}  // namespace tactus::fmi
