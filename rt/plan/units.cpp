#include "rt/plan/units.h"

#include "rt/model/model.h"
#include "rt/plan/tree_work.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace tactus::rt {

namespace {

constexpr int kMostRaised = 100;            ///< batches at the top that are tried as trunk: set-up stays linear
constexpr double kSmallestUnit = 1.0 / 32;  ///< share of the work; smaller subtrees share a unit

/// The elimination tree, of which the top is the trunk.
class Division {
 public:
  Division(const Symbolic& s, const Topology& topology, const Model& model)
      : order_(s.order), parent_(s.order.size()), cost_(s.order.size()), in_trunk_(s.order.size(), false) {
    for (int vertex : order_) {
      parent_[static_cast<std::size_t>(vertex)] = s.parent(vertex);
      cost_[static_cast<std::size_t>(vertex)] = workOf(vertex, s, topology, model).operations;
    }
    total_ = std::accumulate(cost_.begin(), cost_.end(), 0.0);
    findSubtrees();
  }

  double total() const noexcept { return total_; }
  double trunk() const noexcept { return trunk_; }
  double heaviest() const noexcept { return *std::max_element(weight_.begin(), weight_.end()); }
  const std::vector<int>& subtrees() const noexcept { return subtree_; }
  const std::vector<double>& weights() const noexcept { return weight_; }

  /// Moves the root of the heaviest subtree to the trunk.
  void raiseTrunk() {
    const auto heaviest = static_cast<std::size_t>(std::max_element(weight_.begin(), weight_.end()) - weight_.begin());
    const auto root = static_cast<std::size_t>(root_[heaviest]);
    in_trunk_[root] = true;
    trunk_ += cost_[root];
    findSubtrees();
  }

 private:
  /// Finds the subtrees below the trunk; numbers them from the last root to the first.
  void findSubtrees() {
    subtree_.assign(parent_.size(), -1);
    weight_.clear();
    root_.clear();
    for (auto at = order_.rbegin(); at != order_.rend(); ++at) {
      const auto v = static_cast<std::size_t>(*at);
      if (in_trunk_[v]) continue;
      const int parent = parent_[v];
      if (parent < 0 || in_trunk_[static_cast<std::size_t>(parent)]) {
        subtree_[v] = static_cast<int>(weight_.size());
        weight_.push_back(0);
        root_.push_back(*at);
      } else {
        subtree_[v] = subtree_[static_cast<std::size_t>(parent)];
      }
      weight_[static_cast<std::size_t>(subtree_[v])] += cost_[v];
    }
  }

  std::vector<int> order_;
  std::vector<int> parent_;  ///< of each vertex
  std::vector<double> cost_;
  std::vector<bool> in_trunk_;
  std::vector<int> subtree_;    ///< of each vertex, -1 in the trunk
  std::vector<double> weight_;  ///< of each subtree
  std::vector<int> root_;
  double total_ = 0, trunk_ = 0;
};

/// Whether a joint of the trunk meets a body of a unit.
bool meetsUnits(const std::vector<int>& part, int trunk, const Topology& topology) {
  for (int vertex = topology.bodies; vertex < topology.vertices(); ++vertex)
    for (int body : topology.neighbors[static_cast<std::size_t>(vertex)])
      if (part[static_cast<std::size_t>(vertex)] == trunk && part[static_cast<std::size_t>(body)] != trunk) return true;
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

Units findUnits(const Symbolic& s, const Topology& topology, const Model& model, const DivisionRule& rule,
                double largest_unit) {
  Division division(s, topology, model);
  if (division.total() < rule.least_work || division.weights().empty()) return {};
  // What each thread has in its way: the trunk, and its share of the units or the heaviest of them.
  const auto inTheWay = [&] {
    return division.trunk() + std::max(division.heaviest(), (division.total() - division.trunk()) / rule.threads);
  };
  double least = inTheWay();
  Division best = division;
  for (int raised = 0; raised < kMostRaised; ++raised) {
    division.raiseTrunk();
    if (division.weights().empty() || division.trunk() > rule.largest_trunk * division.total()) break;
    if (!(inTheWay() < least)) continue;
    least = inTheWay();
    best = division;
  }
  if (!(least <= rule.largest_in_way * best.total())) return {};

  // Small subtrees share a unit; of equal ones as many as fill lanes.
  Units units;
  std::vector<int> unit_of;
  double weight_before = -1;
  int equal = 0;
  for (const double weight : best.weights()) {
    const bool is_equal = std::abs(weight - weight_before) <= 1e-9 * weight;  // sums of equal numbers in another order
    equal = is_equal ? equal + 1 : 0;
    const bool is_full = !units.cost.empty() && units.cost.back() >= kSmallestUnit * best.total();
    if (units.cost.empty() || (is_full && (!is_equal || equal % kBatchLanes == 0 ||
                                           units.cost.back() + weight > largest_unit * best.total()))) {
      units.cost.push_back(0);
      equal = 0;
    }
    units.cost.back() += weight;
    weight_before = weight;
    unit_of.push_back(static_cast<int>(units.cost.size()) - 1);
  }
  units.count = static_cast<int>(units.cost.size());
  if (units.count < 2) return {};
  units.cost.push_back(best.trunk());
  for (int subtree : best.subtrees())
    units.of_vertex.push_back(subtree < 0 ? units.count : unit_of[static_cast<std::size_t>(subtree)]);
  return rule.middle.empty() && meetsUnits(units.of_vertex, units.count, topology) ? Units{} : units;
}

Units divide(const Symbolic& s, const Topology& topology, const Model& model, const DivisionRule& rule,
             std::vector<VertexBatch>& batches) {
  const auto operationsOf = [&](const std::vector<VertexBatch>& of) {
    double work = 0;
    for (const VertexBatch& batch : of)
      work += workOf(*std::max_element(batch.begin(), batch.end()), s, topology, model).operations;
    return work;
  };
  const double most = rule.most_work * operationsOf(batches);
  for (const double largest_unit : {1.0 / 16, 1.0 / 8, 1.0 / 4, 1.0 / 2}) {
    Units units = findUnits(s, topology, model, rule, largest_unit);
    if (units.count == 0) break;
    std::vector<VertexBatch> divided = findBatches(s, topology, model, units.of_vertex);
    if (operationsOf(divided) > most) continue;
    units.sort(divided);
    batches = std::move(divided);
    return units;
  }
  return {};
}

void Units::sort(std::vector<VertexBatch>& batches) const {
  if (count == 0) return;
  const auto partOf = [this](const VertexBatch& batch) {
    return of_vertex[static_cast<std::size_t>(*std::max_element(batch.begin(), batch.end()))];
  };
  std::stable_sort(batches.begin(), batches.end(),
                   [&](const VertexBatch& a, const VertexBatch& b) { return partOf(a) < partOf(b); });
}

Plan layOutPlan(const Model& model, HubRule rule, const Forest& forest, UnitRule units) {
  DivisionRule division;
  if (units == UnitRule::kNone) division.least_work = std::numeric_limits<double>::infinity();
  return layOutPlan(model, rule, forest, division);
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
