#include "rt/plan/topology.h"

#include "rt/model/model.h"
#include "rt/plan/symbolic.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace tactus::rt {

namespace {

/// From this many joints on, a body is better eliminated after them: before them, they would become one clique.
constexpr std::size_t kHubJoints = 5;

}  // namespace

namespace {

bool sameBodies(const Model& model, const Joint& a, const Joint& b) {
  if (a.body_1 != b.body_1 || a.body_2 != b.body_2 || a.pair_count != b.pair_count) return false;
  for (int i = 0; i < a.pair_count; ++i) {
    const BodyPair& of_a = model.extra_body_pairs[static_cast<std::size_t>(a.first_pair + i)];
    const BodyPair& of_b = model.extra_body_pairs[static_cast<std::size_t>(b.first_pair + i)];
    if (of_a.body_1 != of_b.body_1 || of_a.body_2 != of_b.body_2) return false;
  }
  return true;
}

}  // namespace

bool continuesGroup(const Model& model, const Joint& before, const Joint& joint) {
  return before.coupler >= 0 && joint.coupler >= 0 && before.compliant() && joint.compliant() &&
         sameBodies(model, before, joint) && joint.first_row == before.first_row + 1 &&
         (joint.pair_count == 0 || joint.first_pair == before.first_pair + before.pair_count);
}

namespace {

std::vector<JointGroup> groupsOf(const Model& model, const std::vector<bool>& carries) {
  constexpr int kMaxRows = 6;  // the kernels of a node have no more
  std::vector<JointGroup> groups;
  for (int j = 0; j < model.jointCount(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    if (carries[at]) continue;
    if (!groups.empty() && groups.back().first + groups.back().count == j && groups.back().count < kMaxRows &&
        continuesGroup(model, model.joints[at - 1], model.joints[at]))
      ++groups.back().count;
    else
      groups.push_back({j, 1});
  }
  return groups;
}

}  // namespace

bool Topology::isBetweenHubs(int joint) const {
  const auto& ends = neighbors[static_cast<std::size_t>(joint)];
  return std::all_of(ends.begin(), ends.end(), [this](int body) { return hub[static_cast<std::size_t>(body)]; });
}

Topology topologyOf(const Model& model, HubRule rule, const Forest& forest) {
  Topology t;
  t.bodies = model.bodyCount();
  t.forest = forest.empty() ? Forest(model.bodies.size(), -1) : forest;
  t.carries.assign(model.bodies.size(), false);
  std::vector<bool> by_freedoms(model.joints.size(), false);
  for (int joint : t.forest)
    if (joint >= 0) by_freedoms[static_cast<std::size_t>(joint)] = true;
  t.joints = groupsOf(model, by_freedoms);
  t.neighbors.resize(static_cast<std::size_t>(t.bodies) + t.joints.size());
  t.hub.assign(static_cast<std::size_t>(t.bodies), false);
  for (int vertex = t.bodies; vertex < t.vertices(); ++vertex) {
    const Joint& joint = model.joints[static_cast<std::size_t>(t.jointsOf(vertex).first)];
    std::vector<int> bodies = {joint.body_1, joint.body_2};
    for (int i = joint.first_pair; i < joint.first_pair + joint.pair_count; ++i) {
      bodies.push_back(model.extra_body_pairs[static_cast<std::size_t>(i)].body_1);
      bodies.push_back(model.extra_body_pairs[static_cast<std::size_t>(i)].body_2);
    }
    for (int body : bodies) {
      if (body == kGround) continue;
      t.neighbors[static_cast<std::size_t>(body)].push_back(vertex);
      t.neighbors[static_cast<std::size_t>(vertex)].push_back(body);
    }
    auto& ends = t.neighbors[static_cast<std::size_t>(vertex)];
    std::sort(ends.begin(), ends.end());
  }
  for (int b = 0; b < t.bodies && rule == HubRule::kHubsLast; ++b)
    t.hub[static_cast<std::size_t>(b)] =
        !t.isCarried(b) && t.neighbors[static_cast<std::size_t>(b)].size() >= kHubJoints;
  for (int b = 0; b < t.bodies; ++b) {
    if (!t.isCarried(b)) continue;
    const int joint = t.forest[static_cast<std::size_t>(b)];
    const int parent = carrierOf(model.joints[static_cast<std::size_t>(joint)], b);
    if (parent == kGround) continue;
    t.carries[static_cast<std::size_t>(parent)] = true;
    t.neighbors[static_cast<std::size_t>(b)].push_back(parent);
    t.neighbors[static_cast<std::size_t>(parent)].push_back(b);
  }
  return t;
}

namespace {

/// Which vertices meet as others are eliminated. Eliminating a vertex joins all that it met: one clique in place of all
/// pairs, which takes in the cliques of the vertex.
class Cliques {
 public:
  Cliques(const Topology& topology, const Model& model)
      : topology_(topology), model_(model), of_(topology.neighbors.size()), state_(topology.neighbors.size()) {}

  /// Unknowns of all that a vertex meets.
  int rowsAround(int vertex) {
    ++round_;
    mark(vertex);
    return rowsBeyond(vertex);
  }

