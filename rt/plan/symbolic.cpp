#include "rt/plan/symbolic.h"

#include "rt/model/model.h"

#include <algorithm>

namespace tactus::rt {

int Symbolic::parent(int vertex) const noexcept {
  const auto& of = boundary[static_cast<std::size_t>(vertex)];
  return of.empty() ? -1 : of.front();
}

Symbolic eliminateSymbolically(const Topology& topology, std::vector<int> order) {
  Symbolic s;
  s.order = std::move(order);
  s.position.resize(s.order.size());
  for (std::size_t k = 0; k < s.order.size(); ++k)
    s.position[static_cast<std::size_t>(s.order[k])] = static_cast<int>(k);
  s.boundary.resize(s.order.size());
  s.level.assign(s.order.size(), 1);
  s.children.resize(s.order.size());
  const auto later = [&s](int a, int b) {
    return s.position[static_cast<std::size_t>(a)] < s.position[static_cast<std::size_t>(b)];
  };
  std::vector<std::vector<int>> passed(s.order.size());
  for (int vertex : s.order) {
    const auto v = static_cast<std::size_t>(vertex);
    std::vector<int> boundary = std::move(passed[v]);
    for (int neighbor : topology.neighbors[v])
      if (later(vertex, neighbor)) boundary.push_back(neighbor);
    std::sort(boundary.begin(), boundary.end(), later);
    boundary.erase(std::unique(boundary.begin(), boundary.end()), boundary.end());
    if (!boundary.empty()) {
      const auto parent = static_cast<std::size_t>(boundary.front());
      passed[parent].insert(passed[parent].end(), boundary.begin() + 1, boundary.end());
      s.level[parent] = std::max(s.level[parent], s.level[v] + 1);
      s.children[parent].push_back(vertex);
    }
    s.boundary[v] = std::move(boundary);
  }
  return s;
}

int unknownOf(const Topology& topology, const Model& model, int vertex) {
  if (topology.isBody(vertex)) return 6 * vertex;
  return 6 * topology.bodies + model.joints[static_cast<std::size_t>(topology.jointsOf(vertex).first)].first_row;
}

int sizeOf(const Topology& topology, const Model& model, int vertex) {
  if (topology.isBody(vertex)) return 6;
  const JointGroup& joints = topology.jointsOf(vertex);
  return joints.count * model.joints[static_cast<std::size_t>(joints.first)].row_count;
}

int positionInFront(const Symbolic& s, const Topology& topology, const Model& model, int owner, int vertex) {
  if (owner == vertex) return 0;
  int position = sizeOf(topology, model, owner);
  for (int other : s.boundary[static_cast<std::size_t>(owner)]) {
    if (other == vertex) return position;
    position += sizeOf(topology, model, other);
  }
  return -1;
}

std::vector<LaterNeighbor> laterNeighbors(const Symbolic& s, const Topology& topology, const Model& model, int vertex) {
  std::vector<LaterNeighbor> found;
  for (int neighbor : topology.neighbors[static_cast<std::size_t>(vertex)])
    if (s.position[static_cast<std::size_t>(neighbor)] > s.position[static_cast<std::size_t>(vertex)])
      found.push_back({neighbor, positionInFront(s, topology, model, vertex, neighbor)});
  std::sort(found.begin(), found.end(),
            [](const LaterNeighbor& a, const LaterNeighbor& b) { return a.position < b.position; });
  return found;
}

}  // namespace tactus::rt
