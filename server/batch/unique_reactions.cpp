#include "server/batch/unique_reactions.h"

#include "rt/model/model.h"
#include "rt/offline/core/dense_solvers.h"
#include "rt/offline/core/equations_of_motion.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace tactus::server {
namespace {

using rt::offline::MatrixXd;

/// A rank costs the cube of the rows: 600 take a second. All ranks of a motion together may take as long.
constexpr int kMaxRows = 600;
/// Pivots below this share of the largest belong to redundant rows.
constexpr double kDependent = 1e-9;
/// A share above this in a combination of rows that vanishes makes a row dependent; round-off is below 1e-10.
constexpr double kPart = 1e-6;

/// Whether the rigid joints of a model close no loop.
bool isTree(const rt::Model& model) {
  // The last element is the ground.
  std::vector<int> root(model.bodies.size() + 1);
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int body) {
    int at = body == rt::kGround ? model.bodyCount() : body;
    while (root[static_cast<std::size_t>(at)] != at) at = root[static_cast<std::size_t>(at)];
    return at;
  };
  for (const rt::Joint& joint : model.joints) {
    if (joint.compliant()) continue;
    const int a = find(joint.body_1), b = find(joint.body_2);
    if (a == b) return false;
    root[static_cast<std::size_t>(a)] = b;
  }
  return true;
}

/// Rows of the equations of motion of a joint, which leave out compliant ones: first and count.
std::vector<std::pair<int, int>> rowsOfJoints(const rt::Model& model) {
  std::vector<std::pair<int, int>> rows;
  int next = 0;
  for (const rt::Joint& joint : model.joints) {
    const int count = joint.compliant() ? 0 : joint.row_count;
    rows.emplace_back(next, count);
    next += count;
  }
  return rows;
}

/// The joints whose reactions are not determined at a pose.
std::vector<bool> notUniqueAt(const rt::offline::EquationsOfMotion& equations,
                              const std::vector<std::pair<int, int>>& rows, const rt::State& state, double t) {
  std::vector<bool> shared(rows.size(), false);
  // H^T n = 0 by the QR factors of H^T: n = P (-R11^-1 R12; 1).
  const MatrixXd Ht = MatrixXd(equations.jacobian(equations.pointOf(state, t))).transpose();
  rt::offline::PivotedQr qr;
  qr.setThreshold(kDependent);
  qr.compute(Ht);
  const Eigen::Index rank = qr.rank(), all = Ht.cols();
  if (rank == all) return shared;
  MatrixXd n(all, all - rank);
  n.topRows(rank) = -qr.R()
                         .topLeftCorner(rank, rank)
                         .triangularView<Eigen::Upper>()
                         .solve(MatrixXd(qr.R().topRightCorner(rank, all - rank)));
  n.bottomRows(all - rank) = MatrixXd::Identity(all - rank, all - rank);
  const MatrixXd combinations = qr.P() * n;
  for (std::size_t j = 0; j < rows.size(); ++j)
    for (int row = rows[j].first; row < rows[j].first + rows[j].second; ++row)
      if (combinations.row(row).cwiseAbs().maxCoeff() > kPart) shared[j] = true;
  return shared;
}

}  // namespace

std::vector<double> firstNotUnique(const rt::Model& model, const rt::State& layout,
                                   const std::vector<rt::offline::Sample>& samples, double until,
                                   const std::atomic<bool>& interrupt) {
  std::vector<double> first(model.joints.size(), std::numeric_limits<double>::infinity());
  const auto after = std::find_if(samples.begin(), samples.end(), [&](const auto& sample) { return sample.t > until; });
  const auto count = static_cast<std::size_t>(after - samples.begin());
  if (count == 0 || isTree(model)) return first;
  const rt::offline::EquationsOfMotion equations(model, rt::offline::declaredInput(model));
  const std::vector<std::pair<int, int>> rows = rowsOfJoints(model);
  if (equations.rows() > kMaxRows) {
    for (std::size_t j = 0; j < first.size(); ++j)
      if (rows[j].second > 0) first[j] = samples.front().t;
    return first;
  }
  const double affordable = std::pow(static_cast<double>(kMaxRows) / std::max(1, equations.rows()), 3);
  const std::size_t poses = std::min(count, static_cast<std::size_t>(std::max(2.0, affordable)));
  rt::State state = layout;
  for (std::size_t k = 0; k < poses && !interrupt; ++k) {
    const rt::offline::Sample& pose = samples[poses < 2 ? 0 : k * (count - 1) / (poses - 1)];
    state.values() = pose.state;
    const std::vector<bool> shared = notUniqueAt(equations, rows, state, pose.t);
    for (std::size_t j = 0; j < first.size(); ++j)
      if (shared[j]) first[j] = std::min(first[j], pose.t);
  }
  return first;
}

}  // namespace tactus::server
