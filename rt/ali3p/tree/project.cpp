#include "rt/ali3p/tree/project.h"

#include "rt/ali3p/tree/solve.h"
#include "rt/ali3p/tree/residual.h"
#include "rt/mechanics/drives.h"

#include <algorithm>
#include <cmath>

namespace tactus::rt {

namespace {

/// What the further bodies of a joint's row add to its value; `motionAt` as below.
template <class MotionAt>
double furtherValue(const Model& model, const Joint& joint, const Workspace& ws, MotionAt&& motionAt) noexcept {
  double sum = 0;
  for (int i = joint.first_pair; i < joint.first_pair + joint.pair_count; ++i) {
    const BodyPair& pair = model.extra_body_pairs[static_cast<std::size_t>(i)];
    sum += rowTimes(ws.jacobian[static_cast<std::size_t>(model.rows + i)],
                    motionAt(motionOf(ws.motions.data(), pair.body_1)),
                    motionAt(motionOf(ws.motions.data(), pair.body_2)));
  }
  return sum;
}

/// Calls f(joint, row, value, drive) for every row with its value at the level that `motionAt` takes from a body's
/// motion; `drive` is at rest but for driven rows.
template <class MotionAt, class F>
void forEachRow(const Model& model, const Workspace& ws, MotionAt&& motionAt, F&& f) noexcept {
  for (const Joint& joint : model.joints) {
    const DriveValue drive =
        joint.law == LawKind::kDriven ? ws.drives[static_cast<std::size_t>(joint.law_index)] : DriveValue{};
    const Six b1 = motionAt(motionOf(ws.motions.data(), joint.body_1));
    const Six b2 = motionAt(motionOf(ws.motions.data(), joint.body_2));
    const double further = joint.pair_count > 0 ? furtherValue(model, joint, ws, motionAt) : 0.0;
    const RowJacobian* jacobian = ws.jacobian.data();
    for (int k = joint.first_row; k < joint.first_row + joint.row_count; ++k)
      f(joint, static_cast<std::size_t>(k), rowTimes(jacobian[k], b1, b2) + further, drive);
  }
}

constexpr auto kRates = [](const BodyMotion& m) noexcept { return m.rates(); };
constexpr auto kAccelerations = [](const BodyMotion& m) noexcept { return m.accelerations(); };

}  // namespace

double projectVelocity(const Model& model, const Plan& plan, int pass, Workspace& ws) noexcept {
  double* rhs_rows = ws.unknowns.data() + 6 * model.bodyCount();
  for (std::size_t row = 0; row < static_cast<std::size_t>(model.rows); ++row)
    rhs_rows[row] = -ws.rigidity[row] * ws.rates[row];
  for (const Joint& joint : model.joints) {
    if (joint.law == LawKind::kDriven)
      rhs_rows[joint.first_row] += ws.drives[static_cast<std::size_t>(joint.law_index)].rate;
    if (joint.compliant() && pass > 0) std::fill_n(rhs_rows + joint.first_row, joint.row_count, 0.0);
  }
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
  ws.row_lanes.evaluateGamma(model, ws.motions.data(), ws.gamma.data());
  evaluateLoads(model, input, ws);
  bodyRightSide(model, ws);
  for (int k = 0; k < 6 * model.bodyCount(); ++k) ws.unknowns[static_cast<std::size_t>(k)] /= scale;
  double* rhs_rows = ws.unknowns.data() + 6 * model.bodyCount();
  forEachRow(model, ws, kAccelerations,
             [&](const Joint&, std::size_t row, double value, const DriveValue& drive) noexcept {
               rhs_rows[row] = ws.rigidity[row] * (drive.acceleration + ws.gamma[row] - value);
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
  forEachRow(model, ws, kRates,
             [&](const Joint& joint, std::size_t row, double value, const DriveValue& drive) noexcept {
               ws.rates[row] = value;
               if (!joint.compliant()) sum += (value - drive.rate) * (value - drive.rate);
             });
  return std::sqrt(sum);
}

double accelerationViolation(const Model& model, const Workspace& ws) noexcept {
  double sum = 0;
  forEachRow(model, ws, kAccelerations,
             [&](const Joint& joint, std::size_t row, double value, const DriveValue& drive) noexcept {
               const double left = value - ws.gamma[row] - drive.acceleration;
               if (!joint.compliant()) sum += left * left;
             });
  return std::sqrt(sum);
}

}  // namespace tactus::rt
