// Words of a command line as their user wrote them. CLI11 takes a word between [ and ] for a list, removes the brackets
// and splits the rest at its commas; for Tactus "[ab]*.[xy]" is a glob of signals. So such a word goes to CLI11 behind
// a mark, which each option removes from its values (addRulesOfAllOptions() in option_rules.h).
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tactus::server {

/// A value as CLI11 gets it: behind a mark if CLI11 would take it for a list.
std::string marked(const std::string& value);

/// The word as it was written, for a value or for --NAME=VALUE.
std::string unmarked(std::string word);

/// A command line as CLI11 gets it, with the name of the program in front. Words of a command that hands them on to
/// another program stay as they are.
std::vector<std::string> markedWords(const CLI::App& program, const std::vector<std::string>& words);

}  // namespace tactus::server
