#include "server/cli/config_lines.h"

#include "server/cli/option_rules.h"
#include "server/cli/written_words.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <sstream>
#include <string_view>

namespace tactus::server {

namespace {

std::string withoutComment(const std::string& line) {
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (quote == 0 && line[i] == '#') return CLI::detail::trim_copy(line.substr(0, i));
    if (quote == 0 && (line[i] == '"' || line[i] == '\'')) {
      quote = line[i];
    } else if (line[i] == quote) {
      quote = 0;
    }
  }
  return CLI::detail::trim_copy(line);
}

bool isQuoted(std::string_view word) {
  return word.size() >= 2 && (word.front() == '"' || word.front() == '\'') && word.back() == word.front() &&
         word.find(word.front(), 1) == word.size() - 1;
}

/// The values between the brackets of a list; a comma after the last value does not begin another one.
std::vector<std::string> valuesIn(std::string_view list) {
  std::vector<std::string> values;
  std::string value;
  char quote = 0;
  for (const char c : list.substr(1, list.size() - 2)) {
    if (quote == 0 && c == ',') {
      values.push_back(CLI::detail::trim_copy(value));
      value.clear();
      continue;
    }
    if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    }
    value += c;
  }
  if (!CLI::detail::trim_copy(value).empty()) values.push_back(CLI::detail::trim_copy(value));
  return values;
}

std::string unquoted(std::string word) {
  std::erase_if(word, [](char c) { return c == '"' || c == '\''; });
  return word;
}

/// The unit of an example, by the type of an option; empty where values have none.
std::string unitOf(const std::string& type) {
  return type == "DURATION" ? "s" : type == "PERIOD" ? "ms" : type == "FREQUENCY" ? "Hz" : "";
}

std::string refusalOfValue(const std::string& type, const std::string& value) {
  if (isWholeType(type)) {
    const std::string refusal = refusalOfWhole(value, type);
    return refusal == "must be a whole number" ? refusal + ", without quotes" : refusal;
  }
  if (type.starts_with("FLOAT")) {
    double number = 0;
    return CLI::detail::lexical_cast(value, number) ? "" : "must be a number, without quotes";
  }
  if ((value.front() == '"' || value.front() == '\'') && value.find(value.front(), 1) == std::string::npos)
    return "the text has no closing quote";
  if (isQuoted(value)) return "";
  const std::string text = unquoted(value), unit = unitOf(type);
  if (double number = 0; !unit.empty() && CLI::detail::lexical_cast(text, number))
    return "must be a text in quotes with a unit, such as \"" + text + unit + "\"";
  return "must be a text in quotes, such as \"" + text + "\"";
}

}  // namespace

std::vector<ConfigLine> configLinesOf(const std::string& text) {
  std::vector<ConfigLine> lines;
  std::istringstream stream(text);
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) {
    line = withoutComment(line);
    if (line.empty()) continue;
    ConfigLine found{number, line, {}, false};
    const std::size_t equals = line.front() == '[' ? std::string::npos : line.find('=');
    if (equals != std::string::npos) {
      found.key = CLI::detail::trim_copy(line.substr(0, equals));
      found.value = CLI::detail::trim_copy(line.substr(equals + 1));
      found.assigns = true;
      while (found.value.starts_with('[') && !found.value.ends_with(']') && std::getline(stream, line)) {
        ++number;
        found.value += withoutComment(line);
      }
    }
    found.key = CLI::detail::remove_quotes(found.key);
    lines.push_back(std::move(found));
  }
  return lines;
}

std::vector<std::string> inputsOf(const ConfigLine& line) {
  std::vector<std::string> values = {line.value};
  if (line.value.starts_with('[') && line.value.ends_with(']')) values = valuesIn(line.value);
  for (std::string& value : values) value = marked(isQuoted(value) ? value.substr(1, value.size() - 2) : value);
  return values;
}

std::string typeRefusal(const CLI::Option& option, const ConfigLine& line) {
  if (!line.assigns || line.value.empty()) return "has no value; a line is KEY = VALUE";
  if (option.get_items_expected_max() == 0)
    return line.value == "true" || line.value == "false" ? "" : "must be true or false, without quotes";
  const std::string type = option.get_type_name();
  if (!line.value.starts_with('[')) return refusalOfValue(type, line.value);
  if (option.get_items_expected_max() == 1) return "must be one value, not a list";
  if (!line.value.ends_with(']')) return "is a list without an end; add ]";
  for (const std::string& value : valuesIn(line.value))
    if (const std::string refusal = refusalOfValue(type, value); !refusal.empty())
      return refusal.starts_with("must") ? "each value of the list " + refusal : refusal;
  return {};
}

}  // namespace tactus::server
