#include "server/model_io/joint_tree.h"

#include <algorithm>
#include <numeric>

namespace tactus::server {

JointTree::JointTree(int bodies, const std::vector<RatedJoint>& joints, const std::vector<bool>& left_out)
    : joints_(joints),
      tree_(bodies),
      connected_(bodies),
      joints_at_(static_cast<std::size_t>(bodies) + 1),
      moves_(joints_at_.size(), false) {
  std::vector<std::size_t> order(joints.size()), outside;
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_partition(order.begin(), order.end(), [&](std::size_t i) { return isRated(joints[i]); });
  for (const std::size_t i : order) {
    const RatedJoint& joint = joints[i];
    if (left_out[i]) continue;
    if (!joint.couples) connected_.join(joint.body_1, joint.body_2);
    if (joint.holds && tree_.join(joint.body_1, joint.body_2)) {
      joints_at_[static_cast<std::size_t>(joint.body_1 + 1)].push_back(i);
      joints_at_[static_cast<std::size_t>(joint.body_2 + 1)].push_back(i);
    } else {
      outside.push_back(i);
    }
  }
  for (const RatedJoint& joint : joints)
    if (isRated(joint)) moves_[static_cast<std::size_t>(connected_.of(joint.body_1))] = true;
  has_loops_ = std::any_of(outside.begin(), outside.end(),
                           [&](std::size_t i) { return joints[i].couples || isMoved(joints[i].body_1); });
}

}  // namespace tactus::server
