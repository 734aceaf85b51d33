// The report of `tactus validate` as one HTML page: no script, no link to anything outside.
#pragma once

#include "server/offline/validation.h"

#include <string>

namespace tactus::server {

/// @param[in] command  what was run, as printed at the head of the page
std::string toHtml(const std::string& model_name, const std::string& command, const ValidationReport& report);

}  // namespace tactus::server
