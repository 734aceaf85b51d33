// UnitDriver: one instance of a unit in step mode, in this process or in one of its own.
#pragma once

#include "clients/fmi/importer/loaded_unit.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tactus::fmi {

/// How --fmu runs units.
struct UnitProcessOptions {
  bool apart = false;              ///< each unit in a process of its own
  std::int64_t call_limit_ns = 0;  ///< of a process of its own: a request that takes longer ends the process
};

/// Value references of scalar variables of type Real (Float64).
struct UnitVariables {
  std::vector<std::uint32_t> inputs, outputs;  ///< what one step sets and gets
  std::vector<std::uint32_t> parameters;       ///< set before the initialization
  std::vector<double> parameter_values;
  std::vector<std::uint32_t> starts;  ///< inputs that are set in the initialization alone
  std::vector<double> start_values;
};

/// Used by one thread at a time, but for end().
class UnitDriver {
 public:
  virtual ~UnitDriver() = default;

  /// Back to the state at the start time, with these inputs. @throws Error
  virtual void restart(std::span<const double> inputs) = 0;
  /// @param[out] outputs  at the end of the step
  /// @throws Error with what is wrong; UnitEnds if the unit asks to end the simulation
  virtual void step(std::span<const double> inputs, double time, double size, std::span<double> outputs) = 0;
  /// Tells the unit that the simulation ends: one that writes its results does so then. Nothing after a call that
  /// failed. The last call. @throws Error
  virtual void terminate() = 0;
  /// From any thread: a call that hangs ends with an Error. @returns false if nothing can end it
  virtual bool end() noexcept = 0;
};

/// In this process. The unit has its instance and is initialized.
/// @param[in] inputs  that it has in its initialization
/// @param[in] watch  of the calls
/// @throws Error
std::unique_ptr<UnitDriver> unitHere(const std::string& folder, const UnitDescription& description,
                                     const std::string& name, UnitVariables variables, std::span<const double> inputs,
                                     CallWatch watch);

}  // namespace tactus::fmi
