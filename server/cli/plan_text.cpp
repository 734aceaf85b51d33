#include "server/cli/plan_text.h"

#include "rt/ali3p/solver_choice.h"
#include "rt/ali3p/chain/lanes.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace tactus::server {
namespace {

using Json = nlohmann::ordered_json;

int maxThreads(const rt::Plan& plan, bool third_order) {
  rt::Settings settings;
  settings.third_order = third_order;
  return rt::maxThreads(plan, settings);
}

/// A node in words.
struct NodeText {
  std::string name;
  const char* kind;
  int level;        ///< 1 for the leaves of the tree
  int batch, lane;  ///< with which others it goes side by side, and where among them
  double factor_flops, solve_flops;
};

const char* kindOf(const rt::Model& model, const rt::PlanNode& node) {
  switch (node.kind) {
    case rt::NodeKind::kLeafBody: return "body";
    case rt::NodeKind::kHubBody: return "hub body";
    case rt::NodeKind::kJoint: break;
  }
  return toString(model.joints[static_cast<std::size_t>(node.element)].kind);
}

std::vector<NodeText> describe(const rt::Model& model, const rt::Plan& plan) {
  std::vector<NodeText> nodes;
  std::vector<int> level(plan.nodes.size(), 1);
  for (std::size_t k = 0; k < plan.nodes.size(); ++k) {
    const rt::PlanNode& node = plan.nodes[k];
    const auto element = static_cast<std::size_t>(node.element);
    const bool joint = node.kind == rt::NodeKind::kJoint;
    if (node.parent >= 0) {
      int& above = level[static_cast<std::size_t>(node.parent)];
      above = std::max(above, level[k] + 1);
    }
    nodes.push_back({joint ? model.joint_names[element] : model.body_names[element], kindOf(model, node), level[k], 0,
                     0, rt::factorFlops(node), rt::solveFlops(node)});
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

std::string format(const char* pattern, auto... values) {
  char line[256];
  std::snprintf(line, sizeof line, pattern, values...);
  return line;
}

}  // namespace

std::string planText(const rt::Model& model, const rt::Plan& plan) {
  const std::vector<NodeText> nodes = describe(model, plan);
  std::string text = format("%5s  %-24s %-20s %5s %6s %5s %8s %8s %9s %8s\n", "node", "element", "kind", "level",
                            "batch", "rows", "boundary", "parent", "factor", "solve");
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const rt::PlanNode& node = plan.nodes[k];
    text += format("%5zu  %-24s %-20s %5d %4d.%d %5d %8d %8s %9.0f %8.0f\n", k, nodes[k].name.c_str(), nodes[k].kind,
                   nodes[k].level, nodes[k].batch, nodes[k].lane, node.size, node.boundary_size,
                   node.parent < 0 ? "-" : std::to_string(node.parent).c_str(), nodes[k].factor_flops,
                   nodes[k].solve_flops);
  }
  text += format("%zu nodes: %d bodies (%d hubs), %d rows; %d levels, largest front %d, fronts %.1f kB\n",
                 plan.nodes.size(), plan.bodies, plan.hubs, plan.rows, plan.levels, plan.largest_front,
                 static_cast<double>(plan.front_doubles) * 8e-3);
  text += format("%zu batches of nodes that are eliminated side by side (batch.lane)\n", plan.batches.size());
  text += format("flops: %.0f a factorisation, %.0f a solve\n", plan.factor_flops, plan.solve_flops);
  if (plan.chain)
    text += format("a chain: steps go along %d segments of %d bodies in %d lanes, not along the nodes\n",
                   plan.chain->segments, plan.chain->stations, rt::widestLanes(*plan.chain));
  text += format("threads that can share a step: %d, a third-order one: %d\n", maxThreads(plan, false),
                 maxThreads(plan, true));
  return text;
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
  return json.dump(2) + '\n';
}

std::string planDot(const rt::Model& model, const rt::Plan& plan) {
  const std::vector<NodeText> nodes = describe(model, plan);
  std::string text = "digraph plan {\n  rankdir = BT;\n  node [fontname = \"sans-serif\"];\n";
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const bool joint = plan.nodes[k].kind == rt::NodeKind::kJoint;
    text += format("  n%zu [shape = %s, label = \"%s\\n%s, %d | %d\"];\n", k, joint ? "ellipse" : "box",
                   nodes[k].name.c_str(), nodes[k].kind, plan.nodes[k].size, plan.nodes[k].boundary_size);
    if (plan.nodes[k].parent >= 0) text += format("  n%zu -> n%d;\n", k, plan.nodes[k].parent);
  }
  return text + "}\n";
}

}  // namespace tactus::server
