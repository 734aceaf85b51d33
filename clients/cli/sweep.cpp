#include "clients/cli/sweep.h"

#include "clients/cli/remote.h"
#include "proto/text/exit_code.h"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <unistd.h>

namespace tactus::client {
namespace {

// The package of the interpreter that runs it, or an error that says how to get it. Without the entry for the current
// folder that python3 -c puts before all others: a secrets.py there is a file of the user.
constexpr const char* kProgram =
    "import sys\n"
    "if sys.path and not sys.path[0]:\n"
    "    del sys.path[0]\n"
    "try:\n"
    "    from tactus.sweep_command import main\n"
    "except ImportError as missing:\n"
    "    if '--help' in sys.argv or '-h' in sys.argv:\n"
    "        print('usage: tactus sweep PLAN.json --out DIR; needs the Python package')\n"
    "        sys.exit(0)\n"
    "    print(f'tactus sweep: {sys.executable} cannot import the Python package: {missing}. Install it as "
    "clients/python/README.md says, and activate its environment or set TACTUS_PYTHON to its interpreter', "
    "file=sys.stderr)\n"
    "    sys.exit(2)\n"
    "sys.exit(main(sys.argv[1:]))\n";

/// The value of a variable of the environment; empty if it is not set.
std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

/// The package of a build tree stands beside the program, for Debian's interpreter. Elsewhere it is that of the
/// interpreter on the PATH, or of TACTUS_PYTHON.
int becomePythonProgram(const std::vector<std::string>& arguments) {
  const std::string chosen = environment("TACTUS_PYTHON");
  std::string interpreter = chosen.empty() ? "python3" : chosen;
  const std::filesystem::path package = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "python";
  if (chosen.empty() && std::filesystem::exists(package / "tactus/sweep_command.py")) {
    interpreter = "/usr/bin/python3";
    const std::string others = environment("PYTHONPATH");  // an empty entry names the current folder
    ::setenv("PYTHONPATH", (package.string() + (others.empty() ? "" : ":" + others)).c_str(), 1);
  }
  std::vector<std::string> words{interpreter, "-c", kProgram};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execvp(interpreter.c_str(), pointers.data());
  fmt::print(stderr,
             "tactus sweep: {} cannot be started ({}). Install python3, or set TACTUS_PYTHON to an interpreter\n",
             interpreter, std::strerror(errno));
  return text::kExitUsage;
}

}  // namespace

void addSweepCommand(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("sweep", "Run many cases of a plan on all cores; also: sweep collect, show, recipe");
  command->set_help_flag();  // the program of the package has its own
  command->prefix_command();
  onCall(*command, exit_code, [command] { return becomePythonProgram(command->remaining()); });
}

}  // namespace tactus::client
