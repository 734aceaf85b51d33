#include "server/wire/found_state.h"

#include "rt/mechanics/joint_constraints.h"
#include "rt/mechanics/kinematics.h"
#include "rt/model/model.h"

#include <algorithm>

namespace tactus::server {

namespace {

template <class Vector>
void fill(const Vector& values, google::protobuf::RepeatedField<double>& list) {
  list.Assign(values.data(), values.data() + values.size());
}

void writeBodies(const rt::Model& model, const rt::StateView& state, v1::FoundState& message) {
  for (int i = 0; i < model.bodyCount(); ++i) {
    v1::BodyState& body = *message.add_bodies();
    body.set_body(model.body_names[static_cast<std::size_t>(i)]);
    fill(state.r(i), *body.mutable_position());
    fill(state.p(i), *body.mutable_orientation());
    fill(state.v(i), *body.mutable_velocity());
    fill(state.omega(i), *body.mutable_angular_velocity());
  }
}

void writeInputs(const rt::Model& model, const std::vector<double>& input, const std::vector<int>& free,
                 v1::FoundState& message) {
  const rt::SignalDirectory directory(model);
  for (std::size_t k = 0; k < input.size(); ++k) {
    const rt::Signal& signal = directory.signals()[static_cast<std::size_t>(directory.find(model.actuator_names[k]))];
    v1::FoundInput& found = *message.add_inputs();
    found.set_name(signal.name);
    found.set_unit(signal.unit);
    found.set_value(input[k]);
    found.set_free(std::find(free.begin(), free.end(), static_cast<int>(k)) != free.end());
    found.set_out_of_range(input[k] < model.actuators[k].minimum || input[k] > model.actuators[k].maximum);
  }
}

void writeReactions(const rt::Model& model, const rt::StateView& state, v1::FoundState& message) {
  std::vector<rt::BodyMotion> motions;
  for (int i = 0; i < model.bodyCount(); ++i) motions.push_back(rt::bodyMotion(state, i));
  for (int j = 0; j < model.jointCount(); ++j) {
    const rt::Load load = rt::reactionOnBody2(model, j, motions.data(), state.lambda());
    v1::FoundReaction& reaction = *message.add_reactions();
    reaction.set_joint(model.joint_names[static_cast<std::size_t>(j)]);
    fill(load.force, *reaction.mutable_force());
    fill(load.torque, *reaction.mutable_torque());
  }
}

}  // namespace

void writeFoundState(const rt::Model& model, const rt::State& state, const std::vector<double>& input,
                     const std::vector<int>& free, rt::StateOutputs& signals, v1::FoundState& message) {
  writeBodies(model, state.view(), message);
  writeInputs(model, input, free, message);
  writeReactions(model, state.view(), message);
  const Eigen::VectorXd values = signals.read(state);
  for (std::size_t k = 0; k < signals.size(); ++k) {
    v1::LinearVariable& signal = *message.add_signals();
    signal.set_name(signals.signal(k).name);
    signal.set_unit(signals.signal(k).unit);
    signal.set_value(values[static_cast<Eigen::Index>(k)]);
  }
}

void writeEquilibrium(const rt::offline::Equilibrium& equilibrium, v1::FoundState& message) {
  const auto count = [](int number) { return static_cast<std::uint32_t>(number); };
  v1::FoundEquilibrium& found = *message.mutable_equilibrium();
  std::uint32_t iterations = 0;
  for (const rt::offline::EquilibriumStep& step : equilibrium.steps) {
    v1::LoadStep& taken = *found.add_steps();
    taken.set_share(step.share);
    taken.set_iterations(count(step.iterations));
    taken.set_residual(step.residual);
    iterations += taken.iterations();
  }
  message.set_iterations(iterations);
  message.set_residual(equilibrium.residual);
  found.set_freedoms(count(equilibrium.freedoms));
  found.set_redundant_rows(count(equilibrium.redundant_rows));
  found.set_indifferent(count(equilibrium.indifferent));
  found.set_unstable(count(equilibrium.unstable));
  found.set_singular(equilibrium.singular_rank.has_value());
  found.set_rank_at_start(count(equilibrium.rank_at_start));
  found.set_rank(count(equilibrium.singular_rank.value_or(equilibrium.rank_at_start)));
  found.set_violation(equilibrium.violation);
  found.set_failed_steps(count(equilibrium.failed_steps));
}

void writeTrim(const rt::offline::Trim& trim, v1::FoundState& message) {
  v1::FoundTrim& found = *message.mutable_trim();
  message.set_iterations(static_cast<std::uint32_t>(trim.iterations));
  message.set_residual(trim.residual);
  fill(trim.turning, *found.mutable_turning());
  found.set_steady_motions(static_cast<std::uint32_t>(trim.steady_motions));
  found.set_steps(static_cast<std::uint32_t>(trim.steps));
}

}  // namespace tactus::server
