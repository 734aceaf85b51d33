// The report of a validation as JSON: of `tactus validate`, and in that of `tactus qualify`.
#pragma once

#include "server/batch/validation.h"

#include <nlohmann/json.hpp>

namespace tactus::server {

nlohmann::ordered_json toJson(const ValidationReport& report);

}  // namespace tactus::server
