#include "server/cli/written_words.h"

#include <CLI/CLI.hpp>

#include <cstddef>

namespace tactus::server {
namespace {

constexpr char kMark = '\x01';

/// Where the value begins in a word: behind the = of --NAME=VALUE, otherwise at 0.
std::size_t beginOfValue(const std::string& word) {
  const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
  return equals == std::string::npos ? 0 : equals + 1;
}

}  // namespace

std::string marked(const std::string& value) {
  return value.starts_with('[') && value.ends_with(']') ? kMark + value : value;
}

std::string unmarked(std::string word) {
  const std::size_t begin = beginOfValue(word);
  if (word.compare(begin, 2, {kMark, '['}) == 0) word.erase(begin, 1);
  return word;
}

std::vector<std::string> markedWords(const CLI::App& program, const std::vector<std::string>& words) {
  if (words.size() < 2) return words;
  for (const CLI::App* command : program.get_subcommands({}))
    if (command->check_name(words[1]) && command->get_prefix_command()) return words;
  std::vector<std::string> result{words.front()};
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::size_t begin = beginOfValue(words[i]);
    result.push_back(words[i].substr(0, begin) + marked(words[i].substr(begin)));
  }
  return result;
}

}  // namespace tactus::server
