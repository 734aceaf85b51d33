// The lines of a configuration file as they are written: the line of each key, and the type of its value. The parser of
// CLI11 reports neither.
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

/// The texts of a value, or of each value of a list, without quotes, and with the mark of written_words.h.
std::vector<std::string> inputsOf(const ConfigLine& line);

/// Why a value does not have the type of an option, and which type the option takes; empty if the value has the type.
std::string typeRefusal(const CLI::Option& option, const ConfigLine& line);

}  // namespace tactus::server
