// The dense oracles against differences, references and each other; the generated mechanisms against the oracles.
#include "tests/support/dense_oracle.h"
#include "tests/support/compare.h"
#include "tests/support/dense_mechanism.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random_mechanisms.h"
#include "tests/support/random_source.h"
#include "tests/support/reference_trajectory.h"

#include <catch2/catch.hpp>

using namespace tactus::tests;
using tactus::rt::ModelSpec;

namespace {

int rankOf(const MatrixXd& H) {
  if (H.size() == 0) return 0;
  Eigen::ColPivHouseholderQR<MatrixXd> qr(H);
  qr.setThreshold(1e-9);
  return static_cast<int>(qr.rank());
}

/// The state a moment later or earlier: velocities and accelerations applied to second order.
MotionState moved(const DenseMechanism& mechanism, const MotionState& m, double h) {
  const VectorXd a = mechanism.accelerations(m).a;
  MotionState next = m;
  for (std::size_t i = 0; i < m.r.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(6 * i);
    const Vector3d alpha_b = rotationOf(m.p[i]).transpose() * a.segment<3>(k + 3);
    next.r[i] += h * m.v[i] + 0.5 * h * h * a.segment<3>(k);
    // A turn by the rotation vector h w + h^2/2 w', on the right: body axes.
    const Vector3d half = 0.5 * (h * m.omega[i] + 0.5 * h * h * alpha_b), e = m.p[i].tail<3>();
    const double c = std::cos(half.norm()), s = half.norm() > 0 ? std::sin(half.norm()) / half.norm() : 1;
    next.p[i][0] = m.p[i][0] * c - s * e.dot(half);
    next.p[i].tail<3>() = c * e + s * (m.p[i][0] * half + e.cross(half));
    next.v[i] += h * a.segment<3>(k);
    next.omega[i] += h * alpha_b;
  }
  return next;
}

std::vector<double> uniformTimes(double end, int count) {
  std::vector<double> t;
  for (int i = 0; i <= count; ++i) t.push_back(end * i / count);
  return t;
}

}  // namespace

TEST_CASE("the second difference of the constraints of the dense mechanism is H a - gamma", "[support][oracle]") {
  for (const ModelSpec& spec : {randomTree(7, JointMix::kMixed, 3), randomLoop(5, 3, 4)}) {
    const DenseMechanism mechanism(spec);
    const MotionState& m = mechanism.declared();
    const double h = 1e-4;
    const VectorXd before = mechanism.position(moved(mechanism, m, -h)), now = mechanism.position(m),
                   after = mechanism.position(moved(mechanism, m, h));
    // Consistent in velocity and acceleration: Phi stays zero to third order, so both differences vanish but for h^2
    // times higher derivatives and round-off over h^2: 1e-8 times some 10, seen 1.4e-7.
    CHECK(((after - before) / (2 * h)).lpNorm<Eigen::Infinity>() < 1e-5);
    CHECK(((after - 2 * now + before) / (h * h)).lpNorm<Eigen::Infinity>() < 1e-5);
    const VectorXd a = mechanism.accelerations(m).a;
    CHECK((mechanism.jacobian(m) * a - mechanism.gamma(m)).lpNorm<Eigen::Infinity>() < 1e-10);  // a dense solve
    CHECK(mechanism.gamma(m).norm() > 1);  // else the case would not notice a missing gamma
  }
}

