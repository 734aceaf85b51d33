#include "rt/plan/plan.h"

#include "rt/model/model.h"
#include "rt/plan/outline.h"
#include "rt/plan/runs.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tactus::rt {

namespace {

/// Row of the Jacobian and side where a joint meets one of its bodies.
std::pair<int, int> placeOf(const Model& model, const Joint& joint, int body) {
  if (joint.body_1 == body) return {joint.first_row, 0};
  if (joint.body_2 == body) return {joint.first_row, 1};
  for (int i = joint.first_pair;; ++i) {
    const BodyPair& pair = model.extra_body_pairs[static_cast<std::size_t>(i)];
    if (pair.body_1 == body) return {model.rows + i, 0};
    if (pair.body_2 == body) return {model.rows + i, 1};
  }
}

/// The Jacobian blocks that a node assembles: those between it and a body or joint that is eliminated later.
void addBlocks(const Topology& topology, const Model& model, const Symbolic& s, int vertex, PlanNode& node,
               Plan& plan) {
  node.first_block = static_cast<int>(plan.blocks.size());
  for (const LaterNeighbor& n : laterNeighbors(s, topology, model, vertex)) {
    if (topology.isBody(vertex) && topology.isBody(n.vertex)) {  // the body that carries it
      node.parent_at = n.position - node.size;
      continue;
    }
    const int body = topology.isBody(vertex) ? vertex : n.vertex;
    const int joints = topology.isBody(vertex) ? n.vertex : vertex;
    const Joint& joint = model.joints[static_cast<std::size_t>(topology.jointsOf(joints).first)];
    const auto [first_row, side] = placeOf(model, joint, body);
    // Rows of a pair lie behind those of all pairs of the joint before.
    const int step = first_row < model.rows ? 1 : joint.pair_count;
    plan.blocks.push_back({first_row, sizeOf(topology, model, joints), step, side, n.position});
  }
  node.block_count = static_cast<int>(plan.blocks.size()) - node.first_block;
}

/// The boundary unknowns of a node, and where they lie in its parent's front.
void addBoundary(const Topology& topology, const Model& model, const Symbolic& s, int vertex, PlanNode& node,
                 Plan& plan) {
  const auto& boundary = s.boundary[static_cast<std::size_t>(vertex)];
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
}

/// Offsets of a leaf body's side of its boundary rows, all of which are rows of its joints; padded with the row of
/// zeros.
void addRowOffsets(const Model& model, PlanNode& node, Plan& plan) {
  constexpr int kNumbers = 2 * 6;  // of a row
  node.first_row_offset = static_cast<int>(plan.row_offsets.size());
  plan.row_offsets.resize(plan.row_offsets.size() + static_cast<std::size_t>((node.boundary_size + 3) / 4 * 4),
                          kNumbers * static_cast<int>(model.jacobianRows()));
  int* offsets = plan.row_offsets.data() + node.first_row_offset;
  for (int i = node.first_block; i < node.first_block + node.block_count; ++i) {
    const PlanBlock& block = plan.blocks[static_cast<std::size_t>(i)];
    for (int k = 0; k < block.rows; ++k)
      offsets[block.position - node.size + k] = kNumbers * (block.first_row + k * block.step) + 6 * block.side;
  }
}

/// The node of one vertex, but for its front and children.
PlanNode nodeOf(const Topology& topology, const Model& model, const Symbolic& s, int vertex, Plan& plan) {
  const auto v = static_cast<std::size_t>(vertex);
  PlanNode node{};
  node.kind = !topology.isBody(vertex)                 ? NodeKind::kJoint
              : topology.isCarried(vertex)             ? NodeKind::kFreedomBody
              : topology.hub[v] || topology.carries[v] ? NodeKind::kHubBody
                                                       : NodeKind::kLeafBody;
  node.carrier = topology.isCarried(vertex) ? topology.forest[v] : -1;
  node.parent_at = -1;
  if (node.carrier >= 0) {
    const Joint& joint = model.joints[static_cast<std::size_t>(node.carrier)];
    node.rows = joint.row_count;
    node.row_unknown = 6 * topology.bodies + joint.first_row;
    node.body_side = joint.body_1 == vertex ? 0 : 1;
  }
  node.element = topology.isBody(vertex) ? vertex : topology.jointsOf(vertex).first;
  node.joint_count = topology.isBody(vertex) ? 0 : topology.jointsOf(vertex).count;
  node.size = sizeOf(topology, model, vertex);
  node.unknown = unknownOf(topology, model, vertex);
  node.parent = s.parent(vertex) < 0 ? -1 : s.position[static_cast<std::size_t>(s.parent(vertex))];
  addBoundary(topology, model, s, vertex, node, plan);
  addBlocks(topology, model, s, vertex, node, plan);
  if (node.kind == NodeKind::kLeafBody) addRowOffsets(model, node, plan);
  return node;
}

/// Offsets of the rows of bodies on freedoms, and of their numbers behind the fronts.
void layOutFreedoms(PlanBatch& batch, int first, Plan& plan) {
  const PlanNode& of_all = plan.nodes[static_cast<std::size_t>(first)];
  const int stride = of_all.stride, rows = of_all.rows;
  batch.first_row = plan.in_place ? of_all.row_unknown : plan.permuted_size;
  plan.permuted_size += stride * rows;
  const std::size_t numbers = plan.front_doubles;
  plan.front_doubles += static_cast<std::size_t>(stride) * freedomNumbers(of_all);
  plan.front_doubles = (plan.front_doubles + kBatchLanes - 1) / kBatchLanes * kBatchLanes;
  for (int lane = 0; lane < kBatchLanes; ++lane) {
    if (!batch.has(lane)) {
      for (int k = 0; k < rows && lane < stride; ++k) plan.unused.push_back(batch.first_row + stride * k + lane);
      continue;
    }
    PlanNode& node = plan.nodes[static_cast<std::size_t>(batch.lanes[static_cast<std::size_t>(lane)])];
    node.freedoms = numbers + static_cast<std::size_t>(lane);
    for (int k = 0; k < rows; ++k)
      plan.offsets[static_cast<std::size_t>(node.row_unknown + k)] = batch.first_row + stride * k + lane;
  }
}

/// Lays out the nodes of a batch, which follow each other from `next` on: offsets of their unknowns and fronts.
PlanBatch layOutBatch(const VertexBatch& vertices, int next, Plan& plan) {
  PlanBatch batch{};
  batch.offset = plan.permuted_size;
  const int stride = std::count(vertices.begin(), vertices.end(), -1) == kBatchLanes - 1 ? 1 : kBatchLanes;
  const int first = next;
  for (int lane = 0; lane < kBatchLanes; ++lane) {
    const bool filled = vertices[static_cast<std::size_t>(lane)] >= 0;
    batch.lanes[static_cast<std::size_t>(lane)] = filled ? next : first;
    if (!filled) continue;
    batch.filled |= 1 << lane;
    PlanNode& node = plan.nodes[static_cast<std::size_t>(next++)];
    node.stride = stride;
    const auto wholeVectors = [stride](int numbers) { return stride > 1 ? numbers : (numbers + 3) / 4 * 4; };
    node.width = wholeVectors(node.boundary_size);
    node.front = plan.front_doubles + static_cast<std::size_t>(lane);
    node.coupling = node.front + static_cast<std::size_t>(stride * wholeVectors(node.size * node.size));
    node.update = node.coupling + static_cast<std::size_t>(stride * node.size * node.width);
    node.back = node.front + node.frontDoubles();
    if (plan.in_place) batch.offset = node.unknown;
    for (int k = 0; k < node.size; ++k)
      plan.offsets[static_cast<std::size_t>(node.unknown + k)] = batch.offset + stride * k + lane;
  }
  const PlanNode& node = plan.nodes[static_cast<std::size_t>(first)];
  const std::size_t numbers = node.frontDoubles() + static_cast<std::size_t>(node.width * node.backWidth());
  plan.front_doubles += (numbers + kBatchLanes - 1) / kBatchLanes * kBatchLanes;
  plan.permuted_size += stride * node.size;
  if (node.carrier >= 0) layOutFreedoms(batch, first, plan);
  for (int lane = 0; lane < stride; ++lane)
    for (int k = 0; k < node.size && !batch.has(lane); ++k) plan.unused.push_back(batch.offset + stride * k + lane);
  return batch;
}

/// Where a batch finds its boundary unknowns. Called once all unknowns have their offsets.
void addBoundaryOffsets(PlanBatch& batch, Plan& plan) {
  const auto nodeIn = [&plan](int node) -> const PlanNode& { return plan.nodes[static_cast<std::size_t>(node)]; };
  batch.first_boundary = static_cast<int>(plan.boundary_offsets.size());
  const auto isUnused = [&plan](int offset) {
    return std::find(plan.unused.begin(), plan.unused.end(), offset) != plan.unused.end();
  };
  for (int r = 0; r < nodeIn(batch.lanes[0]).boundary_size; ++r) {
    BoundaryOffsets to{};
    bool shared = batch.filled == (1 << kBatchLanes) - 1, beside = true;
    int base = -1;
    for (int lane = 0; lane < kBatchLanes; ++lane) {
      const PlanNode& node = nodeIn(batch.lanes[static_cast<std::size_t>(lane)]);
      const int offset = plan.boundary_places[static_cast<std::size_t>(node.first_boundary + r)];
      to.offset[static_cast<std::size_t>(lane)] = offset;
      shared = shared && offset == to.offset[0];
      if (!batch.has(lane)) continue;
      if (base < 0) base = offset - lane;
      beside = beside && offset == base + lane;
    }
    for (int lane = 0; lane < kBatchLanes && beside; ++lane) beside = batch.has(lane) || isUnused(base + lane);
    const bool halves =
        batch.filled == (1 << kBatchLanes) - 1 && to.offset[0] == to.offset[1] && to.offset[2] == to.offset[3];
    to.kind = shared   ? BoundaryOffsets::Kind::kShared
              : beside ? BoundaryOffsets::Kind::kBeside
              : halves ? BoundaryOffsets::Kind::kHalves
                       : BoundaryOffsets::Kind::kApart;
    if (to.kind == BoundaryOffsets::Kind::kBeside) to.offset[0] = base;
    plan.boundary_offsets.push_back(to);
  }
}

/// The same for a node that stands alone: four unknowns an entry.
void addBoundaryOffsetsAlone(PlanBatch& batch, Plan& plan) {
  const PlanNode& node = plan.nodes[static_cast<std::size_t>(batch.lanes[0])];
  batch.first_boundary = static_cast<int>(plan.boundary_offsets.size());
  for (int r = 0; r < node.width; r += kBatchLanes) {
    BoundaryOffsets to{BoundaryOffsets::Kind::kApart, {}, {}};
    to.count = static_cast<std::uint8_t>(std::min(kBatchLanes, node.boundary_size - r));
    for (int k = 0; k < kBatchLanes; ++k) {
      const auto place = static_cast<std::size_t>(node.first_boundary + r + k);
      to.offset[static_cast<std::size_t>(k)] =
          r + k < node.boundary_size ? plan.boundary_places[place]
                                     : plan.unused[plan.unused.size() - 2 + static_cast<std::size_t>(k % 2)];
    }
    const auto& at = to.offset;
    const bool pairs = at[1] == at[0] + 1 && at[3] == at[2] + 1;
    if (pairs && to.count != 3) to.kind = BoundaryOffsets::Kind::kPairs;
    if (pairs && at[2] == at[1] + 1) to.kind = BoundaryOffsets::Kind::kBeside;
    plan.boundary_offsets.push_back(to);
  }
  if (node.parent_at < 0) return;
  const auto offsetOf = [&](int k) {
    return plan.boundary_places[static_cast<std::size_t>(node.first_boundary + node.parent_at + k)];
  };
  batch.parent_offset = offsetOf(0);
  batch.parent_step = offsetOf(1) - offsetOf(0);
}

/// Where a number of a child's update belongs: row and column in the front of its parent, the column not before the
/// row.
std::size_t placeIn(const PlanNode& node, int row, int column) {
  const int place = row < node.size && column < node.size ? row * node.size + column
                    : row < node.size                     ? row * node.width + column - node.size
                                                          : (row - node.size) * node.width + column - node.size;
  const std::size_t part = row >= node.size ? node.update : column < node.size ? node.front : node.coupling;
  return part + static_cast<std::size_t>(node.stride * place);
}

/// Columns of row `row` of a child's update, from `column` on, whose numbers follow each other in the front of the
/// parent as well. Both stand alone.
int columnsInRow(const PlanNode& to, const PlanNode& child, const int* target, int row, int column) {
  const auto place = [&](int c) {
    const auto [low, high] = std::minmax(target[row], target[c]);
    return placeIn(to, low, high);
  };
  int count = 1;
  while (column + count < child.boundary_size &&
         place(column + count) == place(column) + static_cast<std::size_t>(count))
    ++count;
  return count;
}

/// How many numbers left of the diagonal make whole vectors of the `count` numbers from the diagonal of row `row` on,
/// in the child and in the front of the parent; 0 if there are not so many. They have no meaning in either.
int columnsBefore(const PlanNode& to, const int* target, int row, int count) {
  const int missing = (kBatchLanes - count % kBatchLanes) % kBatchLanes;
  const int place = target[row], first = place < to.size ? 0 : to.size;
  if (missing > row || place - missing < first) return 0;
  for (int k = 1; k <= missing; ++k)
    if (target[row - k] != place - k) return 0;
  return missing;
}

/// How the updates of a batch's children are added to its fronts. Of children beside each other, in the same lanes as
/// their parents, the numbers of all lanes follow each other; node and child in any lane stand for all.
void addAdditions(PlanBatch& batch, Plan& plan) {
  const PlanNode& node = plan.nodes[static_cast<std::size_t>(batch.lanes[0])];
  std::vector<FrontAddition> quads, singles;
  const auto firstLane = [&node](std::size_t place) { return static_cast<int>(place) / node.stride * node.stride; };
  const auto add = [&](const PlanNode& to, const PlanNode& child, bool in_lanes) {
    const int* target = plan.targets.data() + child.first_target;
    const auto addition = [&](int row, int column) -> FrontAddition {
      // The order of the two unknowns in the front of the parent may be the other one.
      const auto [low, high] = std::minmax(target[row], target[column]);
      const std::size_t from = child.update + static_cast<std::size_t>(child.stride * (row * child.width + column));
      const std::size_t place = placeIn(to, low, high);
      if (in_lanes) return {firstLane(from), firstLane(place)};
      return {static_cast<int>(from), static_cast<int>(place)};
    };
    const bool alone = child.stride == 1 && to.stride == 1 && to.carrier < 0,
               four_lanes = in_lanes && node.stride == kBatchLanes;
    for (int row = 0; row < child.boundary_size; ++row)
      for (int column = row; column < child.boundary_size;) {
        FrontAddition next = addition(row, column);
        int count = alone ? columnsInRow(to, child, target, row, column) : 1;
        column += count;
        if (const int before = alone && column - count == row ? columnsBefore(to, target, row, count) : 0; before > 0) {
          next = {next.from - before, next.to - before};
          count += before;
        }
        for (; count >= kBatchLanes; count -= kBatchLanes) {
          quads.push_back(next);
          next = {next.from + kBatchLanes, next.to + kBatchLanes};
        }
        for (; count > 0; --count) {
          (four_lanes ? quads : singles).push_back(next);
          next = {next.from + 1, next.to + 1};
        }
      }
  };
  for (int i = 0; i < node.child_count; ++i) {
    // A lone body adds its update itself, within its part.
    const PlanNode& own =
        plan.nodes[static_cast<std::size_t>(plan.children[static_cast<std::size_t>(node.first_child + i)])];
    if (node.isLone() && own.isLone() && own.part == node.part) continue;
    const auto childOf = [&](int lane) -> const PlanNode& {
      const PlanNode& parent = plan.nodes[static_cast<std::size_t>(batch.lanes[static_cast<std::size_t>(lane)])];
      return plan.nodes[static_cast<std::size_t>(plan.children[static_cast<std::size_t>(parent.first_child + i)])];
    };
    // Beside each other, in the lanes of their parents.
    bool beside = true;
    for (int lane = 0; lane < kBatchLanes && !batch.alone(); ++lane)
      if (batch.has(lane))
        beside = beside && childOf(lane).stride == kBatchLanes &&
                 childOf(lane).update == childOf(0).update / kBatchLanes * kBatchLanes + static_cast<std::size_t>(lane);
    // The first lane may be empty: its node is then that of another lane.
    for (int lane = 0; lane < (beside ? 1 : kBatchLanes); ++lane)
      if (beside || batch.has(lane))
        add(plan.nodes[static_cast<std::size_t>(batch.lanes[static_cast<std::size_t>(lane)])], childOf(lane), beside);
  }
  batch.first_addition = static_cast<int>(plan.additions.size());
  batch.quads = static_cast<int>(quads.size());
  batch.singles = static_cast<int>(singles.size());
  plan.additions.insert(plan.additions.end(), quads.begin(), quads.end());
  plan.additions.insert(plan.additions.end(), singles.begin(), singles.end());
}

}  // namespace

