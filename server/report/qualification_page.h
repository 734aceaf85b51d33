// The report of `tactus qualify` as one HTML page.
#pragma once

#include "server/batch/qualification.h"

#include <string>

namespace tactus::server {

/// @param[in] command  command line that made the report, for the head of the page
std::string toHtml(const std::string& model_name, const std::string& command, const QualificationReport& report);

}  // namespace tactus::server
