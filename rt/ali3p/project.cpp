#include "rt/ali3p/project.h"

#include "rt/ali3p/disassemble.h"
#include "rt/ali3p/residual.h"
#include "rt/mechanics/coupler.h"
#include "rt/mechanics/drives.h"

#include <algorithm>
#include <cmath>

namespace tactus::rt {

namespace {

double velocityOf(const RowJacobian& h, int body_1, int body_2, const Workspace& ws) noexcept {
  const BodyMotion& b1 = motionOf(ws.motions.data(), body_1);
  const BodyMotion& b2 = motionOf(ws.motions.data(), body_2);
  return rowTimes(h, b1.v, b1.omega_w, b2.v, b2.omega_w);
}

double accelerationOf(const RowJacobian& h, int body_1, int body_2, const Workspace& ws) noexcept {
  const BodyMotion& b1 = motionOf(ws.motions.data(), body_1);
  const BodyMotion& b2 = motionOf(ws.motions.data(), body_2);
  return rowTimes(h, b1.a, b1.alpha_w, b2.a, b2.alpha_w);
}

/// Sum of `rate(h, body_1, body_2, ws)` over all pairs of bodies of a row.
template <class Rate>
double sumOverPairs(const Model& model, const Joint& joint, std::size_t row, const Workspace& ws,
                    Rate&& rate) noexcept {
  double sum = rate(ws.jacobian[row], joint.body_1, joint.body_2, ws);
  for (int i = joint.first_pair; i < joint.first_pair + joint.pair_count; ++i) {
    const BodyPair& pair = model.pairs[static_cast<std::size_t>(i)];
    sum += rate(ws.jacobian[static_cast<std::size_t>(model.rows + i)], pair.body_1, pair.body_2, ws);
  }
  return sum;
}

double velocityOfRow(const Model& model, const Joint& joint, std::size_t row, const Workspace& ws) noexcept {
  return sumOverPairs(model, joint, row, ws, velocityOf);
}

double accelerationOfRow(const Model& model, const Joint& joint, std::size_t row, const Workspace& ws) noexcept {
  return sumOverPairs(model, joint, row, ws, accelerationOf);
}

/// Calls f(joint, row, drive) for every row; `drive` is at rest but for driven rows.
template <class F>
void forEachRow(const Model& model, const Workspace& ws, F&& f) noexcept {
  for (const Joint& joint : model.joints) {
    const DriveValue drive =
        joint.law == LawKind::kDriven ? ws.drives[static_cast<std::size_t>(joint.law_index)] : DriveValue{};
    for (int row = joint.first_row; row < joint.first_row + joint.row_count; ++row)
      f(joint, static_cast<std::size_t>(row), drive);
  }
}

}  // namespace

double projectVelocity(const Model& model, const Plan& plan, Workspace& ws) noexcept {
  double* rhs_rows = ws.unknowns.data() + 6 * model.bodyCount();
  forEachRow(model, ws, [&](const Joint&, std::size_t row, const DriveValue& drive) noexcept {
    rhs_rows[row] = ws.rigidity[row] * (drive.rate - ws.rates[row]);
  });
  solve(plan, RightSide::kRowsOnly, ws);
  addDamping(model, -1, ws);
  double largest = 0;
  for (int i = 0; i < model.bodyCount(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Vector3d dv = ConstVec3Map(ws.unknowns.data() + 6 * i);
    const Vector3d dw = ConstVec3Map(ws.unknowns.data() + 6 * i + 3);
    BodyMotion& motion = ws.motions[k];
    motion.v += dv;
    motion.omega_w += dw;
    ws.rotations[k].omega += motion.R.transpose() * dw;
    largest = std::max({largest, dv.squaredNorm(), model.length * model.length * dw.squaredNorm()});
  }
  addDamping(model, 1, ws);
  return std::sqrt(largest);
}

void projectAcceleration(const Model& model, const Plan& plan, double scale, std::span<const double> input,
                         Workspace& ws) noexcept {
  for (const Primitive& p : model.primitives) evaluateGamma(p, ws.motions.data(), ws.gamma.data() + p.row);
  for (const Coupler& coupler : model.couplers)
    ws.gamma[static_cast<std::size_t>(coupler.terms.front().row)] = couplerGamma(coupler, ws.motions.data());
  evaluateLoads(model, input, ws);
  bodyRightSide(model, ws);
  for (int k = 0; k < 6 * model.bodyCount(); ++k) ws.unknowns[static_cast<std::size_t>(k)] /= scale;
  double* rhs_rows = ws.unknowns.data() + 6 * model.bodyCount();
  forEachRow(model, ws, [&](const Joint& joint, std::size_t row, const DriveValue& drive) noexcept {
    rhs_rows[row] = ws.rigidity[row] * (drive.acceleration + ws.gamma[row] - accelerationOfRow(model, joint, row, ws));
  });
  solve(plan, RightSide::kBodiesAndRows, ws);
  for (int i = 0; i < model.bodyCount(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Vector3d da = ConstVec3Map(ws.unknowns.data() + 6 * i);
    const Vector3d dalpha = ConstVec3Map(ws.unknowns.data() + 6 * i + 3);
    BodyMotion& motion = ws.motions[k];
    motion.a += da;
    motion.alpha_w += dalpha;
    ws.rotations[k].alpha += motion.R.transpose() * dalpha;
  }
  const double* kappa = ws.unknowns.data() + 6 * model.bodyCount();
  for (int row = 0; row < model.rows; ++row) {
    const auto r = static_cast<std::size_t>(row);
    ws.lambda[r] += ws.rigidity[r] * scale * kappa[row];
  }
}

double velocityViolation(const Model& model, Workspace& ws) noexcept {
  double sum = 0;
  forEachRow(model, ws, [&](const Joint& joint, std::size_t row, const DriveValue& drive) noexcept {
    ws.rates[row] = velocityOfRow(model, joint, row, ws);
    if (joint.compliant()) return;
    const double value = ws.rates[row] - drive.rate;
    sum += value * value;
  });
  return std::sqrt(sum);
}

double accelerationViolation(const Model& model, const Workspace& ws) noexcept {
  double sum = 0;
  forEachRow(model, ws, [&](const Joint& joint, std::size_t row, const DriveValue& drive) noexcept {
    if (joint.compliant()) return;
    const double value = accelerationOfRow(model, joint, row, ws) - ws.gamma[row] - drive.acceleration;
    sum += value * value;
  });
  return std::sqrt(sum);
}

}  // namespace tactus::rt
