// The configuration file of a subcommand: TOML with a key for each of its options.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tactus::server {

/// Reads the file of `--config` among the words of a command line, before that line is parsed: what the line says
/// replaces what the file says. A key is the name of an option without "--"; "model" is the argument MODEL. A flag
/// takes true or false, an option of numbers a number without quotes, any other option a text in quotes. An option that
/// may be given several times takes a list as well.
/// @param[in,out] command  gets the values; addRulesOfAllOptions() has seen its options
/// @returns each finding on a line of its own, as FILE:LINE: what is wrong; empty if there is none
std::string readConfigFile(CLI::App& command, const std::vector<std::string>& words);

}  // namespace tactus::server
