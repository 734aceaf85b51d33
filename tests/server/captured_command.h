// A command of the program as a user gives it: what it prints, and the code it ends with.
#pragma once

#include <initializer_list>
#include <iosfwd>
#include <sstream>
#include <string>

namespace CLI {
class App;
}

namespace tactus::tests {

/// Takes what is written to a stream while it lives.
class Captured {
 public:
  explicit Captured(std::ostream& stream);
  ~Captured();
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

/// Adds a subcommand to the program; its exit code is written when it has run.
using AddCommand = void (*)(CLI::App& app, int& exit_code);

/// Runs a command line without the program's name, as main() does: a value that does not parse is exit code 2.
/// @param[in] add  functions that add the subcommands it may name
Outcome runWith(std::initializer_list<AddCommand> add, const std::string& arguments);

template <class... Add>
Outcome runCommand(const std::string& arguments, Add... add) {
  return runWith({add...}, arguments);
}

}  // namespace tactus::tests
