// CompiledModel: a Model with its Plan and Workspace, made outside the tick and taken by the tick between two steps.
#pragma once

#include <cstdint>
#include <memory>

namespace tactus::rt {

struct Model;
struct Plan;
struct Workspace;

struct CompiledModel {
  /// Set-up: lays out the Plan and allocates.
  /// @param version_in  above 0; each Snapshot carries the version that made it
  CompiledModel(std::shared_ptr<const Model> model_in, int threads, std::uint64_t version_in);
  ~CompiledModel();

  CompiledModel(const CompiledModel&) = delete;
  CompiledModel& operator=(const CompiledModel&) = delete;

  const std::shared_ptr<const Model> model;
  const std::unique_ptr<const Plan> plan;
  const std::unique_ptr<Workspace> workspace;
  const std::uint64_t version;
};

}  // namespace tactus::rt
