#include "rt/ali3p/tree/project.h"

#include "rt/ali3p/tree/front.h"
#include "rt/ali3p/tree/residual.h"
#include "rt/math/lanes.h"
#include "rt/mechanics/compliant_rows.h"
#include "rt/model/model.h"

#include <algorithm>
#include <cmath>

namespace tactus::rt {

namespace {

/// The values of the rows of a group at the level that `motionAt` takes from a body's motion. A row is three vectors;
/// the second vector holds the end of its first side and the beginning of its second side.
template <int Rows, class MotionAt>
TACTUS_INLINE void valuesOf(const Model& model, const RowGroup& group, const TreeIterate& iterate, const TreeRows& rows,
                            MotionAt&& motionAt, double (&values)[Rows]) noexcept {
  const auto of = [&](int body) noexcept { return motionAt(motionOf(iterate.motions.data(), body)); };
  const RowJacobian* jacobian = rows.jacobian.data();
  const SixTwice motions(of(group.body_1), of(group.body_2));
  Quad products[Rows];
  for (int k = 0; k < Rows; ++k) products[k] = motions.products(jacobian[group.first_row + k].h[0]);
  sumsOf(products, values);
  for (int i = 0; i < group.pair_count; ++i) {
    const BodyPair& pair = model.extra_body_pairs[static_cast<std::size_t>(group.first_pair + i)];
    const Six p1 = of(pair.body_1), p2 = of(pair.body_2);
    for (int k = 0; k < Rows; ++k) values[k] += rowTimes(jacobian[group.pair_row + k * group.pair_count + i], p1, p2);
  }
}

/// Calls f(group, values, drive) for the rows of each group; `drive` is at rest except for driven rows.
template <class MotionAt, class F>
TACTUS_INLINE void forEachGroup(const Model& model, const TreeIterate& iterate, const TreeConditions& conditions,
                                const TreeRows& rows, MotionAt&& motionAt, F&& f) noexcept {
  for (const RowGroup& group : rows.groups)
    withFixedSize(group.row_count, [&]<int Rows>() noexcept {
      double values[Rows];
      valuesOf(model, group, iterate, rows, motionAt, values);
      f(group, values, group.drive >= 0 ? conditions.drives[static_cast<std::size_t>(group.drive)] : DriveValue{});
    });
}

/// Two sums side by side, because each addition waits for the one before it.
template <int Rows>
TACTUS_INLINE double sumOfSquares(const double (&left)[Rows]) noexcept {
  double sum[2] = {0, 0};
  for (int k = 0; k < Rows; ++k) sum[k % 2] += left[k] * left[k];
  return sum[0] + sum[1];
}

/// Right side E K rate of the rows of a compliant joint, ali3p (29), which the next solve of the filter reads again.
TACTUS_INLINE void setFiltered(const LawRows& of, const TreeTangent& tangent, const double* rate, double* filtered,
                               double* rhs_rows) noexcept {
  const Matrix6d& share = tangent.elastic_share[static_cast<std::size_t>(of.law)];
  double *to = filtered + of.first_row, *right_side = rhs_rows + of.first_row;
  if (of.row_count == 1) {
    right_side[0] = to[0] = share(0, 0) * rate[0];
    return;
  }
  if (of.proportional) {
    const Six filtered_rate = share(0, 0) * Six::load(rate);
    filtered_rate.store(to);
    return filtered_rate.store(right_side);
  }
  timesLeading(share, of.row_count, rate, to);
  if (of.row_count == kMaxJointRows) return Six::load(to).store(right_side);
  for (int k = 0; k < of.row_count; ++k) right_side[k] = to[k];
}

/// Right side of all compliant rows from the solution before; the other rows stay.
void setFilteredAgain(const Model& model, const TreeRows& rows, const TreeTangent& tangent,
                      TreeUnknowns& unknowns) noexcept {
  double *rhs_rows = unknowns.rows(model.bodyCount()), *filtered = unknowns.filtered.data();
  tangent.scalar_laws.continueFilter(filtered, rhs_rows);
  for (const LawRows& of : rows.laws) {
    const Matrix6d& E = tangent.compliance[static_cast<std::size_t>(of.law)];
    const double *solution = rhs_rows + of.first_row, *before = filtered + of.first_row;
    double rate[kMaxJointRows];
    // ali3p (29)
    if (of.row_count == 1) {
      rate[0] = E(0, 0) * solution[0] + before[0];
    } else {
      timesLeading(E, of.row_count, solution, rate);
      for (int k = 0; k < of.row_count; ++k) rate[k] += before[k];
    }
    setFiltered(of, tangent, rate, filtered, rhs_rows);
  }
}

constexpr auto kRates = [](const BodyMotion& m) noexcept { return m.rates(); };
constexpr auto kAccelerations = [](const BodyMotion& m) noexcept { return m.accelerations(); };

}  // namespace

void evaluateDampedRates(const Model& model, const TreeIterate& iterate, TreeRows& rows) noexcept {
  for (const int index : rows.damped_groups) {
    const RowGroup& group = rows.groups[static_cast<std::size_t>(index)];
    withFixedSize(group.row_count, [&]<int Rows>() noexcept {
      double rates[Rows];
      valuesOf(model, group, iterate, rows, kRates, rates);
      for (int k = 0; k < Rows; ++k) rows.rates[static_cast<std::size_t>(group.first_row + k)] = rates[k];
    });
  }
  if (rows.by_parts) rows.lanes.couplers().rates(iterate.motions.data(), rows.rates.data());
}

void velocityRightSide(const Model& model, const TreeConditions& conditions, const TreeRows& rows,
                       TreeUnknowns& unknowns) noexcept {
  double* rhs_rows = unknowns.rows(model.bodyCount());
  for (const RowRange& range : rows.solved)
    for (auto row = static_cast<std::size_t>(range.first); row < static_cast<std::size_t>(range.end); ++row)
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
  double *rhs_rows = unknowns.rows(model.bodyCount()), *filtered = unknowns.filtered.data();
  std::fill_n(rhs_rows, model.rows, 0.0);
  tangent.scalar_laws.beginFilter(dt, rows.phi.data(), conditions.start_phi.data(), rows.rates.data(), filtered,
                                  rhs_rows);
  for (const LawRows& of : rows.laws) {
    double rate[kMaxJointRows];
    for (int k = 0; k < of.row_count; ++k) {
      const auto row = static_cast<std::size_t>(of.first_row + k);
      rate[k] = (rows.phi[row] - conditions.start_phi[row]) / dt - rows.rates[row];  // mean rate of the step minus rate
    }
    setFiltered(of, tangent, rate, filtered, rhs_rows);  // ali3p (29), k = 1
  }
}

void continueFilter(const Model& model, const TreeRows& rows, const TreeTangent& tangent,
                    TreeUnknowns& unknowns) noexcept {
  double* rhs_rows = unknowns.rows(model.bodyCount());
  for (const Joint& joint : model.joints)
    if (!joint.compliant()) std::fill_n(rhs_rows + joint.first_row, joint.row_count, 0.0);
  setFilteredAgain(model, rows, tangent, unknowns);  // ali3p (29), k = 2
}

void endFilter(const Model& model, const TreeConditions& conditions, const TreeRows& rows, const TreeTangent& tangent,
               TreeUnknowns& unknowns) noexcept {
  double* rhs_rows = unknowns.rows(model.bodyCount());
  for (const Joint& joint : model.joints) {
    if (joint.compliant()) continue;
    const double rate =
        joint.law == LawKind::kDriven ? conditions.drives[static_cast<std::size_t>(joint.law_index)].rate : 0.0;
    for (int row = joint.first_row; row < joint.first_row + joint.row_count; ++row)
      rhs_rows[row] = rate - rows.rates[static_cast<std::size_t>(row)];  // ali3p (21)
  }
  setFilteredAgain(model, rows, tangent, unknowns);  // ali3p (29), k = 3
}

double applyVelocity(const Model& model, const TreeUnknowns& unknowns, TreeIterate& iterate) noexcept {
  double largest = 0;
  for (const int i : iterate.share.moved) {
    const auto k = static_cast<std::size_t>(i);
    const Vector3d dv = ConstVec3Map(unknowns.values.data() + 6 * i);
    const Vector3d dw = ConstVec3Map(unknowns.values.data() + 6 * i + 3);
    BodyMotion& motion = iterate.motions[k];
    motion.v += dv;  // ali3p (21)
    motion.omega_w += dw;
    iterate.rotations[k].omega += motion.R.transpose() * dw;
    largest = worst(largest, worst(dv.squaredNorm(), model.length * model.length * dw.squaredNorm()));
  }
  return std::sqrt(largest);
}

void accelerationRightSide(const Model& model, double scale, const TreeIterate& iterate,
                           const TreeConditions& conditions, const TreeRows& rows, const TreeLoads& loads,
                           const TreeTangent& tangent, TreeUnknowns& unknowns) noexcept {
  bodyRightSide(model, iterate, rows, loads, unknowns);
  for (const int i : iterate.share.moved)
    for (int k = 6 * i; k < 6 * i + 6; ++k) unknowns.values[static_cast<std::size_t>(k)] /= scale;
  double* rhs_rows = unknowns.rows(model.bodyCount());
  forEachGroup(model, iterate, conditions, rows, kAccelerations,
               [&]<int Rows>(const RowGroup& group, const double(&values)[Rows], const DriveValue& drive) noexcept {
                 const auto first = static_cast<std::size_t>(group.first_row);
                 const double *rigidity = &tangent.rigidity[first], *gamma = &rows.gamma[first];
                 for (int k = 0; k < Rows; ++k)  // ali3p (22)
                   rhs_rows[group.first_row + k] = rigidity[k] * (drive.acceleration + gamma[k] - values[k]);
               });
  rows.points.accelerationsLeft(iterate.motions.data(), rows.gamma.data(), rhs_rows);
  if (!rows.by_parts) return;
  const CouplerLanes& parts = rows.lanes.couplers();
  parts.accelerations(iterate.motions.data(), rhs_rows);
  for (const int r : parts.rows()) {
    const auto row = static_cast<std::size_t>(r);
    rhs_rows[r] = tangent.rigidity[row] * (rows.gamma[row] - rhs_rows[r]);
  }
}

void applyAcceleration(const Model& model, double scale, const TreeTangent& tangent, const TreeUnknowns& unknowns,
                       TreeIterate& iterate) noexcept {
  for (const int i : iterate.share.moved) {
    const auto k = static_cast<std::size_t>(i);
    const Vector3d da = ConstVec3Map(unknowns.values.data() + 6 * i);
    const Vector3d dalpha = ConstVec3Map(unknowns.values.data() + 6 * i + 3);
    BodyMotion& motion = iterate.motions[k];
    motion.a += da;  // ali3p (22)
    motion.alpha_w += dalpha;
    iterate.rotations[k].alpha += motion.R.transpose() * dalpha;
  }
  const double* kappa = unknowns.rows(model.bodyCount());
  for (const RowRange& range : iterate.share.rows)
    for (int row = range.first; row < range.end; ++row) {
      const auto r = static_cast<std::size_t>(row);
      iterate.lambda[r] += tangent.rigidity[r] * scale * kappa[row];  // ali3p (23)
    }
}

double velocityViolation(const Model& model, const TreeIterate& iterate, const TreeConditions& conditions,
                         TreeRows& rows) noexcept {
  std::fill(rows.squares.begin(), rows.squares.end(), 0.0);
  rows.points.rates(iterate.motions.data(), rows.rates.data(), rows.squares.data());
  if (rows.by_parts) rows.lanes.couplers().rates(iterate.motions.data(), rows.rates.data());
  {
    PartSums sums(rows.squares);
    forEachGroup(model, iterate, conditions, rows, kRates,
                 [&]<int Rows>(const RowGroup& group, double(&values)[Rows], const DriveValue& drive) noexcept {
                   double* rates = rows.rates.data() + group.first_row;
                   for (int k = 0; k < Rows; ++k) rates[k] = values[k];
                   if (group.compliant) return;
                   for (double& value : values) value -= drive.rate;
                   sums.add(group.part, sumOfSquares(values));
                 });
  }
  return normOfSquares(rows.squares);
}

double accelerationViolation(const Model& model, const TreeIterate& iterate, const TreeConditions& conditions,
                             const TreeRows& rows) noexcept {
  std::fill(rows.squares.begin(), rows.squares.end(), 0.0);
  rows.points.violation(iterate.motions.data(), rows.gamma.data(), rows.squares.data());
  {
    PartSums sums(rows.squares);
    forEachGroup(model, iterate, conditions, rows, kAccelerations,
                 [&]<int Rows>(const RowGroup& group, double(&values)[Rows], const DriveValue& drive) noexcept {
                   if (group.compliant) return;
                   const double* gamma = rows.gamma.data() + group.first_row;
                   for (int k = 0; k < Rows; ++k) values[k] -= gamma[k] + drive.acceleration;
                   sums.add(group.part, sumOfSquares(values));
                 });
  }
  return normOfSquares(rows.squares);
}

}  // namespace tactus::rt
