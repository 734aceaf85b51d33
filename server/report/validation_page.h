// The report of `tactus validate` as one HTML page, and its section on accuracy.
#pragma once

#include "server/batch/validation.h"

#include "server/report/report_page.h"

#include <string>

namespace tactus::server {

std::string toHtml(const std::string& model_name, const PageOrigin& origin, const ValidationReport& report);

/// The section on accuracy, without a head: the reference, the methods, their errors over cost, time and frequency.
std::string accuracyOf(const ValidationReport& report);

}  // namespace tactus::server
