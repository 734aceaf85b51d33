#include "clients/cli/node_program.h"

#include "proto/text/exit_code.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <unistd.h>

namespace tactus::client {

int becomeNodeProgram(const std::string& bundle, const std::vector<std::string>& arguments) {
  // In a build tree the bundles stand beside the program, where Tactus is installed in its library folder.
  const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const std::filesystem::path installed = folder.parent_path() / "lib/tactus/web" / bundle;
  const std::filesystem::path path = std::filesystem::exists(installed) ? installed : folder / "web" / bundle;
  if (!std::filesystem::exists(path)) {
    fmt::print(
        stderr,
        "tactus: the view is not built (neither {} nor {} exists). Build it with: server/run.sh --view --build-only; "
        "a package has it from: docker/package/build.sh --view\n",
        path.string(), installed.string());
    return text::kExitUsage;
  }
  std::vector<std::string> words{"node", path.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execvp("node", pointers.data());
  fmt::print(stderr, "tactus: node cannot be started ({}). Install it with: apt install nodejs\n",
             std::strerror(errno));
  return text::kExitUsage;
}

}  // namespace tactus::client
