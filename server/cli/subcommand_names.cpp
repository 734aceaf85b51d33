#include "server/cli/subcommand_names.h"

#include "rt/model/check_model.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <vector>

namespace tactus::server {

std::string refusalOfWord(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) {
    names.push_back(command->get_name());
    names.insert(names.end(), command->get_aliases().begin(), command->get_aliases().end());
  }
  if (word.starts_with('-') || std::find(names.begin(), names.end(), word) != names.end()) return {};
  const std::string nearest = rt::nearestName(word, names);
  return "there is no subcommand '" + word + "'; " +
         (nearest.empty() ? "tactus --help lists them" : "did you mean '" + nearest + "'?");
}

}  // namespace tactus::server
