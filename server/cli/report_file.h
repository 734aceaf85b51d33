// The HTML page of `tactus validate` and `tactus qualify`, and their progress on stderr.
#pragma once

#include <CLI/CLI.hpp>

#include <chrono>
#include <functional>
#include <string>

namespace tactus::server {

/// Adds --report.
void addReportOption(CLI::App& command, std::string& path);

/// Checks that the page can be written, so that a wrong path is an error before the analysis. Changes no file. An empty
/// path stands for no page.
/// @throws Error if the file cannot be written, or if it is no page and would be replaced
void requireWritableReport(const std::string& path);

/// Puts the finished page in the place of an older one. @throws Error if it cannot be written; the older one then stays
void writeReport(const std::string& path, const std::function<std::string()>& page);

/// "2026-11-23 14:05 UTC on Intel ... (tactus 1.0, 0c52013, g++ 12)": date, host and build, for the page.
std::string madeOn();

/// Time for a step to end by itself after an interrupt, which is answered within a second.
constexpr std::chrono::milliseconds kInterruptGrace{700};

/// What an analysis leaves behind if it does not answer an interrupt: a line on stderr. An older page stays.
std::function<void()> lastWords(const std::string& subcommand);

/// Prints each stage of an analysis to stderr: "tactus validate: mcs-qr, step 1ms". On a terminal each stage replaces
/// the one before; the line ends with the returned function.
std::function<void(const std::string&)> progressOf(const std::string& subcommand);

}  // namespace tactus::server
