// The lines of a configuration file as they are written: where each key stands, and of what type its value is. The
// reader of CLI11 says neither.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class Option;
}

namespace tactus::server {

/// KEY = VALUE; a section or a line without "=" is a key without a value.
struct ConfigLine {
  int number = 0;  ///< of the line on which it begins
  std::string key;
  std::string value;  ///< without comments; a list with all its lines
  bool assigns = false;
};

std::vector<ConfigLine> configLinesOf(const std::string& text);

/// Why a value is not of the type of an option, and what is; empty if it is.
std::string typeRefusal(const CLI::Option& option, const ConfigLine& line);

}  // namespace tactus::server
