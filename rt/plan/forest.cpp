#include "rt/plan/forest.h"

#include "rt/math/euler_parameters.h"
#include "rt/model/model.h"

#include <algorithm>
#include <numeric>

namespace tactus::rt {

namespace {

/// A direction that is fixed in a body, at the declared state, world axes.
Vector3d declaredDirection(const Model& model, int body, const Vector3d& direction) {
  if (body == kGround) return direction;
  const auto& orientation = model.initial_conditions.front().orientation[static_cast<std::size_t>(body)];
  return rotationMatrix(orientation.normalized()) * direction;
}

bool hasIndependentNormals(const Model& model, const Joint& joint) {
  Eigen::Matrix3d normals = Eigen::Matrix3d::Zero();
  const int count = joint.primitive_count - 1;
  for (int i = 0; i < count; ++i) {
    const Primitive& dot = model.primitives[static_cast<std::size_t>(joint.first_primitive + 1 + i)];
    normals.row(i) =
        declaredDirection(model, dot.body_1, dot.a_1).cross(declaredDirection(model, dot.body_2, dot.a_2)).transpose();
  }
  const Eigen::MatrixXd rows = normals.topRows(count);
  return count == 0 || (rows * rows.transpose()).determinant() > kLeastNormals;
}

/// Calls f(joint index, body) for each body that a joint meets, each once.
template <class F>
void forEachMeeting(const Model& model, F&& f) {
  for (int j = 0; j < model.jointCount(); ++j) {
    const Joint& joint = model.joints[static_cast<std::size_t>(j)];
    std::vector<int> bodies = {joint.body_1, joint.body_2};
    for (int i = joint.first_pair; i < joint.first_pair + joint.pair_count; ++i) {
      bodies.push_back(model.extra_body_pairs[static_cast<std::size_t>(i)].body_1);
      bodies.push_back(model.extra_body_pairs[static_cast<std::size_t>(i)].body_2);
    }
    std::sort(bodies.begin(), bodies.end());
    bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
    for (int body : bodies)
      if (body != kGround) f(j, body);
  }
}

/// Joints of each body.
std::vector<std::vector<int>> jointsAtBodies(const Model& model) {
  std::vector<std::vector<int>> joints(model.bodies.size());
  forEachMeeting(model, [&](int joint, int body) { joints[static_cast<std::size_t>(body)].push_back(joint); });
  return joints;
}

/// Bodies with one joint left, again and again.
Forest hangingTrees(const Model& model, const std::vector<bool>& eligible) {
  Forest forest(model.bodies.size(), -1);
  const auto joints = jointsAtBodies(model);
  std::vector<int> left;
  for (const auto& of_body : joints) left.push_back(static_cast<int>(of_body.size()));
  std::vector<bool> used(model.joints.size(), false);
  std::vector<int> queue(model.bodies.size());
  std::iota(queue.begin(), queue.end(), 0);
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const auto body = static_cast<std::size_t>(queue[next]);
    if (forest[body] >= 0 || left[body] != 1) continue;
    const int last = *std::find_if(joints[body].begin(), joints[body].end(),
                                   [&](int j) { return !used[static_cast<std::size_t>(j)]; });
    if (!eligible[static_cast<std::size_t>(last)]) continue;
    forest[body] = last;
    used[static_cast<std::size_t>(last)] = true;
    left[body] = 0;
    const int parent = carrierOf(model.joints[static_cast<std::size_t>(last)], static_cast<int>(body));
    if (parent != kGround && --left[static_cast<std::size_t>(parent)] == 1) queue.push_back(parent);
  }
  return forest;
}

/// A spanning forest of the eligible joints, oriented away from its roots.
Forest spanningForest(const Model& model, const std::vector<bool>& eligible) {
  std::vector<int> order;
  for (int j = 0; j < model.jointCount(); ++j)
    if (eligible[static_cast<std::size_t>(j)]) order.push_back(j);
  const auto jointAt = [&model](int j) -> const Joint& { return model.joints[static_cast<std::size_t>(j)]; };
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return jointAt(a).row_count > jointAt(b).row_count; });
  const auto ground = model.bodies.size();
  const auto placeOf = [ground](int body) { return body == kGround ? ground : static_cast<std::size_t>(body); };
  std::vector<std::size_t> group(ground + 1);
  std::iota(group.begin(), group.end(), std::size_t{0});
  const auto find = [&group](std::size_t place) {
    while (group[place] != place) place = group[place] = group[group[place]];
    return place;
  };
  std::vector<std::vector<int>> edges(ground + 1);
  for (int j : order) {
    const std::size_t a = placeOf(jointAt(j).body_1), b = placeOf(jointAt(j).body_2);
    if (find(a) == find(b)) continue;
    group[find(a)] = find(b);
    edges[a].push_back(j);
    edges[b].push_back(j);
  }
  // Ground first, then the bodies with the most joints.
  const auto joints = jointsAtBodies(model);
  std::vector<std::size_t> roots(ground);
  std::iota(roots.begin(), roots.end(), std::size_t{0});
  std::stable_sort(roots.begin(), roots.end(),
                   [&](std::size_t a, std::size_t b) { return joints[a].size() > joints[b].size(); });
  roots.insert(roots.begin(), ground);
  Forest forest(ground, -1);
  std::vector<bool> reached(ground + 1, false);
  for (std::size_t root : roots) {
    if (reached[root]) continue;
    reached[root] = true;
    std::vector<std::size_t> queue = {root};
    for (std::size_t next = 0; next < queue.size(); ++next)
      for (int j : edges[queue[next]]) {
        const std::size_t a = placeOf(jointAt(j).body_1), b = placeOf(jointAt(j).body_2);
        const std::size_t other = a == queue[next] ? b : a;
        if (reached[other]) continue;
        reached[other] = true;
        forest[other] = j;
        queue.push_back(other);
      }
  }
  return forest;
}

}  // namespace

