#include "rt/ali3p/tree/project.h"

#include "rt/ali3p/tree/residual.h"
#include "rt/mechanics/compliant_rows.h"

#include <algorithm>
#include <cmath>

namespace tactus::rt {

namespace {

/// What the extra body pairs of a joint's row add to its value; `motionAt` as below.
template <class MotionAt>
double extraValue(const Model& model, const Joint& joint, const TreeIterate& iterate, const TreeRows& rows,
                  MotionAt&& motionAt) noexcept {
  double sum = 0;
  for (int i = joint.first_pair; i < joint.first_pair + joint.pair_count; ++i) {
    const BodyPair& pair = model.extra_body_pairs[static_cast<std::size_t>(i)];
    sum += rowTimes(rows.jacobian[static_cast<std::size_t>(model.rows + i)],
                    motionAt(motionOf(iterate.motions.data(), pair.body_1)),
                    motionAt(motionOf(iterate.motions.data(), pair.body_2)));
  }
  return sum;
}

/// Calls f(joint, row, value, drive) for every row with its value at the level that `motionAt` takes from a body's
/// motion; `drive` is at rest except for driven rows.
template <class MotionAt, class F>
void forEachRow(const Model& model, const TreeIterate& iterate, const TreeConditions& conditions, const TreeRows& rows,
                MotionAt&& motionAt, F&& f) noexcept {
  for (const Joint& joint : model.joints) {
    const DriveValue drive =
        joint.law == LawKind::kDriven ? conditions.drives[static_cast<std::size_t>(joint.law_index)] : DriveValue{};
    const Six b1 = motionAt(motionOf(iterate.motions.data(), joint.body_1));
    const Six b2 = motionAt(motionOf(iterate.motions.data(), joint.body_2));
    const double extra = joint.pair_count > 0 ? extraValue(model, joint, iterate, rows, motionAt) : 0.0;
    const RowJacobian* jacobian = rows.jacobian.data();
    for (int k = joint.first_row; k < joint.first_row + joint.row_count; ++k)
      f(joint, static_cast<std::size_t>(k), rowTimes(jacobian[k], b1, b2) + extra, drive);
  }
}

/// Right side E K rate of the rows of a compliant joint, ali3p (29).
void setFiltered(const Joint& joint, const TreeTangent& tangent, const double* rate, double* rhs_rows) noexcept {
  const Matrix6d& share = tangent.elastic_share[static_cast<std::size_t>(joint.law_index)];
  timesLeading(share, joint.row_count, rate, rhs_rows + joint.first_row);
}

/// Right side of all compliant rows from the body rates of the solution before; the other rows stay.
void setFilteredAgain(const Model& model, const TreeRows& rows, const TreeTangent& tangent,
                      TreeUnknowns& unknowns) noexcept {
  const auto rateOf = [&unknowns](int body) noexcept {
    constexpr double kAtRest[6] = {};
    return Six::load(body == kGround ? kAtRest : unknowns.values.data() + 6 * body);
  };
  double* rhs_rows = unknowns.rows(model.bodyCount());
  for (const Joint& joint : model.joints) {
    if (!joint.compliant()) continue;
    double extra = 0;
    for (int i = joint.first_pair; i < joint.first_pair + joint.pair_count; ++i) {
      const BodyPair& pair = model.extra_body_pairs[static_cast<std::size_t>(i)];
      extra +=
          rowTimes(rows.jacobian[static_cast<std::size_t>(model.rows + i)], rateOf(pair.body_1), rateOf(pair.body_2));
    }
    const Six b1 = rateOf(joint.body_1), b2 = rateOf(joint.body_2);
    double rate[kMaxJointRows];
    for (int k = 0; k < joint.row_count; ++k)
      rate[k] = rowTimes(rows.jacobian[static_cast<std::size_t>(joint.first_row + k)], b1, b2) + extra;
    setFiltered(joint, tangent, rate, rhs_rows);
  }
}

constexpr auto kRates = [](const BodyMotion& m) noexcept { return m.rates(); };
constexpr auto kAccelerations = [](const BodyMotion& m) noexcept { return m.accelerations(); };

}  // namespace

void velocityRightSide(const Model& model, const TreeConditions& conditions, const TreeRows& rows,
                       TreeUnknowns& unknowns) noexcept {
  double* rhs_rows = unknowns.rows(model.bodyCount());
  for (std::size_t row = 0; row < static_cast<std::size_t>(model.rows); ++row)
    rhs_rows[row] = -rows.rates[row];  // ali3p (21)
  if (model.drives.empty() && model.compliant_laws.empty()) return;
  for (const Joint& joint : model.joints) {
    if (joint.law == LawKind::kDriven)
      rhs_rows[joint.first_row] += conditions.drives[static_cast<std::size_t>(joint.law_index)].rate;
    if (joint.compliant()) std::fill_n(rhs_rows + joint.first_row, joint.row_count, 0.0);
  }
}

void beginFilter(const Model& model, double dt, const TreeConditions& conditions, const TreeRows& rows,
                 const TreeTangent& tangent, TreeUnknowns& unknowns) noexcept {
  double* rhs_rows = unknowns.rows(model.bodyCount());
  std::fill_n(rhs_rows, model.rows, 0.0);
  for (const Joint& joint : model.joints) {
    if (!joint.compliant()) continue;
    double rate[kMaxJointRows];
    for (int k = 0; k < joint.row_count; ++k) {
      const auto row = static_cast<std::size_t>(joint.first_row + k);
      rate[k] = (rows.phi[row] - conditions.start_phi[row]) / dt - rows.rates[row];  // mean rate of the step minus rate
    }
    setFiltered(joint, tangent, rate, rhs_rows);  // ali3p (29), k = 1
  }
}

void continueFilter(const Model& model, const TreeRows& rows, const TreeTangent& tangent,
                    TreeUnknowns& unknowns) noexcept {
  std::fill_n(unknowns.rows(model.bodyCount()), model.rows, 0.0);
  setFilteredAgain(model, rows, tangent, unknowns);  // ali3p (29), k = 2
}

void endFilter(const Model& model, const TreeConditions& conditions, const TreeRows& rows, const TreeTangent& tangent,
               TreeUnknowns& unknowns) noexcept {
  velocityRightSide(model, conditions, rows, unknowns);
  setFilteredAgain(model, rows, tangent, unknowns);  // ali3p (29), k = 3
}

double applyVelocity(const Model& model, const TreeUnknowns& unknowns, TreeIterate& iterate) noexcept {
  double largest = 0;
  for (int i = 0; i < model.bodyCount(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Vector3d dv = ConstVec3Map(unknowns.values.data() + 6 * i);
    const Vector3d dw = ConstVec3Map(unknowns.values.data() + 6 * i + 3);
    BodyMotion& motion = iterate.motions[k];
    motion.v += dv;  // ali3p (21)
    motion.omega_w += dw;
    iterate.rotations[k].omega += motion.R.transpose() * dw;
    largest = std::max({largest, dv.squaredNorm(), model.length * model.length * dw.squaredNorm()});
  }
  return std::sqrt(largest);
}

void accelerationRightSide(const Model& model, double scale, const TreeIterate& iterate,
                           const TreeConditions& conditions, const TreeRows& rows, const TreeLoads& loads,
                           const TreeTangent& tangent, TreeUnknowns& unknowns) noexcept {
  bodyRightSide(model, iterate, rows, loads, unknowns);
  for (int k = 0; k < 6 * model.bodyCount(); ++k) unknowns.values[static_cast<std::size_t>(k)] /= scale;
  double* rhs_rows = unknowns.rows(model.bodyCount());
  forEachRow(model, iterate, conditions, rows, kAccelerations,
             [&](const Joint&, std::size_t row, double value, const DriveValue& drive) noexcept {
               rhs_rows[row] = tangent.rigidity[row] * (drive.acceleration + rows.gamma[row] - value);  // ali3p (22)
             });
}

void applyAcceleration(const Model& model, double scale, const TreeTangent& tangent, const TreeUnknowns& unknowns,
                       TreeIterate& iterate) noexcept {
  for (int i = 0; i < model.bodyCount(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Vector3d da = ConstVec3Map(unknowns.values.data() + 6 * i);
    const Vector3d dalpha = ConstVec3Map(unknowns.values.data() + 6 * i + 3);
    BodyMotion& motion = iterate.motions[k];
    motion.a += da;  // ali3p (22)
    motion.alpha_w += dalpha;
    iterate.rotations[k].alpha += motion.R.transpose() * dalpha;
  }
  const double* kappa = unknowns.rows(model.bodyCount());
  for (int row = 0; row < model.rows; ++row) {
    const auto r = static_cast<std::size_t>(row);
    iterate.lambda[r] += tangent.rigidity[r] * scale * kappa[row];  // ali3p (23)
  }
}

double velocityViolation(const Model& model, const TreeIterate& iterate, const TreeConditions& conditions,
                         TreeRows& rows) noexcept {
  double sum = 0;
  forEachRow(model, iterate, conditions, rows, kRates,
             [&](const Joint& joint, std::size_t row, double value, const DriveValue& drive) noexcept {
               rows.rates[row] = value;
               if (!joint.compliant()) sum += (value - drive.rate) * (value - drive.rate);
             });
  return std::sqrt(sum);
}

double accelerationViolation(const Model& model, const TreeIterate& iterate, const TreeConditions& conditions,
                             const TreeRows& rows) noexcept {
  double sum = 0;
  forEachRow(model, iterate, conditions, rows, kAccelerations,
             [&](const Joint& joint, std::size_t row, double value, const DriveValue& drive) noexcept {
               const double left = value - rows.gamma[row] - drive.acceleration;
               if (!joint.compliant()) sum += left * left;
             });
  return std::sqrt(sum);
}

}  // namespace tactus::rt
