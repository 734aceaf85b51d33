#include "server/cli/completion.h"

#include "rt/offline/integrator.h"
#include "server/cli/subcommand.h"
#include "server/models/built_in_models.h"

#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <set>
#include <vector>

namespace tactus::server {
namespace {

/// What can follow a subcommand, and the subcommands below it, as parts of the script.
struct Script {
  std::string paths;    ///< alternatives of a `case`: the names of all subcommands below the program
  std::string aliases;  ///< branches of a `case`: another name of a subcommand -> its path
  std::string choices;  ///< branches of a `case`: subcommand -> words
};

void collectOptions(const CLI::App& command, std::set<std::string>& words, bool& takes_model) {
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty()) continue;  // what the help does not list
    for (const std::string& name : option->get_lnames()) words.insert("--" + name);
    if (option->get_name() == "MODEL") takes_model = true;
  }
  // Groups of options are subcommands without a name.
  for (const CLI::App* group : command.get_subcommands({}))
    if (group->get_name().empty()) collectOptions(*group, words, takes_model);
}

void add(const CLI::App& command, const std::string& path, Script& script) {
  std::set<std::string> words;
  bool takes_model = false;
  collectOptions(command, words, takes_model);
  for (const CLI::App* below : command.get_subcommands({})) {
    if (below->get_name().empty() || below->get_group().empty()) continue;  // what is not listed
    const std::string name = path + ' ' + below->get_name();
    words.insert(below->get_name());
    script.paths += fmt::format("{}\"{}\"", script.paths.empty() ? "" : " | ", name);
    for (const std::string& alias : below->get_aliases())
      script.aliases += fmt::format("      \"{} {}\") path=\"{}\" ;;\n", path, alias, name);
    add(*below, name, script);
  }
  if (takes_model)
    for (const BuiltInModel& model : builtInModels()) words.insert(model.name);
  script.choices += fmt::format("    \"{}\") words=\"{}\" ;;\n", path, fmt::join(words, " "));
}

}  // namespace

std::string bashCompletion(const CLI::App& app) {
  Script script;
  add(app, "tactus", script);
  std::vector<std::string> methods;
  for (const rt::offline::Method& method : rt::offline::methods()) methods.push_back(method.name);
  return fmt::format(R"(# Completion of bash for tactus. Load it with: source <(tactus completion bash)
_tactus() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" path="tactus" words="" i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case "$path ${{COMP_WORDS[i]}}" in
      {}) path+=" ${{COMP_WORDS[i]}}" ;;
{}    esac
  done
  case "${{COMP_WORDS[COMP_CWORD - 1]}}" in
    --integrator | --against) COMPREPLY=($(compgen -W "{}" -- "$word")); return ;;
    --clock) COMPREPLY=($(compgen -W "real-time free-run scaled: lockstep external" -- "$word")); return ;;
  esac
  case "$path" in
{}  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
# Where no word fits, bash completes names of files.
complete -o default -F _tactus tactus
)",
                     script.paths, script.aliases, fmt::join(methods, " "), script.choices);
}

void addCompletionCommand(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("completion", "Print a script that completes command lines in a shell");
  const auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash")->required()->check(CLI::IsMember({"bash"}));
  command->footer("To load it in every shell, add to ~/.bashrc:  source <(tactus completion bash)");
  onCall(*command, exit_code, shell, [&app](const std::string&) {
    std::cout << bashCompletion(app);
    return text::kExitOk;
  });
}

}  // namespace tactus::server
