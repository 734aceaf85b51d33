// A command of the program as a user gives it: what it prints, and the code it ends with.
#pragma once

#include "proto/text/exit_code.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <sstream>
#include <string>

namespace tactus::tests {

/// Takes what is written to a stream while it lives.
class Captured {
 public:
  explicit Captured(std::ostream& stream) : stream_(stream), before_(stream.rdbuf(text_.rdbuf())) {}
  ~Captured() { stream_.rdbuf(before_); }
  std::string text() const { return text_.str(); }

 private:
  std::ostream& stream_;
  std::ostringstream text_;
  std::streambuf* before_;
};

struct Outcome {
  int exit_code = -1;
  std::string out, err;
};

/// Runs a command line without the program's name, as main() does: a value that does not parse is exit code 2.
/// @param[in] add  functions that add the subcommands it may name
template <class... Add>
Outcome runCommand(const std::string& arguments, Add... add) {
  Outcome outcome;
  const Captured out(std::cout), err(std::cerr);
  CLI::App app("tactus");
  (add(app, outcome.exit_code), ...);
  try {
    app.parse(arguments);
  } catch (const CLI::ParseError& error) {
    std::cerr << error.what() << '\n';
    outcome.exit_code = text::kExitUsage;
  }
  outcome.out = out.text();
  outcome.err = err.text();
  return outcome;
}

}  // namespace tactus::tests
