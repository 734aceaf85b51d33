#include "rt/mechanics/energy.h"
#include "rt/mechanics/row_laws.h"
#include "rt/mechanics/sensors.h"
#include "rt/mechanics/tyre.h"
#include "rt/signals/signal_directory.h"

#include <algorithm>

namespace tactus::rt {

SignalReader::SignalReader(const SignalDirectory& directory, std::vector<int> indices)
    : directory_(&directory),
      model_(directory.modelOf(0)),
      indices_(std::move(indices)),
      motions_(directory.model().bodies.size()),
      elements_(directory.model()) {
  for (const int i : indices_) {
    switch (directory.entries_[static_cast<std::size_t>(i)].source) {
      case SignalSource::kReactionForce:
      case SignalSource::kReactionTorque:
      case SignalSource::kJointRate:
      case SignalSource::kJointTravel:
      case SignalSource::kTravelRate:
      case SignalSource::kSensor: needs_motions_ = true; break;
      case SignalSource::kRowValue:
      case SignalSource::kTyre:
      case SignalSource::kRowPower: needs_motions_ = true; break;
      case SignalSource::kSlipTyre:
      case SignalSource::kFriction:
      case SignalSource::kPowertrain: needs_elements_ = needs_motions_ = true; break;
      case SignalSource::kEnergy: needs_energy_ = needs_motions_ = true; break;
      case SignalSource::kState:
      case SignalSource::kInput:
      case SignalSource::kReport: break;
    }
  }
}

void SignalReader::read(const Snapshot& snapshot, std::span<double> out) noexcept {
  if (snapshot.header.model_version != version_) {
    version_ = snapshot.header.model_version;
    model_ = directory_->modelOf(version_);
  }
  const Model& model = *model_;
  const StateView state(StateLayout(model), snapshot.state.data());
  for (int i = 0; needs_motions_ && i < model.bodyCount(); ++i)
    motions_[static_cast<std::size_t>(i)] = bodyMotion(state, i);
  if (needs_elements_)
    evaluateElements(model, motions_.data(),
                     {state.coordinate(), state.memory(), {state.input(), model.actuators.size()}, 0}, elements_);
  if (needs_energy_) {
    const Energy e = energyOf(model, state, motions_.data());
    energy_[0] = e.kinetic;
    energy_[1] = e.potential;
    energy_[2] = e.dissipated;
    energy_[3] = e.input;
    energy_[4] = e.total;
  }
  for (std::size_t i = 0; i < indices_.size(); ++i)
    out[i] = value(directory_->entries_[static_cast<std::size_t>(indices_[i])], snapshot, state);
}

double SignalReader::rowValue(int index, const StateView& state) const noexcept {
  const Model& model = *model_;
  double phi[kMostJointRows];
  RowJacobian rows[kMostJointRows];
  evaluateJointRows(model, model.joints[static_cast<std::size_t>(index)], motions_.data(), state.coordinate(), phi,
                    rows);
  return phi[0];
}

double SignalReader::tyreValue(int index, int component, const StateView& state) const noexcept {
  const Model& model = *model_;
  const Joint& joint = model.joints[static_cast<std::size_t>(index)];
  if (component == 0) return -state.lambda()[joint.first_row];
  const Tyre& tyre =
      model.tyres[static_cast<std::size_t>(model.compliances[static_cast<std::size_t>(joint.law_index)].tyre)];
  const TyreContact contact =
      evaluateTyre(model, tyre, motions_[static_cast<std::size_t>(tyre.body)], rowValue(index, state), 0);
  return component == 1 ? contact.deflection : contact.road_height;
}

double SignalReader::rowPower(int index, const StateView& state) const noexcept {
  const Model& model = *model_;
  const Joint& joint = model.joints[static_cast<std::size_t>(index)];
  double phi[kMostJointRows], rate[kMostJointRows], power = 0;
  RowJacobian rows[kMostJointRows];
  evaluateJointRows(model, joint, motions_.data(), state.coordinate(), phi, rows);
  jointRowRates(joint, rows, motions_.data(), rate);
  for (int k = 0; k < joint.row_count; ++k) power -= state.lambda()[joint.first_row + k] * rate[k];
  return power;
}

double SignalReader::value(const SignalDirectory::Entry& entry, const Snapshot& snapshot,
                           const StateView& state) noexcept {
  const Model& model = *model_;
  const auto index = static_cast<std::size_t>(entry.index);
  switch (entry.source) {
    case SignalSource::kState: return snapshot.state[index];
    case SignalSource::kInput: return snapshot.inputs[index];
    case SignalSource::kReactionForce:
      return reactionOnBody2(model, entry.index, motions_.data(), state.lambda()).force[entry.component];
    case SignalSource::kReactionTorque:
      return reactionOnBody2(model, entry.index, motions_.data(), state.lambda()).torque[entry.component];
    case SignalSource::kJointRate: return jointRate(model.joints[index], motions_.data());
    case SignalSource::kJointTravel: return jointTravel(model.joints[index], motions_.data());
    case SignalSource::kTravelRate: return jointTravelRate(model.joints[index], motions_.data());
    case SignalSource::kSensor: return sensorValue(model, model.sensors[index], state, motions_.data());
    case SignalSource::kEnergy: return energy_[index];
    case SignalSource::kRowValue: return rowValue(entry.index, state);
    case SignalSource::kTyre: return tyreValue(entry.index, entry.component, state);
    case SignalSource::kSlipTyre: return elements_.tyres[index].*kTyreSignals[entry.component].value;
    case SignalSource::kFriction: return elements_.frictions[index].force;
    case SignalSource::kPowertrain: {
      const PowertrainState& powertrain = elements_.powertrains[index];
      return entry.component == 0 ? powertrain.speed : entry.component == 1 ? powertrain.torque : powertrain.power;
    }
    case SignalSource::kRowPower: return rowPower(entry.index, state);
    case SignalSource::kReport: break;
  }
  const StepReport& report = snapshot.header.report;
  switch (entry.index) {
    case 0: return report.constraint_position;
    case 1: return report.constraint_velocity;
    case 2: return report.constraint_acceleration;
    case 3: return report.residual;
    default: return report.increment;
  }
}

}  // namespace tactus::rt
