// The names of the subcommands of a program, for words that are none of them.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace tactus::server {

/// Why a word is no subcommand of the program, with the nearest name; empty if it is one, or an option.
std::string refusalOfWord(const CLI::App& app, const std::string& word);

}  // namespace tactus::server
