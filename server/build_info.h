// What this binary is: bits are promised per binary, so every report and recording says which one made it.
#pragma once

#include <string>

namespace tactus::server {

struct BuildInfo {
  const char* version;          ///< of the project
  const char* commit;           ///< short hash, "+" appended if the tree had changes; "unknown" outside git
  const char* compiler;         ///< name and version
  const char* flags;            ///< with which this code was compiled
  const char* instruction_set;  ///< -march
};

/// Of the running binary; fixed when it was built.
const BuildInfo& buildInfo() noexcept;

/// "(tactus VERSION, COMMIT, COMPILER)", for a report that says what made it.
std::string madeBy();

/// Five lines for `tactus --version`.
std::string describeBuild();

}  // namespace tactus::server
