// Covers: rt/mechanics/body_fixed.h
#include "rt/mechanics/joint_constraints.h"

#include <catch2/catch.hpp>

#include <array>
#include <random>
#include <vector>

using namespace tactus::rt;

namespace {

Vector3d randomVector(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return {normal(random), normal(random), normal(random)};
}

/// Two bodies in general position and motion, and one primitive between them or between ground and the second.
struct Case {
  Primitive primitive;
  std::vector<Vector4d> p;
  std::vector<BodyMotion> motions;
};

/// An angle is defined where the axes of both bodies coincide and stay together, as its joint has them.
void alignAngle(Case& c) {
  Primitive& p = c.primitive;
  const BodyMotion& first = motionOf(c.motions.data(), p.body_1);
  BodyMotion& second = c.motions[1];
  p.a_2 = second.R.transpose() * (first.R * p.a_1);
  p.b_1 = p.a_1.unitOrthogonal();
  p.b_2 = p.a_2.unitOrthogonal();
  second.omega_w = first.omega_w + 1.7 * (first.R * p.a_1);
}

/// The centres of a gear lie and stay in one plane normal to the axis.
void alignGear(Case& c) {
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

Case randomCase(PrimitiveKind kind, bool ground, std::mt19937& random) {
  Case c;
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
  return c;
}

/// The motions after each body moved by a 6-vector increment (dr, dphi).
std::vector<BodyMotion> moved(const Case& c, int body, int component, double h) {
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
std::vector<BodyMotion> later(const Case& c, double t) {
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

constexpr std::array kKinds = {PrimitiveKind::kPoint, PrimitiveKind::kDistance, PrimitiveKind::kDot1,
                               PrimitiveKind::kDot2,  PrimitiveKind::kLength,   PrimitiveKind::kAngle,
                               PrimitiveKind::kTwist, PrimitiveKind::kRolling,  PrimitiveKind::kGear};

}  // namespace

TEST_CASE("Jacobians of all primitives agree with central differences", "[rt][mechanics]") {
  std::mt19937 random(101);
  for (const PrimitiveKind kind : kKinds)
    for (const bool ground : {false, true})
      for (int repeat = 0; repeat < 5; ++repeat) {
        const Case c = randomCase(kind, ground, random);
        double phi[3], plus[3], minus[3];
        RowJacobian rows[3], ignored[3];
        evaluateRows(c.primitive, c.motions.data(), phi, rows);
        const double h = 1e-6;
        for (int body = ground ? 1 : 0; body < 2; ++body)
          for (int component = 0; component < 6; ++component) {
            evaluateRows(c.primitive, moved(c, body, component, h).data(), plus, ignored);
            evaluateRows(c.primitive, moved(c, body, component, -h).data(), minus, ignored);
            for (int k = 0; k < rowsOf(kind); ++k)
              CHECK(rows[k].h[body][component] == Approx((plus[k] - minus[k]) / (2 * h)).margin(1e-8));
          }
        if (ground)
          for (int k = 0; k < rowsOf(kind); ++k)
            for (const double entry : rows[k].h[0]) CHECK(entry == 0.0);
      }
}

TEST_CASE("gamma is minus the second time derivative of the rows at constant velocities", "[rt][mechanics]") {
  std::mt19937 random(102);
  for (const PrimitiveKind kind : kKinds)
    for (const bool ground : {false, true})
      for (int repeat = 0; repeat < 5; ++repeat) {
        const Case c = randomCase(kind, ground, random);
        double gamma[3], before[3], now[3], after[3];
        RowJacobian ignored[3];
        evaluateGamma(c.primitive, c.motions.data(), gamma);
        const double h = 1e-4;
        evaluateRows(c.primitive, later(c, -h).data(), before, ignored);
        evaluateRows(c.primitive, c.motions.data(), now, ignored);
        evaluateRows(c.primitive, later(c, h).data(), after, ignored);
        for (int k = 0; k < rowsOf(kind); ++k)
          CHECK(gamma[k] == Approx(-(after[k] - 2 * now[k] + before[k]) / (h * h)).epsilon(1e-5).margin(1e-5));
      }
}

TEST_CASE("geometric stiffness is the symmetric part of the derivative of H_phi^T lambda", "[rt][mechanics]") {
  std::mt19937 random(103);
  for (const PrimitiveKind kind : kKinds)
    for (int repeat = 0; repeat < 5; ++repeat) {
      const Case c = randomCase(kind, false, random);
      const Vector3d lambda = randomVector(random);
      const auto torque = [&](const std::vector<BodyMotion>& motions, int body) {
        double phi[3];
        RowJacobian rows[3];
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
        CHECK((stiffness[static_cast<std::size_t>(body)] - symmetric).norm() < 1e-7 * (1 + symmetric.norm()));
      }
    }
}

TEST_CASE("gears, racks and screws count their turns", "[rt][mechanics]") {
  std::mt19937 random(104);
  const double turn = 2 * 3.14159265358979323846;
  for (const PrimitiveKind kind : {PrimitiveKind::kRolling, PrimitiveKind::kGear}) {
    Case c = randomCase(kind, false, random);
    c.primitive.displacement = 1;
    double phi, angles[2];
    RowJacobian ignored;
    evaluateRows(c.primitive, c.motions.data(), &phi, &ignored);
    REQUIRE(primitiveAngles(c.primitive, c.motions.data(), angles) == (kind == PrimitiveKind::kGear ? 2 : 1));
    const double counted[3] = {77, angles[0] + 2 * turn + 0.3, angles[1] - 5 * turn - 0.3};
    const double expected = kind == PrimitiveKind::kGear ? phi + turn * (2 * 0.7 + 5 * 1.9) : phi - 2 * turn * 0.7;
    CHECK(continueRow(c.primitive, c.motions.data(), counted, phi) == Approx(expected));
  }
}

TEST_CASE("angles unwrap to the nearest turn", "[rt][mechanics]") {
  const double turn = 2 * 3.14159265358979323846;
  CHECK(unwrapAngle(0.1, 0.0) == Approx(0.1));
  CHECK(unwrapAngle(-3.1, 3.1) == Approx(-3.1 + turn));
  CHECK(unwrapAngle(3.1, -3.1 - 5 * turn) == Approx(3.1 - 6 * turn));
}
