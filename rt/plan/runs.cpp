#include "rt/plan/runs.h"

#include "rt/plan/plan.h"

namespace tactus::rt {

namespace {

constexpr int kLinkRows = 6;

/// Offset of six boundary unknowns from `first` on, or -1 if they do not lie side by side.
int offsetOfSix(const PlanNode& node, int first, const Plan& plan) {
  const auto offsetOf = [&](int k) {
    return plan.boundary_places[static_cast<std::size_t>(node.first_boundary + first + k)];
  };
  for (int k = 1; k < kLinkRows; ++k)
    if (offsetOf(k) != offsetOf(0) + k) return -1;
  return offsetOf(0);
}

bool isLinkBody(const PlanNode& node, const Plan& plan) {
  return node.kind == NodeKind::kLeafBody && node.stride == 1 && node.boundary_size == 2 * kLinkRows &&
         offsetOfSix(node, 0, plan) >= 0 && offsetOfSix(node, kLinkRows, plan) >= 0;
}

/// Finds out whether a node is a link, and its children then: PlanNode::link_body, link_joint.
void findLink(PlanNode& node, const Plan& plan) {
  node.link_body = node.link_joint = -1;
  const bool may_be = node.kind == NodeKind::kJoint && node.joint_count == 1 && node.stride == 1 &&
                      node.size == kLinkRows && node.boundary_size == kLinkRows && node.block_count == 0 &&
                      offsetOfSix(node, 0, plan) >= 0;
  if (!may_be) return;
  int body = -1, joint = -1;
  for (int i = node.first_child; i < node.first_child + node.child_count; ++i) {
    const int index = plan.children[static_cast<std::size_t>(i)];
    const PlanNode& child = plan.nodes[static_cast<std::size_t>(index)];
    const bool is_body = child.kind == NodeKind::kLeafBody;
    int& place = is_body ? body : joint;
    bool fits = place < 0 && (is_body || child.kind == NodeKind::kJoint) && child.stride == 1 &&
                child.boundary_size == (is_body ? 2 * kLinkRows : kLinkRows);
    for (int r = 0; r < child.boundary_size && fits; ++r)
      fits = plan.targets[static_cast<std::size_t>(child.first_target + r)] == r;
    if (!fits) return;
    place = index;
  }
  if (body < 0) return;
  node.link_body = body;
  node.link_joint = joint;
}

LoneFreedoms loneFreedoms(int index, const Plan& plan) {
  const PlanBatch& batch = plan.batches[static_cast<std::size_t>(index)];
  const PlanNode& node = plan.nodes[static_cast<std::size_t>(batch.lanes[0])];
  const PlanNode& carrier = plan.nodes[static_cast<std::size_t>(node.parent)];
  LoneFreedoms lone{};
  lone.own = batch.offset;
  lone.row = batch.first_row;
  lone.carrier = batch.parent_offset;
  lone.carrier_step = batch.parent_step;
  lone.scratch = batch.scratch;
  lone.freedoms = 6 - node.rows;
  lone.joint = node.carrier;
  lone.body = node.element;
  lone.batch = index;
  lone.numbers = node.freedoms;
  lone.carrier_mass = carrier.isLone() && carrier.part == node.part ? carrier.freedoms : 0;
  lone.front = node.front;
  lone.update = node.update;
  return lone;
}

}  // namespace

void addRuns(Plan& plan) {
  for (PlanNode& node : plan.nodes) {
    findLink(node, plan);
    const bool is_body = isLinkBody(node, plan);
    node.link = 0;
    if (!is_body && node.link_body < 0) continue;
    node.link = plan.front_doubles;
    plan.front_doubles += is_body ? kLinkBodyNumbers : kLinkNumbers;
  }
  auto part = plan.parts.begin();
  const auto begin = [&plan](PlanPart& of) {
    of.first_run = static_cast<int>(plan.runs.size());
    of.first_lone = static_cast<int>(plan.lone.size());
  };
  const auto end = [&plan](PlanPart& of) {
    of.run_count = static_cast<int>(plan.runs.size()) - of.first_run;
    of.lone_count = static_cast<int>(plan.lone.size()) - of.first_lone;
  };
  begin(*part);
  for (std::size_t i = 0; i < plan.batches.size(); ++i) {
    while (static_cast<int>(i) == part->first_batch + part->batch_count) {
      end(*part);
      begin(*++part);
    }
    const PlanNode& node = plan.nodes[static_cast<std::size_t>(plan.batches[i].lanes[0])];
    const PlanRun::Kind kind = node.isLone()        ? PlanRun::Kind::kLone
                               : node.link == 0     ? PlanRun::Kind::kBatches
                               : node.link_body < 0 ? PlanRun::Kind::kLinkBodies
                                                    : PlanRun::Kind::kLinks;
    const std::size_t first = node.isLone() ? plan.lone.size() : node.link == 0 ? i : plan.links.size();
    if (static_cast<int>(plan.runs.size()) == part->first_run || plan.runs.back().kind != kind)
      plan.runs.push_back({kind, static_cast<int>(first), 0});
    ++plan.runs.back().count;
    if (node.isLone()) plan.lone.push_back(loneFreedoms(static_cast<int>(i), plan));
    if (node.link == 0) continue;
    const bool is_body = kind == PlanRun::Kind::kLinkBodies;
    plan.links.push_back({plan.batches[i].offset, offsetOfSix(node, 0, plan),
                          is_body ? offsetOfSix(node, kLinkRows, plan) : -1, is_body ? node.element : -1, node.link});
  }
  for (;; begin(*++part)) {
    end(*part);
    if (&*part == &plan.parts.back()) break;
  }
}

}  // namespace tactus::rt
