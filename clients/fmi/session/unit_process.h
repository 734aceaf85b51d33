// A unit in a process of its own: one that crashes, exits or hangs takes that process and nothing else.
#pragma once

#include "clients/fmi/session/unit_driver.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace CLI {
class App;
}

namespace tactus::fmi {

/// The subcommand of `tactus fmu` that the process runs; it is not listed.
inline constexpr const char* kUnitProcessCommand = "unit-process";
/// Values of one step in each direction: a message then fits the buffer of a socket.
inline constexpr std::size_t kMostUnitValues = 4096;

/// Starts this program again as the process of a unit. Its standard input and output are /dev/null; it has no file of
/// this process, writes no core file, can gain no rights, and ends with the thread that started it.
/// @param[in] folder  of the unpacked unit
/// @param[in] inputs  as of unitHere()
/// @throws Error if there is no process, or the unit fails, crashes or hangs before it is initialized
std::unique_ptr<UnitDriver> unitApart(const std::string& folder, const std::string& name,
                                      const UnitVariables& variables, std::span<const double> inputs,
                                      std::int64_t call_limit_ns);

/// Adds the subcommand of the process of a unit: it carries out requests until its parent closes the socket.
void addUnitProcessCommand(CLI::App& fmu, int& exit_code);

}  // namespace tactus::fmi
