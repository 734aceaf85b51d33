#include "rt/ali3p/commit.h"

#include "rt/mechanics/actuators.h"
#include "rt/mechanics/row_laws.h"

#include <algorithm>
#include <cmath>

namespace tactus::rt {

void commit(const Model& model, double dt, std::span<const double> input, const State& from, const Workspace& ws,
            State& to) noexcept {
  const StateView previous = from.view();
  for (int i = 0; i < model.bodyCount(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    to.r(i) = ws.motions[k].r;
    to.p(i) = ws.rotations[k].p;
    to.v(i) = ws.motions[k].v;
    to.omega(i) = ws.rotations[k].omega;
    to.a(i) = ws.motions[k].a;
    to.alpha(i) = ws.rotations[k].alpha;
  }
  std::copy_n(ws.lambda.data(), model.rows, to.lambda());
  for (const Joint& joint : model.joints)
    if (joint.coordinate >= 0)
      to.coordinate()[joint.coordinate] =
          unwrapAngle(jointAngle(joint, ws.motions.data()), previous.coordinate()[joint.coordinate]);
  // Adding zero makes one bit pattern of both zeros.
  for (std::size_t i = 0; i < input.size(); ++i) to.input()[i] = input[i] + 0.0;

  // Work by the trapezoidal rule, as the step itself weighs the loads.
  to.powerInput() = actuatorPower(model, input, ws.motions.data());
  to.powerDissipated() = dragPower(model, ws.motions.data());
  for (const Joint& joint : model.joints) {
    const auto law = static_cast<std::size_t>(joint.law_index);
    if (joint.law == LawKind::kDriven)
      to.powerInput() -= ws.lambda[static_cast<std::size_t>(joint.first_row)] * ws.drives[law].rate;
    if (!joint.compliant()) continue;
    double rate[kMostJointRows];
    jointRowRates(joint, ws.jacobian.data() + joint.first_row, ws.motions.data(), rate);
    const LawPower power = lawPower(model, joint, ws.motions.data(), ws.phi.data() + joint.first_row, rate);
    to.powerDissipated() += power.dissipated;
    to.powerInput() += power.input;
  }
  to.workInput() = previous.workInput() + 0.5 * dt * (previous.powerInput() + to.powerInput());
  to.workDissipated() = previous.workDissipated() + 0.5 * dt * (previous.powerDissipated() + to.powerDissipated());
}

bool isFinite(const State& state) noexcept {
  // A sum is finite only if all its terms are.
  double sum = 0;
  for (double value : state.values()) sum += value * 0.0;
  return sum == 0.0;
}

}  // namespace tactus::rt
