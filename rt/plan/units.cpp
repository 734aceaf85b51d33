#include "rt/plan/units.h"

#include "rt/model/model.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <queue>
#include <utility>

namespace tactus::rt {

namespace {

constexpr std::size_t kMostRaised = 100;    ///< vertices at the top that are tried as trunk: set-up stays linear
constexpr double kSmallestUnit = 1.0 / 32;  ///< share of the work; smaller subtrees share a unit

std::size_t place(int i) noexcept {
  return static_cast<std::size_t>(i);
}

/// Whether a joint of the trunk meets a body below it.
bool meetsUnits(const std::vector<int>& subtree, const Topology& topology) {
  for (int vertex = topology.bodies; vertex < topology.vertices(); ++vertex)
    for (int body : topology.neighbors[place(vertex)])
      if (subtree[place(vertex)] < 0 && subtree[place(body)] >= 0) return true;
  return false;
}

/// The own unknowns of a batch, and the rows of its joints where these are no nodes.
void addMoves(const PlanBatch& batch, Plan& plan) {
  const auto add = [&](int PlanNode::*unknown, int count, int offset, bool of_body) {
    if (count == 0) return;
    PlanMove move{{-1, -1, -1, -1}, offset, count, !batch.alone(), of_body};
    for (std::size_t lane = 0; lane < kBatchLanes; ++lane)
      if (batch.has(static_cast<int>(lane)))
        move.unknowns[lane] = plan.nodes[static_cast<std::size_t>(batch.lanes[lane])].*unknown;
    plan.moves.push_back(move);
  };
  const PlanNode& node = plan.nodes[static_cast<std::size_t>(batch.lanes[0])];
  add(&PlanNode::unknown, node.size, batch.offset, node.kind != NodeKind::kJoint);
  add(&PlanNode::row_unknown, node.rows, batch.first_row, false);
}

}  // namespace

std::optional<Trunk> chooseTrunk(const Symbolic& s, const Topology& topology, const std::vector<double>& work,
                                 const DivisionRule& rule) {
  std::vector<double> weight = work;                     // of the subtree of each vertex
  std::priority_queue<std::pair<double, int>> subtrees;  // below the trunk: weight, and position of the root
  double total = 0;
  for (int vertex : s.order) {
    const double of_subtree = weight[place(vertex)];
    if (const int parent = s.parent(vertex); parent >= 0) {
      weight[place(parent)] += of_subtree;
    } else {
      subtrees.emplace(of_subtree, s.position[place(vertex)]);
      total += of_subtree;
    }
  }
  if (total < rule.least_work || subtrees.empty()) return std::nullopt;

  std::vector<int> raised;
  double trunk = 0;
  // What each thread has in its way: the trunk, and its share of the units or the heaviest of them.
  const auto inTheWay = [&] { return trunk + std::max(subtrees.top().first, (total - trunk) / rule.threads); };
  double least = inTheWay(), least_trunk = 0;
  std::size_t best = 0;
  while (raised.size() < kMostRaised) {
    const int root = s.order[place(subtrees.top().second)];
    subtrees.pop();
    raised.push_back(root);
    trunk += work[place(root)];
    for (int child : s.children[place(root)]) subtrees.emplace(weight[place(child)], s.position[place(child)]);
    if (subtrees.empty() || trunk > rule.largest_trunk * total) break;
    if (!(inTheWay() < least)) continue;
    least = inTheWay();
    least_trunk = trunk;
    best = raised.size();
  }
  if (!(least <= rule.largest_in_way * total)) return std::nullopt;

  Trunk chosen;
  chosen.cost = least_trunk;
  chosen.total = total;
  chosen.subtree.assign(s.order.size(), 0);
  for (std::size_t k = 0; k < best; ++k) chosen.subtree[place(raised[k])] = -1;
  for (auto vertex = s.order.rbegin(); vertex != s.order.rend(); ++vertex) {
    int& own = chosen.subtree[place(*vertex)];
    if (own < 0) continue;
    const int parent = s.parent(*vertex);
    const bool is_root = parent < 0 || chosen.subtree[place(parent)] < 0;
    own = is_root ? static_cast<int>(chosen.weights.size()) : chosen.subtree[place(parent)];
    if (is_root) chosen.weights.push_back(weight[place(*vertex)]);
  }
  if (topology.from_cuts.empty() && meetsUnits(chosen.subtree, topology)) return std::nullopt;
  return chosen;
}

Units unitsBelow(const Trunk& trunk, double largest_unit) {
  // Small subtrees share a unit; of equal ones as many as fill lanes.
  Units units;
  std::vector<int> unit_of;
  double weight_before = -1;
  int equal = 0;
  for (const double weight : trunk.weights) {
    const bool is_equal = std::abs(weight - weight_before) <= 1e-9 * weight;  // sums of equal numbers in another order
    equal = is_equal ? equal + 1 : 0;
    const bool is_full = !units.cost.empty() && units.cost.back() >= kSmallestUnit * trunk.total;
    if (units.cost.empty() || (is_full && (!is_equal || equal % kBatchLanes == 0 ||
                                           units.cost.back() + weight > largest_unit * trunk.total))) {
      units.cost.push_back(0);
      equal = 0;
    }
    units.cost.back() += weight;
    weight_before = weight;
    unit_of.push_back(static_cast<int>(units.cost.size()) - 1);
  }
  units.count = static_cast<int>(units.cost.size());
  units.cost.push_back(trunk.cost);
  for (int subtree : trunk.subtree) units.of_vertex.push_back(subtree < 0 ? units.count : unit_of[place(subtree)]);
  return units;
}

void Units::sort(std::vector<VertexBatch>& batches) const {
  if (count == 0) return;
  const auto partOf = [this](const VertexBatch& batch) {
    return of_vertex[static_cast<std::size_t>(*std::max_element(batch.begin(), batch.end()))];
  };
  std::stable_sort(batches.begin(), batches.end(),
                   [&](const VertexBatch& a, const VertexBatch& b) { return partOf(a) < partOf(b); });
}

void addParts(const Units& units, const Model& model, Plan& plan) {
  plan.parts.assign(static_cast<std::size_t>(units.count) + 1, PlanPart{});
  plan.part_of_body.assign(static_cast<std::size_t>(plan.bodies), units.count);
  plan.part_of_joint.assign(model.joints.size(), units.count);
  int next = 0;
  for (std::size_t p = 0; p < plan.parts.size(); ++p) {
    PlanPart& part = plan.parts[p];
    const int index = static_cast<int>(p);
    part.cost = units.count > 0 ? units.cost[p] : plan.factor_flops + 5 * plan.solve_flops;
    part.first_batch = next;
    const auto belongs = [&](int batch) {
      const PlanNode& node =
          plan.nodes[static_cast<std::size_t>(plan.batches[static_cast<std::size_t>(batch)].lanes[0])];
      return node.part == index;
    };
    while (next < static_cast<int>(plan.batches.size()) && belongs(next)) ++next;
    part.batch_count = next - part.first_batch;
    part.first_move = static_cast<int>(plan.moves.size());
    for (int b = part.first_batch; b < next; ++b) {
      const PlanBatch& batch = plan.batches[static_cast<std::size_t>(b)];
      addMoves(batch, plan);
      for (int lane = 0; lane < kBatchLanes; ++lane) {
        if (!batch.has(lane)) continue;
        const PlanNode& node = plan.nodes[static_cast<std::size_t>(batch.lanes[static_cast<std::size_t>(lane)])];
        if (node.kind == NodeKind::kJoint)
          for (int j = 0; j < node.joint_count; ++j)
            plan.part_of_joint[static_cast<std::size_t>(node.element + j)] = index;
        else
          plan.part_of_body[static_cast<std::size_t>(node.element)] = index;
        if (node.carrier >= 0) plan.part_of_joint[static_cast<std::size_t>(node.carrier)] = index;
      }
    }
    part.move_count = static_cast<int>(plan.moves.size()) - part.first_move;
  }

  // Ports: of each unit one for each unknown of the trunk that it meets, in the order of their offsets.
  std::vector<bool> of_trunk(plan.offsets.size(), false);
  const PlanPart& trunk = plan.trunk();
  for (int i = trunk.first_move; i < trunk.first_move + trunk.move_count; ++i) {
    const PlanMove& move = plan.moves[static_cast<std::size_t>(i)];
    for (const int first : move.unknowns)
      for (int k = 0; k < move.count && first >= 0; ++k) of_trunk[static_cast<std::size_t>(first + k)] = true;
  }
  plan.boundary_places.reserve(plan.boundary_unknowns.size());
  for (int unknown : plan.boundary_unknowns)
    plan.boundary_places.push_back(plan.offsets[static_cast<std::size_t>(unknown)]);
  for (int u = 0; u < plan.units(); ++u) {
    PlanPart& unit = plan.parts[static_cast<std::size_t>(u)];
    std::map<int, int> port_of;  // by the offset of the unknown
    const auto forEachMeeting = [&](auto&& f) {
      for (int b = unit.first_batch; b < unit.first_batch + unit.batch_count; ++b)
        for (int lane = 0; lane < kBatchLanes; ++lane) {
          const PlanBatch& batch = plan.batches[static_cast<std::size_t>(b)];
          if (!batch.has(lane)) continue;
          const PlanNode& node = plan.nodes[static_cast<std::size_t>(batch.lanes[static_cast<std::size_t>(lane)])];
          for (int k = node.first_boundary; k < node.first_boundary + node.boundary_size; ++k)
            if (of_trunk[static_cast<std::size_t>(plan.boundary_unknowns[static_cast<std::size_t>(k)])])
              f(plan.boundary_places[static_cast<std::size_t>(k)]);
        }
    };
    forEachMeeting([&](int offset) { port_of.emplace(offset, 0); });
    unit.first_port = static_cast<int>(plan.ports.size());
    unit.port_count = static_cast<int>(port_of.size());
    unit.port_offset = plan.permuted_size;
    for (auto& [offset, port] : port_of) {
      port = plan.permuted_size++;
      plan.ports.push_back(offset);
    }
    forEachMeeting([&](int& place) { place = port_of.at(place); });
    // What the trunk adds from fronts of the unit.
    unit.first_update = static_cast<int>(plan.updates.size());
    for (int b = unit.first_batch; b < unit.first_batch + unit.batch_count; ++b) {
      const PlanBatch& batch = plan.batches[static_cast<std::size_t>(b)];
      const auto isHandedOver = [&](int lane) {
        const PlanNode& node = plan.nodes[static_cast<std::size_t>(batch.lanes[static_cast<std::size_t>(lane)])];
        return batch.has(lane) && node.parent >= 0 &&
               plan.nodes[static_cast<std::size_t>(node.parent)].part == plan.units();
      };
      if (!isHandedOver(0) && !isHandedOver(1) && !isHandedOver(2) && !isHandedOver(3)) continue;
      const PlanNode& node = plan.nodes[static_cast<std::size_t>(batch.lanes[0])];
      const auto stride = static_cast<std::size_t>(node.stride);
      plan.updates.push_back({node.update / stride * stride, stride * static_cast<std::size_t>(node.boundary_size) *
                                                                 static_cast<std::size_t>(node.width)});
    }
    unit.update_count = static_cast<int>(plan.updates.size()) - unit.first_update;
  }
}

}  // namespace tactus::rt
