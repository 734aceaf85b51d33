// The report of `tactus validate` as one HTML page, and the part of it that says how accurate a run is.
#pragma once

#include "server/offline/validation.h"

#include <string>

namespace tactus::server {

/// @param[in] command  what was run, as printed at the head of the page
std::string toHtml(const std::string& model_name, const std::string& command, const ValidationReport& report);

/// Reference, comparison of the methods, errors over cost, over time and by frequency: HTML without a head.
std::string accuracyOf(const ValidationReport& report);

}  // namespace tactus::server
