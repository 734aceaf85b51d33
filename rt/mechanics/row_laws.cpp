#include "rt/mechanics/row_laws.h"

#include "rt/math/small_solve.h"
#include "rt/mechanics/spring_law.h"
#include "rt/mechanics/tyre.h"

#include <algorithm>

namespace tactus::rt {

namespace {

/// Share of its stiffness that an element keeps where it carries nothing.
constexpr double kSlack = 1e-6;

/// The law of a tyre at a motion, and its contact there.
struct TyreAt {
  const Tyre& tyre;
  TyreContact contact;

  TyreAt(const Model& model, int index, const BodyMotion* motions, double height, double height_rate) noexcept
      : tyre(model.tyres[static_cast<std::size_t>(index)]),
        contact(evaluateTyre(model, tyre, motions[tyre.body], height, height_rate)) {}

  double elastic() const noexcept { return contact.deflection > 0 ? tyre.stiffness * contact.deflection : 0.0; }
};

/// What an input sets of a row of a bushing.
double setOf(const InputOfRow& of_row, const double* input) noexcept {
  return of_row.actuator < 0 ? 0.0 : of_row.scaling(input[of_row.actuator]);
}

/// The law of a bushing with what inputs add to its preload.
const CompliantLaw& withInputs(const CompliantLaw& law, const double* input, CompliantLaw& scratch) noexcept {
  scratch = law;
  for (int r = 0; r < law.rows; ++r)
    scratch.preload[r] += setOf(law.preload_of_row[static_cast<std::size_t>(r)], input);
  return scratch;
}

}  // namespace

const CompliantLaw& lawAt(const Model& model, const Joint& joint, const BodyMotion* motions, const double* input,
                          const double* phi, const double* rate, CompliantLaw& scratch) noexcept {
  const CompliantLaw& law = model.compliant_laws[static_cast<std::size_t>(joint.law_index)];
  if (law.has_input) return withInputs(law, input, scratch);
  if (law.linear()) return law;
  if (law.tyre < 0) {
    const SpringForce f = evaluateSpring(model, law, input, phi[0], rate[0]);
    scratch.rows = 1;
    scratch.K(0, 0) = f.by_value;
    scratch.C(0, 0) = f.by_rate;
    scratch.rest[0] = phi[0];
    scratch.preload[0] = f.total - f.by_rate * rate[0];
    scratch.least = law.least;
    return scratch;
  }

  // A load on the wheel is a negative multiplier: it falls as the centre rises.
  const TyreAt at(model, law.tyre, motions, phi[0], rate[0]);
  scratch.rows = 1;
  if (at.contact.load > 0) {
    scratch.K(0, 0) = at.tyre.stiffness;
    scratch.C(0, 0) = at.tyre.damping;
    scratch.rest[0] = phi[0] + at.contact.deflection;
    scratch.preload[0] = -at.tyre.damping * at.contact.road_rate;
  } else {
    scratch.K(0, 0) = kSlack * at.tyre.stiffness;
    scratch.C(0, 0) = 0;
    scratch.rest[0] = phi[0];
    scratch.preload[0] = 0;
  }
  return scratch;
}

void compliantForce(const CompliantLaw& law, const double* phi, const double* rate, double* lambda) noexcept {
  for (int r = 0; r < law.rows; ++r) {
    double sum = law.preload[r];
    for (int c = 0; c < law.rows; ++c) sum += law.K(r, c) * (phi[c] - law.rest[c]) + law.C(r, c) * rate[c];
    lambda[r] = sum;
  }
}

void dampingForce(const Model& model, const Joint& joint, const CompliantLaw& law, const double* input,
                  const double* phi, const double* rate, double* force) noexcept {
  const CompliantLaw& own = model.compliant_laws[static_cast<std::size_t>(joint.law_index)];
  if (own.spring >= 0) {
    force[0] =
        evaluateSpring(model, own, input, phi[0], rate[0]).total - evaluateSpring(model, own, input, phi[0], 0).total;
    return;
  }
  for (int r = 0; r < law.rows; ++r) {
    force[r] = 0;
    for (int c = 0; c < law.rows; ++c) force[r] += law.C(r, c) * rate[c];
  }
}

double storedEnergy(const Model& model, const Joint& joint, const BodyMotion* motions, const double* input,
                    const double* phi) noexcept {
  const CompliantLaw& law = model.compliant_laws[static_cast<std::size_t>(joint.law_index)];
  double sum = 0;
  if (law.tyre < 0 && !law.linear()) return springEnergy(model, law, input, phi[0]);
  if (!law.linear()) {
    const TyreAt at(model, law.tyre, motions, phi[0], 0);
    return 0.5 * at.elastic() * at.contact.deflection;
  }
  for (int r = 0; r < law.rows; ++r) {
    const double x = phi[r] - law.rest[r];
    sum += law.preload[r] * x;
    for (int c = 0; c < law.rows; ++c) sum += 0.5 * x * law.K(r, c) * (phi[c] - law.rest[c]);
  }
  return sum;
}

LawPower lawPower(const Model& model, const Joint& joint, const BodyMotion* motions, const double* input,
                  const double* phi, const double* rate) noexcept {
  const CompliantLaw& law = model.compliant_laws[static_cast<std::size_t>(joint.law_index)];
  LawPower power;
  if (law.tyre < 0 && !law.linear()) {
    const SpringForce f = evaluateSpring(model, law, input, phi[0], rate[0]);
    power.dissipated = (f.total - f.elastic - f.set) * rate[0];
    power.input = -f.set * rate[0];
    return power;
  }
  if (!law.linear()) {
    const TyreAt at(model, law.tyre, motions, phi[0], rate[0]);
    power.dissipated = (at.contact.load - at.elastic()) * at.contact.deflection_rate;
    power.input = at.contact.load * at.contact.road_rate;
    return power;
  }
  for (int r = 0; r < law.rows; ++r)
    for (int c = 0; c < law.rows; ++c) power.dissipated += rate[r] * law.C(r, c) * rate[c];
  for (int r = 0; law.has_input && r < law.rows; ++r)
    power.input -= setOf(law.preload_of_row[static_cast<std::size_t>(r)], input) * rate[r];
  return power;
}

namespace {

/// Inverse of the leading N x N part of a positive definite matrix; the rest stays as it is.
template <int N>
void invertLeading(Matrix6d& m) noexcept {
  Eigen::Matrix<double, N, N> factors = m.topLeftCorner<N, N>();
  factorLdlt<N>(factors.data(), N);
  for (int c = 0; c < N; ++c) {
    double x[N] = {};
    x[c] = 1.0;
    solveLdlt<N>(factors.data(), N, x);
    for (int r = 0; r < N; ++r) m(r, c) = x[r];
  }
}

}  // namespace

Matrix6d stepCompliance(const CompliantLaw& law, double dt) noexcept {
  Matrix6d m = law.K + (2.0 / dt) * law.C;
  switch (law.rows) {
    case 1: m(0, 0) = 1.0 / std::max(m(0, 0), law.least); break;
    case 3: invertLeading<3>(m); break;
    default: {
      // Rows beyond the law's own do not couple to them.
      for (int r = law.rows; r < 6; ++r) m(r, r) = 1.0;
      invertLeading<6>(m);
    }
  }
  return m;
}

void evaluateJointRows(const Model& model, const Joint& joint, const BodyMotion* motions, const double* displacements,
                       double* phi, RowJacobian* jacobian) noexcept {
  for (int i = 0; i < joint.primitive_count; ++i) {
    const Primitive& p = model.primitives[static_cast<std::size_t>(joint.first_primitive + i)];
    const int at = p.row - joint.first_row;
    evaluateContinuedRows(p, motions, displacements, phi + at, jacobian + at);
  }
}

}  // namespace tactus::rt
