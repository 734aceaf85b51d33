// The state that an analysis begins with: model, parameters, inputs, initial condition, and the equilibrium beside it.
#pragma once

#include "rt/model/model.h"
#include "rt/offline/analysis/equilibrium.h"
#include "rt/state/state.h"
#include "server/model_io/model_file.h"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <vector>

namespace tactus::server {

struct PointArguments {
  std::string model, initial;
  std::vector<std::string> sets, inputs;
  bool equilibrium = false;
  int load_steps = 1;
};

/// Adds MODEL, --initial, --set, --input and --load-steps.
void addPointOptions(CLI::App& command, PointArguments& arguments);

/// Adds --equilibrium.
void addEquilibriumOption(CLI::App& command, PointArguments& arguments);

struct AnalysisPoint {
  ModelDocument document;
  rt::Model model;
  std::vector<double> input;  ///< value of each actuator
  rt::State state;            ///< consistent
  std::optional<rt::offline::Equilibrium> equilibrium;
};

/// Opens the model and finds the state. Prints the findings on the model.
/// @returns none if the model is not valid
/// @throws Error for unknown names, values out of range, a state that cannot be assembled, an equilibrium that is not
/// found
std::optional<AnalysisPoint> openPoint(const PointArguments& arguments);

/// "the declared state", "initial condition 'standing'", "the equilibrium near ...".
std::string nameOfPoint(const PointArguments& arguments);

}  // namespace tactus::server
