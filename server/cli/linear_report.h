// What the reports of a linear system, of its modes and of its response have in common.
#pragma once

#include "rt/offline/analysis/linear_system.h"
#include "rt/offline/analysis/modes.h"
#include "rt/signals/state_outputs.h"
#include "server/cli/analysis_point.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace tactus::server {

/// The linear system at a point, with the chosen signals as outputs.
rt::offline::LinearSystem linearizeAt(const AnalysisPoint& point, rt::StateOutputs& outputs);

/// Lines: model and point, states, constraint rows, and what keeps the point from being an equilibrium.
std::string pointText(const PointArguments& arguments, const AnalysisPoint& point,
                      const rt::offline::LinearSystem& system);

/// The same as members.
nlohmann::ordered_json pointJson(const PointArguments& arguments, const AnalysisPoint& point,
                                 const rt::offline::LinearSystem& system);

/// Rows of a matrix as nested lists.
nlohmann::ordered_json toJson(const Eigen::MatrixXd& matrix);

std::vector<std::string> stateNames(const rt::offline::LinearSystem& system);
std::vector<std::string> outputNames(const rt::StateOutputs& outputs);

}  // namespace tactus::server
