// CompiledModel: a Model with its Plan and Workspace, made outside the tick and taken by the tick between two steps.
#pragma once

#include "rt/ali3p/compile_plan.h"
#include "rt/ali3p/workspace.h"
#include "rt/model/model.h"

#include <cstdint>
#include <memory>
#include <utility>

namespace tactus::rt {

struct CompiledModel {
  /// Set-up: lays out the Plan and allocates.
  /// @param version_in  above 0; each Snapshot carries the version that made it
  CompiledModel(std::shared_ptr<const Model> model_in, int threads, std::uint64_t version_in)
      : model(std::move(model_in)), plan(compilePlan(*model)), workspace(*model, plan, threads), version(version_in) {}

  CompiledModel(const CompiledModel&) = delete;
  CompiledModel& operator=(const CompiledModel&) = delete;

  const std::shared_ptr<const Model> model;
  const Plan plan;
  Workspace workspace;
  const std::uint64_t version;
};

}  // namespace tactus::rt
