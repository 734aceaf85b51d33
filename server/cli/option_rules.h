// Rules for the values of options that several subcommands share.
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>

namespace tactus::server {

/// Accepts whole numbers of at least `lowest`; the message of a refusal names it.
CLI::Validator atLeast(std::int64_t lowest);

/// Refuses "", as a variable of the shell that is not set gives it, for all options of a command: no option may be off
/// without a word.
void refuseEmptyValues(CLI::App& command);

}  // namespace tactus::server
