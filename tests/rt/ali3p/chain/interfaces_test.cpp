// The system of the interfaces against one dense solve.
// Covers: rt/ali3p/chain/segment_rows.h
#include "rt/ali3p/chain/interfaces.h"

#include "rt/ali3p/inertia_gain.h"
#include "rt/model/model.h"

#include "tests/support/mechanisms.h"
#include "tests/support/random_mechanisms.h"

#include <Eigen/Dense>
#include <catch2/catch.hpp>

#include <random>

using namespace tactus;
using namespace tactus::tests;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using rt::Matrix3d;
using rt::Vector3d;

namespace {

/// Writes what a sweep up would: random compliances and free motions of every segment; returns them as 6 x 6 blocks.
struct Segments {
  std::vector<MatrixXd> Y;         ///< [Y_LL Y_LR; Y_RL Y_RR]
  std::vector<Vector3d> e_L, e_R;  ///< free motion of the ends
  std::vector<Vector3d> left, right;
  std::vector<double> physical_left, physical_right;
};

Segments writeSegments(int count, rt::Level level, rt::SegmentRows& rows) {
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  const auto vector = [&] { return Vector3d(normal(random), normal(random), normal(random)); };
  Segments s;
  for (int i = 0; i < count; ++i) {
    MatrixXd root(6, 6);
    for (int k = 0; k < 36; ++k) root(k / 6, k % 6) = normal(random);
    s.Y.push_back(root * root.transpose() + MatrixXd::Identity(6, 6));
    s.e_L.push_back(vector());
    s.e_R.push_back(vector());
    s.left.push_back(vector());
    s.right.push_back(vector());
    s.physical_left.push_back(1 + std::abs(normal(random)));
    s.physical_right.push_back(1 + std::abs(normal(random)));
    const auto symmetric = [&](int row, const Matrix3d& m) {
      const double six[] = {m(0, 0), m(1, 0), m(2, 0), m(1, 1), m(2, 1), m(2, 2)};
      for (int k = 0; k < 6; ++k) *rows.at(row + k, i) = six[k];
    };
    symmetric(rt::kYLeft, s.Y.back().topLeftCorner<3, 3>());
    symmetric(rt::kYRight, s.Y.back().bottomRightCorner<3, 3>());
    for (int c = 0; c < 3; ++c) rows.setVector(rt::kYAcross + 3 * c, i, s.Y.back().block<3, 1>(0, 3 + c));
    rows.setVector(rt::kELeft, i, s.e_L.back());
    rows.setVector(rt::kERight, i, s.e_R.back());
    rows.setVector(rt::kEndsLeft + 3 * rt::indexOf(level), i, s.left.back());
    rows.setVector(rt::kEndsRight + 3 * rt::indexOf(level), i, s.right.back());
    *rows.at(rt::kPhysicalLeft, i) = s.physical_left.back();
    *rows.at(rt::kPhysicalRight, i) = s.physical_right.back();
  }
  return s;
}

/// ali3p (37) for all interfaces at once; interfaces without a joint keep a multiplier of zero.
VectorXd solveDense(const rt::Chain& chain, const rt::Settings& settings, const Segments& s, const Vector3d& ground) {
  const int n = chain.segments;
  MatrixXd S = MatrixXd::Identity(3 * n, 3 * n);
  VectorXd b = VectorXd::Zero(3 * n);
  const auto joined = [&](int i) { return chain.interfaces[static_cast<std::size_t>(i)].joined; };
  for (int i = 0; i < n; ++i) {
    if (!joined(i)) continue;
    const auto k = static_cast<std::size_t>(i);
    const double physical = s.physical_left[k] + (i > 0 ? s.physical_right[k - 1] : 0.0);
    S.block<3, 3>(3 * i, 3 * i) = s.Y[k].topLeftCorner<3, 3>();
    S.block<3, 3>(3 * i, 3 * i) += settings.relative_compliance / 3 * physical * Matrix3d::Identity();
    b.segment<3>(3 * i) = -s.e_L[k] - s.left[k];
    b.segment<3>(3 * i) += i > 0 ? Vector3d(s.e_R[k - 1] + s.right[k - 1]) : ground;
    if (i > 0) S.block<3, 3>(3 * i, 3 * i) += s.Y[k - 1].bottomRightCorner<3, 3>();
    if (i > 0 && joined(i - 1)) S.block<3, 3>(3 * i, 3 * i - 3) = -s.Y[k - 1].bottomLeftCorner<3, 3>();
    if (i + 1 < n && joined(i + 1)) S.block<3, 3>(3 * i, 3 * i + 3) = -s.Y[k].topRightCorner<3, 3>();
  }
  return S.fullPivLu().solve(b);
}

}  // namespace

