#include "rt/plan/plan.h"

#include "rt/plan/topology.h"

#include <algorithm>
#include <numeric>

namespace tactus::rt {

namespace {

/// Elimination order position of every vertex, with the boundary of each as found by symbolic elimination.
struct Symbolic {
  std::vector<int> order;                  ///< vertices, first eliminated first
  std::vector<int> position;               ///< of each vertex in `order`
  std::vector<std::vector<int>> boundary;  ///< of each vertex: later vertices, in order of elimination
};

Symbolic eliminateSymbolically(const Topology& topology, std::vector<int> order) {
  Symbolic s;
  s.order = std::move(order);
  s.position.resize(s.order.size());
  for (std::size_t k = 0; k < s.order.size(); ++k)
    s.position[static_cast<std::size_t>(s.order[k])] = static_cast<int>(k);
  s.boundary.resize(s.order.size());
  const auto later = [&s](int a, int b) {
    return s.position[static_cast<std::size_t>(a)] < s.position[static_cast<std::size_t>(b)];
  };
  // The boundary of a vertex: its own later neighbours, and what the vertices whose parent it is pass on.
  std::vector<std::vector<int>> passed(s.order.size());
  for (int vertex : s.order) {
    const auto v = static_cast<std::size_t>(vertex);
    std::vector<int> boundary = std::move(passed[v]);
    for (int neighbour : topology.neighbours[v])
      if (later(vertex, neighbour)) boundary.push_back(neighbour);
    std::sort(boundary.begin(), boundary.end(), later);
    boundary.erase(std::unique(boundary.begin(), boundary.end()), boundary.end());
    if (!boundary.empty()) {
      auto& to = passed[static_cast<std::size_t>(boundary.front())];
      to.insert(to.end(), boundary.begin() + 1, boundary.end());
    }
    s.boundary[v] = std::move(boundary);
  }
  return s;
}

int unknownOf(const Topology& topology, const Model& model, int vertex) {
  return topology.isBody(vertex)
             ? 6 * vertex
             : 6 * topology.bodies + model.joints[static_cast<std::size_t>(vertex - topology.bodies)].first_row;
}

int sizeOf(const Topology& topology, const Model& model, int vertex) {
  return topology.isBody(vertex) ? 6 : model.joints[static_cast<std::size_t>(vertex - topology.bodies)].row_count;
}

/// Where the unknowns of `vertex` begin in the front of a node, or -1.
int positionInFront(const Symbolic& s, const Topology& topology, const Model& model, int owner, int vertex) {
  int position = 0;
  if (owner == vertex) return position;
  position = sizeOf(topology, model, owner);
  for (int other : s.boundary[static_cast<std::size_t>(owner)]) {
    if (other == vertex) return position;
    position += sizeOf(topology, model, other);
  }
  return -1;
}

/// The Jacobian blocks that a node assembles: those between it and a body or joint that is eliminated later.
void addBlocks(const Topology& topology, const Model& model, const Symbolic& s, int vertex, PlanNode& node,
               Plan& plan) {
  node.first_block = static_cast<int>(plan.blocks.size());
  for (int neighbour : topology.neighbours[static_cast<std::size_t>(vertex)]) {
    if (s.position[static_cast<std::size_t>(neighbour)] < s.position[static_cast<std::size_t>(vertex)]) continue;
    const int body = topology.isBody(vertex) ? vertex : neighbour;
    const int joint = (topology.isBody(vertex) ? neighbour : vertex) - topology.bodies;
    const Joint& j = model.joints[static_cast<std::size_t>(joint)];
    plan.blocks.push_back(
        {j.first_row, j.row_count, j.body_1 == body ? 0 : 1, positionInFront(s, topology, model, vertex, neighbour)});
  }
  node.block_count = static_cast<int>(plan.blocks.size()) - node.first_block;
}

}  // namespace

double factorFlops(const PlanNode& node) noexcept {
  const double d = node.size, b = node.boundary_size;
  return d * d * d / 3 + 2 * d * d * b + d * b * (b + 1);
}

double solveFlops(const PlanNode& node) noexcept {
  const double d = node.size, b = node.boundary_size;
  return 2 * d * d + 4 * d * b;
}

Plan layOutPlan(const Model& model, HubRule rule) {
  const Topology topology = topologyOf(model, rule);
  const Symbolic s = eliminateSymbolically(topology, eliminationOrder(topology, model));

  Plan plan;
  plan.bodies = model.bodyCount();
  plan.rows = model.rows;
  plan.hubs = static_cast<int>(std::count(topology.hub.begin(), topology.hub.end(), true));
  std::vector<std::vector<int>> children(s.order.size());
  std::vector<int> level(s.order.size(), 1);
  for (std::size_t k = 0; k < s.order.size(); ++k) {
    const int vertex = s.order[k];
    const auto& boundary = s.boundary[static_cast<std::size_t>(vertex)];
    PlanNode node{};
    node.kind = !topology.isBody(vertex)                         ? NodeKind::kJoint
                : topology.hub[static_cast<std::size_t>(vertex)] ? NodeKind::kHubBody
                                                                 : NodeKind::kLeafBody;
    node.element = topology.isBody(vertex) ? vertex : vertex - topology.bodies;
    node.size = sizeOf(topology, model, vertex);
    node.unknown = unknownOf(topology, model, vertex);
    node.parent = boundary.empty() ? -1 : s.position[static_cast<std::size_t>(boundary.front())];
    node.first_boundary = node.first_target = static_cast<int>(plan.boundary_unknowns.size());
    for (int other : boundary) {
      const int first = unknownOf(topology, model, other);
      const int target = positionInFront(s, topology, model, boundary.front(), other);
      for (int u = 0; u < sizeOf(topology, model, other); ++u) {
        plan.boundary_unknowns.push_back(first + u);
        plan.targets.push_back(target + u);
      }
    }
    node.boundary_size = static_cast<int>(plan.boundary_unknowns.size()) - node.first_boundary;
    addBlocks(topology, model, s, vertex, node, plan);
    node.front = plan.front_doubles;
    plan.front_doubles += node.frontDoubles();
    plan.largest_width = std::max(plan.largest_width, node.width());
    plan.largest_front = std::max(plan.largest_front, node.side());
    if (node.parent >= 0) {
      children[static_cast<std::size_t>(node.parent)].push_back(static_cast<int>(k));
      auto& parent_level = level[static_cast<std::size_t>(node.parent)];
      parent_level = std::max(parent_level, level[k] + 1);
    }
    plan.levels = std::max(plan.levels, level[k]);
    plan.factor_flops += factorFlops(node);
    plan.solve_flops += solveFlops(node);
    plan.nodes.push_back(node);
  }
  for (std::size_t k = 0; k < plan.nodes.size(); ++k) {
    plan.nodes[k].first_child = static_cast<int>(plan.children.size());
    plan.nodes[k].child_count = static_cast<int>(children[k].size());
    plan.children.insert(plan.children.end(), children[k].begin(), children[k].end());
  }
  return plan;
}

}  // namespace tactus::rt
