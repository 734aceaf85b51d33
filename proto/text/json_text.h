// JSON as the subcommands print it.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace tactus::text {

/// Indented by two blanks, with a line end. Bytes that are not UTF-8 become replacement characters.
inline std::string jsonText(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace tactus::text
