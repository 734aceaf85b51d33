#include "rt/mechanics/compliant_rows.h"
#include "rt/mechanics/energy.h"
#include "rt/mechanics/sensors.h"
#include "rt/signals/signal_directory.h"

#include <algorithm>
#include <cstring>

namespace tactus::rt {

namespace {

/// What force elements rest on in a State as it stands.
ElementInput inputOf(const Model& model, const StateView& state) noexcept {
  return {state.jointDisplacements(), state.internalStates(), {state.input(), model.actuators.size()}, 0};
}

}  // namespace

SignalReader::SignalReader(const SignalDirectory& directory, std::vector<int> indices)
    : directory_(&directory),
      model_(directory.modelOf(0)),
      indices_(std::move(indices)),
      motions_(directory.model().bodies.size()),
      elements_(directory.model()) {
  plan();
  reactions_.resize(reaction_joints_.size());
  for (const int joint : row_joints_) rows_.push_back({joint, 0, 0, {}});
}

// The index of a joint in a list of joints; adds the joint if it is missing.
std::size_t SignalReader::placeOf(int joint, std::vector<int>& joints) {
  const auto known = std::find(joints.begin(), joints.end(), joint);
  if (known != joints.end()) return static_cast<std::size_t>(known - joints.begin());
  joints.push_back(joint);
  return joints.size() - 1;
}

void SignalReader::plan() {
  for (std::size_t to = 0; to < indices_.size(); ++to) {
    SignalDirectory::Entry entry = directory_->entries_[static_cast<std::size_t>(indices_[to])];
    switch (entry.source) {
      case SignalSource::kState: {
        const auto from = static_cast<std::size_t>(entry.index);
        const bool continues = !runs_.empty() && runs_.back().from + runs_.back().count == from &&
                               runs_.back().to + runs_.back().count == to;
        if (continues)
          ++runs_.back().count;
        else
          runs_.push_back({from, to, 1});
        continue;
      }
      case SignalSource::kReactionForce:
      case SignalSource::kReactionTorque:
        needs_motions_ = true;
        entry.index = static_cast<int>(placeOf(entry.index, reaction_joints_));
        break;
      case SignalSource::kRowValue:
      case SignalSource::kTyre:
      case SignalSource::kRowPower:
        needs_motions_ = true;
        entry.index = static_cast<int>(placeOf(entry.index, row_joints_));
        break;
      case SignalSource::kJointRate:
      case SignalSource::kJointTravel:
      case SignalSource::kTravelRate:
      case SignalSource::kSensor: needs_motions_ = true; break;
      case SignalSource::kElement: needs_elements_ = needs_motions_ = true; break;
      case SignalSource::kEnergy: needs_energy_ = needs_motions_ = true; break;
      case SignalSource::kInput:
      case SignalSource::kReport: break;
    }
    singles_.push_back({entry, to});
  }
}

void SignalReader::read(const Snapshot& snapshot, std::span<double> out) noexcept {
  for (const Run& run : runs_)
    std::memcpy(out.data() + run.to, snapshot.state.data() + run.from, run.count * sizeof(double));
  if (singles_.empty()) return;

  if (snapshot.header.model_version != version_) {
    version_ = snapshot.header.model_version;
    model_ = directory_->modelOf(version_);
  }
  const Model& model = *model_;
  const StateView state(StateLayout(model), snapshot.state.data());
  for (int i = 0; needs_motions_ && i < model.bodyCount(); ++i)
    motions_[static_cast<std::size_t>(i)] = bodyMotion(state, i);
  for (std::size_t i = 0; i < reactions_.size(); ++i)
    reactions_[i] = reactionOnBody2(model, reaction_joints_[i], motions_.data(), state.lambda());
  for (RowValues& row : rows_) readRows(state, row);
  if (needs_elements_) evaluateElements(model, motions_.data(), inputOf(model, state), elements_);
  if (needs_energy_) {
    const Energy e = energyOf(model, state, motions_.data());
    energy_[0] = e.kinetic;
    energy_[1] = e.potential;
    energy_[2] = e.dissipated;
    energy_[3] = e.input;
    energy_[4] = e.total;
  }
  for (const Single& single : singles_) out[single.to] = value(single.entry, snapshot, state);
}

void SignalReader::readRows(const StateView& state, RowValues& row) const noexcept {
  const Model& model = *model_;
  const Joint& joint = model.joints[static_cast<std::size_t>(row.joint)];
  double rate[kMaxJointRows];
  JointRows rows;
  evaluateJointRows(model, joint, motions_.data(), state.jointDisplacements(), rows);
  jointRowRates(model, joint, rows.jacobian, rows.further, motions_.data(), rate);
  row.value = rows.phi[0];
  row.power = 0;
  for (int k = 0; k < joint.row_count; ++k) row.power -= state.lambda()[joint.first_row + k] * rate[k];
  if (joint.kind != JointKind::kVerticalTyre) return;
  const Tyre& tyre =
      model.tyres[static_cast<std::size_t>(model.compliant_laws[static_cast<std::size_t>(joint.law_index)].tyre)];
  row.contact = evaluateTyre(model, tyre, motions_[static_cast<std::size_t>(tyre.body)], row.value, 0);
  row.contact.load = -state.lambda()[joint.first_row];
}

double SignalReader::value(const SignalDirectory::Entry& entry, const Snapshot& snapshot,
                           const StateView& state) const noexcept {
  const Model& model = *model_;
  const auto index = static_cast<std::size_t>(entry.index);
  switch (entry.source) {
    case SignalSource::kState: return snapshot.state[index];
    case SignalSource::kInput: return snapshot.inputs[index];
    case SignalSource::kReactionForce: return reactions_[index].force[entry.component];
    case SignalSource::kReactionTorque: return reactions_[index].torque[entry.component];
    case SignalSource::kJointRate: return jointRate(model.joints[index], motions_.data());
    case SignalSource::kJointTravel: return jointTravel(model.joints[index], motions_.data());
    case SignalSource::kTravelRate: return jointTravelRate(model.joints[index], motions_.data());
    case SignalSource::kSensor: return sensorValue(model, model.sensors[index], state, motions_.data());
    case SignalSource::kEnergy: return energy_[index];
    case SignalSource::kRowValue: return rows_[index].value;
    case SignalSource::kRowPower: return rows_[index].power;
    case SignalSource::kTyre: {
      const auto component = static_cast<std::size_t>(entry.component);
      return rows_[index].contact.*VerticalTyreRow::kSignals[component].value;
    }
    case SignalSource::kElement:
      return entry.read({model, motions_.data(), inputOf(model, state)}, elements_, index,
                        static_cast<std::size_t>(entry.component));
    case SignalSource::kReport: break;
  }
  const StepReport& report = snapshot.header.report;
  switch (entry.index) {
    case 0: return report.constraint_position;
    case 1: return report.constraint_velocity;
    case 2: return report.constraint_acceleration;
    case 3: return report.residual;
    case 4: return report.increment;
    case 5: return report.contraction;
    default: return report.factorizations;
  }
}

}  // namespace tactus::rt
