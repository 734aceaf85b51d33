// Files that a model file names: they lie in its folder, whatever links there are.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace tactus::server {

/// The rule for a file that a model names which has no folder.
inline constexpr const char* kNoFolder = "must be read where the model file is, not by a server";

/// Why a file is not read.
struct FileProblem {
  std::string rule, hint;
  bool too_large = false;
};

/// What is wrong with the name alone: it is absolute, or has "..".
std::optional<FileProblem> nameProblem(const std::string& name);

/// Reads a file that is named by a path from `base`, without "..", and that lies in `root` after its links are
/// followed.
/// @param most  bytes; a larger file is a problem
/// @returns none if `bytes` holds the content
std::optional<FileProblem> readFileIn(const std::filesystem::path& root, const std::filesystem::path& base,
                                      const std::string& name, std::size_t most, std::string& bytes);

}  // namespace tactus::server
