// A rule for numbers on a command line.
#pragma once

#include <CLI/CLI.hpp>

#include <cmath>
#include <string>

namespace tactus::text {

/// Accepts finite numbers above zero.
inline CLI::Validator aboveZero() {
  CLI::Validator rule;
  rule.operation([](const std::string& word) -> std::string {
    double value = 0;
    const bool is = CLI::detail::lexical_cast(word, value) && std::isfinite(value) && value > 0;
    return is ? "" : word + " must be a finite number above zero";
  });
  return rule;
}

}  // namespace tactus::text
