#include "rt/plan/middle.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace tactus::rt {

namespace {

constexpr int kMostRoots = 8;  ///< that are tried as the outermost body

using Levels = std::vector<std::vector<int>>;

/// Bodies by their distance in joints from a root.
Levels levelsOf(const Topology& topology, int root) {
  std::vector<bool> reached(topology.neighbors.size(), false);
  reached[static_cast<std::size_t>(root)] = true;
  Levels levels = {{root}};
  for (;;) {
    std::vector<int> next;
    const auto reach = [&](int vertex) {
      if (reached[static_cast<std::size_t>(vertex)]) return false;
      reached[static_cast<std::size_t>(vertex)] = true;
      if (topology.isBody(vertex)) next.push_back(vertex);
      return true;
    };
    for (int body : levels.back())
      for (int joint : topology.neighbors[static_cast<std::size_t>(body)])
        if (reach(joint) && !topology.isBody(joint))
          for (int other : topology.neighbors[static_cast<std::size_t>(joint)]) reach(other);
    if (next.empty()) return levels;
    std::sort(next.begin(), next.end());
    levels.push_back(std::move(next));
  }
}

/// The levels of an outermost body: those of the last level of the levels before, until there are no more of them.
Levels outermostLevels(const Topology& topology) {
  Levels levels = levelsOf(topology, 0);
  for (int roots = 1; roots < kMostRoots; ++roots) {
    const auto degree = [&](int body) { return topology.neighbors[static_cast<std::size_t>(body)].size(); };
    const int root = *std::min_element(levels.back().begin(), levels.back().end(),
                                       [&](int a, int b) { return degree(a) < degree(b); });
    Levels of_root = levelsOf(topology, root);
    if (of_root.size() <= levels.size()) break;
    levels = std::move(of_root);
  }
  return levels;
}

}  // namespace

std::vector<int> findMiddle(const Topology& topology) {
  if (topology.bodies == 0) return {};
  const Levels levels = outermostLevels(topology);
  // A body costs about as much as it has joints.
  std::vector<double> weight;
  std::size_t bodies = 0;
  for (const std::vector<int>& level : levels) {
    bodies += level.size();
    weight.push_back(0);
    for (int body : level)
      weight.back() += 1 + static_cast<double>(topology.neighbors[static_cast<std::size_t>(body)].size());
  }
  if (bodies < static_cast<std::size_t>(topology.bodies)) return {};
  const double all = std::accumulate(weight.begin(), weight.end(), 0.0);
  std::size_t middle = 0;
  for (double before = weight[0]; middle + 1 < levels.size() && before < 0.5 * all; before += weight[middle]) ++middle;
  return levels[middle];
}

std::vector<int> distancesTo(const std::vector<int>& bodies, const Topology& topology) {
  std::vector<int> queue = bodies, distance(topology.neighbors.size(), -1);
  for (int body : bodies) distance[static_cast<std::size_t>(body)] = 0;
  for (std::size_t next = 0; next < queue.size(); ++next)
    for (int other : topology.neighbors[static_cast<std::size_t>(queue[next])]) {
      int& steps = distance[static_cast<std::size_t>(other)];
      if (steps >= 0) continue;
      steps = distance[static_cast<std::size_t>(queue[next])] + 1;
      queue.push_back(other);
    }
  return distance;
}

}  // namespace tactus::rt
