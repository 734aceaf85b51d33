#include "rt/ali3p/tree/residual.h"

#include "rt/ali3p/tree/inertia_lanes.h"
#include "rt/ali3p/tree/trapezoid.h"
#include "rt/mechanics/actuators.h"
#include "rt/mechanics/compliant_rows.h"
#include "rt/mechanics/force_elements.h"
#include "rt/model/model.h"

#include <algorithm>
#include <cmath>

namespace tactus::rt {

namespace {

/// Subtracts H^T lambda of rows, of which the next is `step` further on in the Jacobian, from the right sides of their
/// two bodies.
void subtractRows(int body_1, int body_2, const RowJacobian* jacobian, int step, int row_count, const double* lambda,
                  double* right_sides) noexcept {
  double ground[6] = {};  // never read
  const auto rightSide = [&](int body) noexcept { return body == kGround ? ground : right_sides + 6 * body; };
  double *to_1 = rightSide(body_1), *to_2 = rightSide(body_2);
  // The sums of the rows do not wait for the right sides, which an earlier group may have just stored.
  Six sum_1 = Six::zero(), sum_2 = Six::zero();
  for (int k = 0; k < row_count; ++k) {
    sum_1 += lambda[k] * Six::load(jacobian[k * step].h[0]);
    sum_2 += lambda[k] * Six::load(jacobian[k * step].h[1]);
  }
  (Six::load(to_1) - sum_1).store(to_1);
  (Six::load(to_2) - sum_2).store(to_2);
}

/// Force that the law of a compliant joint gives at the iterate: ali3p (27).
void lawForce(const Model& model, const LawRows& of, const TreeIterate& iterate, const TreeConditions& conditions,
              const TreeRows& rows, double* force) noexcept {
  const CompliantLaw& own = model.compliant_laws[static_cast<std::size_t>(of.law)];
  const double *phi = rows.phi.data() + of.first_row, *rate = rows.rates.data() + of.first_row;
  if (!of.damped) return elasticForce(own, phi, force);
  if (of.constant) return compliantForce(own, phi, rate, force);
  const Joint& joint = model.joints[static_cast<std::size_t>(of.joint)];
  compliantForce(lawAt(model, joint, iterate.motions.data(), conditions.input.data(), phi, rate, rows.law), phi, rate,
                 force);
}

/// Four sums side by side, because each addition waits for the one before it. Number by number, because most values
/// have just been stored in this way.
double sumOfSquares(const double* values, const double* end) noexcept {
  double sum_0 = 0, sum_1 = 0, sum_2 = 0, sum_3 = 0;
  for (; end - values >= 4; values += 4) {
    sum_0 += values[0] * values[0];
    sum_1 += values[1] * values[1];
    sum_2 += values[2] * values[2];
    sum_3 += values[3] * values[3];
  }
  for (; values != end; ++values) sum_0 += *values * *values;
  return (sum_0 + sum_1) + (sum_2 + sum_3);
}

}  // namespace

void beginStep(const Model& model, double dt, double end, std::span<const double> input, const State& from,
               TreeConditions& conditions) noexcept {
  const StateView s = from.view();
  std::copy_n(s.jointDisplacements(), model.displacements, conditions.displacements.data());
  std::copy_n(s.internalStates(), model.internal_states, conditions.internal_states.data());
  conditions.internal_dt = dt;
  std::copy(input.begin(), input.end(), conditions.input.begin());
  for (std::size_t i = 0; i < model.drives.size(); ++i)
    conditions.drives[i] = evaluateDrive(model.drives[i], end, input);
}

void evaluateConstraints(const Model& model, const TreeIterate& iterate, const TreeConditions& conditions,
                         TreeRows& rows) noexcept {
  rows.lanes.evaluateByParts(model, iterate.motions.data(), conditions.displacements.data(), rows.phi.data(),
                             rows.jacobian.data());
  rows.points.evaluate(iterate.motions.data(), rows.phi.data());
  if (model.drives.empty()) return;
  for (const Joint& joint : model.joints)
    if (joint.law == LawKind::kDriven)
      rows.phi[static_cast<std::size_t>(joint.first_row)] -=
          conditions.drives[static_cast<std::size_t>(joint.law_index)].value;
}

void completeJacobian(TreeRows& rows) noexcept {
  rows.points.writeJacobian(rows.jacobian.data());
  if (rows.by_parts) rows.lanes.couplers().writeJacobian(rows.jacobian.data());
}

void recordStart(const Model& model, const State& from, TreeIterate& iterate, const TreeRows& rows,
                 TreeConditions& conditions) noexcept {
  if (model.compliant_laws.empty()) return;
  loadPlaces(from, iterate);
  rows.lanes.evaluateCompliantValues(model, iterate.motions.data(), conditions.displacements.data(),
                                     conditions.start_phi.data());
}

void evaluateGamma(const Model& model, const TreeIterate& iterate, TreeRows& rows, bool of_elastic_sections) noexcept {
  rows.lanes.evaluateGamma(model, iterate.motions.data(), rows.gamma.data(), of_elastic_sections);
  rows.points.evaluateGamma(iterate.motions.data(), rows.gamma.data());
}

void evaluateLoads(const Model& model, const BodyMotion* motions, const TreeConditions& conditions,
                   TreeLoads& loads) noexcept {
  std::fill(loads.bodies.begin(), loads.bodies.end(), Load{});
  addActuatorLoads(model, conditions.input, motions, loads.bodies.data());
  if (!loads.has_force_elements) return;
  addDirectLoads(model, motions, conditions.displacements.data(), loads.bodies.data());
  evaluateElements(model, motions,
                   {conditions.displacements.data(), conditions.internal_states.data(), conditions.input,
                    conditions.internal_dt, conditions.predicted},
                   loads.elements);
  addElementLoads(model, loads.elements, motions, loads.bodies.data());
}

void addDamping(const Model& model, double sign, const TreeConditions& conditions, const TreeRows& rows,
                TreeIterate& iterate) noexcept {
  if (rows.scalar_laws.damped()) rows.scalar_laws.addDamping(sign, rows.rates.data(), iterate.lambda.data());
  for (const LawRows& of : rows.laws) {
    if (!of.damped) continue;
    const double *phi = rows.phi.data() + of.first_row, *rate = rows.rates.data() + of.first_row;
    double *lambda = iterate.lambda.data() + of.first_row, force[kMaxJointRows];
    const CompliantLaw& own = model.compliant_laws[static_cast<std::size_t>(of.law)];
    if (own.linear() && of.row_count == 1) {
      lambda[0] += sign * (own.C(0, 0) * rate[0]);
      continue;
    }
    if (own.linear()) {
      linearDamping(own, rate, force);
    } else {
      const Joint& joint = model.joints[static_cast<std::size_t>(of.joint)];
      dampingForce(model, joint, iterate.motions.data(), conditions.input.data(), phi, rate, rows.law, force);
    }
    for (int r = 0; r < of.row_count; ++r) lambda[r] += sign * force[r];
  }
}

void bodyRightSide(const Model& model, const TreeIterate& iterate, const TreeRows& rows, const TreeLoads& loads,
                   TreeUnknowns& unknowns) noexcept {
  double* right_sides = unknowns.values.data();
  loadsLessInertia(model, iterate, loads, right_sides);
  const RowJacobian* jacobian = rows.jacobian.data();
  const double* lambda = iterate.lambda.data();
  for (const RowGroup& group : rows.groups)
    subtractRows(group.body_1, group.body_2, jacobian + group.first_row, 1, group.row_count, lambda + group.first_row,
                 right_sides);
  rows.points.subtractReactions(lambda, right_sides);
  if (rows.by_parts) rows.lanes.couplers().subtractReactions(lambda, right_sides);
  if (model.extra_body_pairs.empty()) return;
  for (const RowGroup& group : rows.groups)
    for (int i = 0; i < group.pair_count; ++i) {
      const BodyPair& pair = model.extra_body_pairs[static_cast<std::size_t>(group.first_pair + i)];
      subtractRows(pair.body_1, pair.body_2, jacobian + group.pair_row + i, group.pair_count, group.row_count,
                   lambda + group.first_row, right_sides);
    }
}

void positionRightSide(const Model& model, double leak, const TreeIterate& iterate, const TreeConditions& conditions,
                       const TreeRows& rows, const TreeLoads& loads, const TreeTangent& tangent,
                       TreeUnknowns& unknowns) noexcept {
  bodyRightSide(model, iterate, rows, loads, unknowns);
  double* rhs_rows = unknowns.rows(model.bodyCount());
  const double *epsilon = tangent.epsilon.data(), *lambda = iterate.lambda.data(), *phi = rows.phi.data();
  for (const RowRange& range : iterate.share.rows)
    for (int r = range.first; r < range.end; ++r) rhs_rows[r] = leak * epsilon[r] * lambda[r] - phi[r];  // ali3p (15)
  tangent.scalar_laws.left(phi, rows.rates.data(), lambda, rhs_rows);
  for (const LawRows& of : rows.laws) {
    double force[kMaxJointRows];
    lawForce(model, of, iterate, conditions, rows, force);
    const Matrix6d& E = tangent.compliance[static_cast<std::size_t>(of.law)];
    const double* lambda_of = lambda + of.first_row;
    double* to = rhs_rows + of.first_row;
    // ali3p (28)
    if (of.row_count == 1) {
      to[0] = E(0, 0) * (lambda_of[0] - force[0]);
      continue;
    }
    double excess[kMaxJointRows];
    for (int c = 0; c < of.row_count; ++c) excess[c] = lambda_of[c] - force[c];
    timesLeading(E, of.row_count, excess, to);
  }
}

double normOfSquares(const std::vector<double>& squares) noexcept {
  double sum = 0;
  for (const double of_part : squares) sum += of_part;
  return std::sqrt(sum);
}

double positionViolation(const TreeRows& rows) noexcept {
  std::fill(rows.squares.begin(), rows.squares.end(), 0.0);
  rows.points.squares(rows.phi.data(), rows.squares.data());
  for (const RigidRows& of : rows.rigid)
    rows.squares[static_cast<std::size_t>(of.part)] +=
        sumOfSquares(rows.phi.data() + of.rows.first, rows.phi.data() + of.rows.end);
  return normOfSquares(rows.squares);
}

}  // namespace tactus::rt
