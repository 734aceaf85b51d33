#include "rt/plan/cuts.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace tactus::rt {

namespace {

constexpr int kMostRoots = 8;           ///< that are tried as the outermost body
constexpr int kLongestPeriod = 8;       ///< levels after which a line may repeat itself
constexpr std::size_t kWidestLine = 4;  ///< bodies of a level, on average
constexpr int kShortestSegment = 4;     ///< levels; with shorter ones, more than a quarter of them would be cuts
constexpr int kSegments[] = {2, 4, 8, 12, 16};  ///< that the levels are cut into; a ring has two of each

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

/// What each level costs: a body costs about as much as it has joints.
std::vector<int> weightsOf(const Levels& levels, const Topology& topology) {
  std::vector<int> weights;
  for (const std::vector<int>& level : levels) {
    weights.push_back(static_cast<int>(level.size()));
    for (int body : level)
      weights.back() += static_cast<int>(topology.neighbors[static_cast<std::size_t>(body)].size());
  }
  return weights;
}

std::size_t middleOf(const std::vector<int>& weights) {
  const int all = std::accumulate(weights.begin(), weights.end(), 0);
  std::size_t middle = 0;
  for (int before = weights[0]; middle + 1 < weights.size() && 2 * before < all; before += weights[middle]) ++middle;
  return middle;
}

/// After how many levels the weights repeat, but for the ends; 1 if they do not.
int periodOf(const std::vector<int>& weights) {
  const auto count = static_cast<std::ptrdiff_t>(weights.size());
  for (int period = 1; period <= kLongestPeriod && period < count - 2; ++period)
    if (std::equal(weights.begin() + 1 + period, weights.end() - 1, weights.begin() + 1)) return period;
  return 1;
}

}  // namespace

std::vector<std::vector<int>> findCuts(const Topology& topology) {
  if (topology.bodies == 0) return {};
  const Levels levels = outermostLevels(topology);
  std::size_t bodies = 0;
  for (const std::vector<int>& level : levels) bodies += level.size();
  if (bodies < static_cast<std::size_t>(topology.bodies)) return {};
  const std::vector<int> weights = weightsOf(levels, topology);
  std::vector<std::vector<int>> cuts = {levels[middleOf(weights)]};
  if (bodies > kWidestLine * levels.size()) return cuts;

  const int last = static_cast<int>(levels.size()) - 1, period = periodOf(weights);
  for (const int segments : kSegments) {
    const int length = last / (segments * period) * period;
    if (length < kShortestSegment) break;
    std::vector<int> cut;
    for (int at = last % length / 2; at <= last; at += length) {
      const std::vector<int>& level = levels[static_cast<std::size_t>(at)];
      cut.insert(cut.end(), level.begin(), level.end());
    }
    std::sort(cut.begin(), cut.end());
    cuts.push_back(std::move(cut));
  }
  return cuts;
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
