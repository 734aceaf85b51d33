#include "server/batch/unique_reactions.h"

#include "rt/model/model.h"
#include "rt/offline/core/dense_solvers.h"
#include "rt/offline/core/equations_of_motion.h"

#include <algorithm>
#include <cmath>
#include <limits>
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

/// The rigid joints of a model on closed loops: all but those whose removal takes its bodies apart.
std::vector<bool> jointsOnLoops(const rt::Model& model) {
  struct Side {
    int body, joint;
  };
  const int ground = model.bodyCount();
  std::vector<std::vector<Side>> sides(model.bodies.size() + 1);
  const auto at = [ground](int body) { return body == rt::kGround ? ground : body; };
  const auto connect = [&](int body_1, int body_2, int joint) {
    sides[static_cast<std::size_t>(at(body_1))].push_back({at(body_2), joint});
    sides[static_cast<std::size_t>(at(body_2))].push_back({at(body_1), joint});
  };
  for (int j = 0; j < model.jointCount(); ++j) {
    const rt::Joint& joint = model.joints[static_cast<std::size_t>(j)];
    if (joint.compliant()) continue;
    connect(joint.body_1, joint.body_2, j);
    // A row of a coupler belongs to the loop of its joints, whichever of its bodies hang together.
    for (int k = joint.first_pair; k < joint.first_pair + joint.pair_count; ++k) {
      const rt::BodyPair& pair = model.extra_body_pairs[static_cast<std::size_t>(k)];
      connect(pair.body_1, pair.body_2, j);
      connect(joint.body_1, pair.body_1, j);
    }
  }
  // Search in depth: `low` is the earliest body that a branch reaches without the joint to its root.
  std::vector<bool> on_loop(model.joints.size(), false);
  std::vector<int> number(sides.size(), -1), low(sides.size());
  struct Step {
    int body, joint;   // the joint that led here
    std::size_t next;  // side
  };
  std::vector<bool> passed(sides.size(), false);  // the joint that led to a body, from its side
  int count = 0;
  for (std::size_t root = 0; root < sides.size(); ++root) {
    if (number[root] >= 0) continue;
    std::vector<Step> way = {{static_cast<int>(root), -1, 0}};
    number[root] = low[root] = count++;
    while (!way.empty()) {
      Step& step = way.back();
      const auto body = static_cast<std::size_t>(step.body);
      if (step.next < sides[body].size()) {
        const Side side = sides[body][step.next++];
        // Of several joints between two bodies one is the way back, the others close loops.
        if (side.joint == step.joint && way.size() > 1 && side.body == way[way.size() - 2].body && !passed[body]) {
          passed[body] = true;
          continue;
        }
        const auto to = static_cast<std::size_t>(side.body);
        if (number[to] < 0) {
          number[to] = low[to] = count++;
          way.push_back({side.body, side.joint, 0});
        } else {
          low[body] = std::min(low[body], number[to]);
          on_loop[static_cast<std::size_t>(side.joint)] = true;
        }
      } else {
        const int joint = step.joint;
        way.pop_back();
        if (way.empty()) break;
        const auto before = static_cast<std::size_t>(way.back().body);
        low[before] = std::min(low[before], low[body]);
        if (low[body] <= number[before]) on_loop[static_cast<std::size_t>(joint)] = true;
      }
    }
  }
  return on_loop;
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

bool computesUnique(const rt::Model& model) {
  const auto [first, count] = rowsOfJoints(model).empty() ? std::pair(0, 0) : rowsOfJoints(model).back();
  return first + count <= kMaxRows;
}

std::vector<double> firstNotUnique(const rt::Model& model, const rt::State& layout,
                                   const std::vector<rt::offline::Sample>& samples, double until,
                                   const std::atomic<bool>& interrupt) {
  std::vector<double> first(model.joints.size(), std::numeric_limits<double>::infinity());
  const auto after = std::find_if(samples.begin(), samples.end(), [&](const auto& sample) { return sample.t > until; });
  const auto count = static_cast<std::size_t>(after - samples.begin());
  const std::vector<bool> on_loop = jointsOnLoops(model);
  if (count == 0 || std::none_of(on_loop.begin(), on_loop.end(), [](bool is) { return is; })) return first;
  const rt::offline::EquationsOfMotion equations(model, rt::offline::declaredInput(model));
  const std::vector<std::pair<int, int>> rows = rowsOfJoints(model);
  if (!computesUnique(model)) {
    for (std::size_t j = 0; j < first.size(); ++j)
      if (on_loop[j]) first[j] = samples.front().t;
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
