#include "tests/rt/mechanics/primitives/primitive_case.h"

#include "rt/mechanics/row_derivatives.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <functional>

namespace tactus::tests {

using namespace tactus::rt;

namespace {

Vector3d randomVector(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return {normal(random), normal(random), normal(random)};
}

/// An angle is defined where the axes of both bodies coincide and stay together, as its joint has them.
void alignAngle(PrimitiveCase& c) {
  Primitive& p = c.primitive;
  const BodyMotion& first = motionOf(c.motions.data(), p.body_1);
  BodyMotion& second = c.motions[1];
  p.a_2 = second.R.transpose() * (first.R * p.a_1);
  p.b_1 = p.a_1.unitOrthogonal();
  p.b_2 = p.a_2.unitOrthogonal();
  second.omega_w = first.omega_w + 1.7 * (first.R * p.a_1);
}

/// Sections less than a half turn apart: where the rotation between them passes it, its sign changes.
void alignSections(Primitive& p, const BodyMotion& first, const BodyMotion& second) {
  p.b_1 = p.a_1.cross(p.b_1).normalized();
  const Matrix3d back = second.R.transpose() * first.R;
  const Vector3d axis = Vector3d(1, -2, 0.5).normalized();
  const Matrix3d turned = back * Eigen::AngleAxisd(1.3, axis).toRotationMatrix();
  p.a_2 = turned * p.a_1;
  p.b_2 = turned * p.b_1;
}

/// The centers of a gear lie and stay in one plane normal to the axis.
void alignGear(PrimitiveCase& c) {
  alignAngle(c);
  Primitive& p = c.primitive;
  const BodyMotion& first = motionOf(c.motions.data(), p.body_1);
  BodyMotion& second = c.motions[1];
  const Vector3d a = first.R * p.a_1, turned = first.omega_w.cross(a);
  const auto apart = [&]() -> Vector3d { return second.r + second.R * p.s_2 - first.r - first.R * p.s_1; };
  p.s_2 -= second.R.transpose() * (apart().dot(a) * a);
  const Vector3d rate =
      second.v + second.omega_w.cross(second.R * p.s_2) - first.v - first.omega_w.cross(first.R * p.s_1);
  second.v -= (rate.dot(a) + apart().dot(turned)) * a;
}

/// The motions after each body moved by a 6-vector increment (dr, dphi).
std::vector<BodyMotion> moved(const PrimitiveCase& c, int body, int component, double h) {
  std::vector<BodyMotion> motions = c.motions;
  auto& m = motions[static_cast<std::size_t>(body)];
  if (component < 3) {
    m.r[component] += h;
  } else {
    // A rotation vector of length h about a world axis, exactly.
    Vector4d turn(std::cos(h / 2), 0, 0, 0);
    turn[1 + component - 3] = std::sin(h / 2);
    m.R = rotationMatrix(product(turn, c.p[static_cast<std::size_t>(body)]));
  }
  return motions;
}

/// The motions a time t later, at constant velocities.
std::vector<BodyMotion> later(const PrimitiveCase& c, double t) {
  std::vector<BodyMotion> motions = c.motions;
  for (std::size_t i = 0; i < motions.size(); ++i) {
    motions[i].r += t * motions[i].v;
    const double angle = motions[i].omega_w.norm() * t;
    Vector4d turn;
    turn << std::cos(angle / 2), std::sin(angle / 2) * motions[i].omega_w.normalized();
    motions[i].R = rotationMatrix(product(turn, c.p[i]));
  }
  return motions;
}

using Eigen::VectorXd;

constexpr double kStep = 1e-5;
/// Central differences at this step: truncation 1e-10, round-off 1e-10, times values of the order of 100.
constexpr double kTolerance = 1e-7;

using Motions = std::vector<BodyMotion>;

Motions randomMotions(std::mt19937& random) {
  Motions motions(2);
  for (BodyMotion& m : motions) {
    std::normal_distribution<double> normal;
    m.r = randomVector(random);
    m.R = rotationMatrix(Vector4d(normal(random), normal(random), normal(random), normal(random)).normalized());
    m.v = randomVector(random);
    m.omega_w = randomVector(random);
    m.a = randomVector(random);
    m.alpha_w = randomVector(random);
  }
  return motions;
}

/// The motions with column `c` of the twelve changed by h, at position, velocity or acceleration level.
Motions changed(Motions motions, int level, int c, double h) {
  BodyMotion& m = motions[static_cast<std::size_t>(c / 6)];
  const int k = c % 6;
  const Vector3d unit = Vector3d::Unit(k % 3) * h;
  if (level == 0) {
    if (k < 3) m.r += unit;
    if (k >= 3) m.R = Eigen::AngleAxisd(h, Vector3d::Unit(k - 3)).toRotationMatrix() * m.R;
  } else if (level == 1) {
    (k < 3 ? m.v : m.omega_w) += unit;
  } else {
    (k < 3 ? m.a : m.alpha_w) += unit;
  }
  return motions;
}

/// Central differences of a vector function by the twelve columns.
Eigen::MatrixXd differences(const Motions& at, int level, const std::function<VectorXd(const Motions&)>& f) {
  Eigen::MatrixXd D(f(at).size(), 12);
  for (int c = 0; c < 12; ++c)
    D.col(c) = (f(changed(at, level, c, kStep)) - f(changed(at, level, c, -kStep))) / (2 * kStep);
  return D;
}

Primitive randomPrimitive(PrimitiveKind kind, bool ground, std::mt19937& random) {
  Primitive p{kind,
              ground ? kGround : 0,
              1,
              0,
              randomVector(random),
              randomVector(random),
              randomVector(random).normalized(),
              randomVector(random).normalized(),
              1.3,
              randomVector(random).normalized(),
              randomVector(random).normalized()};
  p.t_1 = randomVector(random);
  p.rho_1 = 0.7;
  p.rho_2 = -1.9;
  return p;
}

VectorXd randomMultipliers(PrimitiveKind kind, std::mt19937& random) {
  VectorXd lambda(kMaxPrimitiveRows);
  lambda.head<3>() = randomVector(random);
  if (rowsOf(kind) > 3) lambda.tail<3>() = randomVector(random);
  return lambda;
}

/// H^T lambda, twelve entries.
VectorXd reaction(const Primitive& p, const Motions& motions, const VectorXd& lambda) {
  double phi[kMaxPrimitiveRows];
  RowJacobian rows[kMaxPrimitiveRows];
  evaluateRows(p, motions.data(), phi, rows);
  VectorXd sum = VectorXd::Zero(12);
  for (int k = 0; k < rowsOf(p.kind); ++k)
    for (int c = 0; c < 12; ++c) sum[c] += rows[k].h[c / 6][c % 6] * lambda[k];
  return sum;
}

/// H times the velocities (level 1), or H times the accelerations minus gamma (level 2).
VectorXd rowsAtLevel(const Primitive& p, const Motions& motions, int level) {
  double phi[kMaxPrimitiveRows], gamma[kMaxPrimitiveRows];
  RowJacobian rows[kMaxPrimitiveRows];
  evaluateRows(p, motions.data(), phi, rows);
  evaluateGamma(p, motions.data(), gamma);
  VectorXd values(rowsOf(p.kind));
  for (int k = 0; k < rowsOf(p.kind); ++k) {
    const BodyMotion &m1 = motions[0], &m2 = motions[1];
    values[k] = level == 1 ? rowTimes(rows[k], m1.rates(), m2.rates())
                           : rowTimes(rows[k], m1.accelerations(), m2.accelerations()) - gamma[k];
  }
  return values;
}

}  // namespace

PrimitiveCase randomCase(PrimitiveKind kind, bool ground, std::mt19937& random) {
  PrimitiveCase c;
  for (int i = 0; i < 2; ++i) {
    std::normal_distribution<double> normal;
    c.p.push_back(Vector4d(normal(random), normal(random), normal(random), normal(random)).normalized());
    BodyMotion m;
    m.r = randomVector(random);
    m.R = rotationMatrix(c.p.back());
    m.v = randomVector(random);
    m.omega_w = randomVector(random);
    c.motions.push_back(m);
  }
  c.primitive = Primitive{kind,
                          ground ? kGround : 0,
                          1,
                          0,
                          randomVector(random),
                          randomVector(random),
                          randomVector(random).normalized(),
                          randomVector(random).normalized(),
                          1.3};
  c.primitive.b_1 = randomVector(random).normalized();
  c.primitive.b_2 = randomVector(random).normalized();
  c.primitive.t_1 = randomVector(random).normalized();
  c.primitive.rho_1 = 0.7;
  c.primitive.rho_2 = -1.9;
  if (kind == PrimitiveKind::kAngle || kind == PrimitiveKind::kRolling) alignAngle(c);
  if (kind == PrimitiveKind::kGear) alignGear(c);
  if (kind == PrimitiveKind::kSection)
    alignSections(c.primitive, motionOf(c.motions.data(), c.primitive.body_1), c.motions[1]);
  return c;
}

void checkJacobian(PrimitiveKind kind) {
  std::mt19937 random(101);
  for (const bool ground : {false, true})
    for (int repeat = 0; repeat < 5; ++repeat) {
      const PrimitiveCase c = randomCase(kind, ground, random);
      double phi[kMaxPrimitiveRows], plus[kMaxPrimitiveRows], minus[kMaxPrimitiveRows];
      RowJacobian rows[kMaxPrimitiveRows], ignored[kMaxPrimitiveRows];
      evaluateRows(c.primitive, c.motions.data(), phi, rows);
      const double h = 1e-6;
      for (int body = ground ? 1 : 0; body < 2; ++body)
        for (int component = 0; component < 6; ++component) {
          evaluateRows(c.primitive, moved(c, body, component, h).data(), plus, ignored);
          evaluateRows(c.primitive, moved(c, body, component, -h).data(), minus, ignored);
          for (int k = 0; k < rowsOf(kind); ++k)
            CHECK(
                rows[k].h[body][component] ==
                Approx((plus[k] - minus[k]) / (2 * h)).epsilon(0).margin(1e-8));  // round-off 1e-10 of values up to 100
        }
      if (ground)
        for (int k = 0; k < rowsOf(kind); ++k)
          for (const double entry : rows[k].h[0]) CHECK(entry == 0.0);
    }
}

void checkGamma(PrimitiveKind kind) {
  std::mt19937 random(102);
  for (const bool ground : {false, true})
    for (int repeat = 0; repeat < 5; ++repeat) {
      const PrimitiveCase c = randomCase(kind, ground, random);
      double gamma[kMaxPrimitiveRows], before[kMaxPrimitiveRows], now[kMaxPrimitiveRows], after[kMaxPrimitiveRows];
      RowJacobian ignored[kMaxPrimitiveRows];
      evaluateGamma(c.primitive, c.motions.data(), gamma);
      const double h = 1e-4;
      evaluateRows(c.primitive, later(c, -h).data(), before, ignored);
      evaluateRows(c.primitive, c.motions.data(), now, ignored);
      evaluateRows(c.primitive, later(c, h).data(), after, ignored);
      for (int k = 0; k < rowsOf(kind); ++k)
        CHECK(gamma[k] == Approx(-(after[k] - 2 * now[k] + before[k]) / (h * h))
                              .epsilon(1e-5)
                              .margin(1e-5));  // truncation h^2 = 1e-8 of a fourth derivative, round-off 1e-16 / h^2
    }
}

void checkStiffness(PrimitiveKind kind) {
  std::mt19937 random(103);
  for (int repeat = 0; repeat < 5; ++repeat) {
    const PrimitiveCase c = randomCase(kind, false, random);
    const Vector3d lambda = randomVector(random);
    const auto torque = [&](const std::vector<BodyMotion>& motions, int body) {
      double phi[kMaxPrimitiveRows];
      RowJacobian rows[kMaxPrimitiveRows];
      evaluateRows(c.primitive, motions.data(), phi, rows);
      Vector3d sum = Vector3d::Zero();
      for (int k = 0; k < rowsOf(kind); ++k)
        for (int i = 0; i < 3; ++i) sum[i] += rows[k].h[body][3 + i] * lambda[k];
      return sum;
    };
    std::vector<Matrix3d> stiffness(2, Matrix3d::Zero());
    addGeometricStiffness(c.primitive, c.motions.data(), lambda.data(), stiffness.data());
    const double h = 1e-6;
    for (int body = 0; body < 2; ++body) {
      Matrix3d derivative;
      for (int i = 0; i < 3; ++i)
        derivative.col(i) =
            (torque(moved(c, body, 3 + i, h), body) - torque(moved(c, body, 3 + i, -h), body)) / (2 * h);
      const Matrix3d symmetric = 0.5 * (derivative + derivative.transpose());
      CHECK((stiffness[static_cast<std::size_t>(body)] - symmetric).norm() <
            1e-7 * (1 + symmetric.norm()));  // round-off
    }
  }
}

void checkReactionDerivative(PrimitiveKind kind) {
  std::mt19937 random(701);
  for (const bool ground : {false, true})
    for (int repeat = 0; repeat < 5; ++repeat) {
      CAPTURE(ground, repeat);
      Primitive p = randomPrimitive(kind, ground, random);
      const Motions motions = randomMotions(random);
      if (kind == PrimitiveKind::kSection) alignSections(p, motionOf(motions.data(), p.body_1), motions[1]);
      const VectorXd lambda = randomMultipliers(kind, random);
      const Matrix12d S = differentiateReaction(p, motions.data(), lambda.data());
      const auto f = [&](const Motions& at) { return reaction(p, at, lambda); };
      CHECK((S - differences(motions, 0, f)).cwiseAbs().maxCoeff() < kTolerance);
    }
}

void checkRowDerivatives(PrimitiveKind kind) {
  std::mt19937 random(702);
  for (const bool ground : {false, true})
    for (int repeat = 0; repeat < 5; ++repeat) {
      CAPTURE(ground, repeat);
      Primitive p = randomPrimitive(kind, ground, random);
      const Motions motions = randomMotions(random);
      if (kind == PrimitiveKind::kSection) alignSections(p, motionOf(motions.data(), p.body_1), motions[1]);
      const RowDerivatives d = differentiateRows(p, motions.data());
      const auto rate = [&](const Motions& at) { return rowsAtLevel(p, at, 1); };
      const auto second = [&](const Motions& at) { return rowsAtLevel(p, at, 2); };
      const int n = rowsOf(kind);
      CHECK((d.rate_by_position.topRows(n) - differences(motions, 0, rate)).cwiseAbs().maxCoeff() < kTolerance);
      CHECK((d.second_rate_by_position.topRows(n) - differences(motions, 0, second)).cwiseAbs().maxCoeff() <
            kTolerance);
      CHECK((d.second_rate_by_velocity.topRows(n) - differences(motions, 1, second)).cwiseAbs().maxCoeff() <
            kTolerance);
    }
}

void checkPrimitive(PrimitiveKind kind) {
  checkJacobian(kind);
  checkGamma(kind);
  checkStiffness(kind);
  checkReactionDerivative(kind);
  checkRowDerivatives(kind);
}

void checkTurns(PrimitiveKind kind, const std::vector<double>& weights) {
  std::mt19937 random(104);
  PrimitiveCase c = randomCase(kind, false, random);
  c.primitive.displacement = 1;
  double phi, angles[2] = {0, 0};
  RowJacobian ignored;
  evaluateRows(c.primitive, c.motions.data(), &phi, &ignored);
  REQUIRE(primitiveAngles(c.primitive, c.motions.data(), angles) == static_cast<int>(weights.size()));
  // Two turns on and five turns back, give or take less than half a turn.
  constexpr double kTurn = 2 * 3.14159265358979323846;
  const double turns[] = {2, -5};
  const double counted[3] = {77, angles[0] + 2 * kTurn + 0.3, angles[1] - 5 * kTurn - 0.3};
  double expected = phi;
  for (std::size_t k = 0; k < weights.size(); ++k) expected += weights[k] * turns[k] * kTurn;
  CHECK(continueRow(c.primitive, c.motions.data(), counted, phi) == Approx(expected));
}

}  // namespace tactus::tests