Plan layOutPlan(const Model& model, const Outline& outline) {
  const Topology& topology = outline.topology;
  const std::vector<VertexBatch>& batches = outline.batches;
  const Units& parts = outline.units;
  // The same tree, its nodes in the order of the batches.
  std::vector<int> order;
  for (const VertexBatch& batch : batches)
    std::copy_if(batch.begin(), batch.end(), std::back_inserter(order), [](int vertex) { return vertex >= 0; });
  const Symbolic s = eliminateSymbolically(topology, std::move(order));

  Plan plan;
  plan.bodies = model.bodyCount();
  plan.rows = model.rows;
  plan.hubs = static_cast<int>(std::count(topology.hub.begin(), topology.hub.end(), true));
  plan.levels = s.level.empty() ? 0 : *std::max_element(s.level.begin(), s.level.end());
  plan.offsets.resize(static_cast<std::size_t>(plan.unknowns()));
  for (int vertex : s.order) {
    PlanNode node = nodeOf(topology, model, s, vertex, plan);
    const auto& children = s.children[static_cast<std::size_t>(vertex)];
    node.first_child = static_cast<int>(plan.children.size());
    node.child_count = static_cast<int>(children.size());
    for (int child : children) plan.children.push_back(s.position[static_cast<std::size_t>(child)]);
    plan.largest_front = std::max(plan.largest_front, node.side());
    plan.factor_flops += factorFlops(node);
    plan.solve_flops += solveFlops(node);
    node.part = parts.count > 0 ? parts.of_vertex[static_cast<std::size_t>(vertex)] : 0;
    node.square_front = plan.square_doubles;
    plan.square_doubles += node.squareDoubles();
    plan.nodes.push_back(node);
  }
  int next = 0;
  plan.in_place = batches.size() == plan.nodes.size();
  for (const VertexBatch& vertices : batches) {
    plan.batches.push_back(layOutBatch(vertices, next, plan));
    next += kBatchLanes - static_cast<int>(std::count(vertices.begin(), vertices.end(), -1));
  }
  for (PlanBatch& batch : plan.batches) {
    const PlanNode& node = plan.nodes[static_cast<std::size_t>(batch.lanes[0])];
    if (node.carrier < 0) continue;
    batch.scratch = plan.permuted_size;
    plan.permuted_size += node.isLone() ? std::max(6 - node.rows, 2) : node.stride * (6 - node.rows);
  }
  addParts(parts, model, plan);
  for (int k = 0; k < 2; ++k) plan.unused.push_back(plan.permuted_size++);  // two: padding in pairs
  for (PlanBatch& batch : plan.batches)
    batch.alone() ? addBoundaryOffsetsAlone(batch, plan) : addBoundaryOffsets(batch, plan);
  for (PlanBatch& batch : plan.batches) addAdditions(batch, plan);
  addRuns(plan);
  return plan;
}

}  // namespace tactus::rt