bool hasFreedoms(const Model& model, const Joint& joint) {
  if (joint.law != LawKind::kRigid || joint.coupler >= 0 || joint.pair_count > 0) return false;
  if (joint.body_1 == joint.body_2 || joint.primitive_count < 1 || joint.primitive_count > 4) return false;
  for (int i = 0; i < joint.primitive_count; ++i) {
    const Primitive& p = model.primitives[static_cast<std::size_t>(joint.first_primitive + i)];
    if (p.kind != (i == 0 ? PrimitiveKind::kPoint : PrimitiveKind::kDot1)) return false;
    if (p.body_1 != joint.body_1 || p.body_2 != joint.body_2) return false;
  }
  return hasIndependentNormals(model, joint);
}

Forest findForest(const Model& model, ForestRule rule, int least_rows) {
  std::vector<bool> eligible;
  for (const Joint& joint : model.joints)
    eligible.push_back(joint.row_count >= least_rows && hasFreedoms(model, joint));
  return rule == ForestRule::kTrees ? hangingTrees(model, eligible) : spanningForest(model, eligible);
}

std::vector<int> carriedBodies(const Model& model, const Forest& forest) {
  const int bodies = static_cast<int>(forest.size());
  std::vector<int> depth(forest.size(), -1), path;
  for (int b = 0; b < bodies; ++b) {
    int at = b;
    for (; at != kGround && depth[static_cast<std::size_t>(at)] < 0;) {
      path.push_back(at);
      const int joint = forest[static_cast<std::size_t>(at)];
      at = joint < 0 ? kGround : carrierOf(model.joints[static_cast<std::size_t>(joint)], at);
    }
    int below = at == kGround ? -1 : depth[static_cast<std::size_t>(at)];
    for (; !path.empty(); path.pop_back()) depth[static_cast<std::size_t>(path.back())] = ++below;
  }
  std::vector<int> carried;
  for (int b = 0; b < bodies; ++b)
    if (forest[static_cast<std::size_t>(b)] >= 0) carried.push_back(b);
  std::stable_sort(carried.begin(), carried.end(), [&](int a, int b) {
    return depth[static_cast<std::size_t>(a)] > depth[static_cast<std::size_t>(b)];
  });
  return carried;
}

}  // namespace tactus::rt
