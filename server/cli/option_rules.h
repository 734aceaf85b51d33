// Rules for the values of options that several subcommands share.
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace tactus::server {

/// Why a word is no whole number of an option, to be written behind the word; empty if it is one: decimal digits
/// without a leading zero, at most one sign before them, within 64 bits. CLI11 reads 010 as eight, and takes the
/// largest number for each that is larger.
/// @param[in] type  type of the option, from CLI::Option::get_type_name(): "UINT..." has no sign -
std::string refusalOfWhole(std::string_view word, std::string_view type = "INT");

/// True if the values of an option are whole numbers.
/// @param[in] type  from CLI::Option::get_type_name()
bool isWholeType(std::string_view type);

/// Accepts whole numbers of at least `lowest`; the message of a refusal names it.
CLI::Validator atLeast(std::int64_t lowest);

/// Refuses "", as a variable of the shell that is not set gives it, for all options of a command: no option may be off
/// without a word.
void refuseEmptyValues(CLI::App& command);

/// Adds what holds for each option of a program and of all commands below it, once all are there: it takes words with
/// the mark of written_words.h, one word each time it is given, and whole numbers as refusalOfWhole() wants them.
void addRulesOfAllOptions(CLI::App& program);

}  // namespace tactus::server
