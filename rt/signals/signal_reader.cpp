#include "rt/signals/signal_reader.h"

#include "rt/mechanics/compliant_rows.h"
#include "rt/mechanics/elements/vertical_tyre.h"
#include "rt/mechanics/energy.h"
#include "rt/mechanics/force_elements.h"
#include "rt/mechanics/joint_constraints.h"
#include "rt/mechanics/kinematics.h"
#include "rt/mechanics/sensors.h"
#include "rt/model/model.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tactus::rt {

namespace {

/// What force elements rest on in a State as it stands.
ElementInput inputOf(const Model& model, const StateView& state) noexcept {
  return {state.jointDisplacements(), state.internalStates(), {state.input(), model.actuators.size()}, 0};
}

}  // namespace

/// Values of the rows of a joint.
struct SignalReader::RowValues {
  int joint;
  double value = 0, power = 0;
  TyreContact contact;
};

struct SignalReader::Results {
  explicit Results(const Model& model) : motions(model.bodies.size()), elements(model) {}

  std::vector<BodyMotion> motions;
  std::vector<int> reaction_joints, row_joints;  ///< joints of the two lists below
  std::vector<Load> reactions;
  std::vector<RowValues> rows;
  ElementStates elements;
  bool needs_motions = false, needs_energy = false, needs_elements = false;
  double energy[5] = {};

  /// The index of a joint in a list of joints; adds the joint if it is missing.
  static int placeOf(int joint, std::vector<int>& joints) {
    const auto known = std::find(joints.begin(), joints.end(), joint);
    const auto place = static_cast<int>(known - joints.begin());
    if (known == joints.end()) joints.push_back(joint);
    return place;
  }
};

SignalReader::SignalReader(const SignalDirectory& directory, std::vector<int> indices)
    : directory_(&directory),
      model_(directory.modelOf(0)),
      indices_(std::move(indices)),
      results_(std::make_unique<Results>(directory.model())) {
  plan();
  results_->reactions.resize(results_->reaction_joints.size());
  for (const int joint : results_->row_joints) results_->rows.push_back({joint, 0, 0, {}});
}

SignalReader::SignalReader(SignalReader&&) noexcept = default;
SignalReader& SignalReader::operator=(SignalReader&&) noexcept = default;
SignalReader::~SignalReader() = default;

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
        results_->needs_motions = true;
        entry.index = Results::placeOf(entry.index, results_->reaction_joints);
        break;
      case SignalSource::kRowValue:
      case SignalSource::kTyre:
      case SignalSource::kRowPower:
        results_->needs_motions = true;
        entry.index = Results::placeOf(entry.index, results_->row_joints);
        break;
      case SignalSource::kJointRate:
      case SignalSource::kJointTravel:
      case SignalSource::kTravelRate:
      case SignalSource::kSensor: results_->needs_motions = true; break;
      case SignalSource::kElement: results_->needs_elements = results_->needs_motions = true; break;
      case SignalSource::kEnergy: results_->needs_energy = results_->needs_motions = true; break;
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
  Results& results = *results_;
  const StateView state(StateLayout(model), snapshot.state.data());
  for (int i = 0; results.needs_motions && i < model.bodyCount(); ++i)
    results.motions[static_cast<std::size_t>(i)] = bodyMotion(state, i);
  for (std::size_t i = 0; i < results.reactions.size(); ++i)
    results.reactions[i] = reactionOnBody2(model, results.reaction_joints[i], results.motions.data(), state.lambda());
  for (RowValues& row : results.rows) readRows(state, row);
  if (results.needs_elements) evaluateElements(model, results.motions.data(), inputOf(model, state), results.elements);
  if (results.needs_energy) {
    const Energy e = energyOf(model, state, results.motions.data());
    results.energy[0] = e.kinetic;
    results.energy[1] = e.potential;
    results.energy[2] = e.dissipated;
    results.energy[3] = e.input;
    results.energy[4] = e.total;
  }
  for (const Single& single : singles_) out[single.to] = value(single.entry, snapshot, state);
}

void SignalReader::readRows(const StateView& state, RowValues& row) const noexcept {
  const Model& model = *model_;
  const Joint& joint = model.joints[static_cast<std::size_t>(row.joint)];
  double rate[kMaxJointRows];
  JointRows rows;
  evaluateJointRows(model, joint, results_->motions.data(), state.jointDisplacements(), rows);
  jointRowRates(model, joint, rows.jacobian, rows.further, results_->motions.data(), rate);
  row.value = rows.phi[0];
  row.power = 0;
  for (int k = 0; k < joint.row_count; ++k) row.power -= state.lambda()[joint.first_row + k] * rate[k];
  if (joint.kind != JointKind::kVerticalTyre) return;
  const Tyre& tyre =
      model.tyres[static_cast<std::size_t>(model.compliant_laws[static_cast<std::size_t>(joint.law_index)].tyre)];
  row.contact = evaluateTyre(model, tyre, results_->motions[static_cast<std::size_t>(tyre.body)], row.value, 0);
  row.contact.load = -state.lambda()[joint.first_row];
}

double SignalReader::value(const SignalDirectory::Entry& entry, const Snapshot& snapshot,
                           const StateView& state) const noexcept {
  const Model& model = *model_;
  const auto index = static_cast<std::size_t>(entry.index);
  switch (entry.source) {
    case SignalSource::kState: return snapshot.state[index];
    case SignalSource::kInput: return snapshot.inputs[index];
    case SignalSource::kReactionForce: return results_->reactions[index].force[entry.component];
    case SignalSource::kReactionTorque: return results_->reactions[index].torque[entry.component];
    case SignalSource::kJointRate: return jointRate(model.joints[index], results_->motions.data());
    case SignalSource::kJointTravel: return jointTravel(model.joints[index], results_->motions.data());
    case SignalSource::kTravelRate: return jointTravelRate(model.joints[index], results_->motions.data());
    case SignalSource::kSensor: return sensorValue(model, model.sensors[index], state, results_->motions.data());
    case SignalSource::kEnergy: return results_->energy[index];
    case SignalSource::kRowValue: return results_->rows[index].value;
    case SignalSource::kRowPower: return results_->rows[index].power;
    case SignalSource::kTyre: {
      const auto component = static_cast<std::size_t>(entry.component);
      return results_->rows[index].contact.*VerticalTyreRow::kSignals[component].value;
    }
    case SignalSource::kElement:
      return entry.read({model, results_->motions.data(), inputOf(model, state)}, results_->elements, index,
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
