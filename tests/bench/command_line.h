// The command line of a benchmark.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tactus::bench {

/// Values that an option takes, both limits included; the default limits nothing.
struct Range {
  double least = std::numeric_limits<double>::lowest(), greatest = std::numeric_limits<double>::max();
};

/// The command line of one benchmark. The parser of the command line is compiled here once, not with each benchmark.
///
/// A name with dashes is an option, any other name a positional argument. The value that a variable has when it is
/// added is the default, and the help shows it. The variables must outlive main().
class CommandLine {
 public:
  explicit CommandLine(const std::string& description);
  ~CommandLine();

  CommandLine& add(const std::string& name, int& value, const std::string& help, Range range = {});
  CommandLine& add(const std::string& name, double& value, const std::string& help, Range range = {});
  CommandLine& add(const std::string& name, std::string& value, const std::string& help);
  CommandLine& add(const std::string& name, std::vector<std::string>& values, const std::string& help);
  /// Numbers with commas between them; as a positional argument, with spaces, too.
  CommandLine& add(const std::string& name, std::vector<int>& values, const std::string& help, Range range = {});
  /// The option has no value: it sets the variable to true.
  CommandLine& flag(const std::string& name, bool& value, const std::string& help);
  /// One of these words.
  CommandLine& choice(const std::string& name, std::string& value, const std::vector<std::string>& words,
                      const std::string& help);
  /// The file must exist.
  CommandLine& file(const std::string& name, std::string& value, const std::string& help);
  /// The folder must exist.
  CommandLine& folder(const std::string& name, std::string& value, const std::string& help);
  /// The command line must hold the option or argument that was added last.
  CommandLine& required();

  /// Reads the command line, then calls `run`.
  /// @return exit status: 0 after `run` and after the help; that of the parser after a wrong command line; 1 if `run`
  /// throws,
  ///         with the error on stderr after the name of the program
  int main(int argc, char** argv, const std::function<void()>& run);

 private:
  std::unique_ptr<CLI::App> app_;
  std::string last_;
};

}  // namespace tactus::bench
