// What every report of `tactus run` has, whatever made the steps.
#pragma once

#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <string>

namespace tactus::server {

/// Numbers that all methods report.
struct RunFigures {
  const rt::AssemblyResult& assembly;
  double energy_start, energy_end, energy_drift;                          ///< J
  double position_violation, velocity_violation, acceleration_violation;  ///< worst norms of the run
};

/// Model, integrator and what assembly has moved, as lines of text.
void printRunHead(const rt::Model& model, const std::string& integrator, const rt::AssemblyResult& assembly);

/// Energy and constraints.
void printRunFigures(const RunFigures& figures);

/// Adds the same figures, and which build made them.
void addRunFigures(const RunFigures& figures, nlohmann::ordered_json& json);

/// Says on the standard error stream how far a run is, for as long as it is a long one: every two seconds.
class RunProgress {
 public:
  explicit RunProgress(double until) : until_(until), said_(std::chrono::steady_clock::now()) {}
  void at(double t);

 private:
  double until_;  ///< s
  std::chrono::steady_clock::time_point said_;
};

}  // namespace tactus::server