TEST_CASE("reference trajectories agree with the published references", "[support][oracle]") {
  // Tolerances: the relative tolerance of the integration (1e-10 and tighter) grown over the span, times lengths of
  // some m and forces of some 10 N.
  SECTION("double pendulum") {
    const Table table = Table::reference("spatial_double_pendulum.csv");
    const DenseMechanism mechanism(doublePendulum());
    const ReferenceTrajectory out = integrate(mechanism, uniformTimes(10, 20));
    for (std::size_t k = 0; k < out.t.size(); ++k) {
      CHECK(out.states[k].r[1][2] == Approx(valueAt(table.series("rB_z[m]"), out.t[k])).epsilon(0).margin(1e-8));
      const JointReaction reaction = mechanism.reaction(0, out.states[k], out.lambda[k]);
      CHECK(reaction.force[1] == Approx(valueAt(table.series("F1_y[N]"), out.t[k])).epsilon(0).margin(1e-6));
      CHECK(reaction.torque.norm() < 1e-10);
    }
  }
  SECTION("chain of 8") {
    const Table table = Table::reference("chain_8.csv");
    const DenseMechanism mechanism(chain(8));
    const ReferenceTrajectory out = integrate(mechanism, uniformTimes(2, 4), 1e-10);
    for (std::size_t k = 0; k < out.t.size(); ++k) {
      const Vector3d tip = out.states[k].r[7] + rotationOf(out.states[k].p[7]) * Vector3d(0.5, 0, 0);
      CHECK(tip[0] == Approx(valueAt(table.series("tip_x[m]"), out.t[k])).epsilon(0).margin(1e-7));
      CHECK(tip[1] == Approx(valueAt(table.series("tip_y[m]"), out.t[k])).epsilon(0).margin(1e-7));
    }
  }
  SECTION("four-bar with redundant rows, before its singular pose") {
    const Table table = Table::reference("four_bar.csv");
    const DenseMechanism mechanism(fourBar(FourBarReading::kDown));
    const ReferenceTrajectory out = integrate(mechanism, uniformTimes(0.6, 6));
    for (std::size_t k = 0; k < out.t.size(); ++k) {
      CHECK(out.states[k].r[0][0] == Approx(valueAt(table.series("rA_x[m]"), out.t[k])).epsilon(0).margin(1e-9));
      const JointReaction reaction = mechanism.reaction(0, out.states[k], out.lambda[k]);
      CHECK(reaction.force[0] == Approx(valueAt(table.series("F1_x[N]"), out.t[k])).epsilon(0).margin(1e-7));
    }
  }
}

TEST_CASE("every generated mechanism satisfies its constraints to round-off", "[support][mechanisms]") {
  struct Case {
    ModelSpec spec;
    int freedoms, redundant_rows;
  };
  const ModelSpec pair = together({doublePendulum(), fourBar(FourBarReading::kUp), freeBody(5)});
  const std::vector<Case> cases = {
      {doublePendulum(), 6, 0},
      {fourBar(FourBarReading::kDown), 1, 3},
      {fourBar(FourBarReading::kUp), 1, 3},
      {chain(20), 60, 0},
      {ladder(4), 1, 12},
      {freeBody(10), 6, 0},
      {pair, 13, 3},
      {reordered(pair, 9), 13, 3},
      {randomChain(6, 8, 1), 18, 0},
      {randomTree(10, JointMix::kSpherical, 2), 30, 0},
      {randomLoop(4, 0, 5), 9, 0},
      {randomLoop(6, 5, 6), 5, 0},
      {planarLoop(3, 7), 1, 3},
      {planarLoop(6, 8), 4, 3},
      {star(7, JointMix::kSpherical, false, 9), 6 + 3 * 10, 0},
      {hubWithLoops(4, 10), 3 + 4, 0},
  };
  for (const Case& c : cases) {
    INFO(c.spec.name);
    const DenseMechanism mechanism(c.spec);
    const MotionState& m = mechanism.declared();
    const MatrixXd H = mechanism.jacobian(m);
    const int rank = rankOf(H);
    CHECK(6 * mechanism.bodies() - rank == c.freedoms);
    CHECK(mechanism.rows() - rank == c.redundant_rows);
    CHECK(mechanism.position(m).norm() < 1e-14 * (1 + mechanism.rows()));  // round-off of a row
    MotionState same = m;
    mechanism.projectVelocity(same);
    // Projecting consistent velocities changes nothing but round-off of a dense solve.
    for (std::size_t i = 0; i < m.r.size(); ++i) {
      CHECK((same.v[i] - m.v[i]).norm() < 1e-12);
      CHECK((same.omega[i] - m.omega[i]).norm() < 1e-12);
    }
  }
}

