// The elimination tree of a model for people and for tools.
#pragma once

#include "rt/model/model.h"
#include "rt/plan/plan.h"

#include <string>

namespace tactus::server {

/// A table: one line a node in order of elimination, its level, own and boundary unknowns, flops; then the totals.
std::string planText(const rt::Model& model, const rt::Plan& plan);

/// The same as JSON.
std::string planJson(const rt::Model& model, const rt::Plan& plan);

/// The tree for Graphviz: an edge leads from a node to the one that takes its update.
std::string planDot(const rt::Model& model, const rt::Plan& plan);

}  // namespace tactus::server
