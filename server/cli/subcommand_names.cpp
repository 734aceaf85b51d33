#include "server/cli/subcommand_names.h"

#include "rt/model/check_model.h"
#include "server/cli/written_words.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iterator>
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

/// How several values of an option are given, where the argument stands behind the value of one that takes several;
/// empty elsewhere.
std::string hintOfList(const CLI::App& command, const std::vector<std::string>& words, const std::string& argument) {
  std::vector<std::string> values;
  auto word = std::find(words.rbegin(), words.rend(), argument);
  for (; word != words.rend() && !word->starts_with('-'); ++word) values.insert(values.begin(), unmarked(*word));
  if (word == words.rend()) return {};
  const std::size_t equals = word->find('=');
  const std::string name = word->substr(0, equals);
  if (equals != std::string::npos) values.insert(values.begin(), unmarked(*word).substr(equals + 1));
  const CLI::Option* const option = command.get_option_no_throw(name);
  const bool takes_several =
      option != nullptr && (option->get_items_expected_max() >= CLI::detail::expected_max_vector_size ||
                            option->get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll);
  if (!takes_several || values.size() < 2) return {};
  const bool in_one_word = option->get_delimiter() != '\0';
  std::string given = name + ' ' + values.front();
  for (auto value = std::next(values.begin()); value != values.end(); ++value)
    given += (in_one_word ? std::string(1, option->get_delimiter()) : ' ' + name + ' ') + *value;
  return "several values of " + name + " are given as " + given;
}

}  // namespace

std::string refusalOfWord(const CLI::App& app, const std::string& word) {
  const std::vector<std::string> names = subcommandsOf(app);
  if (word.starts_with('-') || std::find(names.begin(), names.end(), word) != names.end()) return {};
  const std::string nearest = rt::nearestName(word, names);
  return "there is no subcommand '" + word + "'; " +
         (nearest.empty() ? "tactus --help lists them" : "did you mean '" + nearest + "'?");
}

std::string refusalOfExtras(const CLI::App& app, const std::vector<std::string>& words) {
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
  if (option == extras.end()) {
    const std::string list = hintOfList(*command, words, marked(extras.front()));
    return name + " does not take the argument '" + extras.front() + "'; " + (list.empty() ? help : list);
  }
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
