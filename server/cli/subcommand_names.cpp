#include "server/cli/subcommand_names.h"

#include "rt/model/check_model.h"
#include "server/cli/written_words.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <vector>

namespace tactus::server {

namespace {

std::vector<std::string> subcommandsOf(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) {
    names.push_back(command->get_name());
    names.insert(names.end(), command->get_aliases().begin(), command->get_aliases().end());
  }
  return names;
}

}  // namespace

std::string refusalOfWord(const CLI::App& app, const std::string& word) {
  const std::vector<std::string> names = subcommandsOf(app);
  if (word.starts_with('-') || std::find(names.begin(), names.end(), word) != names.end()) return {};
  const std::string nearest = rt::nearestName(word, names);
  return "there is no subcommand '" + word + "'; " +
         (nearest.empty() ? "tactus --help lists them" : "did you mean '" + nearest + "'?");
}

std::string refusalOfExtras(const CLI::App& app) {
  const CLI::App* command = &app;
  std::string name = "tactus";
  for (auto chosen = app.get_subcommands(); !chosen.empty(); chosen = command->get_subcommands()) {
    command = chosen.front();
    if (!command->get_name().empty()) name += ' ' + command->get_name();
  }
  std::vector<std::string> extras = app.remaining(true);
  std::transform(extras.begin(), extras.end(), extras.begin(), unmarked);
  const auto first = std::find_if(extras.begin(), extras.end(), [](const auto& e) { return !e.starts_with('-'); });
  const std::vector<std::string> below = subcommandsOf(*command);
  if (!below.empty() && first != extras.end()) {
    const std::string near = rt::nearestName(*first, below);
    return name + " has no subcommand '" + *first + "'; " +
           (near.empty() ? name + " --help lists them" : "did you mean '" + near + "'?");
  }
  const auto option =
      std::find_if(extras.begin(), extras.end(), [](const auto& word) { return word.starts_with('-'); });
  const std::string help = name + " --help lists what it takes";
  if (option == extras.end()) return name + " does not take the argument '" + extras.front() + "'; " + help;
  std::vector<std::string> known;
  for (const CLI::Option* one : command->get_options())
    for (const std::string& word : one->get_lnames()) known.push_back("--" + word);
  const std::string nearest = rt::nearestName(option->substr(0, option->find('=')), known);
  return name + " has no option '" + *option + "'; " + (nearest.empty() ? help : "did you mean '" + nearest + "'?");
}

void endHelpWithoutModel(CLI::App& command, const std::string& footer, const std::string& codes) {
  if (command.get_option_no_throw("MODEL") == nullptr && command.get_footer() == footer) command.footer(codes);
  for (CLI::App* below : command.get_subcommands({})) endHelpWithoutModel(*below, footer, codes);
}

}  // namespace tactus::server
