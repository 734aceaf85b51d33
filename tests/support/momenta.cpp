#include "tests/support/momenta.h"

#include "rt/mechanics/kinematics.h"
#include "rt/mechanics/mass_matrix.h"
#include "rt/model/model.h"

#include <array>
#include <limits>

namespace tactus::tests {
namespace {

using rt::Vector3d;

std::array<Vector3d, 2> momentaOf(const Simulation& run) {
  std::array<Vector3d, 2> sum = {Vector3d::Zero(), Vector3d::Zero()};
  for (int i = 0; i < run.model().bodyCount(); ++i) {
    const rt::Body& body = run.model().bodies[static_cast<std::size_t>(i)];
    const rt::BodyMotion m = rt::bodyMotion(run.state().view(), i);
    sum[0] += body.mass * m.v;
    sum[1] += body.mass * m.r.cross(m.v) + rt::worldInertia(body, m.R) * m.omega_w;
  }
  return sum;
}

}  // namespace

MomentumDrift momentumDrift(const rt::ModelSpec& spec, double dt, double until) {
  Simulation run(spec, settingsFor(dt));
  const auto before = momentaOf(run);
  while (run.time() < until - dt / 2)
    if (run.step().status != rt::TickStatus::kOk) {
      constexpr double kFailed = std::numeric_limits<double>::infinity();
      return {kFailed, kFailed};
    }
  const auto after = momentaOf(run);
  return {(after[0] - before[0]).norm() / before[0].norm(), (after[1] - before[1]).norm() / before[1].norm()};
}

}  // namespace tactus::tests
