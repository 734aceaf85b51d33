#include "tests/server/captured_command.h"

#include "proto/text/exit_code.h"

#include <CLI/CLI.hpp>

#include <iostream>

namespace tactus::tests {

Captured::Captured(std::ostream& stream) : stream_(stream), before_(stream.rdbuf(text_.rdbuf())) {}

Captured::~Captured() {
  stream_.rdbuf(before_);
}

Outcome runWith(std::initializer_list<AddCommand> add, const std::string& arguments) {
  Outcome outcome;
  const Captured out(std::cout), err(std::cerr);
  CLI::App app("tactus");
  for (const AddCommand command : add) command(app, outcome.exit_code);
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
