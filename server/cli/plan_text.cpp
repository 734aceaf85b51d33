#include "server/cli/plan_text.h"

#include "proto/text/json_text.h"
#include "proto/text/table.h"
#include "rt/ali3p/chain/lanes.h"
#include "rt/ali3p/solver_choice.h"
#include "rt/model/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace tactus::server {
namespace {

using Json = nlohmann::ordered_json;

int maxThreads(const rt::Plan& plan, bool higher_order) {
  rt::Settings settings;
  settings.third_order = higher_order;
  return rt::maxThreads(plan, settings);
}

/// The printed values of a node.
struct NodeText {
  std::string name;
  const char* kind;
  int level;        ///< 1 for the leaves of the tree
  int batch, lane;  ///< the batch of the node, and its lane in the batch
  double factor_flops, solve_flops;
};

const char* kindOf(const rt::Model& model, const rt::PlanNode& node) {
  switch (node.kind) {
    case rt::NodeKind::kLeafBody: return "body";
    case rt::NodeKind::kHubBody: return "hub body";
    case rt::NodeKind::kFreedomBody: return "body by freedoms";
    case rt::NodeKind::kJoint: break;
  }
  return toString(model.joints[static_cast<std::size_t>(node.element)].kind);
}

std::string nameOf(const rt::Model& model, const rt::PlanNode& node) {
  const auto first = static_cast<std::size_t>(node.element);
  if (node.kind != rt::NodeKind::kJoint) return model.body_names[first];
  if (node.joint_count == 1) return model.joint_names[first];
  return model.joint_names[first] + " to " + model.joint_names[first + static_cast<std::size_t>(node.joint_count) - 1];
}

std::vector<NodeText> describe(const rt::Model& model, const rt::Plan& plan) {
  std::vector<NodeText> nodes;
  std::vector<int> level(plan.nodes.size(), 1);
  for (std::size_t k = 0; k < plan.nodes.size(); ++k) {
    const rt::PlanNode& node = plan.nodes[k];
    if (node.parent >= 0) {
      int& above = level[static_cast<std::size_t>(node.parent)];
      above = std::max(above, level[k] + 1);
    }
    nodes.push_back(
        {nameOf(model, node), kindOf(model, node), level[k], 0, 0, rt::factorFlops(node), rt::solveFlops(node)});
  }
  for (std::size_t b = 0; b < plan.batches.size(); ++b)
    for (int lane = 0; lane < rt::kBatchLanes; ++lane)
      if (plan.batches[b].has(lane)) {
        NodeText& node = nodes[static_cast<std::size_t>(plan.batches[b].lanes[static_cast<std::size_t>(lane)])];
        node.batch = static_cast<int>(b);
        node.lane = lane;
      }
  return nodes;
}

}  // namespace

std::string planText(const rt::Model& model, const rt::Plan& plan) {
  const std::vector<NodeText> nodes = describe(model, plan);
  text::Table table({"node", "element", "kind", "level", "batch", "rows", "boundary", "parent", "factor", "solve"},
                    "rllrrrrrrr");
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const rt::PlanNode& node = plan.nodes[k];
    const NodeText& n = nodes[k];
    table.add({std::to_string(k), n.name, n.kind, std::to_string(n.level), fmt::format("{}.{}", n.batch, n.lane),
               std::to_string(node.size), std::to_string(node.boundary_size),
               node.parent < 0 ? "-" : std::to_string(node.parent), fmt::format("{:.0f}", n.factor_flops),
               fmt::format("{:.0f}", n.solve_flops)});
  }
  std::string text = table.text();
  text += fmt::format("{} nodes: {} bodies ({} hubs), {} rows; {} levels, largest front {}, fronts {:.1f} kB\n",
                      plan.nodes.size(), plan.bodies, plan.hubs, plan.rows, plan.levels, plan.largest_front,
                      static_cast<double>(plan.front_doubles) * 8e-3);
  text += fmt::format("{} batches of nodes that are eliminated side by side (batch.lane)\n", plan.batches.size());
  text += fmt::format("flops: {:.0f} per factorization, {:.0f} per solve\n", plan.factor_flops, plan.solve_flops);
  if (plan.chain)
    text += fmt::format("a chain: the step solves {} segments of {} bodies in {} lanes, not the nodes above\n",
                        plan.chain->segments, plan.chain->stations, rt::widestLanes(*plan.chain));
  if (plan.forest)
    text += fmt::format("a forest: the step solves {} groups of four bodies, not the nodes above\n",
                        plan.forest->groups.size());
  return text + fmt::format("threads that can share a step: {}, a step of order 3 or 4: {}\n", maxThreads(plan, false),
                            maxThreads(plan, true));
}

std::string planJson(const rt::Model& model, const rt::Plan& plan) {
  const std::vector<NodeText> nodes = describe(model, plan);
  Json json = {{"model", model.name},
               {"bodies", plan.bodies},
               {"hubs", plan.hubs},
               {"rows", plan.rows},
               {"levels", plan.levels},
               {"largest_front", plan.largest_front},
               {"front_bytes", 8 * plan.front_doubles},
               {"batches", plan.batches.size()},
               {"factor_flops", plan.factor_flops},
               {"solve_flops", plan.solve_flops},
               {"most_threads", {{"step", maxThreads(plan, false)}, {"third_order_step", maxThreads(plan, true)}}},
               {"nodes", Json::array()}};
  if (plan.chain)
    json["chain"] = {{"segments", plan.chain->segments},
                     {"positions", plan.chain->stations},
                     {"lanes", rt::widestLanes(*plan.chain)}};
  if (plan.forest) json["forest"] = {{"groups", plan.forest->groups.size()}};
  for (std::size_t k = 0; k < nodes.size(); ++k)
    json["nodes"].push_back({{"element", nodes[k].name},
                             {"kind", nodes[k].kind},
                             {"level", nodes[k].level},
                             {"batch", nodes[k].batch},
                             {"lane", nodes[k].lane},
                             {"rows", plan.nodes[k].size},
                             {"boundary", plan.nodes[k].boundary_size},
                             {"parent", plan.nodes[k].parent},
                             {"factor_flops", nodes[k].factor_flops},
                             {"solve_flops", nodes[k].solve_flops}});
  return text::jsonText(json);
}

std::string planDot(const rt::Model& model, const rt::Plan& plan) {
  const std::vector<NodeText> nodes = describe(model, plan);
  std::string text = "digraph plan {\n  rankdir = BT;\n  node [fontname = \"sans-serif\"];\n";
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const bool joint = plan.nodes[k].kind == rt::NodeKind::kJoint;
    text += fmt::format("  n{} [shape = {}, label = \"{}\\n{}, {} | {}\"];\n", k, joint ? "ellipse" : "box",
                        nodes[k].name, nodes[k].kind, plan.nodes[k].size, plan.nodes[k].boundary_size);
    if (plan.nodes[k].parent >= 0) text += fmt::format("  n{} -> n{};\n", k, plan.nodes[k].parent);
  }
  return text + "}\n";
}

}  // namespace tactus::server
