#include "rt/plan/tree_work.h"

#include "rt/model/model.h"

namespace tactus::rt {

namespace {

TreeWork workOf(int vertex, const Symbolic& s, const Topology& topology, const Model& model) {
  PlanNode node{};
  node.kind = topology.isCarried(vertex) ? NodeKind::kFreedomBody : NodeKind::kJoint;
  node.size = sizeOf(topology, model, vertex);
  node.parent_at = -1;
  for (int other : s.boundary[static_cast<std::size_t>(vertex)]) {
    node.boundary_size += sizeOf(topology, model, other);
    if (topology.isBody(other)) node.parent_at = 0;
  }
  if (topology.isCarried(vertex))
    node.rows = model.joints[static_cast<std::size_t>(topology.forest[static_cast<std::size_t>(vertex)])].row_count;
  const double own = node.size, boundary = node.boundary_size;
  return {factorFlops(node) + 5 * solveFlops(node),
          sizeof(double) * (own * own + own * boundary + boundary * boundary)};
}

}  // namespace

std::vector<double> operationsOf(const Symbolic& s, const Topology& topology, const Model& model) {
  std::vector<double> operations(s.order.size());
  for (int vertex : s.order)
    operations[static_cast<std::size_t>(vertex)] = workOf(vertex, s, topology, model).operations;
  return operations;
}

TreeWork workOf(const Model& model, HubRule rule, const Forest& forest) {
  const Topology topology = topologyOf(model, rule, forest);
  const Symbolic s = eliminateSymbolically(topology, eliminationOrder(topology, model));
  TreeWork sum;
  for (int vertex : s.order) {
    const TreeWork work = workOf(vertex, s, topology, model);
    sum.operations += work.operations;
    sum.front_bytes += work.front_bytes;
  }
  return sum;
}

}  // namespace tactus::rt
