#include "rt/ali3p/commit.h"

#include "rt/mechanics/actuators.h"
#include "rt/mechanics/joint_constraints.h"

#include <algorithm>
#include <cmath>

namespace tactus::rt {

bool commit(const Model& model, double dt, std::span<const double> input, const State& state, Workspace& ws) noexcept {
  State& next = ws.next;
  const StateView previous = state.view();
  next.tick = state.tick + 1;
  for (int i = 0; i < model.bodyCount(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    next.r(i) = ws.motions[k].r;
    next.p(i) = ws.rotations[k].p;
    next.v(i) = ws.motions[k].v;
    next.omega(i) = ws.rotations[k].omega;
    next.a(i) = ws.motions[k].a;
    next.alpha(i) = ws.rotations[k].alpha;
  }
  std::copy_n(ws.lambda.data(), model.rows, next.lambda());
  for (const Joint& joint : model.joints)
    if (joint.coordinate >= 0)
      next.coordinate()[joint.coordinate] =
          unwrapAngle(jointAngle(joint, ws.motions.data()), previous.coordinate()[joint.coordinate]);

  // Work by the trapezoidal rule, as the step itself weighs the loads.
  next.powerInput() = actuatorPower(model, input, ws.motions.data());
  next.workInput() = previous.workInput() + 0.5 * dt * (previous.powerInput() + next.powerInput());
  next.workDissipated() = previous.workDissipated();

  // A sum is finite only if all its terms are.
  double sum = 0;
  for (double value : next.values()) sum += value * 0.0;
  return sum == 0.0;
}

}  // namespace tactus::rt
