#include "rt/plan/batches.h"

#include "rt/model/model.h"

#include <algorithm>
#include <map>
#include <utility>

namespace tactus::rt {

namespace {

constexpr VertexBatch kNobody{-1, -1, -1, -1};

std::size_t at(int i) noexcept {
  return static_cast<std::size_t>(i);
}

/// Everything that decides the operations of an elimination, as numbers.
/// @param classes  of the vertices before
std::vector<int> shapeOf(const Symbolic& s, const Topology& topology, const Model& model,
                         const std::vector<int>& classes, int vertex) {
  const std::size_t v = at(vertex);
  const bool body = topology.isBody(vertex);
  const bool compliant = !body && model.joints[at(topology.jointsOf(vertex).first)].compliant();
  const int kind = !body ? 0 : topology.isCarried(vertex) ? 3 : topology.hub[v] || topology.carries[v] ? 2 : 1;
  std::vector<int> key = {s.level[v], kind, compliant ? 1 : 0, sizeOf(topology, model, vertex)};
  if (kind == 3) key.push_back(model.joints[at(topology.forest[v])].row_count);
  for (int other : s.boundary[v]) key.push_back(sizeOf(topology, model, other));
  for (const LaterNeighbor& n : laterNeighbors(s, topology, model, vertex)) {
    key.push_back(-1 - n.position);
    key.push_back(topology.isBody(n.vertex) ? 1 : 0);
    key.push_back(sizeOf(topology, model, n.vertex));
  }
  for (int child : s.children[v]) {
    key.push_back(-1);
    if (topology.isCarried(child)) continue;  // from whatever lane: its update has few numbers
    key.push_back(classes[at(child)]);
    for (int other : s.boundary[at(child)]) key.push_back(positionInFront(s, topology, model, vertex, other));
  }
  return key;
}

/// The class of each vertex. Vertices of one class have equal shapes, and children of equal classes in equal places.
std::vector<int> classesOf(const Symbolic& s, const Topology& topology, const Model& model,
                           const std::vector<int>& part) {
  std::map<std::vector<int>, int> known;
  std::vector<int> classes(s.order.size());
  for (int vertex : s.order) {
    std::vector<int> key = shapeOf(s, topology, model, classes, vertex);
    if (!part.empty()) key.push_back(part[at(vertex)]);
    classes[at(vertex)] = known.emplace(std::move(key), static_cast<int>(known.size())).first->second;
  }
  return classes;
}

/// The lane that each vertex wants: by the place of its foot among those of the same class. The foot is the vertex
/// without children below it, by way of the highest ones. So vertices of several classes above equal feet, such as
/// those of front and rear wheels, leave the feet free to share batches.
std::vector<int> lanesByFeet(const Symbolic& s, const Topology& topology, const std::vector<int>& classes) {
  std::vector<int> lanes(s.order.size()), feet(s.order.size(), 0);
  for (int vertex : s.order) {
    int highest = -1;
    for (int child : s.children[at(vertex)])
      if (!topology.isCarried(child) && (highest < 0 || s.level[at(child)] > s.level[at(highest)])) highest = child;
    lanes[at(vertex)] = highest >= 0 ? lanes[at(highest)] : feet[at(classes[at(vertex)])]++ % kBatchLanes;
  }
  return lanes;
}

/// The batch and lane of a vertex.
struct Seat {
  int batch = -1, lane = -1;
  bool alone = true;
};

/// Batches of one class on one level.
struct Begun {
  std::vector<int> batches;
  std::array<std::size_t, kBatchLanes> first_open{};  ///< of each lane: it is filled in all batches before this place
};

/// Gives vertices their seats, from the top of the tree, so that a vertex can take the lane of its parent.
class Seating {
 public:
  Seating(const Symbolic& s, const Topology& topology, const std::vector<int>& classes)
      : s_(s),
        topology_(topology),
        classes_(classes),
        wanted_(lanesByFeet(s, topology, classes)),
        seats_(classes.size()) {}

  bool isAlone(int vertex) const noexcept { return seats_[at(vertex)].alone; }

  /// Call from the highest level to the lowest.
  /// @returns the batches of the level
  std::vector<VertexBatch> seat(const std::vector<int>& level) {
    const std::size_t first = batches_.size();
    begun_.clear();
    std::map<int, int> count;
    for (int vertex : level) ++count[classes_[at(vertex)]];
    // Children of a batch sit below their parents: those in one place among the children in one batch.
    for (int vertex : level) {
      if (!mustFollow(vertex) || seats_[at(vertex)].batch >= 0) continue;
      const VertexBatch parents = batches_[at(seats_[at(s_.parent(vertex))].batch)];
      const std::size_t place = placeAmongSiblings(vertex);
      const int batch = batchFor(classes_[at(vertex)], parents);
      for (int lane = 0; lane < kBatchLanes; ++lane)
        if (parents[at(lane)] >= 0) sit(s_.children[at(parents[at(lane)])][place], batch, lane);
    }
    // The others take the lane that they want, if there is one in as many batches as are needed.
    for (int vertex : level) {
      if (mustFollow(vertex)) continue;
      const int of_class = classes_[at(vertex)];
      int lane = wantedLane(vertex), batch = openBatch(of_class, lane);
      if (batch < 0 && kBatchLanes * static_cast<int>(begun_[of_class].batches.size()) < count[of_class])
        batch = begin(of_class);
      while (batch < 0) {
        lane = (lane + 1) % kBatchLanes;
        batch = openBatch(of_class, lane);
      }
      sit(vertex, batch, lane);
    }
    // A vertex without company stands alone, in lane 0.
    for (std::size_t b = first; b < batches_.size(); ++b) {
      VertexBatch& batch = batches_[b];
      if (std::count(batch.begin(), batch.end(), -1) < kBatchLanes - 1) continue;
      const int vertex = *std::max_element(batch.begin(), batch.end());
      batch = kNobody;
      batch[0] = vertex;
      seats_[at(vertex)] = {};
    }
    return {batches_.begin() + static_cast<std::ptrdiff_t>(first), batches_.end()};
  }

