#include "rt/mechanics/compliant_rows.h"

#include "rt/math/small_solve.h"
#include "rt/mechanics/coupler.h"
#include "rt/mechanics/elements/elements.h"
#include "rt/model/model.h"

#include <algorithm>
#include <utility>

namespace tactus::rt {

namespace {

/// f(kind) with the kind of a law: the first that owns it.
template <class F, std::size_t I = 0>
decltype(auto) withKind(const CompliantLaw& law, F&& f) noexcept {
  using Kind = std::tuple_element_t<I, CompliantRows>;
  if constexpr (I + 1 == std::tuple_size_v<CompliantRows>)
    return f(Kind{});
  else
    return Kind::owns(law) ? f(Kind{}) : withKind<F, I + 1>(law, std::forward<F>(f));
}

const CompliantLaw& ownLaw(const Model& model, const Joint& joint) noexcept {
  return model.compliant_laws[static_cast<std::size_t>(joint.law_index)];
}

}  // namespace

const CompliantLaw& lawAt(const Model& model, const Joint& joint, const BodyMotion* motions, const double* input,
                          const double* phi, const double* rate, CompliantLaw& scratch) noexcept {
  const RowContext at{model, ownLaw(model, joint), motions, input};
  return withKind(at.law,
                  [&](auto kind) noexcept -> const CompliantLaw& { return kind.lawAt(at, phi, rate, scratch); });
}

void compliantForce(const CompliantLaw& law, const double* phi, const double* rate, double* lambda) noexcept {
  if (law.rows == kMaxJointRows) {
    // The sums below, all rows at once.
    Six sum = Six::load(law.preload.data());
    for (int c = 0; c < kMaxJointRows; ++c)
      sum += (phi[c] - law.rest[c]) * Six::load(law.K.col(c).data()) + rate[c] * Six::load(law.C.col(c).data());
    return sum.store(lambda);
  }
  if (law.rows == 1) {
    lambda[0] = law.preload[0] + (law.K(0, 0) * (phi[0] - law.rest[0]) + law.C(0, 0) * rate[0]);
    return;
  }
  for (int r = 0; r < law.rows; ++r) {
    double sum = law.preload[r];
    for (int c = 0; c < law.rows; ++c) sum += law.K(r, c) * (phi[c] - law.rest[c]) + law.C(r, c) * rate[c];
    lambda[r] = sum;
  }
}

void elasticForce(const CompliantLaw& law, const double* phi, double* lambda) noexcept {
  if (law.rows == kMaxJointRows) {
    Six sum = Six::load(law.preload.data());
    for (int c = 0; c < kMaxJointRows; ++c) sum += (phi[c] - law.rest[c]) * Six::load(law.K.col(c).data());
    return sum.store(lambda);
  }
  for (int r = 0; r < law.rows; ++r) {
    double sum = law.preload[r];
    for (int c = 0; c < law.rows; ++c) sum += law.K(r, c) * (phi[c] - law.rest[c]);
    lambda[r] = sum;
  }
}

void dampingForce(const Model& model, const Joint& joint, const BodyMotion* motions, const double* input,
                  const double* phi, const double* rate, CompliantLaw& scratch, double* force) noexcept {
  const RowContext at{model, ownLaw(model, joint), motions, input};
  withKind(at.law, [&](auto kind) noexcept { kind.dampingForce(at, phi, rate, scratch, force); });
}

double storedEnergy(const Model& model, const Joint& joint, const BodyMotion* motions, const double* input,
                    const double* phi) noexcept {
  const RowContext at{model, ownLaw(model, joint), motions, input};
  return withKind(at.law, [&](auto kind) noexcept { return kind.storedEnergy(at, phi); });
}

ElementPower lawPower(const Model& model, const Joint& joint, const BodyMotion* motions, const double* input,
                      const double* phi, const double* rate) noexcept {
  const RowContext at{model, ownLaw(model, joint), motions, input};
  return withKind(at.law, [&](auto kind) noexcept { return kind.power(at, phi, rate); });
}

void addRoadDerivatives(const Model& model, const Joint& joint, const BodyMotion* motions, const double* input,
                        const double* phi, const double* rate, const Row12d& h, Matrix12d& by_position,
                        Matrix12d& by_velocity) noexcept {
  const RowContext at{model, ownLaw(model, joint), motions, input};
  withKind(at.law, [&](auto kind) noexcept {
    if constexpr (kind.kFollowsRoad) kind.addDerivatives(at, joint, phi, rate, h, by_position, by_velocity);
  });
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
    case 1: m(0, 0) = 1.0 / std::max(m(0, 0), law.minimum_stiffness); break;
    case 3: invertLeading<3>(m); break;
    default: {
      // Rows beyond the law's own do not couple to them.
      for (int r = law.rows; r < 6; ++r) m(r, r) = 1.0;
      invertLeading<6>(m);
    }
  }
  return m;
}

void setElasticShare(const CompliantLaw& law, const Matrix6d& E, Matrix6d& share) noexcept {
  for (int r = 0; r < law.rows; ++r)
    for (int c = 0; c < law.rows; ++c) {
      double sum = 0;
      for (int k = 0; k < law.rows; ++k) sum += E(r, k) * law.K(k, c);
      share(r, c) = sum;
    }
}

void evaluateJointRows(const Model& model, const Joint& joint, const BodyMotion* motions, const double* displacements,
                       JointRows& rows) noexcept {
  if (joint.coupler >= 0) {
    const Coupler& coupler = model.couplers[static_cast<std::size_t>(joint.coupler)];
    rows.phi[0] = evaluateCoupler(model, coupler, motions, displacements, rows.jacobian[0], rows.further);
    return;
  }
  for (int i = 0; i < joint.primitive_count; ++i) {
    const Primitive& p = model.primitives[static_cast<std::size_t>(joint.first_primitive + i)];
    const int at = p.row - joint.first_row;
    evaluateContinuedRows(p, motions, displacements, rows.phi + at, rows.jacobian + at);
  }
}

}  // namespace tactus::rt
