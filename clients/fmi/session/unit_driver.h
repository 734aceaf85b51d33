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

/// What one step sets and gets: value references of scalar variables of type Real (Float64).
struct UnitVariables {
  std::vector<std::uint32_t> inputs, outputs;
};

/// Used by one thread at a time, but for end().
class UnitDriver {
 public:
  virtual ~UnitDriver() = default;

  /// Back to the state at the start time. @throws Error
  virtual void restart() = 0;
  /// @param[out] outputs  at the end of the step
  /// @throws Error with what is wrong; UnitEnds if the unit asks to end the simulation
  virtual void step(std::span<const double> inputs, double time, double size, std::span<double> outputs) = 0;
  /// From any thread: a call that hangs ends with an Error. @returns false if nothing can end it
  virtual bool end() noexcept = 0;
};

/// In this process. The unit has its instance and is initialized.
/// @param[in] watch  of the calls
/// @throws Error
std::unique_ptr<UnitDriver> unitHere(const std::string& folder, const UnitDescription& description,
                                     const std::string& name, UnitVariables variables, CallWatch watch);

}  // namespace tactus::fmi
