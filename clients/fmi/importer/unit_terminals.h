// The terminals of a unit of FMI 3.0, and which rules of the standard they break.
#pragma once

#include "clients/fmi/importer/unit_description.h"

#include <string>
#include <vector>

namespace tactus::fmi {

/// Holds terminalsAndIcons.xml against the rules and against the variables of the unit. A document type is refused.
/// @param path  of the file; a unit need not have one
/// @param[out] findings  each with its line
/// @throws Error with the line, for a file that is no XML
void checkTerminals(const std::string& path, const UnitDescription& unit, std::vector<UnitFinding>& findings);

}  // namespace tactus::fmi
