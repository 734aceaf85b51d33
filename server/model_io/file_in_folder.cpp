#include "server/model_io/file_in_folder.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

namespace tactus::server {
namespace {

/// Whether a path, with its links followed, lies in a folder.
bool leadsInto(const std::filesystem::path& folder, const std::filesystem::path& path) {
  std::error_code failed;
  const std::filesystem::path root =
      std::filesystem::weakly_canonical(folder.empty() ? std::filesystem::current_path() : folder, failed);
  if (failed) return false;
  const std::filesystem::path whole = std::filesystem::weakly_canonical(std::filesystem::absolute(path), failed);
  return !failed && std::mismatch(root.begin(), root.end(), whole.begin(), whole.end()).first == root.end();
}

}  // namespace

std::optional<FileProblem> nameProblem(const std::string& name) {
  const std::filesystem::path path(name);
  if (!path.is_absolute() && std::find(path.begin(), path.end(), "..") == path.end()) return std::nullopt;
  return FileProblem{
      "must be a path from the folder of the model file, or of the included file that names it, without \"..\"", ""};
}

std::optional<FileProblem> readFileIn(const std::filesystem::path& root, const std::filesystem::path& base,
                                      const std::string& name, std::size_t most, std::string& bytes) {
  if (auto problem = nameProblem(name)) return problem;
  const std::filesystem::path whole = base / name;
  std::error_code failed;
  if (std::filesystem::exists(whole, failed) && !std::filesystem::is_regular_file(whole, failed))
    return FileProblem{"must be a file, not a folder", ""};
  if (!leadsInto(root, whole))
    return FileProblem{"must lie in the folder of the model file: its links lead out of it", ""};
  std::ifstream file(whole, std::ios::binary);
  if (!file)
    return FileProblem{std::string("cannot be opened: ") + std::strerror(errno),
                       "the path is from the folder of the file that names it"};
  // One byte more than allowed tells a file that is too large.
  bytes.resize(most + 1);
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (file.bad()) return FileProblem{std::string("cannot be read: ") + std::strerror(errno), ""};
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  if (bytes.size() > most)
    return FileProblem{"must not be larger than " + std::to_string(most >> 20) + " MiB", "", true};
  return std::nullopt;
}

}  // namespace tactus::server
