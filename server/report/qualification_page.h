// The report of `tactus qualify` as one HTML page.
#pragma once

#include "server/batch/qualification.h"

#include "server/report/report_page.h"

#include <string>

namespace tactus::server {

std::string toHtml(const std::string& model_name, const PageOrigin& origin, const QualificationReport& report);

}  // namespace tactus::server
