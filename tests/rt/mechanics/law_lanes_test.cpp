// Covers: rt/model/compliant_law.h
// Laws that go side by side against laws one by one.
#include "rt/mechanics/law_lanes.h"
#include "rt/model/model.h"

#include "rt/mechanics/compliant_rows.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace tactus::rt;

namespace {

Matrix6d positiveDefinite(int seed) {
  Matrix6d A;
  for (int r = 0; r < 6; ++r)
    for (int c = 0; c < 6; ++c) A(r, c) = (r == c ? 2.0 : 0.0) + std::sin(1.0 + seed + 3 * r + 7 * c);
  const Vector6d scale = (Vector6d() << 1e4, 3e4, 1e5, 20, 50, 3).finished();
  return scale.asDiagonal() * A * A.transpose() * scale.asDiagonal();
}

CompliantLaw lawOf(int rows, int seed) {
  CompliantLaw law;
  law.rows = rows;
  law.K.topLeftCorner(rows, rows) = positiveDefinite(seed).topLeftCorner(rows, rows);
  law.C.topLeftCorner(rows, rows) = 1e-3 * positiveDefinite(seed + 1).topLeftCorner(rows, rows);
  return law;
}

}  // namespace

TEST_CASE("laws side by side have the bits of laws one by one", "[rt][mechanics]") {
  constexpr double kDt = 1e-3;
  constexpr double kUntouched = 7;
  // Groups that are full, and groups that are not, between laws of fewer rows and a law that is not linear.
  for (int count = 1; count <= 9; ++count) {
    CAPTURE(count);
    Model model;
    for (int i = 0; i < count; ++i) model.compliant_laws.push_back(lawOf(6, i));
    model.compliant_laws.insert(model.compliant_laws.begin() + count / 2, lawOf(3, 20));
    model.compliant_laws.push_back(lawOf(4, 21));
    model.compliant_laws.push_back(lawOf(1, 22));
    model.compliant_laws.back().spring = 0;
    const std::size_t laws = model.compliant_laws.size();
    std::vector<Matrix6d> E(laws, Matrix6d::Constant(kUntouched)), share = E;
    LawLanes(model).linearize(model, kDt, E.data(), share.data());
    for (std::size_t i = 0; i + 1 < laws; ++i) {
      const CompliantLaw& law = model.compliant_laws[i];
      const Matrix6d expected = stepCompliance(law, kDt);
      Matrix6d expected_share;
      setElasticShare(law, expected, expected_share);
      CHECK(E[i].topLeftCorner(law.rows, law.rows) == expected.topLeftCorner(law.rows, law.rows));
      CHECK(share[i].topLeftCorner(law.rows, law.rows) == expected_share.topLeftCorner(law.rows, law.rows));
      // The inverse of what it should be the inverse of; round-off times a condition of about 1e11 of the rows' units.
      const Matrix6d m = law.K + 2 / kDt * law.C;
      const auto n = law.rows;
      CHECK((m.topLeftCorner(n, n) * E[i].topLeftCorner(n, n) - Eigen::MatrixXd::Identity(n, n)).norm() < 1e-4);
    }
    CHECK(E.back() == Matrix6d::Constant(kUntouched));
    CHECK(share.back() == Matrix6d::Constant(kUntouched));
  }
}

TEST_CASE("laws with dampers in proportion to their springs have the compliance of a factorization",
          "[rt][mechanics]") {
  constexpr double kDt = 1e-3;
  Model model;
  for (const double beta : {0.0, 2e-4, 0.3}) {
    CompliantLaw law = lawOf(6, 3);
    law.C = beta * law.K;
    model.compliant_laws.push_back(law);
  }
  std::vector<Matrix6d> E(3), share(3);
  LawLanes(model).linearize(model, kDt, E.data(), share.data());
  for (std::size_t i = 0; i < 3; ++i) {
    const CompliantLaw& law = model.compliant_laws[i];
    // In units of the rows, in which the stiffness has a condition of about 100: round-off.
    const Vector6d unit = law.K.diagonal().cwiseSqrt();
    const Matrix6d found = unit.asDiagonal() * E[i] * unit.asDiagonal();
    const Matrix6d expected = unit.asDiagonal() * stepCompliance(law, kDt) * unit.asDiagonal();
    CHECK((found - expected).norm() < 1e-12 * expected.norm());  // round-off
    const double beta = law.C(0, 0) / law.K(0, 0);
    CHECK((share[i] - Matrix6d::Identity() / (1 + 2 * beta / kDt)).norm() < 1e-14);  // round-off
  }
}