 private:
  /// A body on freedoms shares batches whatever its parent does.
  bool mustFollow(int vertex) const {
    return !topology_.isCarried(vertex) && s_.parent(vertex) >= 0 && !isAlone(s_.parent(vertex));
  }
  int wantedLane(int vertex) const {
    const int parent = s_.parent(vertex);
    return parent >= 0 && !isAlone(parent) ? seats_[at(parent)].lane : wanted_[at(vertex)];
  }
  std::size_t placeAmongSiblings(int vertex) const {
    const std::vector<int>& siblings = s_.children[at(s_.parent(vertex))];
    return static_cast<std::size_t>(std::find(siblings.begin(), siblings.end(), vertex) - siblings.begin());
  }

  int begin(int of_class) {
    batches_.push_back(kNobody);
    begun_[of_class].batches.push_back(static_cast<int>(batches_.size()) - 1);
    return static_cast<int>(batches_.size()) - 1;
  }
  /// The place of the first batch of a class with this lane empty.
  std::size_t firstOpen(Begun& begun, std::size_t lane) const {
    std::size_t& place = begun.first_open[lane];
    while (place < begun.batches.size() && batches_[at(begun.batches[place])][lane] >= 0) ++place;
    return place;
  }
  /// A batch of this level and class with this lane empty, or -1.
  int openBatch(int of_class, int lane) {
    Begun& begun = begun_[of_class];
    const std::size_t place = firstOpen(begun, at(lane));
    return place < begun.batches.size() ? begun.batches[place] : -1;
  }
  /// A batch with all lanes empty that are filled in another one.
  int batchFor(int of_class, const VertexBatch& filled) {
    Begun& begun = begun_[of_class];
    std::size_t place = 0;
    for (std::size_t lane = 0; lane < kBatchLanes; ++lane)
      if (filled[lane] >= 0) place = std::max(place, firstOpen(begun, lane));
    for (; place < begun.batches.size(); ++place) {
      bool fits = true;
      for (std::size_t lane = 0; lane < kBatchLanes; ++lane)
        fits = fits && (filled[lane] < 0 || batches_[at(begun.batches[place])][lane] < 0);
      if (fits) return begun.batches[place];
    }
    return begin(of_class);
  }
  void sit(int vertex, int batch, int lane) {
    batches_[at(batch)][at(lane)] = vertex;
    seats_[at(vertex)] = {batch, lane, false};
  }

  const Symbolic& s_;
  const Topology& topology_;
  const std::vector<int>& classes_;
  const std::vector<int> wanted_;
  std::vector<Seat> seats_;           ///< of each vertex
  std::vector<VertexBatch> batches_;  ///< of this level and those above
  std::map<int, Begun> begun_;        ///< those of this level, by class
};

/// Dissolves batches of leaf bodies whose joints all stand alone: each joint would have to unpack its lane again.
std::vector<VertexBatch> partLeaves(const std::vector<VertexBatch>& batches, const Seating& seating, const Symbolic& s,
                                    const Topology& topology) {
  std::vector<VertexBatch> parted;
  for (const VertexBatch& batch : batches) {
    const bool stays = std::any_of(batch.begin(), batch.end(), [&](int vertex) {
      if (vertex < 0) return false;
      const std::size_t v = at(vertex);
      const bool leaf =
          topology.isBody(vertex) && !topology.hub[v] && !topology.carries[v] && !topology.isCarried(vertex);
      return !leaf || s.parent(vertex) < 0 || !seating.isAlone(s.parent(vertex));
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
  const std::vector<int> classes = classesOf(s, topology, model, part);
  std::vector<std::vector<int>> levels;
  for (int vertex : s.order) {
    const std::size_t level = at(s.level[at(vertex)]);
    levels.resize(std::max(levels.size(), level));
    levels[level - 1].push_back(vertex);
  }
  Seating seating(s, topology, classes);
  std::vector<std::vector<VertexBatch>> of_level(levels.size());
  for (std::size_t level = levels.size(); level-- > 0;) of_level[level] = seating.seat(levels[level]);
  std::vector<VertexBatch> batches;
  for (const std::vector<VertexBatch>& of : of_level) batches.insert(batches.end(), of.begin(), of.end());
  return partLeaves(batches, seating, s, topology);
}

}  // namespace tactus::rt
