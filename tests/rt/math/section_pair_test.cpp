// The strain between two sections of a beam: values of an independent code, objectivity, helices, no locking, Jacobian.
#include "rt/math/section_pair.h"

#include "rt/math/dual.h"
#include "rt/math/euler_parameters.h"
#include "tests/support/compare.h"

#include <catch2/catch.hpp>

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

using namespace tactus;
using namespace tactus::rt;

namespace {

using Eigen::AngleAxisd;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Pose = SectionPose<double>;
using Pair = SectionPair<double>;

constexpr double kRounding = 1e-13;  // some hundred operations on values of order 1

// tests/reference/beam_element_cases.csv: beam elements between two sections in general poses, one a line. o, f: point
// and frame of a section in its body; D0, psi0: z without load; r, q: poses of the bodies; H: row by row, columns
// (dr_1, dphi_1, dr_2, dphi_2) of the bodies in world axes.

/// Columns NAME_0 ... of one line of a table.
VectorXd valuesOf(const tests::Table& table, const std::string& name, int count, std::size_t line) {
  VectorXd v(count);
  for (int i = 0; i < count; ++i) v[i] = table.column(name + '_' + std::to_string(i))[line];
  return v;
}

Matrix3d frameOf(const VectorXd& q) {
  return rotationMatrix(Vector4d(q));
}

/// A pose in general position for each section, with `angle` between them.
std::pair<Pose, Pose> strained(double angle) {
  const Matrix3d Q = AngleAxisd(1.1, Vector3d(1, 2, -1).normalized()).toRotationMatrix();
  const Vector3d x(0.3, -0.2, 0.5);
  return {{x, Q},
          {x + Q * Vector3d(0.09, 0.03, -0.01),
           Q * AngleAxisd(angle, Vector3d(-0.3, 1, 0.5).normalized()).toRotationMatrix()}};
}

/// Section moved by increment k of (dx, dphi), world axes.
Pose shifted(Pose s, int k, double by) {
  if (k < 3)
    s.x[k] += by;
  else
    s.Q = AngleAxisd(by, Vector3d::Unit(k - 3)).toRotationMatrix() * s.Q;
  return s;
}

}  // namespace

TEST_CASE("strain and Jacobian between sections are those of an independent code", "[rt][math][beam]") {
  const tests::Table table = tests::Table::reference("beam_element_cases.csv");
  const std::size_t cases = table.column("L").size();
  REQUIRE(cases == 8);
  for (std::size_t line = 0; line < cases; ++line) {
    CAPTURE(line);
    const auto of = [&](const std::string& name, int count) { return valuesOf(table, name, count, line); };
    Pose section[2];
    Vector3d arm[2];
    for (int i = 0; i < 2; ++i) {
      const std::string end = std::to_string(i + 1);
      const Matrix3d R = frameOf(of("q" + end, 4));
      arm[i] = R * Vector3d(of("o" + end, 3));
      section[i] = {Vector3d(of("r" + end, 3)) + arm[i], R * frameOf(of("f" + end, 4))};
    }
    const Pair pair(section[0], section[1]);
    VectorXd rest(6), z(6);
    rest << of("D0", 3), of("psi0", 3);
    z = pair.value() - rest;
    Eigen::Matrix<double, 6, 12> H = pair.jacobian();
    // From increments of the sections to those of the bodies: dx = dr + dphi x arm.
    for (int i = 0; i < 2; ++i)
      for (int r = 0; r < 6; ++r) {
        const Vector3d h = H.block<1, 3>(r, 6 * i).transpose();
        H.block<1, 3>(r, 6 * i + 3) += arm[i].cross(h).transpose();
      }
    const VectorXd listed = of("H", 72);
    MatrixXd expected(6, 12);
    for (int r = 0; r < 6; ++r) expected.row(r) = listed.segment(12 * r, 12).transpose();
    constexpr double kDigits = 1e-9;  // the digits of the table
    CHECK((z - of("z", 6)).norm() < kDigits * of("z", 6).norm());
    CHECK((H - expected).norm() < kDigits * expected.norm());
  }
}

