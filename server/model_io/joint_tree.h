// The tree of joints along which rates of joints move bodies.
#pragma once

#include "server/model_io/body_groups.h"
#include "server/model_io/rated_joint.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace tactus::server {

/// Joints that hold bodies, those with a rate first, as far as they close no loop.
class JointTree {
 public:
  /// @param left_out  joints that do not count
  JointTree(int bodies, const std::vector<RatedJoint>& joints, const std::vector<bool>& left_out);

  /// Whether joints connect the body with a joint that has a rate.
  bool isMoved(int body) { return moves_[static_cast<std::size_t>(connected_.of(body))]; }
  /// Whether a joint outside the tree connects bodies that are moved.
  bool hasLoops() const { return has_loops_; }
  /// The same number for bodies that the tree connects.
  int groupOf(int body) { return tree_.of(body); }

  /// Visits the bodies that the tree connects with one. @param visit  takes a joint and the bodies that it leads from
  /// and to
  template <typename Visit>
  void walk(int root, const Visit& visit) const {
    constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    std::vector<std::pair<int, std::size_t>> open = {{root, kNone}};
    while (!open.empty()) {
      const auto [at, came_by] = open.back();
      open.pop_back();
      for (const std::size_t i : joints_at_[static_cast<std::size_t>(at + 1)]) {
        if (i == came_by) continue;
        const int next = joints_[i].body_1 == at ? joints_[i].body_2 : joints_[i].body_1;
        visit(joints_[i], at, next);
        open.emplace_back(next, i);
      }
    }
  }

 private:
  const std::vector<RatedJoint>& joints_;
  BodyGroups tree_, connected_;
  std::vector<std::vector<std::size_t>> joints_at_;  ///< of the tree, by body behind ground
  std::vector<bool> moves_;                          ///< by group of connected bodies
  bool has_loops_ = false;
};

}  // namespace tactus::server
