#include "rt/mechanics/law_lanes.h"

#include "rt/math/lane_transpose.h"
#include "rt/math/small_solve.h"
#include "rt/mechanics/compliant_rows.h"
#include "rt/model/model.h"

#include <algorithm>
#include <limits>

namespace tactus::rt {

namespace {

constexpr int kLanes = 4, kRows = 6, kNumbers = kRows * kRows;
using Quad = Lanes<kLanes>;

/// One matrix of each of four laws, column by column.
using MatrixLanes = Quad[kNumbers];

/// The inverse of a positive definite matrix, whose factors are given, as invertLeading() of compliant_rows.cpp has it:
/// what a unit vector leaves zero is not computed.
TACTUS_INLINE void invertFactored(const MatrixLanes& factors, MatrixLanes& inverse) noexcept {
  TACTUS_UNROLL
  for (int c = 0; c < kRows; ++c) {
    Quad x[kRows];
    for (int r = 0; r < kRows; ++r) x[r] = Quad(r == c ? 1.0 : 0.0);
    TACTUS_UNROLL
    for (int j = c; j < kRows; ++j) TACTUS_UNROLL
    for (int i = j + 1; i < kRows; ++i) x[i] -= factors[j * kRows + i] * x[j];
    TACTUS_UNROLL
    for (int j = c; j < kRows; ++j) x[j] *= factors[j * kRows + j];
    TACTUS_UNROLL
    for (int j = kRows - 1; j >= 0; --j) TACTUS_UNROLL
    for (int i = j + 1; i < kRows; ++i) x[j] -= factors[j * kRows + i] * x[i];
    for (int r = 0; r < kRows; ++r) inverse[c * kRows + r] = x[r];
  }
}

TACTUS_INLINE void multiply(const MatrixLanes& a, const MatrixLanes& b, MatrixLanes& product) noexcept {
  for (int c = 0; c < kRows; ++c)
    for (int r = 0; r < kRows; ++r) {
      Quad sum(0.0);
      TACTUS_UNROLL
      for (int k = 0; k < kRows; ++k) sum += a[k * kRows + r] * b[c * kRows + k];
      product[c * kRows + r] = sum;
    }
}

}  // namespace

std::optional<double> proportionalDamping(const CompliantLaw& law) {
  if (!law.linear() || law.rows < kRows) return std::nullopt;
  const double beta = law.C(0, 0) / law.K(0, 0);
  constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();
  const Matrix6d of_stiffness = beta * law.K;
  const bool holds = ((law.C - of_stiffness).array().abs() <= kRounding * of_stiffness.array().abs()).all();
  return law.K(0, 0) > 0 && holds ? std::optional(beta) : std::nullopt;
}

LawLanes::LawLanes(const Model& model) {
  std::size_t filled = kLanes;
  for (std::size_t i = 0; i < model.compliant_laws.size(); ++i) {
    const CompliantLaw& law = model.compliant_laws[i];
    if (!law.linear()) continue;
    if (law.rows < kRows) {
      (law.rows == 1 ? single_ : alone_).push_back(i);
      continue;
    }
    if (const std::optional<double> beta = proportionalDamping(law)) {
      CompliantLaw elastic = law;
      elastic.C.setZero();
      proportional_.push_back({i, *beta, stepCompliance(elastic, 1.0)});
      continue;
    }
    if (filled == kLanes) {
      groups_.push_back({i, i, i, i});
      filled = 0;
    }
    groups_.back()[filled++] = i;
  }
}

void LawLanes::linearize(const Model& model, double dt, Matrix6d* compliance, Matrix6d* elastic_share) const noexcept {
  const Quad per_damping(2.0 / dt);
  for (const std::array<std::size_t, kLanes>& group : groups_) {
    const double *stiffness[kLanes], *damping[kLanes];
    double *to_compliance[kLanes], *to_share[kLanes];
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const CompliantLaw& law = model.compliant_laws[group[lane]];
      stiffness[lane] = law.K.data();
      damping[lane] = law.C.data();
      to_compliance[lane] = compliance[group[lane]].data();
      to_share[lane] = elastic_share[group[lane]].data();
    }
    MatrixLanes K, m, E;
    gather(stiffness, K);
    gather(damping, m);
    for (int i = 0; i < kNumbers; ++i) m[i] = K[i] + per_damping * m[i];
    factorLdlt<kRows>(m, kRows);
    invertFactored(m, E);  // ali3p (28)
    scatter(E, to_compliance);
    multiply(E, K, m);  // ali3p (29)
    scatter(m, to_share);
  }
  for (const Proportional& of : proportional_) {
    const double share = 1.0 / (1.0 + 2.0 / dt * of.beta);
    compliance[of.law] = share * of.compliance;  // (1)
    elastic_share[of.law] = Vector6d::Constant(share).asDiagonal();
  }
  for (const std::size_t i : single_) {
    const CompliantLaw& law = model.compliant_laws[i];
    const double E = 1.0 / std::max(law.K(0, 0) + 2.0 / dt * law.C(0, 0), law.minimum_stiffness);
    compliance[i](0, 0) = E;
    elastic_share[i](0, 0) = E * law.K(0, 0);
  }
  for (const std::size_t i : alone_) {
    const CompliantLaw& law = model.compliant_laws[i];
    compliance[i] = stepCompliance(law, dt);
    setElasticShare(law, compliance[i], elastic_share[i]);
  }
}

}  // namespace tactus::rt
