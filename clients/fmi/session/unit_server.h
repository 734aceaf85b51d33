// The other end of a unit in a process of its own.
#pragma once

#include <string>

namespace tactus::fmi {

/// Loads the unit and carries out requests until the parent closes the socket. Its files are kUnitSocket and
/// kUnitRecord.
/// @returns the exit code of the process
int runUnitProcess(const std::string& folder, const std::string& name) noexcept;

}  // namespace tactus::fmi
