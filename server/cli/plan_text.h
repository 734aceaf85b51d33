// The elimination tree of a model as a table, as JSON and for Graphviz.
#pragma once

#include <string>

namespace tactus::rt {
struct Model;
struct Plan;
}  // namespace tactus::rt

namespace tactus::server {

/// A table with one line for each node in the order of elimination: level, own and boundary unknowns, flops. Totals
/// follow.
std::string planText(const rt::Model& model, const rt::Plan& plan);

/// The elimination tree as JSON.
std::string planJson(const rt::Model& model, const rt::Plan& plan);

/// The elimination tree for Graphviz: an edge leads from a node to its parent.
std::string planDot(const rt::Model& model, const rt::Plan& plan);

}  // namespace tactus::server
