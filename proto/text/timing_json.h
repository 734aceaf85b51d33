// The timing report of a session as JSON: the same in the server and in the remote subcommands.
#pragma once

#include "tactus/v1/state.pb.h"

#include <nlohmann/json.hpp>

#include <string>

namespace tactus::text {

/// Every field of the report under its name on the wire.
nlohmann::ordered_json timingJson(const std::string& session, const v1::TimingReport& report);

}  // namespace tactus::text
