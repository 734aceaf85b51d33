#include "server/cli/config_file.h"

#include "proto/text/small_file.h"
#include "rt/model/check_model.h"
#include "server/cli/config_lines.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>
#include <sstream>
#include <string_view>

namespace tactus::server {

namespace {

constexpr const char* kOption = "--config";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // with which some editors begin a file in UTF-8

// The newest value of --config; empty if it is not given.
std::string pathAmong(const std::vector<std::string>& words) {
  const std::string joined = std::string(kOption) + "=";
  std::string path;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == kOption && i + 1 < words.size()) path = words[i + 1];
    if (words[i].starts_with(joined)) path = words[i].substr(joined.size());
  }
  return path;
}

std::string keyOf(const CLI::Option& option) {
  return option.get_lnames().empty() ? "model" : option.get_lnames().front();
}

std::map<std::string, CLI::Option*> keysOf(CLI::App& command) {
  std::map<std::string, CLI::Option*> keys;
  for (CLI::Option* option : command.get_options())
    if (option->get_configurable() && option != command.get_help_ptr()) keys.emplace(keyOf(*option), option);
  return keys;
}

// Why an option does not take a value; empty if it does.
std::string refusalOf(CLI::Option& option, const std::vector<std::string>& values) {
  try {
    option.add_result(values);
    option.run_callback();
    option.clear();
  } catch (const CLI::Error& error) {
    option.clear();
    return error.what();
  }
  return {};
}

}  // namespace

std::string readConfigFile(CLI::App& command, const std::vector<std::string>& words) {
  const std::string path = pathAmong(words);
  if (path.empty()) return {};
  std::string text;
  try {
    text = text::readSmallFile(path);
    if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  } catch (const std::runtime_error& error) { return error.what(); }
  const std::map<std::string, CLI::Option*> keys = keysOf(command);
  std::map<std::string, std::vector<int>> lines;  // key -> the lines that begin with it
  const std::vector<ConfigLine> written = configLinesOf(text);
  for (const ConfigLine& line : written) lines[line.key].push_back(line.number);
  std::vector<std::string> names;
  for (const auto& [name, option] : keys) names.push_back(name);

  std::map<int, std::string> findings;  // by line, in the order of the file
  for (const auto& [key, numbers] : lines) {
    if (key.starts_with('[')) findings.emplace(numbers.front(), key + ": there are no sections in this file");
    if (keys.contains(key) && numbers.size() > 1)
      findings.emplace(numbers[1], key + ": was given in line " + std::to_string(numbers[0]) + " already");
  }
  for (const ConfigLine& line : written) {
    const auto found = keys.find(line.key);
    if (line.key.starts_with('[')) break;  // what belongs to a section has no meaning
    if (found == keys.end()) {
      const std::string near = rt::nearestName(line.key, names);
      findings.emplace(line.number, line.key + ": unknown; " +
                                        (near.empty() ? "the keys are the options of `tactus serve --help` without --, "
                                                        "and have no dots"
                                                      : "did you mean " + near + "?"));
    } else if (const std::string type = typeRefusal(*found->second, line); !type.empty()) {
      findings.emplace(line.number, line.key + ": " + type);
    } else if (lines[line.key].size() == 1) {
      if (const std::string refusal = refusalOf(*found->second, inputsOf(line)); !refusal.empty())
        findings.emplace(line.number, line.key + ": " + refusal);
    }
  }
  std::string all;
  for (const auto& [line, what] : findings)
    all += (all.empty() ? "" : "\n") + path + ":" + std::to_string(line) + ": " + what;
  return all;
}

}  // namespace tactus::server
