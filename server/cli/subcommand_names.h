// Words of a command line that the program does not know, and the nearest that it knows; how the help of a command
// ends.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tactus::server {

/// Why a word is no subcommand of the program, with the nearest name; empty if it is one, or an option.
std::string refusalOfWord(const CLI::App& app, const std::string& word);

/// Why words of a command line that was parsed are not taken: the first unknown option with the nearest one, or the
/// first argument too many. Behind the value of a list the refusal says how several values are given.
/// @param words  the command line as it was parsed
std::string refusalOfExtras(const CLI::App& app, const std::vector<std::string>& words);

/// Ends the help of a command and of those below it with `codes`, where there is no argument MODEL to explain.
/// @param footer  of the program, which a command has taken over from it
void endHelpWithoutModel(CLI::App& command, const std::string& footer, const std::string& codes);

}  // namespace tactus::server
