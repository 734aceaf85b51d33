// A file of this process in the folder for temporary files.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>

namespace tactus::tests {

inline std::string temporaryFile(const std::string& name) {
  return (std::filesystem::temp_directory_path() / ("tactus_" + std::to_string(::getpid()) + "_" + name)).string();
}

}  // namespace tactus::tests