TEST_CASE("the multipliers of the interfaces equal those of the dense system", "[rt][ali3p][chain]") {
  for (const int links : {3, 9, 40, 600}) {  // 4, 4, 8 and 16 segments; the last elements of three links are empty
    CAPTURE(links);
    const rt::Model model = rt::buildModel(randomChain(links, 2, 5));
    const rt::Chain chain = *rt::findChain(model);
    const rt::Settings settings;
    rt::ChainWorkspace ws(model, chain, 4, 1);
    const rt::ChainContext context{model, model.gravity, model.length, chain, settings, 1e-2, 0.25e-4, rt::kLeastInertiaGain, {}, ws};
    rt::InterfaceSystem& interfaces = ws.systems.front();
    const Segments segments = writeSegments(chain.segments, rt::Level::kPosition, ws.buffers[0]);
    REQUIRE(rt::solveInterfaces(context, rt::Level::kPosition, true, 0, interfaces));
    const VectorXd expected = solveDense(chain, settings, segments, chain.left_ground);
    for (int i = 0; i < chain.segments; ++i) {
      // Round-off of the elimination of well-conditioned 3 x 3 blocks.
      CHECK((interfaces.rows.vector(rt::kLambdaIncrement, i) - expected.segment<3>(3 * i)).norm() <
            1e-10 * (1 + expected.norm()));
      CHECK(interfaces.rows.vector(rt::kLambda, i) == interfaces.rows.vector(rt::kLambdaIncrement, i));
    }
    // With the same factor once more: the totals add up, and velocities leave them alone.
    REQUIRE(rt::solveInterfaces(context, rt::Level::kPosition, false, 0, interfaces));
    const Vector3d total = interfaces.rows.vector(rt::kLambda, 0);
    CHECK((total - 2 * expected.head<3>()).norm() < 1e-10 * (1 + expected.norm()));  // round-off, as above
    REQUIRE(rt::solveInterfaces(context, rt::Level::kVelocity, false, 0, interfaces));
    CHECK(interfaces.rows.vector(rt::kLambda, 0) == total);
  }
}

TEST_CASE("multipliers of interfaces come from State and go back with their signs", "[rt][ali3p][chain]") {
  const rt::Model model = rt::buildModel(reordered(randomChain(40, 2, 5), 7));
  const rt::Chain chain = *rt::findChain(model);
  rt::ChainWorkspace ws(model, chain, 4, 1);
  rt::State from(model), to(model);
  for (int row = 0; row < model.rows; ++row) from.lambda()[row] = 1 + row;
  rt::loadMultipliers(chain, from, ws.systems.front());
  rt::storeMultipliers(chain, ws.systems.front(), to);
  for (const rt::ChainInterface& interface : chain.interfaces)
    for (int k = 0; k < 3 && interface.joined; ++k)
      CHECK(to.lambda()[interface.row + k] == from.lambda()[interface.row + k]);
}

TEST_CASE("a block of an interface that is not positive is reported", "[rt][ali3p][chain]") {
  const rt::Model model = rt::buildModel(randomChain(40, 2, 5));
  const rt::Chain chain = *rt::findChain(model);
  const rt::Settings settings;
  rt::ChainWorkspace ws(model, chain, 4, 1);
  const rt::ChainContext context{model, model.gravity, model.length, chain, settings, 1e-2, 0.25e-4, rt::kLeastInertiaGain, {}, ws};
  writeSegments(chain.segments, rt::Level::kPosition, ws.buffers[0]);
  *ws.buffers[0].at(rt::kYLeft, 3) = -1e3;
  CHECK_FALSE(rt::solveInterfaces(context, rt::Level::kPosition, true, 0, ws.systems.front()));
}