TEST_CASE("a common motion of both sections leaves the strain, a hundred turns leave none", "[rt][math][beam]") {
  const auto [first, second] = strained(0.8);
  const Matrix3d turn = AngleAxisd(2.7, Vector3d(0.2, -1, 0.4).normalized()).toRotationMatrix();
  const auto moved = [&](const Pose& s) { return Pose{turn * s.x + Vector3d(3, -2, 5), turn * s.Q}; };
  CHECK((Pair(moved(first), moved(second)).value() - Pair(first, second).value()).norm() < kRounding);

  double worst = 0;
  for (int k = 1; k <= 100 * 100; ++k) {
    const Matrix3d R = AngleAxisd(2 * std::numbers::pi * k / 100, Vector3d(1, 1, 3).normalized()).toRotationMatrix();
    const auto strain = Pair({Vector3d::Zero(), R}, {R * Vector3d(0.1, 0, 0), R}).value();
    worst = std::max({worst, (strain.head<3>() - Vector3d(0.1, 0, 0)).norm(), strain.tail<3>().norm()});
  }
  CHECK(worst < 1e-12);  // rad, m: round-off of one rotation matrix is 1e-15, no turn may add to it
}

TEST_CASE("the strain of a helix is exact at any angle, whichever series computes it", "[rt][math][beam]") {
  for (const double angle : {1e-9, 1e-3, 0.0631, 0.0634, 0.3, 0.63, 0.64, 1.5, 2.2, 3.0}) {
    CAPTURE(angle);
    const Vector3d axis = Vector3d(0.5, -1, 0.7).normalized(), psi = angle * axis, chord(0.1, 0.02, -0.03);
    // Integral of R(s psi) chord over s from 0 to 1, by its closed form.
    const Vector3d along = axis.dot(chord) * axis, across = chord - along;
    const Vector3d end =
        along + std::sin(angle) / angle * across + 2 * std::pow(std::sin(angle / 2), 2) / angle * axis.cross(chord);
    const auto z =
        Pair({Vector3d::Zero(), Matrix3d::Identity()}, {end, AngleAxisd(angle, axis).toRotationMatrix()}).value();
    CHECK((z.head<3>() - chord).norm() < 1e-14);                // round-off
    CHECK((z.tail<3>() - psi).norm() < 1e-14 + 1e-15 * angle);  // round-off
  }
}

TEST_CASE("the Jacobian of the strain agrees with differences and with duals", "[rt][math][beam]") {
  for (const double angle : {0.0, 1e-6, 0.05, 0.07, 0.6, 0.7, 1.5, 2.5}) {
    CAPTURE(angle);
    const auto [first, second] = strained(angle);
    const Eigen::Matrix<double, 6, 12> H = Pair(first, second).jacobian();
    // The rate is the Jacobian times velocities.
    const Vector3d x_1(0.3, -1, 2), omega_1(2, 0.7, -1.2), x_2(-0.6, 0.1, 1), omega_2(-0.8, 1.5, 0.4);
    Eigen::Matrix<double, 12, 1> u;
    u << x_1, omega_1, x_2, omega_2;
    CHECK((Pair(first, second).rate(x_2 - x_1, omega_1, omega_2) - H * u).norm() <
          1e-12);  // round-off: slopes up to 10
    const double h = 1e-5;
    for (int k = 0; k < 12; ++k) {
      CAPTURE(k);
      const auto at = [&, &a = first, &b = second](double by) {
        return k < 6 ? Pair(shifted(a, k, by), b).value() : Pair(a, shifted(b, k - 6, by)).value();
      };
      CHECK((H.col(k) - (at(h) - at(-h)) / (2 * h)).norm() < 1e-8);  // truncation: slopes below 10 at 2.5 rad

      // The same derivative by duals: moved along x, turned by e x Q.
      using D = Dual<double, 1>;
      SectionPose<D> s[2] = {{first.x.cast<D>(), first.Q.cast<D>()}, {second.x.cast<D>(), second.Q.cast<D>()}};
      SectionPose<D>& varied = s[k / 6];
      const Matrix3d Q = k < 6 ? first.Q : second.Q;
      for (int r = 0; r < 3; ++r) {
        if (k % 6 < 3) {
          varied.x[r].d[0] = r == k % 6 ? 1 : 0;
          continue;
        }
        for (int c = 0; c < 3; ++c) varied.Q(r, c).d[0] = Vector3d::Unit(k % 6 - 3).cross(Q.col(c))[r];
      }
      const auto z = SectionPair<D>(s[0], s[1]).value();
      for (int r = 0; r < 6; ++r) CHECK(std::abs(z[r].d[0] - H(r, k)) < 1e-11);  // round-off over small denominators
    }
  }
}
