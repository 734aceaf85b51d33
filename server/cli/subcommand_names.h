// Words of a command line that the program does not know, and the nearest that it knows.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace tactus::server {

/// Why a word is no subcommand of the program, with the nearest name; empty if it is one, or an option.
std::string refusalOfWord(const CLI::App& app, const std::string& word);

/// Why words of a command line that was parsed are not taken: the first unknown option with the nearest one, or the
/// first argument too many.
std::string refusalOfExtras(const CLI::App& app);

}  // namespace tactus::server
