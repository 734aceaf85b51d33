// UnitFile: what resources/model.bin of a unit of FMI holds, and the numbers of its variables.
#pragma once

#include "clients/engine/engine.h"
#include "rt/model/model_spec.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tactus::fmi {

inline constexpr const char* kUnitFileName = "model.bin";
inline constexpr const char* kHashVariable = "state_hash";
inline constexpr const char* kTimeVariable = "time";

struct UnitFile {
  std::int64_t period_ns = 0;
  std::vector<std::pair<std::string, double>> settings;  ///< that differ from what the model recommends
  std::string initial_condition;                         ///< empty: the declared states
  std::vector<std::string> outputs;                      ///< names of signals
  std::string model;                                     ///< the bytes of packSpec()
  /// Of each parameter, in the order of the model, where in `model` its value is.
  std::vector<std::vector<std::size_t>> targets;
};

/// The bytes of the file; the last ones are a checksum of those before.
std::string writeUnitFile(const UnitFile& file);

/// @throws Error for bytes that are damaged, or of another version of Tactus
UnitFile readUnitFile(std::string_view bytes);

/// Identifies model, settings and variables: "model hash-hash of the file", 16 hex digits each.
std::string instantiationToken(std::uint64_t model_hash, const std::string& unit_file);

/// Value references of the variables: time, inputs in the order of the actuators, parameters, outputs, state hash.
struct VariableNumbers {
  std::size_t inputs = 0, parameters = 0, outputs = 0;

  std::size_t firstInput() const noexcept { return 1; }
  std::size_t firstParameter() const noexcept { return firstInput() + inputs; }
  std::size_t firstOutput() const noexcept { return firstParameter() + parameters; }
  std::size_t hash() const noexcept { return firstOutput() + outputs; }
};

/// The options of an Engine that runs the unit: one thread.
engine::EngineOptions engineOptions(const UnitFile& file);

/// The model of a UnitFile, with other values of parameters written over the declared ones.
class PackedSource final : public engine::ModelSource {
 public:
  /// @throws Error for bytes that are no model
  PackedSource(std::string model, std::vector<std::vector<std::size_t>> targets);

  std::shared_ptr<const rt::Model> build(const engine::ParameterValues& values) const override;

 private:
  const std::string model_;
  const std::vector<std::vector<std::size_t>> targets_;
  const std::vector<rt::ParameterSpec> parameters_;
};

}  // namespace tactus::fmi
