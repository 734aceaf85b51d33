#include "rt/plan/batches.h"

#include "rt/model/model.h"

#include <algorithm>
#include <map>

namespace tactus::rt {

namespace {

/// The batch and lane of a vertex.
struct Seat {
  int batch = -1, lane = -1;
  bool alone = true;
};

/// Everything that decides the operations of an elimination, as numbers; the lane that its children ask for, or -1.
struct Shape {
  std::vector<int> key;
  int lane = -1;
  bool must_be_alone = false;
};

Shape shapeOf(const Symbolic& s, const Topology& topology, const Model& model, const std::vector<Seat>& seats,
              int vertex) {
  const auto v = static_cast<std::size_t>(vertex);
  Shape shape;
  auto& key = shape.key;
  const bool body = topology.isBody(vertex);
  const bool compliant = !body && model.joints[static_cast<std::size_t>(topology.jointsOf(vertex).first)].compliant();
  const int kind = !body ? 0 : topology.isCarried(vertex) ? 3 : topology.hub[v] || topology.carries[v] ? 2 : 1;
  key = {kind, compliant ? 1 : 0, sizeOf(topology, model, vertex)};
  if (kind == 3) key.push_back(model.joints[static_cast<std::size_t>(topology.forest[v])].row_count);
  for (int other : s.boundary[v]) key.push_back(sizeOf(topology, model, other));
  for (const LaterNeighbor& n : laterNeighbors(s, topology, model, vertex)) {
    key.push_back(-1 - n.position);
    key.push_back(topology.isBody(n.vertex) ? 1 : 0);
    key.push_back(sizeOf(topology, model, n.vertex));
  }
  for (int child : s.children[v]) {
    const Seat& seat = seats[static_cast<std::size_t>(child)];
    if (topology.isCarried(child)) {  // from whatever lane: its update has few numbers
      key.push_back(-1);
      continue;
    }
    shape.must_be_alone = shape.must_be_alone || seat.alone || (shape.lane >= 0 && shape.lane != seat.lane);
    shape.lane = seat.lane;
    key.push_back(seat.batch);
    for (int other : s.boundary[static_cast<std::size_t>(child)])
      key.push_back(positionInFront(s, topology, model, vertex, other));
  }
  return shape;
}

/// Dissolves batches of leaf bodies whose joints all stand alone: each joint would have to unpack its lane again.
std::vector<VertexBatch> partLeaves(const std::vector<VertexBatch>& batches, const std::vector<Seat>& seats,
                                    const Symbolic& s, const Topology& topology) {
  std::vector<VertexBatch> parted;
  for (const VertexBatch& batch : batches) {
    const bool stays = std::any_of(batch.begin(), batch.end(), [&](int vertex) {
      if (vertex < 0) return false;
      const auto v = static_cast<std::size_t>(vertex);
      const bool leaf =
          topology.isBody(vertex) && !topology.hub[v] && !topology.carries[v] && !topology.isCarried(vertex);
      return !leaf || s.parent(vertex) < 0 || !seats[static_cast<std::size_t>(s.parent(vertex))].alone;
    });
    if (stays) {
      parted.push_back(batch);
      continue;
    }
    for (int vertex : batch)
      if (vertex >= 0) parted.push_back({vertex, -1, -1, -1});
  }
  return parted;
}

}  // namespace

std::vector<VertexBatch> findBatches(const Symbolic& s, const Topology& topology, const Model& model,
                                     const std::vector<int>& part) {
  std::vector<std::vector<int>> levels;
  for (int vertex : s.order) {
    const auto level = static_cast<std::size_t>(s.level[static_cast<std::size_t>(vertex)]);
    levels.resize(std::max(levels.size(), level));
    levels[level - 1].push_back(vertex);
  }
  std::vector<VertexBatch> batches;
  std::vector<Seat> seats(s.order.size());
  const VertexBatch none{-1, -1, -1, -1};
  for (const std::vector<int>& level : levels) {
    const std::size_t first = batches.size();
    std::map<std::vector<int>, std::vector<std::size_t>> open;  // batches of each shape
    for (int vertex : level) {
      Shape shape = shapeOf(s, topology, model, seats, vertex);
      if (!part.empty()) shape.key.push_back(part[static_cast<std::size_t>(vertex)]);
      const auto takes = [&shape](const VertexBatch& b, int lane) {
        return b[static_cast<std::size_t>(lane)] < 0 && (shape.lane < 0 || shape.lane == lane);
      };
      Seat seat;
      if (!shape.must_be_alone)
        for (std::size_t candidate : open[shape.key])
          for (int lane = 0; lane < kBatchLanes && seat.batch < 0; ++lane)
            if (takes(batches[candidate], lane)) seat = {static_cast<int>(candidate), lane, false};
      if (seat.batch < 0) {
        seat = {static_cast<int>(batches.size()), std::max(shape.lane, 0), false};
        batches.push_back(none);
        if (!shape.must_be_alone) open[shape.key].push_back(batches.size() - 1);
      }
      batches[static_cast<std::size_t>(seat.batch)][static_cast<std::size_t>(seat.lane)] = vertex;
      seats[static_cast<std::size_t>(vertex)] = seat;
    }
    // A vertex without company stands alone, in lane 0.
    for (std::size_t b = first; b < batches.size(); ++b) {
      VertexBatch& batch = batches[b];
      const int vertex = *std::max_element(batch.begin(), batch.end());
      if (std::count(batch.begin(), batch.end(), -1) < kBatchLanes - 1) {
        for (int other : batch)
          if (other >= 0) seats[static_cast<std::size_t>(other)].alone = false;
        continue;
      }
      batch = none;
      batch[0] = vertex;
      seats[static_cast<std::size_t>(vertex)] = {static_cast<int>(b), 0, true};
    }
  }
  return partLeaves(batches, seats, s, topology);
}

}  // namespace tactus::rt
