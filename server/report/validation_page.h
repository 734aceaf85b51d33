// The report of `tactus validate` as one HTML page, and its section on accuracy.
#pragma once

#include "server/batch/validation.h"

#include <string>

namespace tactus::server {

/// @param[in] command  command line that made the report, for the head of the page
std::string toHtml(const std::string& model_name, const std::string& command, const ValidationReport& report);

/// The section on accuracy, without a head: the reference, the methods, their errors over cost, time and frequency.
std::string accuracyOf(const ValidationReport& report);

}  // namespace tactus::server