  /// @param meets  is called with each vertex that it met, in rising order, then with what that one meets: unknowns
  template <typename Meets>
  void eliminate(int vertex, Meets&& meets) {
    ++round_;
    mark(vertex);
    std::vector<int> boundary;
    eachBeyond(vertex, [&](int other) { boundary.push_back(other); });
    std::sort(boundary.begin(), boundary.end());
    state_[at(vertex)].is_eliminated = true;
    for (int clique : of_[at(vertex)]) std::vector<int>().swap(members_[at(clique)]);
    of_[at(vertex)].clear();
    const int joined = static_cast<int>(members_.size());
    members_.push_back(boundary);
    int rows = 0;
    for (int other : boundary) {
      std::vector<int>& cliques = of_[at(other)];
      cliques.erase(std::remove_if(cliques.begin(), cliques.end(), [this](int c) { return members_[at(c)].empty(); }),
                    cliques.end());
      rows += rowsOf(other);
    }
    for (int other : boundary) {
      // All of the boundary is marked: what is beyond it are the other cliques and neighbors of this vertex.
      meets(other, [&] { return rows - rowsOf(other) + rowsBeyond(other); });
      of_[at(other)].push_back(joined);
    }
  }

 private:
  struct VertexState {
    bool is_eliminated = false;
    std::size_t marked = 0;  ///< the round
  };

  static std::size_t at(int i) noexcept { return static_cast<std::size_t>(i); }
  int rowsOf(int vertex) const { return sizeOf(topology_, model_, vertex); }
  bool mark(int vertex) {
    VertexState& state = state_[at(vertex)];
    return !state.is_eliminated && std::exchange(state.marked, round_) != round_;
  }

  /// Visits, and marks, what a vertex meets and no mark has.
  template <typename Visit>
  void eachBeyond(int vertex, Visit&& visit) {
    for (int other : topology_.neighbors[at(vertex)])
      if (mark(other)) visit(other);
    for (int clique : of_[at(vertex)])
      for (int other : members_[at(clique)])
        if (mark(other)) visit(other);
  }

  /// Unknowns of these; marks stay as they were.
  int rowsBeyond(int vertex) {
    int rows = 0;
    std::vector<int>& found = beyond_;
    found.clear();
    eachBeyond(vertex, [&](int other) {
      rows += rowsOf(other);
      found.push_back(other);
    });
    for (int other : found) state_[at(other)].marked = 0;
    return rows;
  }

  const Topology& topology_;
  const Model& model_;
  std::vector<std::vector<int>> members_;  ///< of each clique; none once another one has taken it in
  std::vector<std::vector<int>> of_;       ///< cliques of each vertex
  std::vector<VertexState> state_;
  std::vector<int> beyond_;
  std::size_t round_ = 0;
};

}  // namespace

std::vector<int> eliminationOrder(const Topology& topology, const Model& model) {
  Cliques cliques(topology, model);

  // Eliminating a vertex joins all that it met, and puts them above it in the tree.
  std::vector<int> order;
  std::vector<int> height(topology.neighbors.size(), 0);
  const auto eliminate = [&](int vertex, auto&& changed) {
    order.push_back(vertex);
    cliques.eliminate(vertex, [&](int other, auto&& rowsAround) {
      int& height_of_other = height[static_cast<std::size_t>(other)];
      height_of_other = std::max(height_of_other, height[static_cast<std::size_t>(vertex)] + 1);
      changed(other, rowsAround);
    });
  };
  const auto nothing = [](int, const auto&) {};

  for (int b : carriedBodies(model, topology.forest)) eliminate(b, nothing);
  for (int b = 0; b < topology.bodies; ++b)
    if (!topology.hub[static_cast<std::size_t>(b)] && !topology.isCarried(b)) eliminate(b, nothing);

  // Joints by least boundary; a joint between hubs, or between a hub and ground, waits for its hubs.
  // Of equal boundaries, compliant rows first: their pivot needs no rank. Among these by height: a chain of them is
  // eliminated from both ends, and the processor works on both at once. Then those far from the cuts, and in file
  // order.
  using Key = std::array<int, 4>;  // the last number is the vertex
  const auto keyOf = [&](int vertex, int boundary) -> Key {
    const int near = topology.from_cuts.empty() ? 0 : -topology.from_cuts[static_cast<std::size_t>(vertex)];
    if (!model.joints[static_cast<std::size_t>(topology.jointsOf(vertex).first)].compliant())
      return {2 * boundary + 1, 0, near, vertex};
    return {2 * boundary, height[static_cast<std::size_t>(vertex)], near, vertex};
  };
  std::vector<std::optional<Key>> key(topology.neighbors.size());
  const auto eliminateJoints = [&](bool between_hubs) {
    std::set<Key> queue;
    for (int v = topology.bodies; v < topology.vertices(); ++v) {
      if (topology.isBetweenHubs(v) != between_hubs) continue;
      key[static_cast<std::size_t>(v)] = keyOf(v, cliques.rowsAround(v));
      queue.insert(*key[static_cast<std::size_t>(v)]);
    }
    while (!queue.empty()) {
      const int vertex = queue.begin()->back();
      queue.erase(queue.begin());
      key[static_cast<std::size_t>(vertex)].reset();
      eliminate(vertex, [&](int other, const auto& rowsAround) {
        std::optional<Key>& old = key[static_cast<std::size_t>(other)];
        if (!old) return;
        queue.erase(*old);
        old = keyOf(other, rowsAround());
        queue.insert(*old);
      });
    }
  };
  eliminateJoints(false);
  for (int b = 0; b < topology.bodies; ++b)
    if (topology.hub[static_cast<std::size_t>(b)]) eliminate(b, nothing);
  eliminateJoints(true);
  return order;
}

}  // namespace tactus::rt
