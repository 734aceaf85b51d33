// `tactus completion`: the script with which a shell completes command lines of the program.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace tactus::server {

/// Adds the subcommand to the program. Its script has the subcommands and options that the program has when it runs.
void addCompletionCommand(CLI::App& app, int& exit_code);

/// A script for bash that completes subcommands, options, built-in models and methods of `app`, and names of files.
std::string bashCompletion(const CLI::App& app);

}  // namespace tactus::server