TEST_CASE("random trees and stars hold their joints for every mix and seed", "[support][mechanisms]") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (const JointMix mix : {JointMix::kSpherical, JointMix::kHinged, JointMix::kMixed}) {
      for (const ModelSpec& spec : {randomTree(8, mix, seed), star(6, mix, seed % 2 == 0, seed)}) {
        const DenseMechanism mechanism(spec);
        const MotionState& m = mechanism.declared();
        // Round-off of a row, and of a dense solve for the velocities.
        CHECK(mechanism.position(m).norm() < 1e-14 * (1 + mechanism.rows()));
        CHECK(rankOf(mechanism.jacobian(m)) == mechanism.rows());
        MotionState same = m;
        mechanism.projectVelocity(same);
        // Round-off of a dense solve.
        for (std::size_t i = 0; i < m.r.size(); ++i) CHECK((same.v[i] - m.v[i]).norm() < 1e-12);
      }
    }
  }
}

TEST_CASE("inertia tensors of random bodies have off-diagonals and obey the triangle inequality",
          "[support][mechanisms]") {
  RandomSource random(11);
  for (int k = 0; k < 50; ++k) {
    const Matrix3d J = random.inertia(2, 0.8);
    const Vector3d moments = J.selfadjointView<Eigen::Lower>().eigenvalues();
    CHECK(moments[0] > 0);
    // Inside the triangle inequality with room, and none of them diagonal.
    CHECK(moments[0] + moments[1] > 1.05 * moments[2]);
    CHECK(std::abs(J(0, 1)) + std::abs(J(0, 2)) + std::abs(J(1, 2)) > 1e-3);
  }
}

TEST_CASE("the dense saddle solve leaves no residual and equals the Schur complement", "[support][oracle]") {
  RandomSource random(12);
  SaddleSystem system;
  for (int i = 0; i < 4; ++i) {
    Eigen::Matrix<double, 6, 6> B;
    for (int c = 0; c < 36; ++c) B(c / 6, c % 6) = random.uniform(-1, 1);
    system.inverse_W.push_back(B * B.transpose() + Eigen::Matrix<double, 6, 6>::Identity());
  }
  for (int k = 0; k < 9; ++k) {
    SaddleRow row;
    row.body_1 = k % 5 - 1;
    row.body_2 = (k + 2) % 4;
    row.eps = 1e-6;
    for (int c = 0; c < 6; ++c) {
      row.h_1[c] = random.uniform(-1, 1);
      row.h_2[c] = random.uniform(-1, 1);
    }
    system.rows.push_back(row);
  }
  system.rows.push_back(system.rows.back());  // a redundant row

  const VectorXd b = VectorXd::LinSpaced(24, -1, 2), c = VectorXd::LinSpaced(10, 1, -1);
  const SaddleSolution s = solveDense(system, b, c);
  const MatrixXd K = system.matrix(), H = K.bottomLeftCorner(10, 24), W = K.topLeftCorner(24, 24).inverse();
  const MatrixXd E = -K.bottomRightCorner(10, 10);
  // Round-off times multipliers of up to 1 / eps = 1e6.
  CHECK((K.topLeftCorner(24, 24) * s.x + H.transpose() * s.lambda - b).norm() < 1e-9);
  CHECK((H * s.x - E * s.lambda - c).norm() < 1e-9);
  const VectorXd schur = (H * W * H.transpose() + E).fullPivLu().solve(H * W * b - c);
  // The redundant pair is held apart by eps alone: digits are lost in proportion to 1 / eps.
  CHECK((schur - s.lambda).norm() < 1e-8 * s.lambda.norm());
}
