// The files that describe a host: /proc and /sys, or a folder that stands for them in a test.
#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

namespace tactus::server {

/// Reads files of the host by their usual paths.
class HostFiles {
 public:
  explicit HostFiles(std::string root) : root_(std::move(root)) {}

  /// The whole file without the line break at its end; none if it cannot be read.
  std::optional<std::string> read(const std::string& path) const {
    std::ifstream file(root_ + path);
    std::ostringstream content;
    if (!file || !(content << file.rdbuf())) return {};
    std::string text = content.str();
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
  }

  bool exists(const std::string& path) const { return std::filesystem::exists(root_ + path); }

 private:
  std::string root_;
};

}  // namespace tactus::server
