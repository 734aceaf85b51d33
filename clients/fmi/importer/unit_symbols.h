// What the shared object of an FMU is built for, and what it exports; read without loading it.
#pragma once

#include "clients/fmi/importer/unit_description.h"

#include <string>
#include <vector>

namespace tactus::fmi {

/// Functions of the standard. @param for_co_simulation  those that every unit for co-simulation must export, otherwise
/// all
std::vector<std::string> standardFunctions(int version, bool for_co_simulation);

/// Adds a finding for each missing function and a warning for each other symbol that begins like one of the standard.
/// @throws Error for a file that is no shared object of Linux on x86-64
void checkSymbols(const std::string& path, int version, std::vector<UnitFinding>& findings);

}  // namespace tactus::fmi
